/** A scope applied to the events of a recording part by part, for recordings whose events are never in memory together. */
import { sequence } from '../../base/columns/packed.js';
import type { EventsRead } from '../../models/event-types.js';
import { withColumns } from '../../models/packed-columns.js';
import type { ScopeStep } from '../../models/scope.js';
import type { Field, Table } from '../../models/table.js';
import { InapplicableError } from './inapplicable.js';
import { applyScope } from './scope.js';

/** Number of an event in its part; the key is none that a file, or a filter, can name. */
const PLACE: Field = { key: '\0', title: '\0', holds: 'row', unit: 'none', meaning: 'number of the event in its part' };

export class ScopeByParts {
  /** Types that a step could not be applied to: they stay whole. */
  readonly unscoped = new Set<string>();
  readonly #steps: readonly ScopeStep[];
  /** By step: whether any part has data for it, and the error of the last one that has none. */
  readonly #applied: boolean[];
  readonly #errors: (InapplicableError | undefined)[];

  constructor(steps: readonly ScopeStep[]) {
    this.#steps = steps;
    this.#applied = steps.map(() => false);
    this.#errors = steps.map(() => undefined);
  }

  /** By type, a byte for each event of a part: 1 if it is within the scope. Throws `UsageError` for invalid steps. */
  marks({ program, profile }: EventsRead): ReadonlyMap<string, Uint8Array> {
    let current = { ...profile, events: profile.events.map(numbered) };
    for (const [i, step] of this.#steps.entries()) {
      try {
        const scoped = applyScope(program, current, [step]);
        for (const kind of scoped.unscoped) this.unscoped.add(kind);
        current = { ...scoped.profile, events: [...scoped.profile.events] };
        this.#applied[i] = true;
      } catch (error) {
        // Another part may have events with what this step needs.
        if (!(error instanceof InapplicableError)) throw error;
        this.#errors[i] = error;
        for (const { kind } of current.events) this.unscoped.add(kind);
      }
    }
    const lengths = new Map(profile.events.map(({ kind, length }) => [kind, length]));
    return new Map(current.events.map((table) => [table.kind, marksOf(table, lengths.get(table.kind) ?? 0)]));
  }

  /** After all parts: throws the `UsageError` of a step that no part had data for. */
  finish(): void {
    const error = this.#errors.find((_, i) => this.#applied[i] === false);
    if (error !== undefined) throw error;
  }
}

function numbered(table: Table): Table {
  const columns = withColumns(table.columns, { [PLACE.key]: sequence(0, table.length) });
  return { ...table, fields: [...table.fields, PLACE], columns };
}

function marksOf({ columns }: Table, length: number): Uint8Array {
  const marks = new Uint8Array(length);
  const places = columns[PLACE.key] ?? [];
  for (let i = 0; i < places.length; i++) marks[places[i]] = 1;
  return marks;
}
