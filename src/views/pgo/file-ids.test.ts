/** Numbers of the file in answers, against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileSource } from '../../bytes/file.node.js';
import { iprofTruth, sums, type TrueEntry } from '../../formats/iprof/testing/iprof-truth.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { iprofFiles, ROOT } from '../../testing/shared-data.js';

const FIB = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');
const RECEIVERS = ['virtualInvokeProfiles', 'invokePoints'];
const SECTIONS = {
  call: ['callCountProfiles', 'hotnessPoints'],
  branch: ['conditionalProfiles', 'conditionalPoints'],
  receiver: RECEIVERS,
  sample: ['samplingProfiles'],
};
/** Numbers of a record, by type of event. */
const RECORD = { call: 1, branch: 3, receiver: 2, sample: 1 };
const page = { limit: 0 };

const contextOf = ({ frames }: TrueEntry): string => frames.map(({ id, bci }) => `${id}:${bci}`).join('<');

/** Pairs of numbers in records: types and counts. */
function pairsOf({ records }: TrueEntry): (readonly [number, number])[] {
  return records.flatMap((id, i) => (i % 2 === 0 ? [[id, records[i + 1] ?? 0] as const] : []));
}

for (const path of [...iprofFiles(), FIB]) {
  describe(`numbers in answers about ${basename(path)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(path)]);
    });
    const truth = iprofTruth(path);
    const isNamed = ({ file_id: id }: { file_id?: number | null | undefined }, name: string): void => {
      ok(typeof id === 'number');
      equal(name, truth.methods.get(id) ?? `<method ${id}>`);
    };

    for (const type of ['call', 'branch', 'receiver', 'sample'] as const)
      it(`each ${type} has the context of the file, and the type`, async () => {
        const entries = truth.entries(...SECTIONS[type]);
        if (entries.length === 0) return;
        const { rows } = await ask(session, { view: 'events', options: { types: [type], ids: true }, page });
        const records = entries.flatMap((entry) => {
          const count = entry.records.length / RECORD[type];
          const ids = type === 'receiver' ? pairsOf(entry).map(([id]) => id) : [];
          return Array.from({ length: count }, (_, i) => `${contextOf(entry)} ${ids[i] ?? ''}`);
        });
        deepEqual(rows.map((row) => `${row.stack_ids} ${row.type_id ?? ''}`).sort(), records.sort());
      });

    it('sites of receivers have their place or context, and the numbers of the classes', async () => {
      for (const contexts of [true, false]) {
        const options = { ids: true, contexts };
        const scope = [{ kind: 'origin', origins: ['own', 'jdk', 'vm', 'profiler', 'unknown'] }] as const;
        const { rows } = await ask(session, { view: 'pgo-receivers', options, scope, page });
        const siteCounts = rows.flatMap(({ context, classes }) =>
          classes.map(({ file_id: id, count }) => [`${context} ${id}`, count] as const),
        );
        const counts = truth
          .entries(...RECEIVERS)
          .flatMap((entry) =>
            pairsOf(entry).map(
              ([id, count]) =>
                [`${contexts ? contextOf(entry) : contextOf(entry).replace(/<.*/, '')} ${id}`, count] as const,
            ),
          );
        const isSeen = ([, count]: readonly [string, number]): boolean => count > 0;
        deepEqual(sums(siteCounts).filter(isSeen), sums(counts).filter(isSeen));
      }
    });

    it('rows of methods have the number of the method that they name', async () => {
      const { rows: hot } = await ask(session, { view: 'pgo-hot', options: { ids: true }, page });
      for (const row of hot) isNamed(row, row.method);
      const first = `#${hot[0]?.file_id}`;
      const into = { method: first, into: true, ids: true };
      const { rows: inlining } = await ask(session, { view: 'pgo-inlining', options: into, page });
      for (const row of inlining) isNamed(row, row.method);
      const options = { function: first, ids: true };
      const { rows: callers } = await ask(session, { view: 'callers', options, page });
      for (const row of callers)
        if (/^<(?!method)/.test(row.function)) equal(row.file_id, null);
        else isNamed(row, row.function);
      const { rows: nodes } = await ask(session, { view: 'tree', options: { ids: true }, page: { limit: 200 } });
      for (const row of nodes) isNamed(row, row.function);
      ok(hot.length > 0 && inlining.length > 0 && nodes.length > 0);
    });

    it('monitors have the numbers of their types', async () => {
      const { rows } = await ask(session, { view: 'monitors', options: { ids: true }, page });
      const pairs = truth.entries('monitorProfiles', 'monitorsProfile').flatMap(pairsOf);
      deepEqual(
        sums(rows.map(({ file_id: id, count }) => [String(id), count ?? 0])),
        sums(pairs.map(([id, count]) => [String(id), count])),
      );
      for (const { file_id: id, monitor } of rows) equal(monitor, truth.typeName(id ?? -1));
    });
  });
}
