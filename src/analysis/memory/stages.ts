/** Events of native memory within a scope, with what was in use after each, as a stage. */
import { NATIVE_MEMORY_EVENTS, type NativeMemoryEvents } from '../../models/events/memory.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { eventTable } from '../../models/profile/profile.js';
import { column, type Field } from '../../models/table.js';
import { tableInScope, withField } from '../scope/scoped-table.js';
import { processOfRow } from '../threads/process-of.js';
import { type MemoryPeak, memoryInUse, memoryPeaks } from './in-use.js';

export interface NativeMemory {
  readonly events: NativeMemoryEvents;
  /** Of each process with events within the scope; what others allocated counts, too. */
  readonly peaks: readonly MemoryPeak[];
}

const IN_USE = {
  key: 'in_use',
  title: 'In use',
  holds: 'number',
  unit: 'bytes',
  meaning: 'bytes in use by the process after the event',
  wide: true,
} as const satisfies Field;

const memoryStage: Stage<NativeMemory | undefined, void> = {
  name: 'native memory',
  version: 1,
  key: () => '',
  run: ([{ snapshot, scope }]) => {
    const { program, profile } = snapshot.recording;
    const table = profile && eventTable(profile, NATIVE_MEMORY_EVENTS.kind);
    if (profile === undefined || table === undefined) return undefined;
    const processes = processOfRow(profile, table);
    const { bytes } = memoryInUse(NATIVE_MEMORY_EVENTS.rows(table), processes, { reallocFrees: true });
    const scopedTable = tableInScope(program, profile, withField(table, IN_USE, bytes), scope);
    const events = NATIVE_MEMORY_EVENTS.rows(scopedTable);
    const use = { bytes: column(scopedTable, IN_USE.key), time: events.time };
    return { events, peaks: memoryPeaks(use, processOfRow(profile, scopedTable)) };
  },
  bytes: (value) => (value === undefined ? 0 : value.events.length * BYTES_AN_EVENT),
};

/** Columns of eight bytes, most of them. */
const BYTES_AN_EVENT = 8 * NATIVE_MEMORY_EVENTS.fields.length;

/** The events of native memory within the scope; undefined if the recording has none. */
export function nativeMemoryUse(subject: Subject): StageUse<NativeMemory | undefined> {
  return use(memoryStage, [subject], undefined);
}
