/** Statistics of the heap: the process with the highest peak, sizes of allocations and of leaks. */
import { memoryPeaks } from '../../../analysis/memory/in-use.js';
import { SizeSums } from '../../../analysis/size-sums.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { TIME } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { fixed } from '../numbers.js';
import { factsOf, heapColumns, isHeap } from '../peer/event-columns.js';
import { type Experiment, hasData } from '../peer/experiment.js';
import { pidOf } from '../peer/process-names.js';
import { heapUse } from './heap-use.js';
import { labelled, rangeLines } from './size-text.js';

export const NO_HEAP = 'Heap trace information was not requested when recording experiments\n\n';
const RULE = '-'.repeat(55);

export function hasHeap(experiment: Experiment): boolean {
  return hasData(experiment, 'heaptrace');
}

export function heapStatistics(experiment: Experiment): string {
  if (!hasHeap(experiment)) return NO_HEAP;
  const table = experiment.profile.events.find(isHeap);
  const facts = table && factsOf(experiment.details, table.kind);
  if (table === undefined || facts === undefined || table.length === 0) return '\n';
  const { bytes, allocations, live, leaks } = heapColumns(table);
  const [allocated, leaked] = [new SizeSums(), new SizeSums()];
  for (let row = 0; row < table.length; row++) {
    if ((allocations?.[row] ?? 0) > 0) allocated.add(bytes[row]);
    if ((leaks?.[row] ?? 0) > 0) leaked.add(live[row]);
  }
  if (experiment.chosenOf !== undefined && allocated.count === 0) return '\n';
  const leakText = `Memory Leaks Statistics\nLeak Size Range                   Leaks              \n${RULE}\n${rangeLines(leaked)}\n`;
  return [
    peakText(experiment, { table, facts }),
    `Memory Allocations Statistics\nAllocation Size Range             Allocations          \n${RULE}\n${rangeLines(allocated)}\n`,
    labelled('Smallest allocation bytes', allocated.smallest),
    labelled('Largest allocation bytes', allocated.largest),
    labelled('Total allocations', allocated.count),
    labelled('Total bytes', allocated.bytes),
    '\n',
    ...(leaked.count === 0
      ? []
      : [
          leakText,
          labelled('Smallest leaked bytes', leaked.smallest),
          labelled('Largest leaked bytes', leaked.largest),
          labelled('Total leaked', `${leaked.count} `),
          labelled('Total bytes', leaked.bytes),
          '\n',
        ]),
  ].join('');
}

/** A table and its facts. */
interface HeapEvents {
  readonly table: Table;
  readonly facts: EventFacts;
}

/** All events of the heap; where some were chosen, allocations that were not have no bytes, so that only chosen blocks are in use. */
function eventsInUse({ chosenOf }: Experiment, chosen: HeapEvents): HeapEvents {
  const table = chosenOf?.whole.profile.events.find(isHeap);
  const facts = chosenOf && table && factsOf(chosenOf.whole.details, table.kind);
  const rows = table && chosenOf?.rows.get(table.kind);
  if (table === undefined || facts === undefined || rows === undefined) return chosen;
  const { bytes } = heapColumns(table);
  const ownBytes = new Float64Array(table.length);
  for (const row of rows) ownBytes[row] = bytes[row];
  return { facts, table: { ...table, columns: { ...table.columns, bytes: ownBytes } } };
}

function peakText(experiment: Experiment, chosen: HeapEvents): string {
  const { processes, strict } = experiment;
  const { table, facts } = eventsInUse(experiment, chosen);
  const { bytes } = heapUse(table, facts, strict);
  const time = columnOf(table, TIME);
  const found = new Map(memoryPeaks({ bytes, time }, (row) => facts.process[row]).map((peak) => [peak.process, peak]));
  const peaks = processes.map((process) => {
    const peak = found.get(process.index);
    const hasPeak = peak !== undefined && peak.bytes > 0;
    return { process, bytes: peak?.bytes ?? 0, time: hasPeak ? peak.time - process.shift : 0 };
  });
  const [first] = peaks.sort((a, b) => b.bytes - a.bytes);
  if (first === undefined) return '\n';
  return [
    `\nProcess With Highest Peak Memory Usage\n${RULE}\n`,
    labelled('Heap size bytes', first.bytes),
    labelled('Experiment Id', first.process.id),
    labelled('Process Id', pidOf(first.process)),
    labelled('Time of peak', `${fixed(first.time / 1e9, 3)} (secs.)`),
    '\n',
  ].join('');
}
