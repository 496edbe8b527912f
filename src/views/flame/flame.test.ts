/** The flame view against `tree`, which answers the same question in rows, and against drawn trees. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fileSource } from '../../bytes/file.node.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { difference, differenceText } from '../../pictures/flame/difference.js';
import { flamePicture, nameOf } from '../../pictures/flame/picture.js';
import { facts, sentence } from '../../pictures/flame/words.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { flameNodes, treeNodes } from '../../testing/pictures/flame-nodes.js';
import { picture } from '../../testing/pictures/picture.js';
import { picturedSession } from '../../testing/pictures/pictured-session.js';
import { drawn, type PlainEvent, plainEvents, signatureOf } from '../../testing/pictures/random-picture.js';
import { iprofFiles } from '../../testing/shared-data.js';
import type { OptionsOf } from '../index.js';

const RUNS = runs(150);
const ALL = { limit: 0 };

async function nodesOf(session: Session, options: OptionsOf<'flame'>, recording = 'r1') {
  return flameNodes(flamePicture(await ask(session, { view: 'flame', options, recording })));
}

async function assertLikeTree(session: Session, options: OptionsOf<'tree'>): Promise<void> {
  const tree = await ask(session, { view: 'tree', options, page: ALL });
  const flame = await ask(session, { view: 'flame', options });
  deepStrictEqual(flameNodes(flamePicture(flame)), treeNodes(tree));
  equal(flame.metric.sum, tree.metric.sum);
}

const SAMPLE = `
  @thread  main      main      worker  main
  @count   5         1         2       3
           App.main  App.main  run     App.main
           App.get:7 App.put   hash    App.get:9
           hash                        hash
`;

describe('flame', () => {
  it('has the nodes of tree with their values, on random profiles', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, fc.boolean(), async (events, inverted) => {
        await assertLikeTree(picturedSession(drawn(events)), { inverted });
      }),
      RUNS,
    );
  });

  it('shows values with the digits that the recorder wrote', async () => {
    const countPicture = (values: string) => {
      const drawing = picture(`@count ${values}\n       a`);
      const metrics = drawing.profile.metrics.map((one) => ({ ...one, unit: 'ns' as const, resolution: 1e12 }));
      return { ...drawing, profile: { ...drawing.profile, metrics } };
    };
    const session = picturedSession(countPicture('1499800000000'), countPicture('3499800000000'));
    const flame = await ask(session, { view: 'flame', base: 'r2' });
    equal(flame.metric.resolution, 1e12);
    const drawing = flamePicture(flame);
    equal(differenceText(drawing, 1), '−≈ 2,000,000 ms (−57.15 %)');
    const factTexts = new Map(facts(drawing, 1, 0).map(({ key, text }) => [key, text]));
    deepStrictEqual([factTexts.get('total'), factTexts.get('base-total')], ['≈ 1,500,000 ms', '≈ 3,500,000 ms']);
    match(sentence(drawing, 1, 0), /total ≈ 1,500,000 ms, .*base ≈ 3,500,000 ms/);
    match(noteTexts(flame.notes).join(' '), /total ≈ 1,500,000 ms, base ≈ 3,500,000 ms/);
    const diff = await ask(session, { view: 'diff', base: 'r2' });
    equal(diff.metric.resolution, 1e12);
    for (const { key, resolution } of diff.columns)
      equal(resolution, /base|value|delta$|total|noise/.test(key) ? 1e12 : undefined, key);
  });

  it('has the nodes of tree to the same depth', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, fc.boolean(), fc.integer({ min: 1, max: 4 }), async (events, inverted, depth) => {
        const session = picturedSession(drawn(events));
        const tree = await ask(session, { view: 'tree', options: { inverted }, page: ALL });
        const cutTree = { ...tree, rows: tree.rows.filter((row) => row.depth < depth) };
        const flame = await ask(session, { view: 'flame', options: { inverted, depth } });
        deepStrictEqual(flameNodes(flamePicture(flame)), treeNodes(cutTree));
        equal(flame.left_out, tree.rows.length - cutTree.rows.length);
      }),
      RUNS,
    );
  });

  it('is ordered level by level, siblings by name', async () => {
    const result = await ask(picturedSession(picture(SAMPLE)), { view: 'flame' });
    const flame = flamePicture(result);
    const names = Array.from({ length: flame.length }, (_, node) => nameOf(flame, node));
    deepStrictEqual(names, ['all', 'App.main', 'run', 'App.get', 'App.put', 'hash', 'hash']);
    deepStrictEqual([...flame.total], [11, 9, 2, 8, 1, 2, 8]);
    deepStrictEqual([...flame.self], [0, 0, 0, 0, 1, 2, 8]);
    deepStrictEqual([...flame.levels], [0, 1, 3, 6, 7]);
    deepStrictEqual([...flame.first], [1, 3, 5, 6, 7, 7, 7, 7]);
    deepStrictEqual(flame.names.map((name, id) => [name, flame.kinds[flame.kindOf[id] ?? -1]]).sort(), [
      ['App.get', 'own'],
      ['App.main', 'own'],
      ['App.put', 'own'],
      ['hash', 'native'],
      ['run', 'native'],
    ]);
  });

  it('has packages, also for hidden classes', async () => {
    const source = picture(
      ['a.b.C.run', 'D.run', 'main', 'a.b.E$$Lambda$14.0x00000007c00c1a20.run'].map((cell) => cell.padEnd(45)).join(''),
    );
    const { functions, packages } = await ask(picturedSession(source), { view: 'flame' });
    deepStrictEqual(
      functions.name.map((name, id) => [name.slice(0, 7), packages[functions.package[id] ?? -1]]),
      [
        ['D.run', ''],
        ['a.b.C.r', 'a.b'],
        ['a.b.E$$', 'a.b'],
        ['main', ''],
      ],
    );
  });

  it('leaves out boxes below the given share, and reports it', async () => {
    const session = picturedSession(picture(SAMPLE));
    const result = await ask(session, { view: 'flame', options: { minShare: 0.2 } });
    deepStrictEqual(
      flameNodes(flamePicture(result)).map(({ path, total }) => [path, total]),
      [
        ['/App.main', 9],
        ['/App.main/App.get', 8],
        ['/App.main/App.get/hash', 8],
      ],
    );
    equal(result.left_out, 3);
    match(noteTexts(result.notes).join(), /Omitted: 3 of 6 nodes \(less than 20\.00 % of all\)/);
  });

  it('has the scope applied', async () => {
    const session = picturedSession(picture(SAMPLE));
    const result = await ask(session, { view: 'flame', scope: [{ kind: 'thread', pattern: 'worker' }] });
    deepStrictEqual(
      flameNodes(flamePicture(result)).map(({ path, total }) => [path, total]),
      [
        ['/run', 2],
        ['/run/hash', 2],
      ],
    );
    const none = await ask(session, { view: 'flame', scope: [{ kind: 'ignore', pattern: '.' }] });
    equal(none.nodes.length, 0);
    equal(flamePicture(none).length, 1);
  });

  it('rejects metrics that do not add up, unless inverted', async () => {
    const session = picturedSession(picture(SAMPLE, { nature: 'site' }));
    await rejects(ask(session, { view: 'flame' }), /count do not add up along stacks/);
    await assertLikeTree(session, { inverted: true });
    await rejects(ask(session, { view: 'flame', page: { sort: 'self' } }), /cannot be sorted/);
    await rejects(ask(session, { view: 'flame', options: { metric: 'x' } }), /no metric x/);
  });
});

/** Total of each path of function names; the naive way. */
function totals(events: readonly PlainEvent[], inverted: boolean): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { frames, count } of events) {
    const names = frames.map(signatureOf);
    if (inverted) names.reverse();
    names.forEach((_, depth) => {
      const path = names
        .slice(0, depth + 1)
        .map((name) => `/${name}`)
        .join('');
      sums.set(path, (sums.get(path) ?? 0) + count);
    });
  }
  return sums;
}

