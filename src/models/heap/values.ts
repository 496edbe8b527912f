/** The recorded values of objects: where fields are among the bytes of an instance, and what the bytes mean. */
import { type HeapClasses, OBJECT_TYPE, VALUE_BYTES } from './heap.js';

/** A field of an instance. */
export interface FieldPlace {
  /** StringId; -1 unknown. */
  readonly name: number;
  readonly type: number;
  /** Heap class that declares it. */
  readonly owner: number;
  /** Offset among the values. */
  readonly at: number;
}

/** Super classes that are followed; more are damage. */
const DEEPEST = 256;

/** An id of 4 or 8 bytes as a double, exact below 2^53. */
export function idAt(view: DataView, at: number, idSize: number): number {
  return idSize === 8 ? view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4) : view.getUint32(at);
}

/** Bytes of a recorded value; those of a value in memory, if `idSize` are those of a reference. */
export function recordedBytes(type: number, idSize: number): number {
  return type === OBJECT_TYPE ? idSize : VALUE_BYTES[type];
}

/** The first multiple of an alignment that is not below a number of bytes. */
export function roundedUp(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

/** The fields of the instances of a heap class, in the order of their values: its own, then those of the super class. */
export function fieldPlaces(classes: HeapClasses, heapClass: number, idSize: number): FieldPlace[] {
  const { fieldFirst, fieldName, fieldType, parent } = classes;
  const places: FieldPlace[] = [];
  let at = 0;
  let owner = heapClass;
  for (let depth = 0; owner >= 0 && depth < DEEPEST; owner = parent[owner], depth++)
    for (let field = fieldFirst[owner]; field < fieldFirst[owner + 1]; field++) {
      places.push({ name: fieldName[field], type: fieldType[field], owner, at });
      at += recordedBytes(fieldType[field], idSize);
    }
  return places;
}

/** The bytes of a static field, as those of a field are recorded. */
export function staticBytes({ staticType, staticHigh, staticLow }: HeapClasses, field: number, idSize: number) {
  const view = new DataView(new ArrayBuffer(8));
  const size = recordedBytes(staticType[field], idSize);
  if (size === 8) {
    view.setUint32(0, staticHigh[field]);
    view.setUint32(4, staticLow[field]);
  } else if (size === 4) view.setUint32(0, staticLow[field]);
  else if (size === 2) view.setUint16(0, staticLow[field]);
  else view.setUint8(0, staticLow[field]);
  return view;
}

/** A value as a number: booleans as 0 and 1, references as ids; longs beyond 2^53 are rounded. */
export function numberAt(view: DataView, at: number, type: number, idSize: number): number {
  switch (type) {
    case OBJECT_TYPE:
      return idAt(view, at, idSize);
    case 4:
      return view.getUint8(at);
    case 5:
      return view.getUint16(at);
    case 6:
      return view.getFloat32(at);
    case 7:
      return view.getFloat64(at);
    case 8:
      return view.getInt8(at);
    case 9:
      return view.getInt16(at);
    case 10:
      return view.getInt32(at);
    default:
      return view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
  }
}

/** A primitive value as Java prints it; characters that cannot be shown as `\u0000`. */
export function primitiveText(view: DataView, at: number, type: number): string {
  switch (type) {
    case 4:
      return view.getUint8(at) === 0 ? 'false' : 'true';
    case 5:
      return characterText(view.getUint16(at));
    case 6:
      return floatText(view.getFloat32(at));
    case 7:
      return numberText(view.getFloat64(at));
    case 8:
      return String(view.getInt8(at));
    case 9:
      return String(view.getInt16(at));
    case 10:
      return String(view.getInt32(at));
    default:
      return String(view.getBigInt64(at));
  }
}

function characterText(code: number): string {
  const text = String.fromCharCode(code);
  return /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(text) ? text : `\\u${code.toString(16).padStart(4, '0')}`;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The shortest decimal that is this float. */
function floatText(value: number): string {
  let digits = 1;
  // Nine digits are enough for any float; NaN is never equal.
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== value) digits++;
  return value === 0 || Number.isNaN(value) ? numberText(value) : String(Number(value.toPrecision(digits)));
}

/** The characters of an array of bytes or chars as it is recorded. `coder`: 0 Latin-1, 1 UTF-16 in the order of the machine. */
export function charactersOf(bytes: Uint8Array, element: 'char' | 'byte', coder: number): string {
  if (element === 'byte' && coder === 0) return decoded(bytes, 'latin1');
  // HPROF has chars in big-endian order, and bytes as they are in memory.
  const isBig = element === 'char' || looksBigEndian(bytes);
  return decoded(bytes, isBig ? 'big' : 'little');
}

/** Characters decoded at a time: arguments of one call. */
const PIECE = 4096;

function decoded(bytes: Uint8Array, order: 'latin1' | 'big' | 'little'): string {
  const step = order === 'latin1' ? 1 : 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  for (let from = 0; from + step <= bytes.length; from += PIECE * step) {
    const count = Math.min(PIECE, Math.floor((bytes.length - from) / step));
    const codes = Array.from({ length: count }, (_, i) =>
      step === 1 ? bytes[from + i] : view.getUint16(from + 2 * i, order === 'little'),
    );
    text += String.fromCharCode(...codes);
  }
  return text;
}

/** Texts of most languages have spaces or digits, whose upper byte is 0. */
function looksBigEndian(bytes: Uint8Array): boolean {
  let upper = 0;
  for (let i = 0; i + 1 < bytes.length; i += 2) upper += (bytes[i] === 0 ? 1 : 0) - (bytes[i + 1] === 0 ? 1 : 0);
  return upper > 0;
}
