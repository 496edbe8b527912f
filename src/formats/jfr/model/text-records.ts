/**
 * Records of other formats in the texts of events: `jdk.ThreadDump` has what the VM prints for `Thread.print`.
 *
 * They become parts of the recording: stacks and threads are those of the recording, and a thread of a dump is the one with its name and
 * numbers. The readers of such records are given; see `shared/logs`.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { joinProblems, type Problem, ProblemLog, type Problems } from '../../../base/problems.js';
import { plural } from '../../../base/units.js';
import { DUMP } from '../../../models/events/shared-fields.js';
import type { Locks } from '../../../models/locks/locks.js';
import type { Metric, Profile, StackTable } from '../../../models/profile/profile.js';
import { STACK_ENDINGS } from '../../../models/profile/profile.js';
import { rootOf } from '../../../models/profile/stack-builder.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { Recording } from '../../../models/recording.js';
import type { Column, Table } from '../../../models/table.js';
import type { LogKind } from '../../shared/logs/log-kind.js';
import { LogLines } from '../../shared/logs/log-lines.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { EventColumns } from './event-columns.js';
import type { RecordingTables } from './recording-tables.js';

/** By type: the field whose texts have records. */
export const TEXT_FIELDS: Readonly<Record<string, string>> = { 'jdk.ThreadDump': 'result' };

/** What the texts have. */
export interface RecordsOfTexts {
  readonly events: readonly Table[];
  readonly metrics: readonly Metric[];
  readonly locks?: Locks;
}

const LINE_FEED = 0x0a;
const utf8 = new TextEncoder();

export class TextRecords {
  readonly #kinds: readonly LogKind[];
  readonly #tables: RecordingTables;
  /** The texts since the last call of `finish`. */
  #lines: LogLines | undefined;
  #dumps = 0;
  /** Texts whose records are not counted yet. */
  #texts = 0;
  readonly #rows = new Map<string, JoinedRows>();
  #metrics: readonly Metric[] = [];
  #hasLocks = false;
  #hasDeadlocks = false;
  /** Of records that were finished. */
  problems: Problems = new ProblemLog().finish();
  /** Whether all records were whole, as far as it is known. */
  complete = true;

  /** Without `kinds` nothing is read. */
  constructor(kinds: readonly LogKind[], tables: RecordingTables) {
    this.#kinds = kinds;
    this.#tables = tables;
  }

  /** Adds the texts of events; `offset`: of their chunk in the file. */
  add({ name }: MetaType, table: ChunkTable, columns: EventColumns, offset: number): void {
    const field = TEXT_FIELDS[name];
    if (field === undefined || this.#kinds.length === 0) return;
    for (const text of columns.texts(table, field)) this.#addText(text, offset);
  }

  #addText(text: string, offset: number): void {
    this.#texts++;
    this.#lines ??= new LogLines(this.#kinds, this.#tables.program);
    const bytes = utf8.encode(text.endsWith('\n') ? text : `${text}\n`);
    for (let start = 0; start < bytes.length; ) {
      const to = bytes.indexOf(LINE_FEED, start);
      this.#lines.line({ bytes, from: start, to, offset, ended: true, end: offset });
      start = to + 1;
    }
  }

  /** What all texts so far have; rows keep their numbers in later ones. */
  finish(): RecordsOfTexts {
    const recording = this.#lines?.finish('');
    this.#lines = undefined;
    if (recording !== undefined) this.#join(recording);
    this.#lose(this.#texts - (recording?.locks?.snapshots.length ?? 0));
    this.#texts = 0;
    const tablesOf = (key: string): Table[] => {
      const table = this.#rows.get(key)?.finish();
      return table === undefined ? [] : [table];
    };
    const [snapshots] = tablesOf('snapshots');
    const [monitors] = tablesOf('monitors');
    const [waits] = tablesOf('waits');
    const [deadlocks] = this.#hasDeadlocks ? tablesOf('deadlocks') : [];
    const hasLocks = this.#hasLocks && snapshots !== undefined && monitors !== undefined && waits !== undefined;
    return {
      events: [...this.#rows.keys()].filter((key) => key.startsWith(EVENTS)).flatMap(tablesOf),
      metrics: this.#metrics,
      ...(hasLocks && { locks: { snapshots, monitors, waits, ...(deadlocks && { deadlocks }) } }),
    };
  }

  #lose(texts: number): void {
    if (texts <= 0) return;
    const log = new ProblemLog();
    log.add({
      code: 'jfr-text',
      severity: 'error',
      message: `${plural(texts, 'event')} without the thread dump in the text`,
    });
    this.problems = joinProblems(this.problems, log.finish());
    this.complete = false;
  }