describe('flame with a base', () => {
  it('joins both by the names on their paths', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, fc.boolean(), async (now, base, inverted) => {
        const session = picturedSession(drawn(now), drawn(base));
        const flame = flamePicture(await ask(session, { view: 'flame', base: 'r2', options: { inverted } }));
        // Nodes with only zero counts are not in the tree.
        const nowTotals = totals(now, inverted);
        const baseTotals = totals(base, inverted);
        const paths = [...new Set([...nowTotals.keys(), ...baseTotals.keys()])].sort();
        const expected = paths
          .map((path) => [path, nowTotals.get(path) ?? 0, baseTotals.get(path) ?? 0])
          .filter(([, a, b]) => a !== 0 || b !== 0);
        const ofBase = flameNodes({ ...flame, total: flame.base?.total ?? flame.total });
        deepStrictEqual(
          flameNodes(flame).map(({ path, total }, i) => [path, total, ofBase[i]?.total]),
          expected,
        );
      }),
      RUNS,
    );
  });

  it('joins lambdas and proxies without the parts made at run time', async () => {
    const pairPicture = (a: string, b: string) =>
      picture(`
  @count  10
          ${a}.run
          ${b}.run
`);
    const session = picturedSession(
      pairPicture('A$$Lambda/0x1', 'B$$Lambda/0x2'),
      pairPicture('A$$Lambda/0x8', 'B$$Lambda/0x9'),
    );
    const flame = flamePicture(await ask(session, { view: 'flame', base: 'r2' }));
    deepStrictEqual([...flame.total], [10, 10, 10]);
    deepStrictEqual([...(flame.base?.total ?? [])], [10, 10, 10]);
  });

  it('against itself has no difference, and swapped only other signs', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, async (now, base) => {
        const session = picturedSession(drawn(now), drawn(base));
        const same = flamePicture(await ask(session, { view: 'flame', base: 'r1' }));
        for (let node = 0; node < same.length; node++) equal(difference(same, node).change, 'equal');
        const there = flamePicture(await ask(session, { view: 'flame', base: 'r2' }));
        const back = flamePicture(await ask(session, { view: 'flame', recording: 'r2', base: 'r1' }));
        deepStrictEqual([...there.total], [...(back.base?.total ?? [])]);
        equal(there.length, back.length);
        for (let node = 0; node < there.length; node++)
          equal(difference(there, node).delta, 0 - difference(back, node).delta + 0);
      }),
      RUNS,
    );
  });

  it('scales the base to the same total with normalise, and then a longer run of the same differs nowhere', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, fc.boolean(), async (now, base, inverted) => {
        const question = { view: 'flame' as const, base: 'r2' };
        const session = picturedSession(drawn(now), drawn(base));
        const plain = flamePicture(await ask(session, { ...question, options: { inverted } }));
        const sums = [plain.metric.sum, plain.base?.total[0] ?? 0];
        const normalised = ask(session, { ...question, options: { inverted, normalise: true } });
        if (sums.some((sum) => sum === 0)) return rejects(normalised, /the base cannot be scaled/);
        const scaled = flamePicture(await normalised);
        const [sum = 0, ofBase = 0] = sums;
        for (let node = 0; node < plain.length; node++) {
          const expected = ((plain.base?.total[node] ?? 0) * sum) / ofBase;
          ok(Math.abs((scaled.base?.total[node] ?? 0) - expected) <= 1e-9 * sum, nameOf(scaled, node));
        }
        const longer = picturedSession(drawn(now), drawn(now.map((event) => ({ ...event, count: event.count * 3 }))));
        const same = flamePicture(await ask(longer, { ...question, options: { inverted, normalise: true } }));
        for (let node = 0; node < same.length; node++) equal(difference(same, node).change, 'equal');
        return undefined;
      }),
      RUNS,
    );
  });

  it('marks new and vanished boxes', async () => {
    const session = picturedSession(
      picture('@count 3 1\n       a a\n         b'),
      picture('@count 3 2\n       a a\n         c'),
    );
    const flame = flamePicture(await ask(session, { view: 'flame', base: 'r2' }));
    const changes = Array.from({ length: flame.length }, (_, node) => [
      nameOf(flame, node),
      difference(flame, node).change,
      difference(flame, node).delta,
    ]);
    deepStrictEqual(changes, [
      ['all', 'less', -1],
      ['a', 'less', -1],
      ['b', 'new', 1],
      ['c', 'vanished', -2],
    ]);
  });

  it('needs the metric in both', async () => {
    const session = picturedSession(picture('@count 1\n       a'), picture('@bytes 1\n       a'));
    await rejects(ask(session, { view: 'flame', base: 'r2' }), /picture 2 has no metric count/);
  });
});

for (const file of iprofFiles()) {
  it(`flame of ${basename(file)} is its tree`, async () => {
    const session = await openSession([await fileSource(file)]);
    const metrics = session.recordings[0]?.profile?.metrics ?? [];
    for (const { id, nature } of metrics) {
      for (const inverted of nature === 'flow' ? [false, true] : [true])
        await assertLikeTree(session, { metric: id, inverted });
    }
    const nodes = await nodesOf(session, { inverted: true });
    deepStrictEqual(nodes, await nodesOf(session, { inverted: true }));
  });
}
