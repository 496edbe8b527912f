/** Statistics of the heap: the process with the highest peak, sizes of allocations and of leaks. */

import { inTimeOrder } from '../../../base/columns/order.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { TIME } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { pidOf } from '../index-objects.js';
import { fixed } from '../numbers.js';
import { factsOf, heapColumns, isHeap } from '../peer/event-columns.js';
import { type Experiment, hasData, type PrintedProcess } from '../peer/experiment.js';
import { heapUse } from './heap-use.js';
import { labelled, SizeStatistics } from './size-statistics.js';

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
  const [allocated, leaked] = [new SizeStatistics(), new SizeStatistics()];
  for (let row = 0; row < table.length; row++) {
    if ((allocations?.[row] ?? 0) > 0) allocated.add(bytes[row]);
    if ((leaks?.[row] ?? 0) > 0) leaked.add(live[row]);
  }
  const leakText = `Memory Leaks Statistics\nLeak Size Range                   Leaks              \n${RULE}\n${leaked.ranges()}\n`;
  return [
    peakText(experiment, table, facts),
    `Memory Allocations Statistics\nAllocation Size Range             Allocations          \n${RULE}\n${allocated.ranges()}\n`,
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

interface Peak {
  readonly process: PrintedProcess;
  readonly bytes: number;
  readonly time: number;
}

function peakText({ processes, strict }: Experiment, table: Table, facts: EventFacts): string {
  const peaks = processes.map((process) => peakOf(process, table, facts, strict));
  const [first] = peaks.sort((a, b) => b.bytes - a.bytes);
  if (first === undefined) return '\n';
  const { process, bytes, time } = first;
  return [
    `\nProcess With Highest Peak Memory Usage\n${RULE}\n`,
    labelled('Heap size bytes', bytes),
    labelled('Experiment Id', process.id),
    labelled('Process Id', pidOf(process)),
    labelled('Time of peak', `${fixed(time / 1e9, 3)} (secs.)`),
    '\n',
  ].join('');
}

/** When a process had most bytes on its heap. */
function peakOf(process: PrintedProcess, table: Table, facts: EventFacts, strict: boolean): Peak {
  const { bytes } = heapUse(table, facts, strict);
  const times = columnOf(table, TIME);
  const order = times && inTimeOrder(times);
  let peak: Peak = { process, bytes: 0, time: 0 };
  for (let i = 0; i < table.length; i++) {
    const row = order === undefined ? i : order[i];
    if (facts.process[row] === process.index && bytes[row] > peak.bytes)
      peak = { process, bytes: bytes[row], time: (times?.[row] ?? 0) - process.shift };
  }
  return peak;
}
