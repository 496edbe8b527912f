/** Several recordings as one file; how they are added is tested in analysis/merge. */
import { equal, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseWeight } from '../analysis/merge/rational.js';
import { memorySource } from '../bytes/byte-source.js';
import { hprofText } from '../formats/hprof-text/index.js';
import { fixture, readBytes } from '../formats/iprof/testing/iprof-documents.js';
import { drawn } from '../testing/pictures/random-picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { ROOT } from '../testing/shared-data.js';
import { mergeToFile } from './merge.node.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-merge-'));
after(() => rmSync(folder, { recursive: true }));

const stacks = drawnRecording(drawn([{ frames: ['main', 'work'], thread: 'main', time: 0, count: 2 }]));

test('the weighted sum is written and returned', async () => {
  const path = join(folder, 'sum.collapsed');
  const { recording, commonMetric } = await mergeToFile([stacks, stacks], path, {
    weights: [parseWeight('2'), parseWeight('1/2')],
  });
  equal(readFileSync(path, 'utf8'), 'main;work 5\n');
  equal(recording.profile?.events[0]?.length, 1);
  ok(commonMetric);
});

test('recordings without a common metric', async () => {
  const profile = await readBytes(fixture('fib-1.0.0.iprof'));
  const { commonMetric } = await mergeToFile([stacks, profile], join(folder, 'two.collapsed'));
  ok(!commonMetric);
});

test('a wrong number of weights is an error', async () => {
  const path = join(folder, 'none.collapsed');
  await rejects(mergeToFile([stacks, stacks], path, { weights: [parseWeight('2')] }), /1 weight for 2 recordings/);
  ok(!existsSync(path));
});

test('a merged recording cannot be written as HPROF text, which needs the whole file', async () => {
  const bytes = readFileSync(join(ROOT, 'examples', 'hprof', 'cpu-samples.txt'));
  const recording = await hprofText.read(memorySource('cpu-samples.txt', bytes));
  const path = join(folder, 'two.hprof.txt');
  await rejects(
    mergeToFile([recording, recording], path),
    /HPROF text: a merged recording cannot be written in this format/,
  );
  ok(!existsSync(path));
});
