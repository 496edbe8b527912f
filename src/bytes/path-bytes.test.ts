/** File names that are not UTF-8: their bytes come back, and such files are listed and read. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { readInPieces, temporaryFolder } from '../testing/byte-sources.js';
import { directoryTree } from './directory.node.js';
import { argumentWords, osPath, pathText } from './path-bytes.node.js';

test('bytes become text and the same bytes again; UTF-8 is decoded', () => {
  const some = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));
  const text = fc.string({ unit: 'grapheme', maxLength: 6 }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(fc.array(fc.oneof(some, text), { maxLength: 4 }), (parts) => {
      const bytes = Buffer.concat(parts);
      const made = pathText(bytes);
      ok(Buffer.from(osPath(made)).equals(bytes), bytes.toString('hex'));
      if (isUtf8(bytes)) equal(made, bytes.toString());
      // Joined paths are the joined bytes, so that folders and names may come one by one.
      ok(Buffer.from(osPath(`${made}/${made}`)).equals(Buffer.concat([bytes, Buffer.from('/'), bytes])));
    }),
    runs(500),
  );
});

test('a folder with names that are not UTF-8', async (t) => {
  const folder = await temporaryFolder(t);
  const inner = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('b\xe9d', 'latin1')]);
  const file = Buffer.concat([inner, Buffer.from('/caf\xe9\xff.txt', 'latin1')]);
  try {
    await mkdir(inner);
    await writeFile(file, 'read');
  } catch {
    return t.skip('needs a file system that takes any name');
  }
  const tree = await directoryTree(folder);
  deepEqual(tree.problems, []);
  const [, listed] = tree.members;
  deepEqual([listed.path, listed.kind], ['b\udce9d/caf\udce9\udcff.txt', 'file']);
  equal((await readInPieces(await tree.open(listed.path))).bytes.toString(), 'read');
  ok(Buffer.from(osPath(join(folder, listed.path))).equals(file));
});

test('arguments that Node can decode stay unchanged', () => {
  const words = ['summary', 'é'];
  equal(argumentWords(words), words);
  // Not an argument of this process: its command line has another one.
  deepEqual(argumentWords(['\ufffd no such word']), ['\ufffd no such word']);
});
