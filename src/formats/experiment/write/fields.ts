/** Writes numbers at offsets from a place, in a byte order. */
export class Fields {
  readonly #view: DataView;
  readonly #at: number;
  readonly #little: boolean;

  constructor(bytes: Uint8Array, at: number, littleEndian: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
    this.#little = littleEndian;
  }

  half(offset: number, value: number): void {
    this.#view.setUint16(this.#at + offset, value, this.#little);
  }

  word(offset: number, value: number): void {
    this.#view.setUint32(this.#at + offset, value >>> 0, this.#little);
  }

  /** A whole number from 0 to 2^53. */
  wide(offset: number, value: number): void {
    this.halves(offset, Math.floor(value / 2 ** 32), value >>> 0, this.#little);
  }

  halves(offset: number, high: number, low: number, littleEndian = this.#little): void {
    this.#view.setUint32(this.#at + offset + (littleEndian ? 4 : 0), high >>> 0, littleEndian);
    this.#view.setUint32(this.#at + offset + (littleEndian ? 0 : 4), low >>> 0, littleEndian);
  }

  bytes(offset: number, values: Uint8Array): void {
    for (const [i, value] of values.entries()) this.#view.setUint8(this.#at + offset + i, value);
  }
}
