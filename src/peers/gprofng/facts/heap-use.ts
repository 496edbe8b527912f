/** What a process had on its heap after each event of heap tracing. */
import { type MemoryInUse, memoryInUse } from '../../../analysis/memory/in-use.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { MEMORY_STEPS, NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import type { Table } from '../../../models/table.js';

const FREE = MEMORY_STEPS.indexOf('free');

/** By row of the table. `strict`: gprofng misses what realloc frees, and has no bytes where the freed block is unknown. */
export function heapUse(table: Table, { process }: EventFacts, strict: boolean): MemoryInUse {
  const events = NATIVE_MEMORY_EVENTS.rows(table);
  const use = memoryInUse(events, (row) => process[row], { reallocFrees: !strict });
  if (!strict) return use;
  const isUnknown = (row: number): boolean => events.step?.[row] === FREE && use.freed[row] === 0;
  return { ...use, bytes: use.bytes.map((bytes, row) => (isUnknown(row) ? 0 : bytes)) };
}
