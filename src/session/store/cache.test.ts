/** The disk cache: same answers as the file, never for a changed or unsettled file, never a damaged copy. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
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
import { FormatError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { commandLineText } from '../../cli/render/spelling.js';
import type { Format } from '../../formats/format.js';
import { iprof } from '../../formats/iprof/index.js';
import { FORMATS } from '../../formats/registry.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { BINARY_TREE, ROOT } from '../../testing/shared-data.js';
import { detect } from '../inputs/detect.js';
import { type CacheOptions, readCached } from './cache.node.js';

/** Read in a moment, and with columns large enough to be sections. */
const SMALL = join(ROOT, 'src', 'formats', 'iprof', 'testing', 'fixtures', 'slice-0.2.0.iprof');

let folder = '';
let file = '';
let reads = 0;
let announced: string[] = [];
const counting: Format = {
  ...iprof,
  read: (source, work) => {
    reads++;
    return iprof.read(source, work);
  },
};
const LATER = Date.now() + 1e9;

function options(changes: Partial<CacheOptions> = {}): CacheOptions {
  return {
    folder: join(folder, 'cache'),
    announce: (message) => announced.push(commandLineText(message)),
    now: LATER,
    smallest: 0,
    ...changes,
  };
}

async function read(changes: Partial<CacheOptions> = {}) {
  return (await readCached(counting, await fileSource(file, 'as-named.iprof'), {}, options(changes))).recording;
}

