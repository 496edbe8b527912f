/** Experiments from samples of a recorder: what `src/record` writes. */

export { archiveName, copyLine } from './archive-name.js';
export type { RunOrigin } from './log.js';
export type {
  AddressedCode,
  NativeMapping,
  NativeProcess,
  NativeSamples,
  NativeStack,
  StackEnd,
} from './native.js';
export { descendantText, nativeParts, warningText } from './native.js';
