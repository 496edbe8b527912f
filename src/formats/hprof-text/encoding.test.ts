/** Lines that are not text: they are reported with their offset, and nothing else changes. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { amount } from '../../testing/amount.js';
import { readHprofText } from './read.js';
import { illegibleLines } from './testing/hprof-oracle.js';
import { hprofFixture, hprofFixtures } from './testing/hprof-texts.node.js';

async function offsets(bytes: Uint8Array): Promise<(number | undefined)[]> {
  const { problems } = await readHprofText(memorySource('x', bytes));
  const found = problems.list.filter(({ code }) => code === 'hprof-encoding');
  equal(found.length, Math.min(20, problems.counts['hprof-encoding'] ?? 0));
  return found.map(({ offset }) => offset);
}

test('the texts of the agents are valid, also with modified UTF-8', async () => {
  for (const { name, bytes } of hprofFixtures()) deepStrictEqual(await offsets(bytes), [], name);
  const surrogates = 'THREAD START (obj=1, id = 1, name="\xed\xa0\xbd\xed\xb8\x80\xc0\x80", group="main")\n';
  deepStrictEqual(await offsets(Buffer.from(surrogates, 'latin1')), []);
});

test('an invalid byte anywhere is reported', async () => {
  const { bytes } = hprofFixture('names-cpu-samples.txt');
  const step = amount(1, 7);
  for (let place = 0; place < bytes.length; place += step) {
    if (bytes[place] === 10) continue;
    const damaged = Buffer.from(bytes);
    damaged[place] = [0xff, 0xe9, 0x80][place % 3];
    // Among ASCII such a byte stands alone; within a character it ends or breaks one.
    const wanted = illegibleLines(damaged).slice(0, 20);
    deepStrictEqual(await offsets(damaged), wanted, `byte ${place}`);
  }
});

test('of many invalid lines, 20 are shown and all counted', async () => {
  const line = Buffer.from('THREAD END (id = 200001)\xff\n', 'latin1');
  const { problems } = await readHprofText(
    memorySource('x', Buffer.concat([Buffer.from('THREAD END (id = 200001)\n'), ...Array<Buffer>(50).fill(line)])),
  );
  equal(problems.counts['hprof-encoding'], 50);
});
