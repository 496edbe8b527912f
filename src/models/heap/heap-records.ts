/** The records of a heap dump in the order of its file, for those who make records of another kind from them. */

/** A value of a class: halves of 32 bits; type as in `VALUE_TYPES`. */
export interface ClassValue {
  readonly type: number;
  readonly high: number;
  readonly low: number;
}

/** A class as recorded. Ids are doubles, 0 for none. */
export interface ClassRecordOf {
  readonly address: number;
  readonly parent: number;
  readonly loader: number;
  readonly signers: number;
  readonly domain: number;
  /** Index in the constant pool. */
  readonly constants: readonly (ClassValue & { readonly index: number })[];
  readonly statics: readonly ClassValue[];
}

/** A root as recorded. */
export interface RootRecord {
  /** Index into `ROOT_KINDS`. */
  readonly kind: number;
  readonly object: number;
  /** The recording's number of the thread; -1 none. */
  readonly thread: number;
  /** Depth of the frame, 0 the innermost one; -1 none. */
  readonly frame: number;
}

/** Takes the records of a dump: roots, classes, then objects in the order of the file. */
export interface HeapRecordSink {
  root(root: RootRecord): void;
  class(record: ClassRecordOf): void;
  /** Begins an instance; `bytes` of its values follow. */
  instance(id: number, classId: number, bytes: number): void;
  /** Begins an array of references; its elements follow. */
  objectArray(id: number, classId: number, length: number): void;
  /** Begins an array; `type` as in `VALUE_TYPES`. Its elements follow if the file has them. */
  primitiveArray(id: number, type: number, length: number): void;
  /** The next values of the object, big-endian; those of an instance at once, elements whole. Valid during the call. */
  values(bytes: Uint8Array, from: number, to: number): void;
  /** Called between objects, now and then: a promise stops the reading until it is settled. */
  pause?(): Promise<void> | undefined;
}
