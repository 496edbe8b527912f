/** The calls of input and output within a scope, with the opening of each, as a stage. */
import { IO_EVENTS, type IoEvents } from '../../models/events/io.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { column, type Field, type Table } from '../../models/table.js';
import { tableInScope, withField } from '../scope/scoped-table.js';
import { processOfRow } from '../threads/process-of.js';
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
    return profile && callsInScope(profile, (numbered) => tableInScope(program, profile, numbered, scope));
  },
  bytes: (value) => (value === undefined ? 0 : value.calls.length * BYTES_A_CALL),
};

/** Columns of eight bytes, most of them. */
const BYTES_A_CALL = 8 * IO_EVENTS.fields.length;

/** The calls of input and output within the scope; undefined if the recording has none. */
export function ioCallsUse(subject: Subject): StageUse<IoCalls | undefined> {
  return use(callsStage, [subject], undefined);
}

/** Openings are numbered before the scope is applied: it may leave out the calls that opened them. */
function callsInScope(profile: Profile, scoped: (table: Table) => Table): IoCalls | undefined {
  const table = eventTable(profile, IO_EVENTS.kind);
  if (table === undefined) return undefined;
  const openings = openingsOf(IO_EVENTS.rows(table), processOfRow(profile, table));
  const ofCall = openings?.ofCall ?? new Int32Array(table.length).fill(NEVER_OPENED);
  const scopedTable = scoped(withField(table, OPENING, ofCall));
  return { calls: IO_EVENTS.rows(scopedTable), openings, opening: new Int32Array(column(scopedTable, OPENING.key)) };
}
