import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { Random } from '../../../testing/random.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { hprofText } from '../index.js';
import { readHprofText } from '../read.js';
import { hprofFixture } from '../testing/hprof-texts.node.js';

const SHIPPED = join(ROOT, 'examples', 'hprof');

async function written(recording: Recording): Promise<Buffer> {
  const output = await hprofText.writer?.file?.write(recording, {});
  return Buffer.concat([...(output?.chunks ?? [])]);
}

async function rewritten(bytes: Uint8Array): Promise<Buffer> {
  return written(await readHprofText(memorySource('text', bytes)));
}

/** Everything of a recording but its name and the places in the file. */
function content(recording: Recording): unknown {
  const offsets = new Set(['offset', 'started', 'ended']);
  return JSON.parse(
    JSON.stringify(
      { ...recording, name: '', residue: undefined, problems: undefined, complete: undefined },
      (key, value) => {
        if (offsets.has(key)) return undefined;
        const isColumn = value instanceof Int32Array || value instanceof Float64Array || value instanceof Uint8Array;
        return isColumn ? Array.from(value) : value;
      },
    ),
  );
}

describe('HPROF text is written unchanged', () => {
  for (const name of readdirSync(SHIPPED).filter((file) => file.endsWith('.txt'))) {
    test(name, async () => {
      const bytes = readFileSync(join(SHIPPED, name));
      assert.ok((await rewritten(bytes)).equals(bytes));
    });
  }

  test('every text of the collection, byte for byte', async (t) => {
    const folder = sharedData(t, 'hprof/agent');
    if (folder === undefined) return;
    const names = readdirSync(folder).filter((file) => /\.txt(?:\.gz)?$/.test(file));
    assert.ok(names.length >= 37);
    const different: string[] = [];
    for (const name of names) {
      const packed = readFileSync(join(folder, name));
      const bytes = name.endsWith('.gz') ? gunzipSync(packed) : packed;
      if (!(await rewritten(bytes)).equals(bytes)) different.push(name);
    }
    assert.deepEqual(different, []);
  });

  test('spellings of JVMPI stay, also beside traces of JVMTI', async () => {
    const text = Buffer.from(hprofFixture('jvmpi.txt').bytes)
      .toString('latin1')
      .replace('TRACE 5:', 'TRACE 300001:\n\t<empty>\nTRACE 5:');
    const again = (await rewritten(Buffer.from(text, 'latin1'))).toString('latin1');
    for (const section of ['MONITOR', 'HEAP']) {
      const part = (all: string): string =>
        all.slice(all.indexOf(`${section} DUMP BEGIN`), all.indexOf(`${section} DUMP END`));
      assert.ok(part(text).length > 300);
      assert.equal(part(again), part(text));
    }
  });

  test('CR LF becomes LF', async () => {
    const text = readFileSync(join(SHIPPED, 'cpu-samples.txt'), 'latin1');
    const bytes = Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');
    assert.equal((await rewritten(bytes)).toString('latin1'), text);
  });
});

test('the readable part of a damaged text survives writing and reading', async () => {
  const random = new Random(4);
  for (const name of ['cpu-samples.txt', 'waitnotify-monitor.txt']) {
    const sound = readFileSync(join(SHIPPED, name));
    const start = sound.indexOf('--------');
    for (let i = 0; i < 150; i++) {
      const bytes = Buffer.from(sound);
      for (let flips = 1 + random.below(3); flips > 0; flips--)
        bytes[start + 10 + random.below(bytes.length - start - 10)] = random.below(256);
      const first = await readHprofText(memorySource('text', bytes));
      const text = await written(first);
      const second = await readHprofText(memorySource('text', text));
      assert.ok((await written(second)).equals(text), `${name}, damage ${i}`);
      if (first.complete) assert.deepEqual(content(second), content(first), `${name}, damage ${i}`);
    }
  }
});
