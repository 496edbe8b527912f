/** Why an object is held from outside the heap. Those behind `busy-monitor` are Android's, the last two those of image heaps. */
export const ROOT_KINDS = [
  'unknown',
  'thread',
  'jni-global',
  'jni-local',
  'java-frame',
  'native-stack',
  'system-class',
  'thread-block',
  'busy-monitor',
  'interned-string',
  'finalizing',
  'debugger',
  'reference-cleanup',
  'vm-internal',
  'jni-monitor',
  'static-field',
  'method-constant',
] as const;
export type RootKind = (typeof ROOT_KINDS)[number];

/** Roots of each kind, by index into `ROOT_KINDS`; invalid indexes are not counted. */
export function countKinds(kinds: Iterable<number>): Int32Array {
  const counts = new Int32Array(ROOT_KINDS.length);
  for (const kind of kinds) if (kind >= 0 && kind < counts.length) counts[kind]++;
  return counts;
}
