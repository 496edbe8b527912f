/** Every code that `check` knows: a smallest file that has the problem, and the place it must be found at. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { joinProblems } from '../../base/problems.js';
import { memorySource } from '../../bytes/byte-source.js';
import { gunzip } from '../../bytes/gzip.node.js';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';
import { checkIprof } from './check.js';
import { readIprof } from './read.js';
import { writeIprof } from './write/write.js';

async function problemsOf(text: string) {
  const recording = await readIprof(memorySource('test.iprof', new TextEncoder().encode(text)));
  return joinProblems(recording.problems, checkIprof(recording));
}

const TYPES = '"types":[{"id":0,"name":"void"},{"id":1,"name":"A"},{"id":2,"name":"int"}]';
const METHODS = '"methods":[{"id":5,"name":"run","signature":[1,0]},{"id":6,"name":"get","signature":[1,2,2]}]';
const HEAD = `{"version":"1.1.0",${TYPES},${METHODS}`;
const CALLS = '"callCountProfiles":[{"ctx":"5:0","records":[7]},{"ctx":"6:0<5:3","records":[9]}]';
const NINE = Array.from({ length: 9 }, () => '1,1').join(',');

/** Code, text, severity, the text at the offset of the problem, its path. */
const CASES: readonly (readonly [string, string, string, string, string])[] = [
  [
    'iprof-syntax',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[7]},{"ctx":"6:0" "records":[9]},{"ctx":"6:0","records":[1]}]}`,
    'error',
    '"records":[9]',
    '/callCountProfiles/1',
  ],
  ['iprof-truncated', `${HEAD},${CALLS.slice(0, -12)}`, 'error', '', '/callCountProfiles/1'],
  ['iprof-trailing', `${HEAD}} x`, 'error', 'x', ''],
  [
    'iprof-schema',
    `{"version":"1.0.0",${METHODS},"types":[{"id":0,"name":"void"},{"id":1,"name":"A"},{"name":"B"},{"id":2,"name":"int"}]}`,
    'error',
    '{"name":"B"}',
    '/types/2',
  ],
  [
    'iprof-context',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[7]},{"ctx":"5;0","records":[7]}]}`,
    'error',
    '{"ctx":"5;0"',
    '/callCountProfiles/1',
  ],
  [
    'iprof-arity',
    `${HEAD},"conditionalProfiles":[{"ctx":"5:4","records":[9,0]}]}`,
    'error',
    '{"ctx":"5:4"',
    '/conditionalProfiles/0',
  ],
  [
    'iprof-inexact',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[9007199254740993]}]}`,
    'warning',
    '{"ctx":"5:0"',
    '/callCountProfiles/0',
  ],
  [
    'iprof-fraction',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[1.5]}]}`,
    'error',
    '{"ctx":"5:0"',
    '/callCountProfiles/0',
  ],
  [
    'iprof-negative-count',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[-1]}]}`,
    'error',
    '{"ctx":"5:0"',
    '/callCountProfiles/0',
  ],
  [
    'iprof-absurd-count',
    `${HEAD},${CALLS},"virtualInvokeProfiles":[{"ctx":"5:9","records":[1,17]}]}`,
    'warning',
    '{"ctx":"5:9"',
    '/virtualInvokeProfiles/0',
  ],
  [
    'iprof-duplicate-section',
    `${HEAD},"hotnessPoints":[],${CALLS}}`,
    'error',
    '"callCountProfiles"',
    '/callCountProfiles',
  ],
  [
    'iprof-unknown-section',
    `${HEAD},"ceConditionalProfilesV2":[1]}`,
    'info',
    '"ceConditionalProfilesV2"',
    '/ceConditionalProfilesV2',
  ],
  ['iprof-missing-section', `{"version":"1.0.0",${TYPES}}`, 'error', '', ''],
  ['iprof-version', `{${TYPES},${METHODS}}`, 'error', '', ''],
  ['iprof-version', `{"version":"2.0.0",${TYPES},${METHODS}}`, 'warning', '', ''],
  ['iprof-spelling', `${HEAD},"instanceofProfiles":[]}`, 'info', '"instanceofProfiles"', '/instanceofProfiles'],
  [
    'iprof-duplicate-id',
    `{"version":"1.0.0","types":[{"id":1,"name":"A"},{"id":0,"name":"void"},{"id":2,"name":"int"},{"id":1,"name":"B"}],${METHODS}}`,
    'error',
    '{"id":1,"name":"B"}',
    '/types/3',
  ],
  [
    'iprof-duplicate-context',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[7]},{"ctx":"5:0","records":[8]}]}`,
    'warning',
    '{"ctx":"5:0","records":[8]}',
    '/callCountProfiles/1',
  ],
  [
    'iprof-dangling-method',
    `${HEAD},"callCountProfiles":[{"ctx":"bad"},{"ctx":"5:0<77:3","records":[7]}]}`,
    'error',
    '{"ctx":"5:0<77:3"',
    '/callCountProfiles/1',
  ],
  [
    'iprof-dangling-type',
    `${HEAD},${CALLS},"virtualInvokeProfiles":[{"ctx":"5:9","records":[88,2]}]}`,
    'error',
    '{"ctx":"5:9"',
    '/virtualInvokeProfiles/0',
  ],
  [
    'iprof-dangling-type',
    `{"version":"1.0.0",${TYPES},"methods":[{"id":5,"name":"run","signature":[1,99]}]}`,
    'error',
    '{"id":5',
    '/methods/0',
  ],
  [
    'iprof-bci',
    `${HEAD},"callCountProfiles":[{"ctx":"5:0<6:65536","records":[7]}]}`,
    'error',
    '{"ctx":"5:0<6:65536"',
    '/callCountProfiles/0',
  ],
  [
    'iprof-many-types',
    `${HEAD},${CALLS},"virtualInvokeProfiles":[{"ctx":"5:9","records":[${NINE}]}]}`,
    'info',
    '{"ctx":"5:9"',
    '/virtualInvokeProfiles/0',
  ],
  [
    'iprof-stub-symbols',
    '{"version":"1.0.0","types":[{"id":-1,"name":""}],"methods":[{"id":-1,"name":"","signature":[]}],"callCountProfiles":[{"ctx":"5:0","records":[7]}]}',
    'error',
    '',
    '',
  ],
];

