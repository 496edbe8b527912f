/** Copies that are kept: found by content and size, removed by the rules of the folder. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { spool } from '../../bytes/spool.node.js';
import { readInPieces, seededBytes, temporaryFolder } from '../../testing/byte-sources.js';
import { keptCopy } from './kept-copy.node.js';

const NOW = Date.now();
const data = seededBytes(5000, 3);

/** Keeps a copy of the data in a new folder. */
async function kept(t: TestContext, largest?: number) {
  const folder = await temporaryFolder(t);
  const options = { folder, announce: () => undefined, now: NOW, ...(largest !== undefined && { largest }) };
  const keep = (content: string) => keptCopy('app.hprof.gz', content, options);
  const make = async (content: string): Promise<string | undefined> => {
    const copy = await spool(memorySource('app.hprof.gz', data), { memory: 0, keep: keep(content) });
    await copy.close?.();
    return copy.path;
  };
  return { folder, keep, make };
}

test('a copy is found by the content it was made of', async (t) => {
  const { folder, keep, make } = await kept(t);
  equal(await keep('a').find(), undefined);
  const path = (await make('a')) ?? '';
  ok(readFileSync(path).equals(data));
  const copy = await keep('a').find();
  deepEqual([copy?.name, copy?.path], ['app.hprof.gz', path]);
  ok(copy !== undefined && (await readInPieces(copy)).bytes.equals(data));
  await copy.close?.();
  equal(await keep('b').find(), undefined);
  equal(
    await keptCopy('x', 'a', { folder: join(folder, 'none'), announce: () => undefined, now: NOW }).find(),
    undefined,
  );
});

test('a copy that lost bytes is removed', async (t) => {
  const { folder, keep, make } = await kept(t);
  truncateSync((await make('a')) ?? '', 4999);
  equal(await keep('a').find(), undefined);
  deepEqual(readdirSync(folder), []);
});

test('a copy takes at most half of the folder, and older files make room', async (t) => {
  deepEqual(await (await kept(t, 9999)).make('a'), undefined);
  const { folder, make } = await kept(t, 12_000);
  const old = new Date(NOW - 60_000);
  for (const name of ['1.columns', '2.columns']) {
    writeFileSync(join(folder, name), Buffer.alloc(4000));
    utimesSync(join(folder, name), old, name === '1.columns' ? old : new Date(NOW - 30_000));
  }
  const path = (await make('a')) ?? '';
  deepEqual(readdirSync(folder).sort(), ['2.columns', basename(path)].sort());
});

test('what an interrupted process left is removed after a day', async (t) => {
  const { folder, make } = await kept(t);
  const [fresh, old] = ['spool-1.bytes.0a-1b', 'spool-2.bytes.0a-1b'];
  for (const name of [fresh, old]) writeFileSync(join(folder, name), 'x');
  const before = new Date(NOW - 25 * 60 * 60 * 1000);
  utimesSync(join(folder, old), before, before);
  const path = (await make('a')) ?? '';
  deepEqual(readdirSync(folder).sort(), [fresh, basename(path)].sort());
});
