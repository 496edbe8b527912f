/** Several experiments as one recording of all their processes, with equal stacks once. Each keeps its own time. */
import { Int32Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import { ProblemLog } from '../../base/problems.js';
import type { EventFacts, ExperimentDetails, ProcessDetails } from '../../formats/experiment/index.js';
import { type Profile, STACK_ENDINGS, type StackTable, threadName } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { Column, Field, Table } from '../../models/table.js';
import { type JoinedProgram, joinPrograms, type ObjectKeys } from './join-programs.js';

/** One of the experiments. */
export interface JoinedPart {
  readonly recording: Recording;
  readonly profile: Profile;
  readonly details: ExperimentDetails;
  /** What it is called before the names of its processes and threads; they stay as they are if it is absent. */
  readonly label?: string;
}

/** The recording of all of them, and its details, whose processes are in the order of the experiments. */
export function joinRecordings(
  parts: readonly JoinedPart[],
  keyOf: ObjectKeys,
): { readonly recording: Recording; readonly details: ExperimentDetails } {
  const [first] = parts;
  if (first === undefined) throw new Error('no experiment to join');
  const joined = joinPrograms(
    parts.map(({ recording }) => recording.program),
    keyOf,
    parts.flatMap(threadNames),
  );
  const profile = joinProfiles(parts, joined);
  const problems = new ProblemLog();
  for (const { recording } of parts) for (const problem of recording.problems.list) problems.add(problem);
  const details = joinDetails(parts, joined);
  const recording: Recording = {
    ...first.recording,
    name: parts.map(({ recording: { name }, label = name }) => label).join(' + '),
    metadata: joinMetadata(parts),
    sections: parts.flatMap(({ recording: { sections } }) => sections),
    program: joined.program,
    profile,
    problems: problems.finish(),
    processes: parts.flatMap(({ recording: { processes = [] }, label }) =>
      label === undefined ? processes : processes.map((each) => ({ ...each, name: labelled(label, '/', each.name) })),
    ),
    complete: parts.every(({ recording: { complete } }) => complete),
    residue: details,
  };
  return { recording, details };
}

/** Facts that all parts share, and those of each with its label before. */
function joinMetadata(parts: readonly JoinedPart[]): Recording['metadata'] {
  const [first, ...others] = parts;
  const isShared = ({ key, value }: MetadataEntry): boolean =>
    others.every(({ recording: { metadata } }) => metadata.some((each) => each.key === key && each.value === value));
  const shared = first?.recording.metadata.filter(isShared) ?? [];
  const partEntries = parts.flatMap(({ recording: { metadata }, label }) =>
    label === undefined
      ? []
      : metadata.filter((entry) => !isShared(entry)).map(({ key, value }) => ({ key: `${label}: ${key}`, value })),
  );
  return [...shared, ...partEntries];
}

/** The names of the threads of a part, behind its label. */
function threadNames({ recording: { program }, profile, label = '' }: JoinedPart): readonly string[] {
  const { length = 0 } = profile.threads ?? {};
  return Array.from({ length }, (_, id) => {
    const name = threadName(profile, program, id) ?? '';
    return label === '' ? name : labelled(label, name.startsWith('_') ? '/' : ' ', name);
  });
}

function labelled(label: string, between: string, name: string): string {
  return name === '' ? label : `${label}${between}${name}`;
}

/** Rows of the parts of one experiment to joined rows, by what a field holds. */
type Moved = Readonly<Partial<Record<Field['holds'], Int32Array>>>;

function joinProfiles(parts: readonly JoinedPart[], joined: JoinedProgram): Profile {
  const { stacks, rows } = joinStacks(parts, joined.locations);
  let threads = 0;
  const moved = parts.map(({ profile }, i): Moved => {
    const { length = 0 } = profile.threads ?? {};
    const ofThreads = Int32Array.from({ length }, (_, id) => threads + id);
    threads += length;
    return {
      stack: rows[i] ?? new Int32Array(),
      thread: ofThreads,
      string: joined.strings[i] ?? new Int32Array(),
      class: joined.classes[i] ?? new Int32Array(),
      function: joined.functions[i] ?? new Int32Array(),
    };
  });
  const tablesOf = (tableOf: (profile: Profile) => Table | undefined): Table | undefined =>
    joinTables(parts.map(({ profile }, i) => ({ table: tableOf(profile), moved: moved[i] ?? {} })));
  const kinds = new Set(parts.flatMap(({ profile }) => profile.events.map(({ kind }) => kind)));
  const metrics = new Map(parts.flatMap(({ profile }) => profile.metrics.map((metric) => [metric.id, metric])));
  const others = {
    threads: joinThreads(parts, moved, joined.texts),
    ranges: tablesOf((profile) => profile.ranges),
    counters: tablesOf((profile) => profile.counters),
  };
  return {
    stacks,
    events: [...kinds].flatMap((kind) => tablesOf(({ events }) => events.find((each) => each.kind === kind)) ?? []),
    metrics: [...metrics.values()],
    ...(others.threads && { threads: others.threads }),
    ...(others.ranges && { ranges: others.ranges }),
    ...(others.counters && { counters: others.counters }),
  };
}

function joinStacks(
  parts: readonly JoinedPart[],
  locations: readonly Int32Array[],
): { readonly stacks: StackTable; readonly rows: readonly Int32Array[] } {
  const builder = new StackBuilder();
  const rows = parts.map(({ profile: { stacks } }, part) => {
    const moved = new Int32Array(stacks.length);
    for (let id = 0; id < stacks.length; id++) {
      const parent = stacks.parent[id];
      const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[stacks.ending[id]] ?? 'whole');
      moved[id] = builder.add(above, locations[part]?.[stacks.location[id]] ?? NONE);
    }
    return moved;
  });
  return { stacks: builder.finish(), rows };
}

