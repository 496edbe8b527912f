/** Counts of timed methods: differences of the recorder's counts, and what is older than the file. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedStretch } from './facts.js';
import type { KindColumns } from './kind-source.js';
import { sinceBefore } from './others.js';

/** Calls, time and earlier calls of events of two methods, by the order of their rows. */
function counted(stretches: readonly RecordedStretch[]) {
  const columns: KindColumns = {
    stack: Int32Array.of(1, 2, 1, 1, 2),
    time: Float64Array.of(10, 20, 30, 40, 15),
    invocations: Float64Array.of(100, 7, 130, 4, 5),
    timed: Float64Array.of(2, 10, 3, 5, 10),
  };
  sinceBefore(columns, { stretches });
  const { invocations, timed, earlier }: Partial<KindColumns> = columns;
  return [invocations, timed, earlier].map((values) => values && [...values]);
}

test('counts are those since the event before; a count that falls began anew', () => {
  deepEqual(counted([{ start: 0, isContinued: false }]), [[100, 2, 30, 4, 5], [200, 20, 190, 20, 50], undefined]);
});

test('of a recorder that ran before the file, first counts may be older', () => {
  deepEqual(counted([{ start: 0, isContinued: true }]), [
    [0, 2, 30, 4, 0],
    [0, 20, 190, 20, 0],
    [100, 0, 0, 0, 5],
  ]);
});
