/** Why an object is held from outside the heap. Those behind `busy-monitor` are Android's. */
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
] as const;
export type RootKind = (typeof ROOT_KINDS)[number];
