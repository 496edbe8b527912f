/** Attributes as extents (JVMS 4.7): name and place; nothing is decoded here. Cost: one step per attribute. */
import type { FormatError } from '../../../base/errors.js';
import type { ConstantPool } from './constant-pool.js';

/** An attribute as it stands in the file. */
export interface RawAttribute {
  /** `LineNumberTable`; empty if the name is not a text in the pool. */
  readonly name: string;
  /** Pool index of the name. */
  readonly nameIndex: number;
  /** Offset of the contents, after name and length. */
  readonly offset: number;
  readonly length: number;
}

/** Bytes before the contents of an attribute: u2 name, u4 length. */
export const ATTRIBUTE_HEAD = 6;

/** A table of attributes: its extent and its damage. */
export interface AttributeTable {
  /** Offset of its count. */
  readonly offset: number;
  /** Number of complete attributes. */
  readonly whole: number;
  /** Offset after it; of a damaged table, the end of its container. */
  readonly end: number;
  readonly damage: FormatError | undefined;
}

/** Walks the table at `offset`, which lies before `limit`; creates no names. */
export function walkAttributes(pool: ConstantPool, offset: number, limit: number): AttributeTable {
  const { bytes } = pool;
  if (offset + 2 > limit) {
    const damage = pool.damaged(offset, 'a table of attributes', 'the end of its container');
    return { offset, whole: 0, end: limit, damage };
  }
  const count = (bytes[offset] << 8) | bytes[offset + 1];
  let at = offset + 2;
  for (let i = 0; i < count; i++) {
    const left = limit - at - ATTRIBUTE_HEAD;
    const length = left < 0 ? 0 : lengthAt(bytes, at + 2);
    if (length > left) {
      const expected = `attribute ${i + 1} of ${count}${left < 0 ? '' : ` with ${length} bytes`}`;
      const damage = pool.damaged(at, expected, `${limit - at} bytes left in its container`);
      return { offset, whole: i, end: limit, damage };
    }
    at += ATTRIBUTE_HEAD + length;
  }
  return { offset, whole: count, end: at, damage: undefined };
}

/** The complete attributes of a table. */
export function listAttributes(pool: ConstantPool, table: AttributeTable): RawAttribute[] {
  const list: RawAttribute[] = [];
  for (let at = table.offset + 2; list.length < table.whole; ) {
    const attribute = attributeAt(pool, at);
    list.push(attribute);
    at = attribute.offset + attribute.length;
  }
  return list;
}

/** The first attribute of a name; creates no others. */
export function findAttribute(pool: ConstantPool, table: AttributeTable, name: Uint8Array): RawAttribute | undefined {
  const { bytes } = pool;
  let at = table.offset + 2;
  for (let i = 0; i < table.whole; i++) {
    if (pool.utf8Is((bytes[at] << 8) | bytes[at + 1], name)) return attributeAt(pool, at);
    at += ATTRIBUTE_HEAD + lengthAt(bytes, at + 2);
  }
  return undefined;
}

function attributeAt(pool: ConstantPool, at: number): RawAttribute {
  const { bytes } = pool;
  const nameIndex = (bytes[at] << 8) | bytes[at + 1];
  const name = pool.isUtf8(nameIndex) ? pool.utf8(nameIndex) : '';
  return { name, nameIndex, offset: at + ATTRIBUTE_HEAD, length: lengthAt(bytes, at + 2) };
}

/** The u4 at an offset. */
export function lengthAt(bytes: Uint8Array, at: number): number {
  return bytes[at] * 0x1000000 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]);
}
