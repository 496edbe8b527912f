/** Views of recordings with several dumps: every sum over them is labelled, and every missing dump is the same error. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeRecordings } from '../../analysis/merge/merge.js';
import { UsageError } from '../../base/errors.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { writtenValues } from '../../formats/shared/written-values.js';
import { ask, type Question, sessionOf } from '../../session/session.js';
import { dumpedRecording } from '../../testing/pictures/dumped.js';
import type { ViewName } from '../index.js';

const recording = dumpedRecording([
  { samples: { f: 10 }, waited: { f: 5 }, live: { f: 64 }, threads: ['f', 'f'], heap: 'instance A 8' },
  { samples: { f: 7, g: 1 }, waited: { f: 3 }, live: { g: 32 }, threads: ['g'], heap: 'instance A 24' },
]);

const SUMMED = /Summed over 2 dumps|the summed times of 2 dumps/;
const QUESTIONS: readonly Question<ViewName>[] = [
  { view: 'functions', options: { metric: 'samples' } },
  { view: 'tree', options: { metric: 'samples' } },
  { view: 'flame', options: { metric: 'samples' } },
  { view: 'callers', options: { function: 'f', metric: 'samples' } },
  { view: 'threads', options: { metric: 'samples' } },
  { view: 'monitors', options: { contention: true } },
];

async function notesOf(question: Question<ViewName>): Promise<readonly string[]> {
  return noteTexts((await ask(sessionOf([recording]), question)).notes);
}

describe('a sum over dumps', () => {
  for (const question of QUESTIONS)
    test(`is labelled as a sum by ${question.view}; the values of a single dump are not`, async () => {
      ok((await notesOf(question)).some((note) => SUMMED.test(note)));
      const one = await notesOf({ ...question, scope: [{ kind: 'dump', number: 2 }] });
      ok(!one.some((note) => SUMMED.test(note)));
    });

  test('is never made of levels', async () => {
    const notes = await notesOf({ view: 'functions', options: { metric: 'live-bytes' } });
    ok(!notes.some((note) => SUMMED.test(note)));
  });

  test('is distinguished from a level in the summary', async () => {
    const { metrics } = await ask(sessionOf([recording]), { view: 'summary' });
    deepStrictEqual(
      metrics.map(({ id, dumps, sum }) => [id, dumps, sum]),
      [
        ['samples', 2, 18],
        ['contention', 2, 8],
        ['live-bytes', 2, 32],
        ['threads', 2, 3],
      ],
    );
  });

  test('is reported when it is written or merged', () => {
    ok(
      writtenValues(recording, 'samples')
        .notes.map(commandLineText)
        .includes('dump numbers: samples are summed over 2 dumps (--dump selects one)'),
    );
    ok(!writtenValues(recording, 'live-bytes').notes.some((note) => /summed/.test(commandLineText(note))));
    const merged = mergeRecordings([recording, recording]).problems.list.filter(({ code }) => code === 'merge-dumps');
    ok(merged.some(({ message }) => message === `Samples of ${recording.name}: the sum over its 2 dumps`));
    ok(!merged.some(({ message }) => /Allocation sites/.test(message)));
  });
});

describe('a missing dump', () => {
  const all: readonly Question<ViewName>[] = [...QUESTIONS, { view: 'sites' }, { view: 'heap-histogram' }];
  for (const question of all)
    test(`is the same error in ${question.view}`, async () => {
      const answer = ask(sessionOf([recording]), { ...question, scope: [{ kind: 'dump', number: 3 }] });
      const error = await answer.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      ok(error instanceof UsageError);
      equal(error.message, `${recording.name} has no dump 3`);
      equal(error.advice, 'It has 2 dumps, the first is 1.');
    });
});
