/** The kinds of roots that are on the stack of a thread. */
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';

export const STACK_ROOTS: ReadonlySet<number> = new Set(
  (['java-frame', 'jni-local', 'native-stack'] as const).map((kind) => ROOT_KINDS.indexOf(kind)),
);