  #join({ profile, locks, problems, complete }: Recording): void {
    this.problems = joinProblems(this.problems, { ...problems, list: problems.list.map(withoutPlace) });
    this.complete &&= complete;
    const rows = {
      stack: profile === undefined ? new Int32Array() : this.#stacks(profile.stacks),
      thread: this.#threads(profile),
    };
    const add = (key: string, table: Table, more: Readonly<Record<string, number>> = {}): void => {
      const joined = this.#rows.get(key) ?? new JoinedRows(table);
      this.#rows.set(key, joined);
      joined.add(table, rows, { [DUMP.key]: this.#dumps, ...more });
    };
    for (const table of profile?.events ?? []) add(`${EVENTS}${table.kind}`, table);
    if (profile !== undefined) this.#metrics = profile.metrics;
    if (locks === undefined) return;
    this.#hasLocks = true;
    const monitor = this.#rows.get('monitors')?.length ?? 0;
    add('snapshots', locks.snapshots);
    add('waits', locks.waits, { monitor });
    if (locks.deadlocks !== undefined) {
      this.#hasDeadlocks = true;
      add('deadlocks', locks.deadlocks, { monitor });
    }
    add('monitors', locks.monitors);
    this.#dumps += locks.snapshots.length;
  }

  /** By row of these stacks: that of the recording. */
  #stacks({ length, parent, location, ending }: StackTable): Int32Array {
    const rows = new Int32Array(length);
    for (let id = 0; id < length; id++) {
      const above = parent[id] < 0 ? rootOf(STACK_ENDINGS[ending[id]] ?? 'whole') : rows[parent[id]];
      rows[id] = this.#tables.stacks.add(above, location[id]);
    }
    return rows;
  }

  /** By row of these threads: that of the recording. */
  #threads(profile: Profile | undefined): Int32Array {
    if (profile?.threads === undefined) return new Int32Array();
    const { length, name, number, native, address, daemon, priority, virtual, group } = THREADS.rows(profile.threads);
    return Int32Array.from({ length }, (_, row) =>
      this.#tables.threads.add({
        name: name[row],
        // The recorder writes 0 for threads of the VM.
        number: Math.max(0, number?.[row] ?? 0),
        native: native?.[row] ?? -1,
        virtual: virtual?.[row] ?? -1,
        group: group?.[row] ?? -1,
        address: address?.[row] ?? -1,
        daemon: daemon?.[row] ?? -1,
        priority: priority?.[row] ?? -1,
      }),
    );
  }
}

const EVENTS = 'events ';

/** The place of a record is in the text of an event, which is no place in the file. */
function withoutPlace({ offset: _, ...problem }: Problem): Problem {
  return problem;
}

/** Rows of several tables of one kind, as one table. */
class JoinedRows {
  readonly #table: Table;
  readonly #columns: ReadonlyMap<string, Int32Builder | Float64Builder>;
  length = 0;

  /** A table of the kind. */
  constructor(table: Table) {
    this.#table = table;
    this.#columns = new Map(
      table.fields.map(({ key, wide }) => [key, wide === true ? new Float64Builder(16) : new Int32Builder(16)]),
    );
  }

  /** `rows`: of stacks and threads, by row of the table; `shifts`: what is added to numbers of rows, by key. */
  add(
    { length, columns }: Table,
    rows: { readonly stack: Int32Array; readonly thread: Int32Array },
    shifts: Readonly<Record<string, number>>,
  ): void {
    for (const { key, holds } of this.#table.fields) {
      const values: Column | undefined = columns[key];
      const target = holds === 'stack' || holds === 'thread' ? rows[holds] : undefined;
      const shift = shifts[key] ?? 0;
      for (let row = 0; row < length; row++) {
        const value = values?.[row] ?? -1;
        this.#columns.get(key)?.push(value < 0 ? value : target === undefined ? value + shift : target[value]);
      }
    }
    this.length += length;
  }

  finish(): Table {
    const columns = Object.fromEntries([...this.#columns].map(([key, column]) => [key, column.finish()]));
    return { ...this.#table, length: this.length, columns };
  }
}
