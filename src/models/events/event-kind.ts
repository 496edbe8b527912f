/** A kind of events: the contract of its table, read from a profile. */
import { eventTable, type Profile } from '../profile/profile.js';
import type { Field } from '../table.js';
import { type Having, type OptionalKey, TableKind, type TableRows } from '../table-kind.js';

export class EventKind<F extends Field> extends TableKind<F> {
  /** The events of this kind of a profile; undefined if it has none. */
  of(profile: Profile | undefined): TableRows<F> | undefined {
    const table = profile && eventTable(profile, this.kind);
    return table && this.rows(table);
  }

  override having<Key extends OptionalKey<F>>(keys: readonly Key[]): EventKind<Having<F, Key>> {
    return new EventKind<Having<F, Key>>(this.kind, this.title, this.fieldsHaving(keys));
  }

  override extended<const More extends readonly Field[]>(more: More): EventKind<F | More[number]> {
    return new EventKind<F | More[number]>(this.kind, this.title, this.fieldsWith(more));
  }
}

/** The kind of events with these fields. */
export function defineEvents<const Fields extends readonly Field[]>(
  kind: string,
  title: string,
  fields: Fields,
): EventKind<Fields[number]> {
  return new EventKind<Fields[number]>(kind, title, fields);
}
