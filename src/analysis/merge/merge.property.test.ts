/** Laws of merging, over drawn profiles, against a merge by maps and big integers. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, readBytes, readText } from '../../formats/iprof/testing/iprof-documents.js';
import { drawnProfile, textOf } from '../../formats/iprof/testing/iprof-profiles.js';
import { writeIprof } from '../../formats/iprof/write/write.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { mergeRecordings } from './merge.js';
import { commonWeights, ONE, parseWeight } from './rational.js';
import { countsOf, mergedCounts, type WeightedText } from './testing/merge-oracle.js';

const RUNS = runs(100);

const WEIGHTS = ['1', '2', '0.5', '1/3', '0.1', '7/5', '1000000'];
const weight = fc.constantFrom(...WEIGHTS);
const weighted = (shapes: number) => fc.array(fc.tuple(drawnProfile(shapes), weight), { minLength: 1, maxLength: 4 });

async function merged(texts: readonly string[], weights: readonly string[]): Promise<string> {
  return written(mergeRecordings(await Promise.all(texts.map(readText)), weights.map(parseWeight)));
}

function written(recording: Recording): string {
  return bytesOf(writeIprof(recording)).toString();
}

function weightedText(json: string, text: string): WeightedText {
  const { numerator, denominator } = parseWeight(text);
  return { json, weight: [numerator, denominator] };
}

test('the counts are those of a merge by maps and big integers', async () => {
  await fc.assert(
    fc.asyncProperty(weighted(1), async (inputs) => {
      const texts = inputs.map(([profile]) => textOf(profile));
      const weights = inputs.map(([, text]) => text);
      const expected = mergedCounts(texts.map((json, i) => weightedText(json, weights[i] ?? '1')));
      if (expected.size === 0) return;
      deepStrictEqual(countsOf(await merged(texts, weights)), expected);
    }),
    RUNS,
  );
});

test('the order of the inputs changes no byte, even if they disagree', async () => {
  const inputs = weighted(3).chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  await fc.assert(
    fc.asyncProperty(inputs, async ([given, shuffled]) => {
      if (given.every(([profile]) => countsOf(textOf(profile)).size === 0)) return;
      const of = (list: typeof given) =>
        merged(
          list.map(([profile]) => textOf(profile)),
          list.map(([, text]) => text),
        );
      equal(await of(shuffled), await of(given));
    }),
    RUNS,
  );
});

test('a single file stays the same; merged with itself it equals weight 2', async () => {
  await fc.assert(
    fc.asyncProperty(drawnProfile(3), async (profile) => {
      const text = textOf(profile);
      if (countsOf(text).size === 0) return;
      deepStrictEqual(countsOf(await merged([text], ['1'])), countsOf(text));
      equal(await merged([text, text], ['1', '1']), await merged([text], ['2']));
    }),
    RUNS,
  );
});

test('merging is associative if no files disagree', async () => {
  const three = fc.tuple(drawnProfile(1), drawnProfile(1), drawnProfile(1));
  await fc.assert(
    fc.asyncProperty(three, async (profiles) => {
      const [a, b, c] = profiles.map(textOf);
      if (a === undefined || b === undefined || c === undefined) return;
      if ([a, b, c].some((text) => countsOf(text).size === 0)) return;
      const ones = ['1', '1'];
      const left = await merged([await merged([a, b], ones), c], ones);
      const right = await merged([a, await merged([b, c], ones)], ones);
      equal(left, right);
      equal(left, await merged([a, b, c], ['1', '1', '1']));
    }),
    RUNS,
  );
});

test('a merged recording is sound, and writing keeps all of it', async () => {
  await fc.assert(
    fc.asyncProperty(weighted(3), async (inputs) => {
      const texts = inputs.map(([profile]) => textOf(profile));
      if (texts.every((text) => countsOf(text).size === 0)) return;
      const text = await merged(
        texts,
        inputs.map(([, each]) => each),
      );
      const again = await readBytes(Buffer.from(text));
      deepStrictEqual(again.problems.list, []);
      equal(written(mergeRecordings([again])), text);
    }),
    RUNS,
  );
});

test('weights have a common denominator and keep their proportions', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.bigInt(1n, 99n), fc.bigInt(1n, 99n)), { minLength: 1 }), (pairs) => {
      const weights = pairs.map(([numerator, denominator]) => parseWeight(`${numerator}/${denominator}`));
      const { whole, denominator } = commonWeights(weights);
      pairs.forEach(([above, below], i) => {
        equal((whole[i] ?? 0n) * below, above * denominator);
      });
    }),
    runs(100),
  );
  deepStrictEqual(parseWeight('1.0'), ONE);
});
