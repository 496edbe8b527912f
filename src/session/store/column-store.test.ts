/** The store on disk: values come back or are made again, never as others; old and abandoned files go. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { commandLineText } from '../../cli/render/spelling.js';
import type { ColumnCodec } from '../../models/stage-store.js';
import { ColumnStore, type StoreOptions } from './column-store.node.js';

interface Depths {
  readonly of: string;
  readonly depth: Int32Array;
}

/** A derived value as a stage would keep it. */
const DEPTHS: ColumnCodec<Depths> = {
  version: 1,
  toColumns: ({ of: subject, depth }) => [subject, depth],
  fromColumns: (columns) => {
    if (!Array.isArray(columns)) return undefined;
    const [subject, depth]: unknown[] = columns;
    return typeof subject === 'string' && depth instanceof Int32Array ? { of: subject, depth } : undefined;
  },
};
const VALUE: Depths = { of: 'stacks', depth: Int32Array.from({ length: 300 }, (_, i) => i) };
const NOW = Date.now();
const DAY = 24 * 60 * 60 * 1000;

let folder = '';
let announced: string[] = [];

function store(changes: Partial<StoreOptions> = {}): ColumnStore {
  return new ColumnStore({
    folder,
    announce: (message) => announced.push(commandLineText(message)),
    now: NOW,
    program: 'p',
    ...changes,
  });
}

function onlyFile(): string {
  const names = readdirSync(folder);
  equal(names.length, 1, names.join());
  return join(folder, names[0] ?? '');
}

describe('column store', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kansoku-store-'));
    announced = [];
  });
  afterEach(() => {
    deepStrictEqual(announced, [], 'every announcement was expected');
    rmSync(folder, { recursive: true });
  });

  it('gives kept values by key, version and program', async () => {
    equal(await store().load('depths of A', DEPTHS), undefined);
    await store().save('depths of A', DEPTHS, VALUE);
    deepStrictEqual(await store().load('depths of A', DEPTHS), VALUE);
    equal(statSync(onlyFile()).mode & 0o777, 0o600);
    equal(await store().load('depths of B', DEPTHS), undefined);
    equal(await store().load('depths of A', { ...DEPTHS, version: 2 }), undefined);
    equal(await store({ program: 'another' }).load('depths of A', DEPTHS), undefined);
    const other = { ...VALUE, of: 'threads' };
    await store().save('depths of A', DEPTHS, other);
    deepStrictEqual(await store().load('depths of A', DEPTHS), other, 'the last that was kept');
  });

  it('makes a file again for damage at any byte', async () => {
    await store().save('key', DEPTHS, VALUE);
    const path = onlyFile();
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      equal(await store().load('key', DEPTHS), undefined, `byte ${at}`);
      ok(announced.length === 1 && announced[0]?.includes(`damaged; rebuilding it: ${path}`), announced.join());
      equal(existsSync(path), false);
      announced = [];
    }
    await store().save('key', DEPTHS, VALUE);
    deepStrictEqual(await store().load('key', DEPTHS), VALUE);
  });

  it('makes a value of another shape again', async () => {
    const numbers: ColumnCodec<number> = { version: 1, toColumns: (value) => value, fromColumns: () => undefined };
    await store().save('key', numbers, 5);
    equal(await store().load('key', DEPTHS), undefined);
    ok(announced[0]?.includes('unexpected structure'), announced.join());
    deepStrictEqual(readdirSync(folder), []);
    announced = [];
  });

  it('removes copies of earlier versions and files that were never complete', async () => {
    const old = ['0123abcd.recording', '0123abcd.recording.89ab', 'ff.columns.0123'];
    const keptFiles = ['ee.columns.4567', 'dd.columns'];
    for (const name of [...old, ...keptFiles]) writeFileSync(join(folder, name), 'bytes');
    for (const name of ['ff.columns.0123', 'dd.columns'])
      utimesSync(join(folder, name), new Date(NOW), new Date(NOW - 2 * DAY));
    equal(await store().load('key', DEPTHS), undefined);
    await store().save('key', DEPTHS, VALUE);
    const left = readdirSync(folder);
    equal(left.length, 3);
    ok(keptFiles.every((name) => left.includes(name)));
    deepStrictEqual(await store().load('key', DEPTHS), VALUE);
  });

  it('stays below its size and removes the longest unused first', async () => {
    await store().save('size', DEPTHS, VALUE);
    const { size } = statSync(onlyFile());
    const largest = size * 3;
    await store().save('a', DEPTHS, VALUE);
    await store().save('b', DEPTHS, VALUE);
    for (const [i, key] of ['b', 'size', 'a'].entries()) await store({ now: NOW + i * 1000 }).load(key, DEPTHS);
    await store({ largest }).save('c', DEPTHS, VALUE);
    equal(readdirSync(folder).length, 3);
    equal(await store().load('b', DEPTHS), undefined);
    for (const key of ['size', 'a', 'c']) deepStrictEqual(await store().load(key, DEPTHS), VALUE);
  });

  it('reports values that it cannot keep', async () => {
    await store({ largest: 100 }).save('key', DEPTHS, VALUE);
    ok(announced[0]?.startsWith('not cached: it needs 1'), announced.join());
    const methods: ColumnCodec<object> = { version: 1, toColumns: (value) => value, fromColumns: () => undefined };
    await store().save('key', methods, { run: () => 1 });
    ok(announced[1]?.includes('cannot write the cache'), announced.join());
    const inTheWay = join(folder, 'file');
    writeFileSync(inTheWay, '');
    await store({ folder: inTheWay }).save('key', DEPTHS, VALUE);
    ok(announced[2]?.includes('cannot write the cache'), announced.join());
    equal(announced.length, 3);
    announced = [];
  });

  it('stops silently when aborted, without leaving a file', async () => {
    await store().save('key', DEPTHS, VALUE);
    const work = { signal: AbortSignal.abort() };
    await rejects(store().load('key', DEPTHS, work), { name: 'AbortError' });
    await rejects(store().save('other', DEPTHS, VALUE, work), { name: 'AbortError' });
    deepStrictEqual(await store().load('key', DEPTHS), VALUE);
    onlyFile();
  });

  it('serves several processes at once', async () => {
    const module = new URL('./column-store.node.js', import.meta.url).href;
    const script = `
      const { ColumnStore } = await import(${JSON.stringify(module)});
      const codec = { version: 1, toColumns: (value) => value, fromColumns: (value) => value };
      const store = new ColumnStore({ folder: process.argv[1], announce: console.log, now: ${NOW}, program: 'p' });
      const mine = Number(process.argv[2]);
      for (let i = 0; i < 60; i++) {
        const key = 'key ' + (i % 3);
        await store.save(key, codec, { writer: mine, column: new Float64Array(20_000).fill(mine) });
        const found = await store.load(key, codec);
        if (found === undefined || !found.column.every((value) => value === found.writer)) console.log('wrong', key);
      }`;
    const words = ['--input-type=module', '--eval', script, folder];
    const writers = [1, 2, 3].map((writer) =>
      spawn(process.execPath, [...words, String(writer)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const outputParts: string[] = [];
    for (const writer of writers) writer.stdout.on('data', (chunk: Buffer) => outputParts.push(chunk.toString()));
    const codes = await Promise.all(writers.map((writer) => once(writer, 'close')));
    deepStrictEqual(outputParts, []);
    deepStrictEqual(codes.flat(), [0, null, 0, null, 0, null]);
    equal(readdirSync(folder).length, 3, 'one file a key, none unfinished');
  });
});
