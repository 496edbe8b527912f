/** `--follow` on a recording that grows while the command waits. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { chunkAfter, EVENTS, FINISHED, WRITING } from '../../formats/jfr/testing/growing-chunk.js';
import { BINARY_TREE } from '../../testing/shared-data.js';
import { EXIT } from '../exit.js';
import { type CommandResult, type RunOptions, runCommand } from '../testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-follow-'));
after(() => rmSync(folder, { recursive: true }));

const GROWING = join(folder, 'growing.jfr');
const FLUSHES = 5;

/** Follows the file while each pause writes one more flush; the last one finishes it. */
function followed(words: readonly string[], options: Omit<RunOptions, 'pause'> = {}): Promise<CommandResult> {
  let flushes = 1;
  writeFileSync(GROWING, chunkAfter(flushes, WRITING));
  const pause = async (): Promise<void> => {
    if (flushes < FLUSHES) writeFileSync(GROWING, chunkAfter(++flushes, flushes === FLUSHES ? FINISHED : WRITING));
  };
  return runCommand([...words, '--follow'], { ...options, pause });
}

describe('events of a recording that grows', () => {
  const samples = EVENTS.filter((record) => 'type' in record && record.type === 'jdk.ExecutionSample').length;

  test('are printed once, until it ends', async () => {
    const { status, stdout, stderr } = await followed(['events', GROWING, 'ExecutionSample', '--format', 'ndjson']);
    equal(status, EXIT.done, stderr);
    const rows: { event: string }[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    deepEqual(
      rows.map(({ event }) => event),
      Array.from({ length: samples }, (_, i) => `jdk.ExecutionSample#${i + 1}`),
    );
  });

  test('have one line of names in csv', async () => {
    const { stdout } = await followed(['events', GROWING, 'ExecutionSample', '--format', 'csv']);
    equal(stdout.match(/^event,/gm)?.length, 1);
    equal(stdout.trimEnd().split('\n').length, 1 + samples);
  });

  test('have the name of the recording once in tables, and names of columns with each part', async () => {
    const { stdout } = await followed(['events', GROWING, 'ExecutionSample']);
    equal(stdout.match(/^# /gm)?.length, 1);
    equal(stdout.match(/^Event /gm)?.length, FLUSHES);
  });

  test('are those of the scope', async () => {
    const words = ['events', GROWING, 'ExecutionSample', '--thread', 'GC', '--format', 'ndjson'];
    const { stdout } = await followed(words);
    // The second sample is of the other thread.
    match(stdout, /^\{"event":"jdk\.ExecutionSample#2".*\}\n$/);
  });
});

describe('the summary of a recording that grows', () => {
  test('is printed for each state', async () => {
    const { status, stdout } = await followed(['summary', GROWING]);
    equal(status, EXIT.done);
    const counted = [...stdout.matchAll(/jdk\.ExecutionSample +(\d+)/g)].map(([, count]) => Number(count));
    // Three events a flush: two samples and an allocation; a sample, an order, a sample; samples.
    deepEqual(counted, [2, 4, 7, 10, 11]);
  });

  test('takes the place of the one before on a terminal', async () => {
    const { stdout } = await followed(['summary', GROWING, '--no-color'], { tty: true });
    equal(stdout.split('\u001b[2J\u001b[H').length, FLUSHES);
  });
});

describe('following', () => {
  test('ends without an error when the user interrupts it', async () => {
    writeFileSync(GROWING, chunkAfter(2, WRITING));
    const interrupt = new AbortController();
    const { status, stdout, stderr } = await runCommand(['summary', GROWING, '--follow'], {
      signal: interrupt.signal,
      pause: async () => interrupt.abort(),
    });
    equal(status, EXIT.done, stderr);
    match(stdout, /jdk\.ExecutionSample +4\n/);
  });

  const refused: readonly [string, readonly string[], RegExp][] = [
    ['events without a type', ['events', GROWING], /needs a type/],
    ['a page of events', ['events', GROWING, 'ExecutionSample', '--limit', '5'], /no --limit/],
    ['groups of events', ['events', GROWING, 'ExecutionSample', '--group-by', 'state'], /no --group-by/],
    ['two types as csv', ['events', GROWING, 'ExecutionSample,Order', '--format', 'csv'], /one type as csv/],
    ['two recordings', ['summary', GROWING, GROWING], /one recording/],
    ['a format whose files do not grow', ['summary', BINARY_TREE], /cannot be followed/],
  ];
  for (const [subject, words, message] of refused)
    test(`refuses ${subject}`, async () => {
      writeFileSync(GROWING, chunkAfter(1, FINISHED));
      const { status, stderr } = await runCommand([...words, '--follow']);
      equal(status, EXIT.usage);
      match(stderr, message);
    });
});