/** The threads of all parts, with their names. */
function joinThreads(parts: readonly JoinedPart[], moved: readonly Moved[], names: Int32Array): Table | undefined {
  const table = joinTables(threadTables(parts).map((each, i) => ({ table: each, moved: moved[i] ?? {} })));
  return table && THREADS.table({ ...THREADS.rows(table), name: names });
}

/** The threads of each part with the numbers that their processes have among all. */
function threadTables(parts: readonly JoinedPart[]): readonly (Table | undefined)[] {
  let before = 0;
  return parts.map(({ profile: { threads }, details }) => {
    const first = before;
    before += details.processes.length;
    if (threads === undefined) return undefined;
    const { process } = THREADS.rows(threads);
    const numbers = Int32Array.from({ length: threads.length }, (_, row) => (process?.[row] ?? 0) + first);
    return THREADS.table({ ...THREADS.rows(threads), process: numbers });
  });
}

interface TablePart {
  readonly table: Table | undefined;
  readonly moved: Moved;
}

/** The rows of all tables one after the other. A table without a field has 0 of what is summed, else an unknown value. */
function joinTables(parts: readonly TablePart[]): Table | undefined {
  const present = parts.flatMap(({ table, moved }) => (table === undefined ? [] : [{ table, moved }]));
  const [first] = present;
  if (first === undefined) return undefined;
  if (present.length === 1 && parts.length === 1) return first.table;
  const fields = new Map<string, Field>();
  for (const { table } of present)
    for (const field of table.fields) fields.set(field.key, fields.get(field.key) ?? field);
  const length = present.reduce((sum, { table }) => sum + table.length, 0);
  const columns = [...fields.values()].flatMap((field): [string, Column][] => {
    const keys = field.rest === undefined ? [field.key] : [field.key, field.rest];
    return keys.map((key) => [key, joinedColumn(present, { ...field, key }, length)]);
  });
  return { ...first.table, length, fields: [...fields.values()], columns: Object.fromEntries(columns) };
}

function joinedColumn(
  parts: readonly { readonly table: Table; readonly moved: Moved }[],
  { key, wide, holds, nature, unknown }: Field,
  length: number,
): Column {
  const isWide = wide === true || parts.some(({ table }) => table.columns[key] instanceof Float64Array);
  const values = isWide ? new Float64Array(length) : new Int32Array(length);
  const missing = nature === undefined ? (unknown ?? NONE) : 0;
  let at = 0;
  for (const { table, moved } of parts) {
    const column = table.columns[key];
    const rows = moved[holds];
    for (let row = 0; row < table.length; row++) {
      const value = column === undefined ? missing : column[row];
      values[at++] = rows === undefined || value < 0 ? value : (rows[value] ?? NONE);
    }
  }
  return values;
}

function joinDetails(parts: readonly JoinedPart[], joined: JoinedProgram): ExperimentDetails {
  const processes: ProcessDetails[] = [];
  const events = new Map<number, Record<keyof EventFacts, Int32Builder>>();
  for (const [part, { details }] of parts.entries()) {
    const [classes, functions] = [joined.classes[part], joined.functions[part]];
    const before = processes.length;
    for (const process of details.processes)
      processes.push({
        ...process,
        classes: process.classes.map((id) => classes?.[id] ?? NONE),
        map: process.map.map((event) =>
          event.method === undefined || event.method < 0
            ? event
            : { ...event, method: functions?.[event.method] ?? NONE },
        ),
      });
    for (const [kind, facts] of details.events) {
      const column = (): Int32Builder => new Int32Builder();
      const all = events.get(kind) ?? { process: column(), state: column(), thread: column(), lwp: column() };
      events.set(kind, all);
      all.process.append(facts.process.map((process) => process + before));
      all.state.append(facts.state);
      all.thread.append(facts.thread);
      all.lwp.append(facts.lwp);
    }
  }
  const finished = [...events].map(([kind, { process, state, thread, lwp }]): [number, EventFacts] => [
    kind,
    { process: process.finish(), state: state.finish(), thread: thread.finish(), lwp: lwp.finish() },
  ]);
  return { type: 'experiment details', processes, events: new Map(finished) };
}
