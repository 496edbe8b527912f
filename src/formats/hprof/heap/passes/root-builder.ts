/** Collects roots from sub-records, in the order of the file. */
import { ByteBuilder, Float64Builder } from '../../../../base/columns/columns.js';
import { idAt } from '../../../../models/heap/values.js';
import {
  ROOT_JAVA_FRAME,
  ROOT_JNI_GLOBAL,
  ROOT_JNI_LOCAL,
  ROOT_JNI_MONITOR,
  ROOT_NATIVE_STACK,
  ROOT_THREAD_BLOCK,
  ROOT_THREAD_OBJECT,
} from '../../tags.js';
import type { RootColumns } from './scan-part.js';

/** Bytes after the tag of a root, beside its id; by tag; -1 for tags that are no root. */
export function rootLengths(idSize: number): Int16Array {
  const lengths = new Int16Array(256).fill(-1);
  for (const tag of [0xff, 0x05, 0x07, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90]) lengths[tag] = 0;
  lengths[ROOT_JNI_GLOBAL] = idSize;
  for (const tag of [ROOT_JNI_LOCAL, ROOT_JAVA_FRAME, ROOT_JNI_MONITOR, ROOT_THREAD_OBJECT]) lengths[tag] = 8;
  for (const tag of [ROOT_NATIVE_STACK, ROOT_THREAD_BLOCK]) lengths[tag] = 4;
  return lengths;
}

export class RootBuilder {
  readonly #idSize: number;
  readonly #offset = new Float64Builder();
  readonly #tag = new ByteBuilder();
  readonly #object = new Float64Builder();
  readonly #thread = new Float64Builder();
  readonly #detail = new Float64Builder();

  constructor(idSize: number) {
    this.#idSize = idSize;
  }

  /** Adds the root at `at`, which is at `offset` in the file and has `length` bytes behind its id. */
  add(view: DataView, at: number, length: number, offset: number): void {
    const idSize = this.#idSize;
    const tag = view.getUint8(at);
    this.#offset.push(offset);
    this.#tag.push(tag);
    this.#object.push(idAt(view, at + 1, idSize));
    const numbers = tag !== ROOT_JNI_GLOBAL && length > 0;
    this.#thread.push(numbers ? view.getUint32(at + 1 + idSize) : -1);
    this.#detail.push(numbers && length === 8 ? view.getUint32(at + 5 + idSize) : -1);
  }

  finish(): RootColumns {
    return {
      offset: this.#offset.finish(),
      tag: this.#tag.finish(),
      object: this.#object.finish(),
      thread: this.#thread.finish(),
      detail: this.#detail.finish(),
    };
  }
}