describe('cache', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kansoku-cache-'));
    file = join(folder, 'profile.iprof');
    writeFileSync(file, readFileSync(SMALL));
    reads = 0;
    announced = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("gives the reader's recording without reading again", async () => {
    writeFileSync(file, readFileSync(BINARY_TREE));
    const first = await read();
    const second = await read();
    equal(reads, 1);
    deepStrictEqual(second, first);
    equal(second.name, 'as-named.iprof');
    const [copy = ''] = readdirSync(join(folder, 'cache'));
    equal(statSync(join(folder, 'cache', copy)).mode & 0o777, 0o600);
  });

  it('saves the copy beside the questions where someone waits for it', async () => {
    const savings: Promise<void>[] = [];
    await read({ behind: (saving) => savings.push(saving) });
    equal(savings.length, 1);
    await Promise.all(savings);
    await read();
    equal(reads, 1);
  });

  it('gives native code unchanged', async () => {
    const drawing = picture(`
      !/opt/app  kind=executable id=4fc5 main@1000 map=ffffffff81000000+2000@1000[5..]
      @time  0                    7
             app!main.c|main@1010 *ffffffff81000010
             ~app!add@1010(7)     *7f3c00001040
    `);
    const drawnFormat: Format = { ...iprof, read: () => Promise.resolve(drawnRecording(drawing)) };
    const readDrawn = async () => readCached(drawnFormat, await fileSource(file, 'drawn'), {}, options());
    await readDrawn();
    deepStrictEqual((await readDrawn()).recording.program, drawing.program);
    ok(drawing.program.mappings !== undefined && drawing.program.locations.inlinedInto !== undefined);
  });

  it('reads again when bytes, time or format changed', async () => {
    writeFileSync(file, readFileSync(BINARY_TREE));
    await read();
    const bytes = readFileSync(file);
    const time = statSync(file).mtime;
    bytes[bytes.length - 3] = 0x20;
    writeFileSync(file, bytes);
    utimesSync(file, time, time);
    await read();
    equal(reads, 2, 'a changed byte at the end');
    utimesSync(file, time, new Date(time.getTime() + 5000));
    await read();
    equal(reads, 3, 'another time');
    await readCached({ ...counting, id: 'other' }, await fileSource(file), {}, options());
    equal(reads, 4, 'another format');
  });

  it('reads again when another program made the copy', async () => {
    await read();
    await read({ program: 'another' });
    equal(reads, 2);
    await read();
    equal(reads, 2, 'its own copy is still there');
  });

  it('keeps no copy of a file that has just changed', async () => {
    const now = statSync(file).mtimeMs + 100;
    await read({ now });
    await read({ now });
    equal(reads, 2);
  });

  it('removes a damaged copy and reports it', async () => {
    const first = await read();
    const [copy = ''] = readdirSync(join(folder, 'cache'));
    const path = join(folder, 'cache', copy);
    const bytes = readFileSync(path);
    for (const at of [0, 22, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      reads = 0;
      announced = [];
      deepStrictEqual(await read(), first);
      equal(reads, 1);
      ok(announced[0]?.includes('damaged'), announced.join());
    }
  });

  it('stays below its size and removes the oldest first', async () => {
    const size = await oneCopy();
    for (let i = 0; i < 6; i++) {
      utimesSync(file, new Date(), new Date(1e12 + i * 1e6));
      await read({ largest: size * 4.5, now: LATER + i * 1000 });
    }
    const copies = readdirSync(join(folder, 'cache'));
    equal(copies.length, 4);
    reads = 0;
    await read({ largest: size * 4.5 });
    equal(reads, 0, 'the newest is still there');
  });

  it('keeps no copy without room for it, and reports it', async () => {
    const size = await oneCopy();
    await read({ largest: size - 1 });
    equal(existsSync(join(folder, 'cache')), false);
    ok(announced[0]?.startsWith('not cached: '), announced.join());
    announced = [];
    await read({ largest: size });
    equal(readdirSync(join(folder, 'cache')).length, 1);
    deepStrictEqual(announced, []);
  });

  it("gives the reader's recording for every fixture of every format", async () => {
    const seenFormats = new Set<string>();
    for (const path of fixtures()) {
      const format = await detect(await fileSource(path)).catch(() => undefined);
      if (format === undefined) continue;
      const fresh = await format.read(await fileSource(path)).catch(refusal);
      // One table of several, for instance, is recognised but cannot be read alone.
      if (fresh === undefined) continue;
      seenFormats.add(format.id);
      const open = async () => (await readCached(format, await fileSource(path), {}, options())).recording;
      deepStrictEqual(await open(), fresh, path);
      const unread: Format = { ...format, read: () => Promise.reject(new Error('read again')) };
      deepStrictEqual((await readCached(unread, await fileSource(path), {}, options())).recording, fresh, path);
    }
    // No single file of an experiment is a recording.
    const whole = FORMATS.filter(({ id }) => id !== 'experiment');
    deepStrictEqual([...seenFormats].sort(), whole.map((format) => format.id).sort());
    deepStrictEqual(announced, []);
  });

  it('identifies the contents of recordings that it may keep', async () => {
    const keep = async (changes: Partial<CacheOptions> = {}) =>
      (await readCached(counting, await fileSource(file), {}, options(changes))).content;
    const first = await keep();
    match(first ?? '', /^[0-9a-f]{64}$/);
    equal(await keep(), first, 'of the copy, too');
    equal(await keep({ smallest: 1e9 }), undefined, 'a small file');
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    const changed = await keep();
    ok(changed !== undefined && changed !== first);
    utimesSync(file, new Date(), new Date(LATER));
    equal(await keep({ now: LATER + 100 }), undefined, 'changed a moment ago');
  });

  it('sees a change that restores size and time', async () => {
    await read();
    const { mtime } = statSync(file);
    const bytes = readFileSync(file);
    const at = bytes.lastIndexOf('1');
    bytes[at] = 0x32;
    writeFileSync(file, bytes);
    utimesSync(file, mtime, mtime);
    await read();
    equal(reads, 2);
  });

  it('reports an unreadable copy', async () => {
    const first = await read();
    const [copy = ''] = readdirSync(join(folder, 'cache'));
    rmSync(join(folder, 'cache', copy));
    mkdirSync(join(folder, 'cache', copy));
    deepStrictEqual(await read(), first);
    equal(reads, 2);
    ok(announced[0]?.includes(`${copy} (EISDIR`), announced.join());
  });

  it('works without a writable folder', async () => {
    writeFileSync(join(folder, 'cache'), 'in the way');
    equal((await read()).complete, true);
    match(announced[0] ?? '', /^ignoring the cached copy .*\(ENOTDIR/);
    ok(announced[1]?.includes('cannot write the cache'), announced.join());
  });

  it('ignores small files', async () => {
    await readCached(
      counting,
      await fileSource(file),
      {},
      { folder: join(folder, 'cache'), announce: () => undefined, now: LATER },
    );
    deepStrictEqual(readdirSync(folder), ['profile.iprof']);
  });
});

/** All files in folders of fixtures, also those that are not recordings. */
function fixtures(): string[] {
  const source = join(ROOT, 'src');
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((path) => join(source, path));
  const beside = paths.filter((path) => path.includes('fixtures') && statSync(path).isFile());
  return [...beside, join(ROOT, 'examples', 'jvmpi', 'contended.jvmpi')];
}

function refusal(error: unknown): undefined {
  ok(error instanceof FormatError, String(error));
}

async function oneCopy(): Promise<number> {
  await read();
  const cache = join(folder, 'cache');
  const [copy = ''] = readdirSync(cache);
  const { size } = statSync(join(cache, copy));
  rmSync(cache, { recursive: true });
  return size;
}
