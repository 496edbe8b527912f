/** Folders of chunk files: each chunk once and in the order of time, whatever the files are called. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { directoryTree } from '../../bytes/directory.node.js';
import type { FileTree } from '../../bytes/file-tree.js';
import type { Recording } from '../../models/recording.js';
import { openInputs } from '../../session/open.node.js';
import { sharedData } from '../../testing/shared-data.js';
import { claimChunkFiles, joinChunkFiles } from './chunk-files.js';
import { readJfr } from './read.js';
import { jfrBytes } from './testing/jfr-writer.js';
import { smallChunk } from './testing/small-recording.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-chunks-'));
after(() => rmSync(folder, { recursive: true }));

/** A chunk that began so many seconds after the others' first. */
function chunk(second: number, state = 0): Uint8Array {
  const startNanos = 1_700_000_000_000_000_000n + BigInt(second) * 1_000_000_000n;
  return jfrBytes([smallChunk({ startNanos, startTicks: 1000n + BigInt(second) * 1_000_000_000n, state })]);
}
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

async function treeOf(files: Readonly<Record<string, Uint8Array>>): Promise<FileTree> {
  const root = mkdtempSync(join(folder, 'tree-'));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return directoryTree(root);
}

async function open(tree: FileTree): Promise<readonly Recording[]> {
  const session = await openInputs([tree.name], { cache: false, announce: () => undefined, work: {} });
  await session.close();
  return session.recordings;
}

const told = ({ sections, metadata, complete }: Recording): unknown => ({ sections, metadata, complete });
const wanted = async (...parts: Uint8Array[]): Promise<unknown> =>
  told(await readJfr(memorySource('x.jfr', joined(...parts))));

const AT = (second: number): string => `2026_11_23_01_45_0${second}.jfr`;

describe('a folder of chunk files', () => {
  test('is one recording, in the order of the starts of its chunks', async () => {
    const tree = await treeOf({
      [`repo/${AT(1)}`]: chunk(2),
      [`repo/${AT(2)}`]: chunk(0),
      [`repo/${AT(3)}`]: chunk(5),
    });
    const recordings = await open(tree);
    equal(recordings.length, 1);
    equal(recordings[0]?.name, `${tree.name}/repo`);
    deepEqual(recordings.map(told), [await wanted(chunk(0), chunk(2), chunk(5))]);
  });

  test('has chunks that are also in a dump beside them once; the finished one of two', async () => {
    const tree = await treeOf({
      [AT(1)]: chunk(1),
      [AT(2)]: chunk(2, 3),
      'dump.jfr': joined(chunk(0), chunk(1), chunk(2)),
      'other.jfr': chunk(7),
    });
    const recordings = await open(tree);
    deepEqual(recordings.map(told), [await wanted(chunk(0), chunk(1), chunk(2)), await wanted(chunk(7))]);
  });

  test('is one of several; files with other names are recordings of their own', async () => {
    const tree = await treeOf({
      [`a/${AT(1)}`]: chunk(1),
      [`a/${AT(2)}`]: chunk(2),
      [`b/${AT(1)}`]: chunk(3),
      'b/2026_11_23_01_45_01_2.jfr': chunk(4),
      'c/one.jfr': chunk(1),
      'c/two.jfr': chunk(2),
    });
    equal((await open(tree)).length, 4);
  });

  test('may have files that are no chunks, and places of problems are in their file', async () => {
    const unfinished = chunk(1, 3).subarray(0, 500);
    const tree = await treeOf({ [AT(1)]: new Uint8Array(100), [AT(2)]: unfinished, [AT(3)]: chunk(2) });
    const [recording] = await open(tree);
    equal(recording?.complete, false);
    const place = (code: string): unknown => {
      const { message = '', offset } = recording?.problems.list.find((problem) => problem.code === code) ?? {};
      return [/2026_[\d_]+\.jfr/.exec(message)?.[0], offset];
    };
    deepEqual(place('jfr-chunk'), [AT(1), 0]);
    deepEqual(place('jfr-metadata'), [AT(2), 0]);
  });

  test('loses files that are removed, before or while it is read, and the others stay', async () => {
    const tree = await treeOf({ [AT(1)]: chunk(1), [AT(2)]: chunk(2), [AT(3)]: chunk(3) });
    const claim = await claimChunkFiles(tree);
    const [set] = claim?.recordings ?? [];
    if (set === undefined) throw new Error('no claim');
    rmSync(join(tree.name, AT(2)));
    const source = await joinChunkFiles(tree, set);
    deepEqual(
      source.carrierProblems.map(({ code, message }) => [code, message.includes(AT(2))]),
      [['file-lost', true]],
    );
    deepEqual(told(await readJfr(source)), await wanted(chunk(1), chunk(3)));
    await source.close?.();
    rmSync(join(tree.name, AT(3)));
    const { sections, problems } = await readJfr(source);
    deepEqual(sections, (await readJfr(memorySource('x.jfr', chunk(1)))).sections);
    equal(problems.counts['jfr-chunk'], 1);
    match(source.carrierProblems.at(-1)?.message ?? '', new RegExp(`${AT(3)}: no such file`));
    await source.close?.();
  });
});

test('the chunks of a real recording, as files of a repository, are the recording', async (t) => {
  const path = sharedData(t, 'interop/jfr/multichunk-jdk21.jfr.gz');
  if (path === undefined) return;
  const bytes = gunzipSync(readFileSync(path));
  const size = Number(bytes.readBigInt64BE(8));
  const tree = await treeOf({ [AT(1)]: bytes.subarray(0, size), [AT(2)]: bytes.subarray(size), 'all.jfr': bytes });
  deepEqual((await open(tree)).map(told), [told(await readJfr(memorySource('x.jfr', bytes)))]);
});
