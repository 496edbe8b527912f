/** What a call graph has that the tables of a report cannot contain. */
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { CALL_KINDS, type CallGraph } from '../../models/callgraph/call-graph.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';

/** Throws `UsageError` for recordings without a call graph. */
export function requireCallGraph({ callGraph }: Recording): CallGraph {
  if (callGraph !== undefined) return callGraph;
  throw new UsageError('the recording has no call graph: calls cannot be written from it', { code: 'no-call-graph' });
}

const UNKNOWN = CALL_KINDS.indexOf('unknown');

/** Of calls whose kind is unknown: reports have only direct and virtual ones. */
export function notesOnKinds({ sites }: CallGraph): string[] {
  const unknown = sites.kind.reduce((sum, kind) => sum + (kind === UNKNOWN ? 1 : 0), 0);
  return unknown === 0
    ? []
    : [`of ${unknown} calls, that it is unknown whether they are virtual: they are written as direct ones`];
}

/** Notes for tables: loaders, reasons, counts and receivers have no columns. */
export function notesOnGraph({ classes }: Program, graph: CallGraph): string[] {
  const { entries, reasons, targets, receivers } = graph;
  const { offsets } = reasons;
  const explained = entries.reason.reduce((sum, id) => sum + (offsets[id] < offsets[id + 1] ? 1 : 0), 0);
  return [
    ...notesOnKinds(graph),
    ...(classes.module === undefined ? [] : ['the class loaders of methods']),
    ...(explained > 0 ? [`the reasons of ${plural(explained, 'entry', 'entries')}`] : []),
    ...(targets.count === undefined ? [] : ['how often calls were counted']),
    ...(receivers.length === 0 ? [] : ['the classes that virtual calls were made on']),
  ];
}
