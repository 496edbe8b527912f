/** The lists of methods and types of a profile, against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { MissingError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { iprofTruth, sums } from '../../formats/iprof/testing/iprof-truth.js';
import { openInputs } from '../../session/open.node.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { iprofFiles, ROOT } from '../../testing/shared-data.js';

const FIB = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');
const LOOPS = join(ROOT, 'examples/loops/loops.iprof');
const CALLS = ['callCountProfiles', 'hotnessPoints'];
const COUNTERS = [...CALLS, 'conditionalProfiles', 'conditionalPoints', 'virtualInvokeProfiles', 'invokePoints'];
const RECEIVERS = ['virtualInvokeProfiles', 'invokePoints'];
const MONITORS = ['monitorProfiles', 'monitorsProfile'];
/** Numbers of a record, and which of them is the count, by length of the section's records. */
const PAIRS = 2;
const page = { limit: 0 };

/** The counts in the records of an entry of a section. */
function countsIn(section: string, records: readonly number[]): number[] {
  const size = /call|hotness|sampling/.test(section) ? 1 : /conditional/.test(section) ? 3 : PAIRS;
  return records.filter((_, i) => i % size === size - 1);
}

for (const path of [...iprofFiles(), FIB, LOOPS]) {
  describe(`lists of ${basename(path)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(path)]);
    });
    const truth = iprofTruth(path);

    it('methods are those of the file and of its contexts, each with its calls', async () => {
      const { rows } = await ask(session, { view: 'pgo-methods', page });
      const ids = new Set(truth.methods.keys());
      for (const { frames } of truth.entries(...COUNTERS, 'samplingProfiles')) for (const { id } of frames) ids.add(id);
      const numberedRows = rows.filter(({ file_id: id }) => id !== null);
      deepEqual(new Set(numberedRows.map(({ file_id: id }) => id)), ids);
      for (const { file_id: id, method } of numberedRows)
        equal(method, truth.methods.get(id ?? -1) ?? `<method ${id}>`);
      const calls = truth
        .entries(...CALLS)
        .map(({ frames, records }) => [`${frames[0]?.id}`, records[0] ?? 0] as const);
      const callsById = numberedRows.flatMap(({ file_id: id, calls }) =>
        calls === null ? [] : [[`${id}`, calls] as const],
      );
      deepEqual(sums(callsById), sums(calls));
    });

    it('a method ran if a count above 0 has it in its context, never if all its counts are 0', async () => {
      const ran = new Set<number>();
      const leaves = new Set<number>();
      for (const section of [...COUNTERS, 'samplingProfiles'])
        for (const { frames, records } of truth.entries(section)) {
          if (section !== 'samplingProfiles') leaves.add(frames[0]?.id ?? -1);
          if (countsIn(section, records).some((count) => count > 0)) for (const { id } of frames) ran.add(id);
        }
      const { rows, states } = await ask(session, { view: 'pgo-methods', page });
      const tally = { ran: 0, never: 0, uncounted: 0 };
      for (const { file_id: id, state } of rows) {
        const trueState = ran.has(id ?? -1) ? 'ran' : leaves.has(id ?? -1) ? 'never' : 'uncounted';
        equal(state, trueState, `${id}`);
        tally[trueState]++;
      }
      deepEqual(states, tally);
      for (const state of ['ran', 'never', 'uncounted'] as const) {
        const { total } = await ask(session, { view: 'pgo-methods', options: { state: [state] }, page: { limit: 1 } });
        equal(total, tally[state]);
      }
    });

    it('types have the sums of records, by number', async () => {
      const { rows } = await ask(session, { view: 'pgo-types', page });
      const recordSums = (sections: readonly string[]) =>
        sums(
          truth
            .entries(...sections)
            .flatMap(({ records }) =>
              records.flatMap((id, i) => (i % 2 === 0 ? [[`${id}`, records[i + 1] ?? 0] as const] : [])),
            ),
        ).filter(([, count]) => count > 0);
      const rowSums = (key: 'receivers' | 'monitors' | 'checks') =>
        sums(rows.map((row) => [`${row.file_id}`, row[key]])).filter(([, count]) => count > 0);
      deepEqual(rowSums('receivers'), recordSums(RECEIVERS));
      deepEqual(rowSums('monitors'), recordSums(MONITORS));
      deepEqual(rowSums('checks'), recordSums(['instanceofProfiles', 'instanceOfProfiles']));
      for (const { file_id: id, type } of rows) if (id !== null) equal(type, truth.typeName(id));
    });
  });
}

describe('lists of methods and types', () => {
  it('of the Fibonacci example lead from a type to its methods and back, as the description of the format reads it', async () => {
    const session = await openSession([await fileSource(FIB)]);
    const methods = await ask(session, { view: 'pgo-methods', options: { method: '#19551' } });
    deepEqual(
      methods.rows.map(({ method, signature, returns, state, calls }) => [method, signature, returns, state, calls]),
      [['Fib.fibonacci()', '10, 8', 'void', 'ran', 1]],
    );
    const types = await ask(session, { view: 'pgo-types', options: { class: '#10' } });
    deepEqual(
      types.rows.map((row) => [row.file_id, row.type, row.methods, row.monitors]),
      [[10, 'Fib', 3, 1]],
    );
  });

  it('are of profiles only', async (t) => {
    const options = { cache: false, announce: () => undefined, work: {} };
    const session = await openInputs([join(ROOT, 'examples/jfr/shop.jfr.gz')], options);
    t.after(() => session.close());
    for (const view of ['pgo-methods', 'pgo-types'] as const)
      await rejects(
        ask(session, { view }),
        (error) => error instanceof MissingError && error.code === 'no-symbol-lists',
      );
  });

  it('filter by name, and refuse a type that is not there', async () => {
    const session = await openSession([await fileSource(LOOPS)]);
    const all = await ask(session, { view: 'pgo-methods', page });
    const some = await ask(session, { view: 'pgo-methods', options: { method: 'main' }, page });
    ok(some.total > 0 && some.total < all.total);
    ok(some.rows.every(({ method }) => method.includes('main')));
    await rejects(ask(session, { view: 'pgo-types', options: { class: 'NoSuchType' } }));
  });
});
