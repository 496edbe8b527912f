/** `calls graph` of PGO profiles: edges, places and counts against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { iprofTruth, sums, type TrueEntry } from '../../formats/iprof/testing/iprof-truth.js';
import { drawDot } from '../../pictures/calls/dot.js';
import { drawGraph } from '../../pictures/calls/svg.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { iprofFiles, ROOT } from '../../testing/shared-data.js';
import type { ResultOf } from '../index.js';

const FIB = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');
const CALLS = ['callCountProfiles', 'hotnessPoints'];
const CONTEXTS = [
  ...CALLS,
  'conditionalProfiles',
  'conditionalPoints',
  'virtualInvokeProfiles',
  'invokePoints',
  'instanceofProfiles',
  'instanceOfProfiles',
  'samplingProfiles',
];
/** Methods that are asked for, of each profile. */
const ASKED = 25;

/** Calls between frames by the numbers of the file: `caller@bci callee`. */
function pairsOf({ frames }: TrueEntry): string[] {
  return frames.slice(1).map((caller, i) => `${caller.id}@${caller.bci} ${frames[i]?.id}`);
}

/** Counted calls by a key, of entries that have one. */
function callsBy(entries: readonly TrueEntry[], keyOf: (entry: TrueEntry) => string | undefined): Map<string, number> {
  const calls = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== undefined) calls.set(key, (calls.get(key) ?? 0) + (entry.records[0] ?? 0));
  }
  return calls;
}

for (const path of [...iprofFiles(), FIB]) {
  describe(`calls graph of ${basename(path)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(path)]);
    });
    const truth = iprofTruth(path);
    const entries = truth.entries(...CALLS);
    const pairs = new Set(truth.entries(...CONTEXTS).flatMap(pairsOf));
    const byPair = callsBy(entries, (entry) => pairsOf(entry)[0]);
    const byMethod = callsBy(entries, ({ frames }) => `${frames[0]?.id}`);
    const byRoot = callsBy(entries, ({ frames }) => (frames.length === 1 ? `${frames[0]?.id}` : undefined));
    const ids = [...byMethod.keys()];

    it('has each observed call among its methods, with place and count; counts into a method add up to its calls', async () => {
      for (const id of ids.filter((_, i) => i % Math.ceil(ids.length / ASKED) === 0)) {
        const options = { method: `#${id}`, depth: 1, most: 1000 };
        const { nodes, rows, left_out } = await ask(session, { view: 'calls-graph', options, page: { limit: 0 } });
        equal(left_out, 0);
        const nodeIds = nodes.map(({ file_id: fileId }) => `${fileId}`);
        const isNode = new Set(nodeIds);
        const edges = rows.map(({ from, to, at, count }) => [`${nodeIds[from]}@${at} ${nodeIds[to]}`, count] as const);
        const truePairs = [...pairs].filter((pair) => pair.split(/@[^ ]* /).every((end) => isNode.has(end)));
        const trueEdges = truePairs.map((pair) => [pair, byPair.get(pair) ?? null] as const);
        const edgeTexts = edges.map(([pair, count]) => [pair.replace(/@[a-z-]+ /, '@mark '), count] as const);
        const trueNamed = trueEdges.map(([pair, count]) => [pair.replace(/@-\d+ /, '@mark '), count] as const);
        deepEqual([...edgeTexts].sort(byText), [...trueNamed].sort(byText), id);
        const [middle] = nodes;
        equal(middle?.count, byMethod.get(id));
        equal(middle?.apart, byRoot.get(id) ?? null);
        const edgeSum = rows.filter(({ to }) => to === 0).reduce((sum, { count }) => sum + (count ?? 0), 0);
        equal(edgeSum + (middle?.apart ?? 0), middle?.count, `calls of ${id}`);
      }
    });

    it('compilation by compilation, has the calls of the contexts with its root', async () => {
      const byContext = callsBy(entries, (entry) => {
        const [pair] = pairsOf(entry);
        return pair === undefined ? undefined : `${entry.frames.at(-1)?.method} ${pair}`;
      });
      for (const id of ids.filter((_, i) => i % Math.ceil(ids.length / ASKED) === 0)) {
        const options = { method: `#${id}`, depth: 1, most: 1000, inlining: true };
        const { nodes, rows, left_out } = await ask(session, { view: 'calls-graph', options, page: { limit: 0 } });
        equal(left_out, 0);
        const nodeIds = nodes.map(({ file_id: fileId }) => `${fileId}`);
        // Callers of the method in each of its compilations are nodes.
        const edges = rows
          .filter(({ to, count }) => nodeIds[to] === id && count !== null)
          .map(
            ({ from, to, at, unit, count }) => [`${unit} ${nodeIds[from]}@${at} ${nodeIds[to]}`, count ?? 0] as const,
          );
        const trueEdges = [...byContext].filter(([key]) => key.endsWith(` ${id}`));
        const isCounted = ([, count]: readonly [string, number]): boolean => count > 0;
        const markSums = (all: readonly (readonly [string, number])[]) =>
          sums(
            all.map(
              ([key, count]) =>
                [key.replace(/@[a-z0-9-]+ (?=\d+$)/, (mark) => (/^@\d/.test(mark) ? mark : '@mark ')), count] as const,
            ),
          );
        deepEqual(markSums(edges).filter(isCounted), markSums(trueEdges).filter(isCounted), id);
        const all = nodes.filter((_, i) => nodeIds[i] === id).reduce((sum, { count }) => sum + (count ?? 0), 0);
        equal(all, byMethod.get(id));
      }
    });
  });
}

function byText(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

describe('calls graph of the Fibonacci example', () => {
  let session: Session;
  let result: ResultOf<'calls-graph'>;
  before(async () => {
    session = await openSession([await fileSource(FIB)]);
    result = await ask(session, { view: 'calls-graph', options: { method: 'Fib.fibonacci' } });
  });

  it('is drawn with places and counts, as the description of the format draws it', () => {
    const dot = drawDot(result);
    match(dot, /n(\d+) \[label="java\.io\.PrintStream\.print\(java\.lang\.String\)\\nID 4669, 10 calls"\]/);
    match(dot, /n0 -> n\d+ \[label="BCI 34: 10"\];/);
    match(dot, /\[label="BCI 9", style=dashed\];/);
    const svg = drawGraph(result, []);
    ok(svg.includes('>BCI 34: 10</text>') && svg.includes('ID 19551, 1 call'));
  });

  it('has a box around each compilation in .dot, if methods are shown where they were inlined', async () => {
    const options = { method: 'Fib.fibonacci', inlining: true };
    const dot = drawDot(await ask(session, { view: 'calls-graph', options }));
    match(dot, /subgraph cluster_0 \{ label="compiled as Fib\.fibonacci\(\)"; .*n0; n\d+; \}/);
  });

  it('other questions about calls say why a profile cannot answer them', async () => {
    for (const question of [
      { view: 'calls-why', options: { method: 'Fib.main' } },
      { view: 'calls-entries' },
      { view: 'calls-cut' },
      { view: 'calls-groups', options: { by: 'package' } },
    ] as const)
      await rejects(
        ask(session, question),
        (error) =>
          error instanceof UsageError &&
          error.code === 'no-call-graph' &&
          JSON.stringify(error.advice).includes('inlined or sampled'),
      );
  });
});
