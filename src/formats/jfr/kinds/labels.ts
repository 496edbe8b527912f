/** Numbers by which a program labels its work, in events of async-profiler and recorders made from it: a label is a filter of a scope. */
import { optional } from '../../../models/table-kind.js';
import type { KindSource } from './kind-source.js';

const LABEL = { holds: 'number', unit: 'none', wide: true } as const;

export const LABELS = [
  optional({ ...LABEL, key: 'contextId', title: 'Context ID', meaning: 'label of the work; 0 mostly means none' }),
  optional({ ...LABEL, key: 'spanId', title: 'Span ID', meaning: 'span of the work in a trace; 0 mostly means none' }),
] as const;

/** The labels of events that have any. */
export const LABELLED: KindSource['columns'] = { contextId: 'contextId', spanId: 'spanId' };