const MORE_CASES: typeof CASES = [
  [
    'iprof-leaf',
    `${HEAD},"callCountProfiles":[{"ctx":"5:3","records":[7]}]}`,
    'error',
    '{"ctx":"5:3"',
    '/callCountProfiles/0',
  ],
  [
    'iprof-target',
    `${HEAD},"conditionalProfiles":[{"ctx":"5:4","records":[9,0,1,-7,1,1]}]}`,
    'error',
    '{"ctx":"5:4"',
    '/conditionalProfiles/0',
  ],
  [
    'iprof-target',
    `${HEAD},"conditionalProfiles":[{"ctx":"5:4","records":[9,-1,1]}]}`,
    'error',
    '{"ctx":"5:4"',
    '/conditionalProfiles/0',
  ],
  [
    'iprof-monitor-context',
    `${HEAD},"monitorProfiles":[{"ctx":"5:9","records":[1,1]}]}`,
    'error',
    '{"ctx":"5:9"',
    '/monitorProfiles/0',
  ],
  [
    'iprof-too-many-sections',
    `{"version":"1.0.0",${TYPES},${METHODS},${Array.from({ length: 10_001 }, (_, i) => `"x${i}":0`).join(',')}}`,
    'error',
    '"x9997":0',
    '/x9997',
  ],
];

