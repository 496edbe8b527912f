/** A second, plain reader and writer of protobuf's wire format for tests: an object a field, numbers as `bigint`. */

export interface PlainField {
  readonly field: number;
  readonly wire: number;
  /** Of wire types 0, 1 and 5. */
  readonly value: bigint;
  /** Of wire type 2. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

interface Read {
  readonly value: bigint;
  readonly end: number;
}

/** The fields of a message; undefined if it is damaged. */
export function plainFields(bytes: Uint8Array): PlainField[] | undefined {
  const fields: PlainField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = varintAt(bytes, at);
    if (tag === undefined || tag.value >= 2n ** 35n || tag.value >> 3n === 0n) return undefined;
    const [field, wire] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
    const content = contentAt(bytes, tag.end, wire);
    if (content === undefined) return undefined;
    fields.push({ field, wire, start: at, ...content });
    at = content.end;
  }
  return fields;
}

function contentAt(
  bytes: Uint8Array,
  at: number,
  wire: number,
): Omit<PlainField, 'field' | 'wire' | 'start'> | undefined {
  const none = new Uint8Array();
  if (wire === 1 || wire === 5) {
    const end = at + (wire === 1 ? 8 : 4);
    let value = 0n;
    for (let i = end - 1; i >= at; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0);
    return end > bytes.length ? undefined : { value, bytes: none, end };
  }
  if (wire !== 0 && wire !== 2) return undefined;
  const number = varintAt(bytes, at);
  if (number === undefined) return undefined;
  if (wire === 0) return { value: number.value, bytes: none, end: number.end };
  if (number.value > BigInt(bytes.length - number.end)) return undefined;
  const end = number.end + Number(number.value);
  return { value: 0n, bytes: bytes.subarray(number.end, end), end };
}

/** The numbers of a packed field; undefined if they are damaged. */
export function plainNumbers(bytes: Uint8Array): bigint[] | undefined {
  const numbers: bigint[] = [];
  for (let at = 0; at < bytes.length; ) {
    const number = varintAt(bytes, at);
    if (number === undefined) return undefined;
    numbers.push(number.value);
    at = number.end;
  }
  return numbers;
}

/** At most ten bytes, of 64 bits. */
function varintAt(bytes: Uint8Array, start: number): Read | undefined {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: start + i + 1 };
  }
  return undefined;
}

/** A value of a field to encode: a number, text, bytes, a message, or packed numbers. */
export type Encodable = number | bigint | string | Uint8Array | { readonly packed: readonly (number | bigint)[] };

/** The bytes of a message with these fields, in this order. */
export function encodeFields(fields: readonly (readonly [field: number, value: Encodable])[]): Uint8Array {
  const out: number[] = [];
  for (const [field, value] of fields) {
    if (typeof value === 'number' || typeof value === 'bigint') {
      varint(out, BigInt(field) << 3n);
      varint(out, BigInt(value));
      continue;
    }
    const bytes =
      typeof value === 'string'
        ? new TextEncoder().encode(value)
        : value instanceof Uint8Array
          ? value
          : packed(value.packed);
    varint(out, (BigInt(field) << 3n) | 2n);
    varint(out, BigInt(bytes.length));
    for (const byte of bytes) out.push(byte);
  }
  return Uint8Array.from(out);
}

function packed(values: readonly (number | bigint)[]): Uint8Array {
  const out: number[] = [];
  for (const value of values) varint(out, BigInt(value));
  return Uint8Array.from(out);
}

function varint(out: number[], value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
}
