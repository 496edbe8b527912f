/** Figures of builds: those of genuine files, against what the builder printed and what the engine's JSON parser sees; hostile documents. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { sharedData } from '../../testing/shared-data.js';
import { readBuildOutput, readStatistics } from './read.js';
import { plainFigures } from './testing/figures-oracle.js';

const GENUINE = 'points-to/genuine/hello-25.0.2';

function source(text: string | Uint8Array) {
  return memorySource('build-output.json', typeof text === 'string' ? new TextEncoder().encode(text) : text);
}

function factsOf({ metadata }: { readonly metadata: readonly { readonly key: string; readonly value: string }[] }) {
  return Object.fromEntries(metadata.map(({ key, value }) => [key, value]));
}

test('a genuine build output: the numbers that its console printed', async (t) => {
  const path = sharedData(t, `${GENUINE}/other/build-output.json`);
  if (path === undefined) return;
  const bytes = readFileSync(path);
  const recording = await readBuildOutput(source(bytes));
  ok(recording.complete);
  deepEqual(recording.problems.list, []);
  const counts = Object.fromEntries(recording.sections.map(({ name, entries }) => [name, entries]));
  // spec/points-to.md §8.1: 3,260 types and 15,130 methods reachable.
  equal(counts['reachable types'], 3260);
  equal(counts['reachable methods'], 15130);
  equal(counts['methods in all'], 35465);
  deepEqual(
    recording.sections.map(({ entries }) => entries),
    plainFigures(bytes)?.counts,
  );
  const facts = factsOf(recording);
  equal(facts['java version'], '25.0.3+9-LTS');
  equal(facts['peak memory'], '2.78 GB');
  equal(facts['not available'], 'foreign upcalls, foreign downcalls');
});

test('genuine statistics of two versions', async (t) => {
  for (const [name, edges] of [
    [`${GENUINE}/txt/analysis_stats_hello_20261121_094551.json`, 70247],
    ['points-to/genuine/hello-23.0.6/txt/analysis_stats_hello_20261121_100742.json', 57700],
  ] as const) {
    const path = sharedData(t, name);
    if (path === undefined) return;
    const recording = await readStatistics(source(readFileSync(path)));
    equal(recording.sections.find((section) => section.name === 'calls')?.entries, edges);
    equal(recording.problems.list.length, 0);
  }
});

test('a part that is larger than its whole is reported, and both are shown', async () => {
  const { problems, sections, complete } = await readBuildOutput(
    source('{"analysis_results":{"types":{"total":3,"reachable":4}}}'),
  );
  deepEqual(problems.counts, { 'build-output-parts': 1 });
  match(problems.list[0]?.message ?? '', /types\/reachable is 4, more than .*types\/total, which is 3/);
  equal(sections.length, 2);
  ok(complete);
});

test('figures that are none are left out with their offset', async () => {
  const text = '{"total_call_edges":7,"app_call_edges":-2,"total_reachable_types":1e400,"app_reachable_types":"3"}';
  const { problems, sections, complete } = await readStatistics(source(text));
  deepEqual(sections, [{ name: 'calls', entries: 7 }]);
  deepEqual(
    problems.list.map(({ offset = -1 }) => text.slice(offset, offset + 3)),
    ['-2,', '1e4', '"3"'],
  );
  ok(!complete);
});

test('hostile documents end in bounded time and memory', async () => {
  const deep = `{"general_info":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)},"analysis_results":{"types":{"total":1}}}`;
  equal((await readBuildOutput(source(deep))).sections.length, 1);
  const wide = `{"total_call_edges":1,${Array.from({ length: 50_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`;
  const { metadata, problems } = await readStatistics(source(wide));
  ok(metadata.length <= 2000);
  equal(problems.counts['build-output-passed'], 1);
  await rejects(readStatistics(source(`{"a":"${'x'.repeat(3 << 20)}"}`)), /larger than 1048576 bytes/);
  await rejects(readStatistics(source('{}')), /figures of a build/);
  await rejects(readStatistics(source('[1]')), /figures of a build/);
});
