/**
 * One way to keep a recording, in a process of its own: prints what it cost, as JSON.
 *
 *   node dist/bench/cache/subject.js make FILE           reads FILE and writes FILE.columns and FILE.v8
 *   node dist/bench/cache/subject.js load|save columns|v8 FILE
 *
 * `v8` serialises the whole recording with one checksum, and loads it through one buffer. Before it saves, either way loads
 * FILE.columns, which is a part of what it costs.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { draftColumns, readColumns } from '../../src/bytes/column-file.node.js';
import { fileSource } from '../../src/bytes/file.node.js';
import { readIprof } from '../../src/formats/iprof/read.js';
import { printCost } from '../compare.js';

interface Way {
  readonly save: (value: unknown, path: string) => Promise<void>;
  readonly load: (path: string) => Promise<unknown>;
}

const WAYS: Readonly<Record<string, Way>> = {
  columns: { save: (value, path) => draftColumns(value).write(path), load: (path) => readColumns(path) },
  v8: {
    save: async (value, path) => {
      const payload = serialize(value);
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(crc32(payload));
      await writeFile(path, [checksum, payload]);
    },
    load: async (path) => {
      const bytes = await readFile(path);
      if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) throw new Error(`${path}: damaged`);
      return deserialize(bytes.subarray(4));
    },
  },
};

const [task = '', ...words] = process.argv.slice(2);
const file = words.at(-1) ?? '';
const started = performance.now();
if (task === 'make') {
  const recording = await readIprof(await fileSource(file));
  for (const [name, { save }] of Object.entries(WAYS)) await save(recording, `${file}.${name}`);
} else {
  const { save, load } = WAYS[words[0] ?? ''];
  if (task === 'load') await load(`${file}.${words[0]}`);
  else {
    await save(await readColumns(`${file}.columns`), `${file}.saved`);
    await rm(`${file}.saved`);
  }
}
printCost(started, 0);
