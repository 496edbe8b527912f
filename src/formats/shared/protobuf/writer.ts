/** Writes messages of protobuf: fields in the order of the calls, numbers as varints, nested messages through a second buffer. */
import { ByteBuilder } from '../../../base/columns/columns.js';
import { encodeUtf8 } from '../../../base/text.js';

const TWO_32 = 2 ** 32;
const TWO_64 = 2n ** 64n;

export class WireWriter {
  readonly #out = new ByteBuilder(1 << 12);

  get length(): number {
    return this.#out.length;
  }

  /** The bytes so far; the writer begins anew. */
  take(): Uint8Array {
    const bytes = this.#out.finish();
    this.#out.length = 0;
    return bytes;
  }

  /** A whole number of any sign, below 2^63; 0 is left out, as it is what a missing field means. */
  number(field: number, value: number): void {
    if (value === 0) return;
    this.#tag(field, 0);
    this.#varint(value);
  }

  /** An address by its halves. */
  halves(field: number, low: number, high: number): void {
    if ((low | high) === 0) return;
    this.#tag(field, 0);
    this.#halves(low, high);
  }

  /** Numbers in a row; nothing if there are none. */
  packed(field: number, values: ArrayLike<number>, length = values.length): void {
    if (length === 0) return;
    const inner = new WireWriter();
    for (let i = 0; i < length; i++) inner.#varint(values[i] ?? 0);
    this.message(field, inner);
  }

  /** A message, also an empty one; its writer begins anew. */
  message(field: number, inner: WireWriter): void {
    this.#tag(field, 2);
    this.#varint(inner.length);
    this.#out.append(inner.#out.bytes, 0, inner.length);
    inner.#out.length = 0;
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.#tag(field, 2);
    this.#varint(bytes.length);
    this.#out.append(bytes, 0, bytes.length);
  }

  text(field: number, text: string): void {
    this.bytes(field, encodeUtf8(text));
  }

  #tag(field: number, wire: number): void {
    this.#varint(field * 8 + wire);
  }

  #varint(value: number): void {
    if (value >= 0 && value < TWO_32) {
      let rest = value;
      while (rest >= 0x80) {
        this.#out.push((rest % 0x80) | 0x80);
        rest = Math.floor(rest / 0x80);
      }
      this.#out.push(rest);
      return;
    }
    const whole = BigInt(value);
    const bits = whole < 0n ? whole + TWO_64 : whole;
    this.#halves(Number(bits & 0xffffffffn), Number(bits >> 32n));
  }

  #halves(low: number, high: number): void {
    let [lower, upper] = [low >>> 0, high >>> 0];
    while (upper > 0 || lower >= 0x80) {
      this.#out.push((lower & 0x7f) | 0x80);
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    this.#out.push(lower);
  }
}
