/**
 * Tests whether bytes fit a protobuf schema. Uses only the wire format: tags, varints, lengths. A message that
 * continues past the end is checked up to there. Each byte is visited at most once per nesting level of the schema.
 */

export type FieldShape = 'varint' | 'bytes' | 'packed' | 'any' | Schema;
/** Field number → allowed type. `packed`: one varint, or many of them in one length-delimited field. */
export interface Schema {
  readonly [field: number]: FieldShape;
}

export interface SchemaFit {
  /** Every field is in the schema, with its wire type. */
  readonly fits: boolean;
  /** Outermost fields by number, including truncated ones. */
  readonly counts: ReadonlyMap<number, number>;
  /** Fields on all levels. */
  readonly total: number;
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

class Walker {
  total = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A varint below 2^53 at the position; undefined if there is none. At the end of the bytes `cut` is set. */
  cut = false;

  #varint(): number | undefined {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      if (this.#at >= this.#bytes.length) {
        this.cut = true;
        return undefined;
      }
      const byte = this.#bytes[this.#at++];
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    return undefined;
  }

  /** Walks fields up to `end`; false if one does not fit. */
  message(schema: Schema, end: number, seen?: (field: number) => void): boolean {
    while (this.#at < end && this.#at < this.#bytes.length) {
      const tag = this.#varint();
      if (tag === undefined) return this.cut;
      const field = Math.floor(tag / 8);
      const shape = schema[field];
      if (shape === undefined || this.#at > end) return false;
      seen?.(field);
      this.total++;
      if (!this.#field(shape, tag % 8, end)) return false;
    }
    return true;
  }

  #field(shape: FieldShape, wire: number, end: number): boolean {
    if (wire === VARINT) {
      const plain = shape === 'varint' || shape === 'packed' || shape === 'any';
      return plain && (this.#varint() !== undefined || this.cut) && this.#at <= end;
    }
    if (wire === FIXED64 || wire === FIXED32) {
      this.#at += wire === FIXED64 ? 8 : 4;
      return shape === 'any' && this.#at <= end;
    }
    if (wire !== LENGTH || shape === 'varint') return false;
    const length = this.#varint();
    if (length === undefined) return this.cut;
    const inner = this.#at + length;
    if (inner > end) return false;
    if (typeof shape === 'object') return this.message(shape, inner);
    if (shape === 'packed') return this.#packed(inner);
    this.#at = inner;
    return true;
  }

  #packed(end: number): boolean {
    while (this.#at < end) {
      if (this.#varint() === undefined) return this.cut;
    }
    return this.#at === end;
  }
}

/** `limit`: length that the outermost message may have beyond `bytes` (infinite for the head of something longer). */
export function fit(bytes: Uint8Array, schema: Schema): SchemaFit {
  const walker = new Walker(bytes);
  const counts = new Map<number, number>();
  const fits = walker.message(schema, Number.POSITIVE_INFINITY, (field) =>
    counts.set(field, (counts.get(field) ?? 0) + 1),
  );
  return { fits: fits && bytes.length > 0, counts, total: walker.total };
}
