/** Kinds of roots by tag. */
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import * as tags from '../tags.js';

const KINDS: readonly (readonly [number, RootKind])[] = [
  [tags.ROOT_UNKNOWN, 'unknown'],
  [tags.ROOT_JNI_GLOBAL, 'jni-global'],
  [tags.ROOT_JNI_LOCAL, 'jni-local'],
  [tags.ROOT_JAVA_FRAME, 'java-frame'],
  [tags.ROOT_NATIVE_STACK, 'native-stack'],
  [tags.ROOT_STICKY_CLASS, 'system-class'],
  [tags.ROOT_THREAD_BLOCK, 'thread-block'],
  [tags.ROOT_MONITOR_USED, 'busy-monitor'],
  [tags.ROOT_THREAD_OBJECT, 'thread'],
  [tags.ROOT_INTERNED_STRING, 'interned-string'],
  [tags.ROOT_FINALIZING, 'finalizing'],
  [tags.ROOT_DEBUGGER, 'debugger'],
  [tags.ROOT_REFERENCE_CLEANUP, 'reference-cleanup'],
  [tags.ROOT_VM_INTERNAL, 'vm-internal'],
  [tags.ROOT_JNI_MONITOR, 'jni-monitor'],
];

const BY_TAG = new Int8Array(256).fill(-1);
for (const [tag, kind] of KINDS) BY_TAG[tag] = ROOT_KINDS.indexOf(kind);

/** Index into `ROOT_KINDS`; -1 for tags that hold nothing (0x90, unreachable). */
export function rootKind(tag: number): number {
  return BY_TAG[tag];
}
