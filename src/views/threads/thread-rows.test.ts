/** Rows of several threads: of recordings whose virtual threads `jfr print` counts, and what they add up to. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

const FIXTURES = join(ROOT, 'src/formats/jfr');
const opened = (path: string): Promise<Session> => {
  const bytes = readFileSync(path);
  return openSession([memorySource(path, bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)]);
};
const rowsBy = (session: Session, group: 'virtual' | 'pool' | 'none') =>
  ask(session, { view: 'threads', options: { group, metric: 'contention' }, page: { limit: 0 } });

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);

describe('threads of recordings of JFR', () => {
  test('virtual threads are grouped by their pool and first own method', async () => {
    const session = await opened(join(FIXTURES, 'fixtures/warehouse-jdk25.jfr.gz'));
    const { rows, notes, columns } = await rowsBy(session, 'virtual');
    const groups = rows.filter(({ kind }) => kind === 'virtual');
    // `jfr summary`: 464 jdk.VirtualThreadStart; `jfr print`: 112 have an event with a frame of the program.
    deepEqual(Object.fromEntries(groups.map(({ name, members }) => [name, members])), {
      '<unnamed> of VirtualThreads': 352,
      '<unnamed> of VirtualThreads in shop.bench.Warehouse.lambda$tryVirtual$5': 112,
    });
    ok(groups.every(({ handle, id, started_at }) => handle === undefined && id === null && started_at === null));
    ok(columns.some(({ key }) => key === 'members'));
    match(noteTexts(notes)[0] ?? '', /^464 virtual threads in 2 rows, by pool and first own method \(--group none/);
    await session.close();
  });

  for (const file of ['fixtures/warehouse-jdk25.jfr.gz', 'kinds/fixtures/virtual-jdk21.jfr.gz'])
    test(`${file}: groups have all threads, and what these add up to`, async () => {
      const session = await opened(join(FIXTURES, file));
      const singles = (await rowsBy(session, 'none')).rows;
      equal(sum(singles.map(({ members }) => members)), singles.length);
      for (const group of ['virtual', 'pool'] as const) {
        const { rows } = await rowsBy(session, group);
        ok(rows.length < singles.length);
        equal(sum(rows.map(({ members }) => members)), singles.length);
        for (const key of ['value', 'allocated', 'waited', 'cpu', 'waits'] as const)
          ok(Math.abs(sum(rows.map((row) => row[key])) - sum(singles.map((row) => row[key]))) < 1, `${group} ${key}`);
      }
      await session.close();
    });

  test('names that differ in their number are a pool', async () => {
    const session = await opened(join(FIXTURES, 'kinds/fixtures/virtual-jdk21.jfr.gz'));
    const { rows } = await rowsBy(session, 'pool');
    // The program starts platform-0 to platform-7, each waits for a lock but the first that gets it.
    const platform = rows.find(({ name }) => name === 'platform-*');
    deepEqual([platform?.members, platform?.group], [8, 'main']);
    const singles = (await rowsBy(session, 'none')).rows.filter(({ name }) => /^platform-\d$/.test(name));
    equal(platform?.contended ?? platform?.value, sum(singles.map(({ contended, value }) => contended ?? value)));
    await session.close();
  });

  test('a service with a virtual thread a request', async (t) => {
    const path = sharedData(t, 'shop/s25virt.jfr');
    if (path === undefined) return;
    const session = await opened(path);
    const { rows, total } = await rowsBy(session, 'virtual');
    ok(total < 60, `${total}`);
    ok((rows.find(({ name }) => name.endsWith(' in acme.shop.Main.handle'))?.members ?? 0) > 2000);
    ok((await rowsBy(session, 'none')).total > 2300);
    await session.close();
  });
});
