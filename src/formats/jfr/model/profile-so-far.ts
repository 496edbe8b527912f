/** The profile of what was read so far, for recordings that grow: it stays as it is when more is read. */
import type { Profile, StackTable } from '../../../models/profile/profile.js';
import { COUNTERS, RANGES } from '../../../models/profile/tables.js';
import type { Table } from '../../../models/table.js';
import type { Facts } from '../kinds/facts.js';
import { describedMetrics, finishedTables, type RowsOfEvents } from './event-tables.js';
import type { RecordsOfTexts } from './text-records.js';

/** What a profile is made of. */
export interface ProfileParts {
  readonly stacks: StackTable;
  readonly rows: readonly RowsOfEvents[];
  /** Those up to these rows. */
  readonly facts: Facts;
  readonly threads: Table | undefined;
  /** Adds what other events say of the events of a table. */
  readonly withContexts: (table: Table) => Table;
  readonly texts: RecordsOfTexts;
}

/** The profile. Events and metrics are made when they are first read: some follow from all rows, and a snapshot that nobody asks costs none of it. */
export function profileSoFar({ stacks, rows, facts, threads, withContexts, texts }: ProfileParts): Profile {
  const { direct, all } = finishedTables(rows, facts, threads);
  const tableOf = (kind: string): Table | undefined => direct.find(({ table }) => table.kind === kind)?.table;
  const counters = tableOf(COUNTERS.kind);
  const ranges = tableOf(RANGES.kind);
  let parts: Pick<Profile, 'events' | 'metrics'> | undefined;
  const make = (): Pick<Profile, 'events' | 'metrics'> => {
    const results = all();
    const tables = results.map(({ table }) => table).filter((table) => table !== counters && table !== ranges);
    const metrics = results.flatMap((result) => describedMetrics(result, facts, threads));
    return { events: [...tables.map(withContexts), ...texts.events], metrics: [...metrics, ...texts.metrics] };
  };
  return {
    stacks,
    get events() {
      parts ??= make();
      return parts.events;
    },
    get metrics() {
      parts ??= make();
      return parts.metrics;
    },
    ...(threads && { threads }),
    ...(counters && { counters }),
    ...(ranges && { ranges }),
  };
}
