/** Attributes as extents (JVMS 4.7): name and place; nothing is decoded here. Cost: one step an attribute. */
import type { FormatError } from '../../base/errors.js';
import type { ConstantPool } from './constant-pool.js';

/** An attribute as it stands in the file. */
export interface RawAttribute {
  /** `LineNumberTable`; empty where the name is no text of the pool. */
  readonly name: string;
  /** Pool index of the name. */
  readonly nameIndex: number;
  /** Offset of the contents, behind name and length. */
  readonly offset: number;
  readonly length: number;
}

/** Bytes before the contents of an attribute: u2 name, u4 length. */
export const ATTRIBUTE_HEAD = 6;

/** A table of attributes: those that are whole, where it ends, and what is wrong with it. */
export interface AttributeExtents {
  readonly list: readonly RawAttribute[];
  readonly end: number;
  readonly damage: FormatError | undefined;
}

/** The attributes of the table at `offset`, which lies before `limit`. */
export function readAttributes(pool: ConstantPool, offset: number, limit: number): AttributeExtents {
  const { bytes } = pool;
  const list: RawAttribute[] = [];
  if (offset + 2 > limit)
    return { list, end: limit, damage: pool.damaged(offset, 'a table of attributes', 'the end of what holds it') };
  const count = (bytes[offset] << 8) | bytes[offset + 1];
  let at = offset + 2;
  for (let i = 0; i < count; i++) {
    if (at + ATTRIBUTE_HEAD > limit)
      return {
        list,
        end: limit,
        damage: pool.damaged(at, `attribute ${i + 1} of ${count}`, 'the end of what holds it'),
      };
    const nameIndex = (bytes[at] << 8) | bytes[at + 1];
    const length = lengthAt(bytes, at + 2);
    const name = pool.isUtf8(nameIndex) ? pool.utf8(nameIndex) : '';
    const contents = at + ATTRIBUTE_HEAD;
    if (length > limit - contents) {
      const expected = `${length} bytes of the attribute ${name || `#${nameIndex}`}`;
      return {
        list,
        end: limit,
        damage: pool.damaged(at, expected, `${limit - contents} until the end of what holds it`),
      };
    }
    list.push({ name, nameIndex, offset: contents, length });
    at = contents + length;
  }
  return { list, end: at, damage: undefined };
}

/** The u4 at an offset. */
export function lengthAt(bytes: Uint8Array, at: number): number {
  return bytes[at] * 0x1000000 + ((bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]);
}
