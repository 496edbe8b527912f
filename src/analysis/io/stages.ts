/** The calls of input and output within a scope, with the opening of each, as a stage. */
import { NONE } from '../../base/flavor.js';
import { IO_EVENTS, type IoEvents } from '../../models/events/io.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { column, type Field } from '../../models/table.js';
import { applyScope } from '../scope/scope.js';
import { NEVER_OPENED, type Openings, openingsOf } from './openings.js';

export interface IoCalls {
  readonly calls: IoEvents;
  /** The openings of all recorded calls; undefined if the recorder has no descriptors. */
  readonly openings: Openings | undefined;
  /** By call within the scope: its opening, as `Openings.ofCall`. */
  readonly opening: Int32Array;
}

const OPENING = {
  key: 'opening',
  title: 'Opening',
  holds: 'number',
  unit: 'none',
  meaning: 'number of the opening of a file',
} as const satisfies Field;

const callsStage: Stage<IoCalls | undefined, void> = {
  name: 'input and output',
  version: 1,
  key: () => '',
  run: ([{ snapshot, scope }]) => {
    const { program, profile } = snapshot.recording;
    return profile && callsInScope(profile, (numbered) => applyScope(program, numbered, scope).profile);
  },
  bytes: (value) => (value === undefined ? 0 : value.calls.length * BYTES_A_CALL),
};

/** Columns of eight bytes, most of them. */
const BYTES_A_CALL = 8 * IO_EVENTS.fields.length;

/** The calls of input and output within the scope; undefined if the recording has none. */
export function ioCallsUse(subject: Subject): Use<IoCalls | undefined> {
  return use(callsStage, [subject], undefined);
}

/** Openings are numbered before the scope is applied: it may leave out the calls that opened them. */
function callsInScope(profile: Profile, scoped: (profile: Profile) => Profile): IoCalls | undefined {
  const table = eventTable(profile, IO_EVENTS.kind);
  if (table === undefined) return undefined;
  const openings = openingsOf(IO_EVENTS.rows(table), processOfCall(profile));
  const ofCall = openings?.ofCall ?? new Int32Array(table.length).fill(NEVER_OPENED);
  const numbered = {
    ...table,
    fields: [...table.fields, OPENING],
    columns: { ...table.columns, [OPENING.key]: ofCall },
  };
  const kept = scoped({ ...profile, metrics: [], events: [numbered] }).events[0] ?? numbered;
  return { calls: IO_EVENTS.rows(kept), openings, opening: Int32Array.from(column(kept, OPENING.key)) };
}

/** The number of the process of each call, 0 if all are of one. */
export function processOfCall(profile: Profile): (row: number) => number {
  const thread = IO_EVENTS.of(profile)?.thread;
  const process = profile.threads && THREADS.rows(profile.threads).process;
  if (thread === undefined || process === undefined) return () => 0;
  return (row) => process[thread[row] ?? NONE] ?? 0;
}
