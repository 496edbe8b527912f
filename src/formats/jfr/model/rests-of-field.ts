/** The column of what is added to the doubles of a field, made for fields with such integers only. */
import { PackedBuilder, type PackedColumn } from '../../../base/columns/packed.js';
import type { Field } from '../../../models/table.js';
import type { ConstantValues } from './constant-rows.js';

export class RestsOfField {
  #column: PackedBuilder | undefined;

  /** Adds the rests of the rows from `start` on; undefined if they have none. */
  append(rests: ConstantValues | undefined, start: number): void {
    if (rests === undefined) return;
    this.#column ??= new PackedBuilder(false, 0);
    this.#column.padTo(start);
    this.#column.append(rests);
  }

  /** The field with the key of its rests among `columns`, where these go; as it is if it has none. */
  finish<F extends Field>(field: F, length: number, columns: Map<string, PackedColumn>): F {
    if (this.#column === undefined) return field;
    this.#column.padTo(length);
    let rest = `${field.key} rest`;
    // A file may call a field so.
    while (columns.has(rest)) rest += ' ';
    columns.set(rest, this.#column.finish());
    return { ...field, rest };
  }
}