describe('check', () => {
  for (const [code, text, severity, at, path] of [...CASES, ...MORE_CASES]) {
    it(`${code} (${severity})`, async () => {
      const problems = await problemsOf(text);
      const problem = problems.list.find((candidate) => candidate.code === code);
      ok(problem !== undefined, JSON.stringify(problems));
      equal(problem.severity, severity);
      if (at !== '') equal(text.slice(problem.offset).slice(0, at.length), at);
      if (path !== '') equal(problem.path, path);
    });
  }

  it('finds nothing in a sound file', async () => {
    deepStrictEqual((await problemsOf(`${HEAD},${CALLS}}`)).list, []);
    deepStrictEqual((await problemsOf('{\n"version": "1.0.0",\n"types": [],\n"methods": []\n}')).list, []);
  });

  it('iprof-too-large (error)', async () => {
    const large = `${HEAD},"callCountProfiles":[{"ctx":"5:0","records":[7]}],"x":"${'x'.repeat(3_000_000)}","samplingProfiles":[]}`;
    const source = memorySource('large.iprof', new TextEncoder().encode(large));
    const { problems, complete, sections } = await readIprof(source, {}, 1 << 20);
    equal(problems.counts['iprof-too-large'], 1);
    equal(complete, false);
    deepStrictEqual(
      sections.map((section) => section.name),
      ['types', 'methods', 'callCountProfiles'],
    );
    equal((await readIprof(source, {}, 8 << 20)).complete, true);
  });

  it('a cut gzip makes the recording incomplete', async () => {
    const packed = gzipSync(`${HEAD},${CALLS}}`);
    const cut = memorySource('cut.iprof.gz', packed.subarray(0, packed.length - 30));
    const { problems, complete } = await readIprof(gunzip(cut));
    equal(problems.counts['gzip-damaged'], 1);
    equal(complete, false);
  });

  it('iprof-encoding (error)', async () => {
    const text = Buffer.from(`${HEAD},${CALLS}}`.replace('"A"', '"\u0001"'), 'latin1');
    text[text.indexOf(1)] = 0xff;
    const { problems } = await readIprof(memorySource('latin1.iprof', text));
    equal(problems.list[0]?.code, 'iprof-encoding');
  });

  it('the truncated message names the last whole section', async () => {
    const { list } = await problemsOf(`${HEAD},${CALLS.slice(0, -12)}`);
    equal(list[0]?.message, 'the file ends in callCountProfiles, entry 1; the last complete section is methods');
    equal(list[0]?.offset, `${HEAD},${CALLS.slice(0, -12)}`.length);
  });

  it('keeps 20 problems of a code and counts the others', async () => {
    const bad = Array.from({ length: 50 }, (_, i) => `{"ctx":"9${i}:0","records":[1]}`).join(',');
    const problems = await problemsOf(`${HEAD},"callCountProfiles":[${bad}]}`);
    equal(problems.list.filter((problem) => problem.code === 'iprof-dangling-method').length, 20);
    equal(problems.counts['iprof-dangling-method'], 50);
  });

  it('every code in the sources has a line in the documents and a test here', () => {
    const codes = (text: string, pattern: RegExp): Set<string | undefined> =>
      new Set([...text.matchAll(pattern)].map((match) => match[1]));
    const known = codes(sourcesBelow('src/formats/iprof'), /'(iprof-[a-z-]+)'/g);
    const documented = codes(
      readFileSync(join(ROOT, 'docs', 'formats', 'iprof.md'), 'utf8'),
      /^\| `(iprof-[a-z-]+)`/gm,
    );
    const tested = new Set([...CASES, ...MORE_CASES].map(([code]) => code).concat('iprof-encoding', 'iprof-too-large'));
    deepStrictEqual([...documented].sort(), [...known].sort());
    deepStrictEqual([...tested].sort(), [...known].sort());
  });

  it('contexts with leading zeros or escapes are read, and kept unchanged', async () => {
    const text = `${HEAD},"callCountProfiles":[{"ctx":"05:0","records":[7]},{"ctx":"\\u0036:0<5:3","records":[9]}]}`;
    const recording = await readIprof(memorySource('zeros.iprof', new TextEncoder().encode(text)));
    deepStrictEqual(recording.problems.list, []);
    equal(recording.profile?.events[0]?.length, 2);
    const written = Buffer.concat([...writeIprof(recording).chunks]).toString();
    deepStrictEqual(JSON.parse(written), JSON.parse(text));
    ok(written.includes('"05:0"'));
  });
});
