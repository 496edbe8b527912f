/**
 * Labels of samples, words or numbers by key, as fields of the rows: filters and groups take them like any other. Stored as a list until all rows
 * are read; a key with both words and numbers makes two fields. Of keys beyond `MOST_KEYS` the rarest are left out and counted.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';

import type { StringId } from '../../../base/text.js';
import type { Column, Field } from '../../../models/table.js';
import { freeKey } from './free-key.js';
import { knownUnit } from './sample-types.js';

/** Each costs up to 8 bytes a row. */
const MOST_KEYS = 32;

/** Names of the texts that labels were stored with. */
export interface LabelTexts {
  readonly textOf: (text: number) => string;
  readonly idOf: (text: number) => StringId;
}

export interface LabelField {
  readonly field: Field;
  /** As in the file. */
  readonly name: string;
  readonly unit: string;
  readonly column: Column;
}

export interface LabelFields {
  readonly fields: readonly LabelField[];
  /** Labels that have no place: of rare keys, or a second value of a key in one row. */
  readonly beyond: number;
  readonly second: number;
}

/** Labels in the order of the rows. Texts are numbers that the format chooses; -1 where a label has a number instead. */
export class LabelList {
  readonly #row = new Int32Builder();
  readonly #key = new Int32Builder();
  readonly #text = new Int32Builder();
  readonly #number = new Float64Builder();
  readonly #unit = new Int32Builder();

  get length(): number {
    return this.#row.length;
  }

  /** Forgets the labels from this one on, as those of a row that is left out. */
  truncate(length: number): void {
    for (const builder of [this.#row, this.#key, this.#text, this.#number, this.#unit]) builder.length = length;
  }

  add(row: number, key: number, text: number, value = 0, unit = -1): void {
    this.#row.push(row);
    this.#key.push(key);
    this.#text.push(text);
    this.#number.push(value);
    this.#unit.push(unit);
  }

  /** The fields of all keys. `reserved`: keys that other fields of the rows have. */
  fields(rows: number, texts: LabelTexts, reserved: ReadonlySet<string>): LabelFields {
    const uses = this.#uses();
    const chosen = [...uses.keys()].toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0)).slice(0, MOST_KEYS);
    const used = new Set(reserved);
    const places = chosen.map((key) => {
      const isText = key % 2 === 0;
      const name = texts.textOf(Math.floor(key / 2));
      const field = freeKey(name === '' ? 'label' : name, used, '_');
      used.add(field);
      return { name, key: field, isText, column: isText ? words(rows) : numbers(rows), units: new Set<number>() };
    });
    const placeOf = new Map(chosen.map((key, i) => [key, places[i]]));
    let [beyond, second] = [0, 0];
    for (let i = 0; i < this.length; i++) {
      const row = this.#row.values[i];
      const place = placeOf.get(this.#keyAt(i));
      if (place === undefined) {
        beyond++;
        continue;
      }
      place.units.add(this.#unit.values[i]);
      const before = place.column[row];
      const isSecond = place.isText ? before >= 0 : !Number.isNaN(before);
      if (isSecond) second++;
      // Texts are looked up even where they are left out, so that one that is missing is noticed.
      const value = place.isText ? texts.idOf(this.#text.values[i]) : this.#number.values[i];
      if (!isSecond) place.column[row] = value;
    }
    return { fields: places.map((place) => labelField(place, texts)), beyond, second };
  }

  #uses(): Map<number, number> {
    const uses = new Map<number, number>();
    for (let i = 0; i < this.length; i++) uses.set(this.#keyAt(i), (uses.get(this.#keyAt(i)) ?? 0) + 1);
    return uses;
  }

  /** Even for words, odd for numbers. */
  #keyAt(label: number): number {
    return this.#key.values[label] * 2 + (this.#text.values[label] < 0 ? 1 : 0);
  }
}

function words(rows: number): Int32Array {
  return new Int32Array(rows).fill(-1);
}

function numbers(rows: number): Float64Array {
  return new Float64Array(rows).fill(Number.NaN);
}

interface FilledLabel {
  readonly name: string;
  readonly key: string;
  readonly isText: boolean;
  readonly column: Column;
  readonly units: ReadonlySet<number>;
}

function labelField({ name, key, isText, column, units }: FilledLabel, texts: LabelTexts): LabelField {
  const meaning = `label ${name} of the recorder`;
  const unitTexts = [...units].map((unit) => (unit < 0 ? '' : texts.textOf(unit)));
  const words = { key, title: name === '' ? 'Label' : name, meaning, extension: true } as const;
  if (isText) return { field: { ...words, holds: 'string', unit: 'none' }, name, unit: '', column };
  const [first = ''] = unitTexts;
  const text = unitTexts.length === 1 ? first : '';
  // The recorder of Go writes sizes of blocks without a unit; pprof takes it from the key.
  const { unit, scale } = knownUnit(text === '' && name === 'bytes' ? 'bytes' : text);
  if (scale !== 1) for (let row = 0; row < column.length; row++) column[row] *= scale;
  return { field: { ...words, holds: 'number', unit, wide: true }, name, unit: text, column };
}
