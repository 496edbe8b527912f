/** Merging real profiles, against a merge by `JSON.parse`, maps and big integers. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkIprof } from '../../../formats/iprof/check.js';
import { bytesOf, readBytes, readText } from '../../../formats/iprof/testing/iprof-documents.js';
import { writeIprof } from '../../../formats/iprof/write/write.js';
import { amount } from '../../../testing/amount.js';
import { BINARY_TREE, iprofFiles, sharedData } from '../../../testing/shared-data.js';
import { mergeRecordings } from '../merge.js';
import { parseWeight } from '../rational.js';
import { type Counts, countsOf, mergedCounts } from './merge-oracle.js';

/** A name with something of a run or a build: such ones are joined otherwise than by their spelling. */
const PECULIAR = /Lambda|\$Proxy|\/0x|\/s[0-9a-f]{6}|Accessor\d|_[0-9A-Za-z]{22}/;

/** The counts of contexts and types with plain names, and the number of others. */
function plain(counts: Counts): { counts: Counts; others: number } {
  let others = 0;
  const kept: Counts = new Map();
  for (const [kind, contexts] of counts) {
    const own = new Map<string, Map<string, bigint>>();
    for (const [context, records] of contexts) {
      const left = [...records].filter(([record]) => !PECULIAR.test(record));
      if (PECULIAR.test(context) || left.length < records.size) others++;
      if (!PECULIAR.test(context) && left.length > 0) own.set(context, new Map(left));
    }
    kept.set(kind, own);
  }
  return { counts: kept, others };
}

/** A file as another run of the same program would have written it: other ids, other counts, now and then other targets. */
function anotherRun(json: string, step: number): string {
  const moved = (id: number): number => id * step + 7;
  const texts = JSON.parse(json, (key, value: unknown) => {
    if (key === 'id' && typeof value === 'number') return moved(value);
    if (key === 'signature' && Array.isArray(value)) return value.map((id) => moved(Number(id)));
    if ((key === 'ctx' || key === 'methodBciList') && typeof value === 'string' && value !== '0:0')
      return value.replace(/(\d+):/g, (_, id: string) => `${moved(Number(id))}:`);
    return value;
  });
  for (const [section, entries] of Object.entries(texts)) {
    const typed = /virtual|invoke|instance|monitor/i.test(section);
    if (/^(version|types|methods)$/.test(section)) continue;
    [entries].flat().forEach((entry, i) => {
      if (typeof entry !== 'object' || entry === null || !('records' in entry) || !Array.isArray(entry.records)) return;
      const width = entry.records.length === 1 ? 1 : typed ? 2 : 3;
      entry.records = entry.records.map((value: number, at: number) => {
        if (typed && at % 2 === 0) return moved(value);
        if (at % width === width - 1) return (value * ((i % 5) + 1)) >> 1;
        return width === 3 && at % 3 === 0 && i % 97 === 0 ? value + 2 : value;
      });
    });
  }
  return JSON.stringify(texts);
}

test('several runs of one program, in all orders', { timeout: 120_000 }, async () => {
  const json = readFileSync(BINARY_TREE, 'utf8');
  // The quick tier merges two of them, in both orders.
  const runs = [json, anotherRun(json, 3), ...amount([anotherRun(json, 2)], [])];
  const weights = ['1', '1/3', '0.7'];
  const recordings = await Promise.all(runs.map(readText));
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const pick = <Item>(items: readonly Item[], order: readonly number[]): Item[] => order.flatMap((i) => items[i] ?? []);
  const written = new Set<string>();
  for (const order of amount(orders, [
    [0, 1],
    [1, 0],
  ])) {
    const merged = mergeRecordings(pick(recordings, order), pick(weights, order).map(parseWeight));
    ok((merged.problems.counts['merge-conflict'] ?? 0) > 50, 'the runs disagree on some branches');
    written.add(bytesOf(writeIprof(merged)).toString());
  }
  equal(written.size, 1);
  const expected = mergedCounts(
    runs.map((text, i) => {
      const { numerator, denominator } = parseWeight(weights[i] ?? '1');
      return { json: text, weight: [numerator, denominator] };
    }),
  );
  const [text = ''] = written;
  deepStrictEqual(countsOf(text), expected);
});

test('real files of three programs', { timeout: 120_000 }, async (t) => {
  const folder = sharedData(t, 'iprof');
  if (folder === undefined) return;
  const files = iprofFiles().filter((file) => !file.includes('elide-dev'));
  equal(files.length, 3);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const recordings = await Promise.all(texts.map(readText));
  const text = bytesOf(writeIprof(mergeRecordings(recordings))).toString();
  equal(bytesOf(writeIprof(mergeRecordings([...recordings].reverse()))).toString(), text);
  const seen = plain(countsOf(text));
  const expected = plain(mergedCounts(texts.map((json) => ({ json, weight: [1n, 1n] }))));
  deepStrictEqual(seen.counts, expected.counts);
  const kept = [...seen.counts.values()].reduce((sum, { size }) => sum + size, 0);
  ok(kept > 30_000 && seen.others < kept / 5, `${kept} contexts compared, ${seen.others} not`);
  const problems = checkIprof(await readBytes(Buffer.from(text))).list;
  deepStrictEqual(
    problems.filter(({ severity }) => severity !== 'info'),
    [],
  );
});
