/**
 * CLASS DUMP: the classes of a heap as recorded. Columns, 40 bytes a class, 9 a field, 17 a static field.
 *
 *   id, u4 trace, id super, loader, signers, domain, 0, 0, u4 instance size,
 *   u2 n × {u2 index, u1 type, value}, u2 n × {id name, u1 type, value}, u2 n × {id name, u1 type}
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { idAt } from '../../../models/heap/values.js';
import { TYPE_OBJECT, TYPE_OF } from '../tags.js';

/** Plain columns, so that threads can send them. Ids are doubles, exact below 2^53. */
export interface ClassDumpColumns {
  readonly length: number;
  /** Byte offset of the sub-record. */
  readonly offset: Float64Array;
  readonly address: Float64Array;
  readonly trace: Float64Array;
  readonly parent: Float64Array;
  readonly loader: Float64Array;
  readonly signers: Float64Array;
  readonly domain: Float64Array;
  /** Bytes of the values of an instance; Android: its real size. */
  readonly instanceBytes: Float64Array;
  /** Values of class `c` are `first[c] .. first[c + 1]`, in the order of the file: constants, statics, fields. */
  readonly first: Int32Array;
  /** Index into `MEMBER_KINDS`. */
  readonly memberKind: Uint8Array;
  /** Id of the name; index of a constant. */
  readonly memberName: Float64Array;
  readonly memberType: Uint8Array;
  /** The value: upper and lower 32 bits; 0 for fields. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

export const MEMBER_KINDS = ['constant', 'static', 'field'] as const;
export const CONSTANT = 0;
export const STATIC = 1;
export const FIELD = 2;

export class ClassDumps {
  readonly #idSize: number;
  readonly #sizes: Uint8Array;
  readonly #head = {
    offset: new Float64Builder(),
    address: new Float64Builder(),
    trace: new Float64Builder(),
    parent: new Float64Builder(),
    loader: new Float64Builder(),
    signers: new Float64Builder(),
    domain: new Float64Builder(),
    instanceBytes: new Float64Builder(),
  };
  readonly #first = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #name = new Float64Builder();
  readonly #type = new ByteBuilder();
  readonly #high = new Int32Builder();
  readonly #low = new Int32Builder();

  constructor(idSize: number, sizes: Uint8Array) {
    this.#idSize = idSize;
    this.#sizes = sizes;
  }

  /**
   * Length of the class dump at `at`, whose tag is skipped; -1 if it goes on behind `end`, -2 if it has a type that does not
   * exist. Reads nothing twice: `add` follows only where the length is known.
   */
  lengthAt(view: DataView, at: number, end: number): number {
    const id = this.#idSize;
    let next = at + 7 * id + 8;
    for (const kind of [CONSTANT, STATIC, FIELD]) {
      if (next + 2 > end) return -1;
      const count = view.getUint16(next);
      next += 2;
      const before = kind === CONSTANT ? 2 : id;
      for (let i = 0; i < count; i++) {
        if (next + before + 1 > end) return -1;
        const size = this.#sizes[view.getUint8(next + before)];
        if (size === 0) return -2;
        next += before + 1 + (kind === FIELD ? 0 : size);
      }
    }
    return next > end ? -1 : next - at;
  }

  /** Reads the class dump at `at`, which is whole; `offset` is its place in the file. Returns its address. */
  add(view: DataView, at: number, offset: number): number {
    const id = this.#idSize;
    const head = this.#head;
    const address = idAt(view, at, id);
    head.offset.push(offset);
    head.address.push(address);
    head.trace.push(view.getUint32(at + id));
    const rest = at + id + 4;
    head.parent.push(idAt(view, rest, id));
    head.loader.push(idAt(view, rest + id, id));
    head.signers.push(idAt(view, rest + 2 * id, id));
    head.domain.push(idAt(view, rest + 3 * id, id));
    head.instanceBytes.push(view.getUint32(rest + 6 * id));
    this.#first.push(this.#kind.length);
    let next = rest + 6 * id + 4;
    for (const kind of [CONSTANT, STATIC, FIELD]) next = this.#members(view, next, kind);
    return address;
  }

  #members(view: DataView, at: number, kind: number): number {
    const id = this.#idSize;
    const count = view.getUint16(at);
    let next = at + 2;
    for (let i = 0; i < count; i++) {
      this.#kind.push(kind);
      this.#name.push(kind === CONSTANT ? view.getUint16(next) : idAt(view, next, id));
      next += kind === CONSTANT ? 2 : id;
      const code = view.getUint8(next++);
      const size = this.#sizes[code];
      this.#type.push(TYPE_OF[code]);
      if (kind === FIELD) {
        this.#high.push(0);
        this.#low.push(0);
        continue;
      }
      this.#high.push(size === 8 ? view.getInt32(next) : 0);
      this.#low.push(valueAt(view, next, size));
      next += size;
    }
    return next;
  }

  finish(): ClassDumpColumns {
    this.#first.push(this.#kind.length);
    const { offset, address, trace, parent, loader, signers, domain, instanceBytes } = this.#head;
    return {
      length: offset.length,
      offset: offset.finish(),
      address: address.finish(),
      trace: trace.finish(),
      parent: parent.finish(),
      loader: loader.finish(),
      signers: signers.finish(),
      domain: domain.finish(),
      instanceBytes: instanceBytes.finish(),
      first: this.#first.finish(),
      memberKind: this.#kind.finish(),
      memberName: this.#name.finish(),
      memberType: this.#type.finish(),
      high: unsigned(this.#high.finish()),
      low: unsigned(this.#low.finish()),
    };
  }
}

function unsigned(values: Int32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

function valueAt(view: DataView, at: number, size: number): number {
  if (size === 8) return view.getInt32(at + 4);
  if (size === 4) return view.getInt32(at);
  return size === 2 ? view.getUint16(at) : view.getUint8(at);
}

/** Whether a member is a reference that holds an object: fields are none, since only instances have their values. */
export function isReference(columns: ClassDumpColumns, member: number): boolean {
  return columns.memberType[member] === TYPE_OBJECT && columns.memberKind[member] !== FIELD;
}
