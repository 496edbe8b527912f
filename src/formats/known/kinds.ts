/** Kinds of profiling files that are recognised by name until they have a reader. */
import type { KnownKind } from '../format.js';
import { HPROF_KINDS } from './hprof.js';
import { JSON_KINDS } from './json.js';
import { JVM_KINDS } from './jvm.js';
import { JVM_TEXT_KINDS } from './jvm-text.js';
import { NATIVE_KINDS } from './native.js';
import { POINTS_TO_JSON_KINDS } from './points-to-json.js';
import { PPROF_KINDS } from './pprof.js';

export const KNOWN_KINDS: readonly KnownKind[] = [
  ...HPROF_KINDS,
  ...JVM_KINDS,
  ...JVM_TEXT_KINDS,
  ...NATIVE_KINDS,
  ...PPROF_KINDS,
  ...JSON_KINDS,
  ...POINTS_TO_JSON_KINDS,
];
