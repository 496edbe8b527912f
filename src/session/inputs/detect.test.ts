/** Every file of the test data is detected as documented in its folder and README, and no other format claims it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource, readHead } from '../../bytes/byte-source.js';
import { gunzip, isGzip } from '../../bytes/gzip.node.js';
import { type Guess, headOf, RECOGNISED } from '../../formats/capabilities/probe.js';
import type { Format } from '../../formats/format.js';
import { FORMATS } from '../../formats/registry.js';
import { candidates, HEAD_BYTES } from './detect.js';

const DATA = process.env.KANSOKU_DATA;
const NOTHING = undefined;

/** Public bug reports, and logs that no format reads yet: their files are for the tests of what is made of them. */
const LATER = /^(?:cases|gc-logs)\//;

/** Written from the READMEs and folders of the data; the first row that matches a path holds. */
const EXPECTED: readonly (readonly [path: RegExp, kind: string | undefined])[] = [
  [/(?:README|ORIGIN)\.md$/, NOTHING],
  [/\.(?:java|c|cc|cpp|f90|py|sh|mjs|cjs|go)$/, NOTHING],

  [/^experiments\/[^/]+\.er\.tar\.gz$/, 'experiment-archive'],
  [/^experiments\/expected\//, NOTHING],

  [/^heap-dumps\/(?:mat|heaplib|hprof-slurp)\/[^/]+\.(?:hprof|bin)\.gz$/, 'hprof'],
  [/^heap-dumps\/mat\/heapdump\.[\d.]+\.phd$/, 'phd'],
  [/^heap-dumps\/mat\/histogram_/, 'class-histogram'],
  [/^heap-dumps\/(?:hprof-slurp\/[^/]+-result\.txt$|mat-golden\/)/, NOTHING],

  [/^hprof\/(?:agent|hotspot)\/[^/]+\.hprof(?:\.gz)?$/, 'hprof'],
  [/^hprof\/agent\/[^/]+\.txt(?:\.gz)?$/, 'hprof-text'],

  [/^thread-dumps\/[^/]+\.txt$/, 'thread-dump'],

  [/^shop\/[^/]+\.jfr$/, 'jfr'],
  [/^shop\/torn-header\.[^/]+\.txt$/, 'thread-dump'],
  [/^shop\/[^/]+\.out$/, NOTHING],

  [/^iprof\/[^/]+\.iprof$/, 'iprof'],

  [/^interop\/jfr\/expected\/[^/]+\.collapsed\.gz$/, 'collapsed'],
  [/^interop\/jfr\/expected\/[^/]+\.print\.json\.gz$/, 'jfr-json'],
  [/^interop\/jfr\/expected\/[^/]+\.summary\.txt$/, 'jfr-text'],
  [/^interop\/otlp\/expected\/[^/]+\.collapsed\.gz$/, 'collapsed'],
  [/^interop\/otlp\/expected\/[^/]+\.collector-[^/]+\.json\.gz$/, 'otlp-json'],
  [/^interop\/collapsed\/expected\/own-depot-diff\.inferno\.txt$/, 'collapsed'],
  [/^interop\/perf-script\/expected\/[^/]+\.(?:stackcollapse-\w+|inferno)\.txt(?:\.gz)?$/, 'collapsed'],
  [/^interop\/(?:firefox|chrome-trace)\/expected\/[^/]+\.firefox-v70\.json\.gz$/, 'firefox-processed'],
  [/^interop\/[^/]+\/expected\//, NOTHING],

  [/^interop\/callgrind\/[^/]+\.(?:log|out|out\.gz|callgrind)$/, 'callgrind'],
  [/^interop\/chrome-trace\/[^/]+\.json(?:\.gz)?$/, 'chrome-trace'],
  [/^interop\/collapsed\/[^/]+\.(?:collapsed|collapsed\.gz|txt)$/, 'collapsed'],
  [/^interop\/cpuprofile\/[^/]+\.cpuprofile$/, 'cpuprofile'],
  [/^interop\/firefox\/(?:firefox-gecko-1|speedscope-firefox63-simple)\.json(?:\.gz)?$/, 'firefox-gecko'],
  [/^interop\/firefox\/[^/]+\.json(?:\.gz)?$/, 'firefox-processed'],
  [/^interop\/heapprofile\/[^/]+\.heapprofile$/, 'heapprofile'],
  [/^interop\/jfr\/jmc-8u60\.jfr$/, 'jfr-oracle-7-8'],
  [/^interop\/jfr\/[^/]+\.jfr(?:\.gz)?$/, 'jfr'],
  [/^interop\/otlp\/[^/]+\.otlp$/, 'otlp'],
  [/^interop\/otlp\/[^/]+\.otlp\.json\.gz$/, 'otlp-json'],
  [/^interop\/perf-script\/[^/]+\.perf\.txt(?:\.gz)?$/, 'perf-script'],
  [/^interop\/perf-script\/firefox-simple-perf\.txt\.gz$/, 'perf-script'],
  [/^interop\/pprof\/legacy-[^/]+$/, 'pprof-legacy'],
  [/^interop\/pprof\/[^/]+\.(?:pb|pb\.gz|pprof|prof)$/, 'pprof'],
  [/^interop\/speedscope\/[^/]+\.json(?:\.gz)?$/, 'speedscope'],

  [/^points-to\/csv-forge-demo\/call_tree_[^/]+\.csv$/, 'call-tree'],
  [/^points-to\/genuine\/[^/]+\/csv\/call_tree_[^/]+\.csv(?:\.gz)?$/, 'call-tree'],
  [/^points-to\/genuine\/[^/]+\/txt\/call_tree_[^/]+\.txt\.gz$/, 'call-tree'],
  [/^points-to\/genuine\/[^/]+\/txt\/object_tree_[^/]+\.txt\.gz$/, 'object-tree'],
  [/^points-to\/genuine\/[^/]+\/txt\/analysis_heap_histogram_[^/]+\.txt$/, 'class-histogram'],
  [/^points-to\/genuine\/[^/]+\/txt\/analysis_stats_[^/]+\.json$/, 'analysis-statistics'],
  [/^points-to\/genuine\/[^/]+\/(?:csv|txt)\/used_methods_[^/]+$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/(?:csv|txt)\/used_classes_[^/]+$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/(?:csv|txt)\/used_packages_[^/]+$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/txt\/reachable-methods\.txt\.gz$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/txt\/reachable-types\.txt$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/txt\/reachable-fields\.txt\.gz$/, 'reached-list'],
  [/^points-to\/genuine\/[^/]+\/trace\/trace_(?:types|methods|fields)_[^/]+$/, 'reachability-trace'],
  [/^points-to\/genuine\/[^/]+\/other\/build-output\.json$/, 'native-image-build-output'],
  [/^points-to\/genuine\/[^/]+\/other\/dashboard-sample\.json$/, 'native-image-dashboard'],
  [/^points-to\/genuine\/[^/]+\/(?:csv|txt|trace)\/console\.txt$/, NOTHING],
  [/^points-to\/trace_types-docs\.sample\.txt$/, 'reachability-trace'],
  [/^points-to\/reachability-libgraal\.json\.gz$/, 'reachability-json'],
  [/^points-to\/txt-v2[01][^/]+\.excerpt\.txt$/, 'call-tree'],
  [/^points-to\/oracle-jdk17\/touched-[^/]+\.txt\.gz$/, 'touched-methods'],
];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function headOfFile(path: string): Promise<ReturnType<typeof headOf>> {
  const bytes = readFileSync(path);
  const plain = memorySource(path, bytes);
  const source = isGzip(bytes) ? gunzip(plain) : plain;
  const head = await readHead(source, HEAD_BYTES);
  return headOf(path, head, head.length < HEAD_BYTES);
}

/** No kind is certain before others are asked. */
const EACH_ASKED: readonly Format[] = FORMATS.map((format) => ({ ...format, magic: undefined }));

describe('magic', () => {
  const jfr = Uint8Array.from({ length: 80 }, (_, i) => [...Buffer.from('FLR\0\0\u0002\0\u0001')][i] ?? 0);
  const never = (): Guess => assert.fail('asked');
  const others = FORMATS.map((format) => (format.id === 'jfr' ? format : { ...format, probe: never }));

  test('where it makes a kind certain, no other is asked', () => {
    const kinds = candidates(headOf('a', jfr, true), others);
    assert.deepEqual(
      kinds.map(({ kind, guess }) => [kind.id, guess.confidence]),
      [['jfr', 1]],
    );
  });

  test('where it does not, each is', () => {
    for (const length of [4, 7])
      assert.throws(() => candidates(headOf('a', jfr.subarray(0, length), true), others), /asked/);
    const text = Buffer.from('JAVA PROFILE 1.0.1, created Thu Jan  1 00:00:00 1970\n');
    assert.equal(candidates(headOf('a', text, true))[0]?.kind.id, 'hprof-text');
  });
});

describe('the test data', () => {
  test('each file is recognised as the kind in its README, and as no other', async (t) => {
    if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
    const wrong: string[] = [];
    const seenRows = new Set<string>();
    for (const path of filesBelow(DATA).filter((each) => !LATER.test(each))) {
      const row = EXPECTED.find(([pattern]) => pattern.test(path));
      if (row === undefined) {
        wrong.push(`${path}: the table has no row`);
        continue;
      }
      const head = await headOfFile(join(DATA, path));
      const guesses = candidates(head, EACH_ASKED).map(({ kind, guess }) => ({ id: kind.id, ...guess }));
      const [best, second] = guesses;
      const first = candidates(head)[0]?.kind.id;
      if (first !== best?.id) wrong.push(`${path}: ${best?.id} if each kind is asked, else ${first}`);
      const guessTexts = guesses.slice(0, 3).map((one) => `${one.id} ${one.confidence} (${one.because})`);
      const got = best !== undefined && best.confidence >= RECOGNISED ? best.id : NOTHING;
      const empty = head.bytes.length === 0;
      if (empty ? got !== NOTHING : got !== row[1])
        wrong.push(`${path}: expected ${row[1]}, found ${guessTexts.join('; ')}`);
      else if (got !== NOTHING && second !== undefined && second.confidence >= (best?.confidence ?? 0)) {
        wrong.push(`${path}: two claims: ${guessTexts.join('; ')}`);
      }
      seenRows.add(row[1] ?? '');
    }
    assert.deepEqual(wrong, []);
    assert.ok(seenRows.size >= 33, `only ${seenRows.size} kinds were met`);
  });
});
