/**
 * Where HotSpot put the fields of instances before JDK 15: those of each class behind those of its super class, larger ones first.
 * Source: `classFileParser.cpp`.
 */
import { OBJECT_TYPE, VALUE_BYTES } from '../../../models/heap/heap.js';
import { recordedBytes, roundedUp } from '../../../models/heap/values.js';
import { contendedGroups, type SpacedField } from './field-space.js';
import { type Contention, PADDING } from './vm-fields.js';

/** Fields of a class as they are placed: fields of classes whose places the VM assumes begin with references. */
export interface FieldLevel {
  readonly fields: readonly SpacedField[];
  readonly contention?: Contention;
  readonly isFixed: boolean;
}

/** Where the fields of a class end that begin at `start`; `start` itself if it has none. `reference`: bytes of a reference. */
export function levelEnd(start: number, { fields, contention, isFixed }: FieldLevel, reference: number): number {
  if (fields.length === 0 && contention === undefined) return start;
  const { groups, rest } = contendedGroups(fields, contention);
  let end = start + (contention?.whole === true ? PADDING : 0);
  end = isFixed ? fixedEnd(end, rest, reference) : sortedEnd(end, rest, reference);
  for (const group of groups) {
    end += PADDING;
    for (const { type } of group) end = behind(end, 1, recordedBytes(type, reference));
  }
  if (contention !== undefined) end += PADDING;
  return roundedUp(end, reference);
}

/** References, then larger values; no gap is filled. */
function fixedEnd(start: number, fields: readonly SpacedField[], reference: number): number {
  const count = countsOf(fields);
  const end = behind(start, count(OBJECT_TYPE), reference);
  return [8, 4, 2, 1].reduce((at, bytes) => behind(at, count(bytes, true), bytes), end);
}

/** Larger values, then references. Smaller ones fill the gap before the first value of 8 bytes. */
function sortedEnd(start: number, fields: readonly SpacedField[], reference: number): number {
  const count = countsOf(fields);
  const left = new Map([4, 2, 1].map((bytes) => [bytes, count(bytes, true)]));
  let references = count(OBJECT_TYPE);
  let end = start;
  const longs = count(8, true);
  if (longs > 0) {
    let gap = roundedUp(start, 8) - start;
    for (const [bytes, number] of left) {
      const filled = Math.min(number, Math.floor(gap / bytes));
      left.set(bytes, number - filled);
      gap -= filled * bytes;
    }
    if (gap >= reference && references > 0) references--;
    end = behind(start, longs, 8);
  }
  for (const [bytes, number] of left) end = behind(end, number, bytes);
  return behind(end, references, reference);
}

/** How many fields have values of so many bytes, or are references. */
function countsOf(fields: readonly SpacedField[]): (value: number, isBytes?: boolean) => number {
  return (value, isBytes) =>
    fields.filter(({ type }) =>
      isBytes === true ? type !== OBJECT_TYPE && VALUE_BYTES[type] === value : type === value,
    ).length;
}

/** The end of aligned values behind `at`. */
function behind(at: number, count: number, bytes: number): number {
  return count === 0 ? at : roundedUp(at, bytes) + count * bytes;
}
