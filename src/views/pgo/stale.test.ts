/** Staleness and repair of profiles, with pairs of versions of programs with known edits. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import {
  type CompiledMethod,
  compileAll,
  entriesOf,
  iprofOf,
  named,
  namedFrom,
  type Version,
} from '../../analysis/stale/testing/javap-sites.node.js';
import type { VersionPair } from '../../analysis/stale/testing/version-pair.js';
import { VERSION_PAIRS } from '../../analysis/stale/testing/version-pairs.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { jdkHomes } from '../../code/java/testing/jdks.js';
import type { LibraryPaths } from '../../session/library.node.js';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { BINARY_TREE, ROOT, sharedData } from '../../testing/shared-data.js';
import { type Repair, repairProfile } from '../../transform/repair.node.js';
import type { OptionsOf, ResultOf } from '../index.js';

/** The quick tier tries every other pair. */
const PAIRS = VERSION_PAIRS.filter((_, i) => i % amount(1, 2) === 0);

interface Compiled {
  /** Where the repaired profile goes. */
  readonly out: string;
  readonly before: readonly CompiledMethod[];
  readonly after: readonly CompiledMethod[];
  readonly profile: string;
  readonly old: string;
  readonly now: string;
}

const folder = mkdtempSync(join(tmpdir(), 'kansoku-stale-'));
after(() => rmSync(folder, { recursive: true }));
let all: ReturnType<typeof compileAll> | undefined;

/** Compiles a pair, with all the others in one VM; skips the test without a JDK. */
function compiled(t: TestContext, pair: VersionPair): Compiled | undefined {
  if (!hasProgram(t, 'jstack')) return undefined;
  all ??= compileAll(
    folder,
    new Map(
      PAIRS.flatMap(({ old, now, oldFlags = ['-g'], newFlags = ['-g'] }, i): [string, Version][] => [
        [`${i}-old`, { sources: old, flags: oldFlags }],
        [`${i}-new`, { sources: now, flags: newFlags }],
      ]),
    ),
  );
  const place = join(folder, `${PAIRS.indexOf(pair)}`);
  const before = all.get(`${PAIRS.indexOf(pair)}-old`) ?? [];
  const after = all.get(`${PAIRS.indexOf(pair)}-new`) ?? [];
  const everything = { has: () => true, hasMethod: () => true };
  const profile = `${place}.iprof`;
  writeFileSync(profile, iprofOf(entriesOf(before, { ...everything, receivers: pair.receivers ?? {} })));
  return {
    out: `${place}-out.iprof`,
    before,
    after,
    profile,
    old: `${place}-old/classes`,
    now: `${place}-new/classes`,
  };
}

/** The profile that the new version would have, as far as its places are those of the old one. */
function expected({ before, after }: Compiled, { lost = [], lostClasses = [], receivers = {} }: VersionPair) {
  const marks = new Set(before.flatMap(({ sites }) => sites.map(({ mark }) => mark)));
  const labels = new Set(before.map(({ label }) => label));
  const left = Object.entries(receivers).map(([declared, met]) => [
    declared,
    met.filter((each) => !lostClasses.includes(each)),
  ]);
  return named(
    entriesOf(after, {
      has: (mark, label) =>
        marks.has(mark) &&
        !lost.some((each) => [`${mark}/`, `${label} ${mark}/`].some((at) => at.startsWith(`${each}/`))),
      hasMethod: (label) => labels.has(label) && !lost.includes(label),
      receivers: Object.fromEntries(left),
    }),
  );
}

async function opened<T>(profile: string, library: LibraryPaths, use: (session: Session) => Promise<T>): Promise<T> {
  const session = await openInputs([profile], { cache: false, announce: () => undefined, work: {}, library });
  try {
    return await use(session);
  } finally {
    await session.close?.();
  }
}

function stale(
  profile: string,
  library: LibraryPaths,
  options: OptionsOf<'pgo-stale'> = {},
): Promise<ResultOf<'pgo-stale'>> {
  return opened(profile, library, (session) => ask(session, { view: 'pgo-stale', options, page: { limit: 0 } }));
}

function repaired(profile: string, library: LibraryPaths, out: string): Promise<Repair> {
  return opened(profile, library, (session) =>
    repairProfile(session.recordings[0] ?? raise(), session.library ?? {}, out, { inputs: [profile], work: {} }),
  );
}

/** Methods that are not `usual`, with their state and candidate. */
function verdicts({ rows }: ResultOf<'pgo-stale'>, usual: string): Record<string, string> {
  const stateEntries = rows
    .filter(({ state }) => state !== usual)
    .map(({ method, state, candidate }) => [
      // A lambda's number can be that of another one in the new version.
      state === 'new' && rows.some((row) => row.method === method && row.state !== 'new') ? `${method} ` : method,
      candidate === '' ? state : `${state} ?${candidate}`,
    ]);
  return Object.fromEntries(stateEntries);
}

describe('pgo stale of pairs of versions', () => {
  for (const pair of PAIRS) {
    test(pair.name, async (t) => {
      const program = compiled(t, pair);
      if (program === undefined) return;
      const { profile, old, now, out } = program;
      deepEqual(verdicts(await stale(profile, { classes: [now] }), 'fits'), pair.alone, 'with the new classes alone');
      const exact = await stale(profile, { classes: [now], oldClasses: [old] });
      deepEqual(verdicts(exact, 'unchanged'), pair.exact, 'with both');
      const repair = await repaired(profile, { classes: [now], oldClasses: [old] }, out);
      const text = readFileSync(out, 'utf8');
      deepEqual(sorted(namedFrom(text)), sorted(expected(program, pair)), 'repaired');
      equal(repair.contradicted, 0);
      for (const count of repair.counts) {
        const entries = namedFrom(readFileSync(profile, 'utf8'));
        const all = [...entries.keys()].filter((key) => key.startsWith(`${count.kind} `)).length;
        equal(count.kept + count.moved + count.dropped, all, `${count.kind} entries add up`);
      }
      const again = await stale(out, { classes: [now] });
      equal(again.stale_share, again.stale_share === null ? null : 0, 'nothing of the repaired profile is stale');
      const self = await stale(profile, { classes: [old], oldClasses: [old] });
      deepEqual([...new Set(self.rows.map(({ state }) => state))], ['unchanged'], 'compared with itself');
      equal(self.stale_share, self.stale_share === null ? null : 0);
    });
  }
});

function sorted(profile: ReadonlyMap<string, string>): string[] {
  return [...profile].map((entry) => entry.join(' = ')).sort();
}

function raise(): never {
  throw new Error('there is no recording');
}

const EXAMPLES = join(ROOT, 'examples', 'stale');

describe('pgo stale', () => {
  test('the profile of the examples is the one generated from their source', (t) => {
    if (!hasProgram(t, 'jstack')) return;
    const sources = { 'shop/Shop.java': readFileSync(join(EXAMPLES, 'shop-1', 'Shop.java'), 'utf8') };
    const shop =
      compileAll(folder, new Map([['shop', { sources, flags: ['-g', '--release', '17'] }]])).get('shop') ?? [];
    const receivers = { 'shop.Shop$Discount': ['shop.Shop$Members', 'shop.Shop$Season'] };
    const meant = iprofOf(entriesOf(shop, { has: () => true, hasMethod: () => true, receivers }));
    equal(readFileSync(join(EXAMPLES, 'shop.iprof'), 'utf8'), meant);
  });

  test('a class that is no longer a receiver is one record of an entry', async () => {
    const [classes, oldClasses] = [2, 1].map((version) => join(EXAMPLES, `shop-${version}.jar`));
    const result = await stale(join(EXAMPLES, 'shop.iprof'), {
      classes: [classes ?? ''],
      oldClasses: [oldClasses ?? ''],
    });
    const total = result.rows.find(({ method }) => method.startsWith('shop.Shop.total'));
    equal(total?.why, 'shop.Shop$Season is no longer a subtype of shop.Shop$Discount, needed to call of() at 49');
    const all = result.kinds.find(({ kind }) => kind === 'all');
    equal(
      result.rows.reduce((sum, { misplaced }) => sum + misplaced, 0),
      (all?.executions.stale ?? 0) + (all?.executions.moved ?? 0),
    );
    const receivers = result.kinds.find(({ kind }) => kind === 'receiver');
    equal(receivers?.entries.stale, 0);
    ok((receivers?.executions.stale ?? 0) > 0);
  });

  test('packages without a class on the class path are outside', async () => {
    const result = await stale(BINARY_TREE, { classes: [join(EXAMPLES, 'shop-1.jar')] });
    equal(result.stale_share, null);
    equal(result.judged_share, 0);
    deepEqual(result.rows, []);
    ok(result.outside.some(({ package: name }) => name === 'java.util'));
    const calls = result.states.find(({ state }) => state === 'outside')?.calls;
    equal(
      result.outside.reduce((sum, each) => sum + each.calls, 0),
      calls,
    );
  });

  test('a real profile fits the JDK it was made with, and less of it the next ones', async (t) => {
    const [jdk, newer] = jdkHomes(t);
    const file = sharedData(t, 'iprof/krisfoster-binary-tree.iprof');
    // Of JDK 17 the profile's own build was; beside another one nothing is known of it.
    if (
      file === undefined ||
      jdk === undefined ||
      !/^JAVA_VERSION="17[."]/m.test(readFileSync(join(jdk, 'release'), 'utf8'))
    )
      return;
    const fits = await stale(file, { classes: [jdk] });
    const all = fits.kinds.find(({ kind }) => kind === 'all');
    ok((fits.stale_share ?? 1) < 0.01 && (all?.entries.share ?? 0) > 0.94, JSON.stringify(all));
    if (newer === undefined) return;
    const later = await stale(file, { classes: [newer], oldClasses: [jdk] });
    ok((later.stale_share ?? 0) > (fits.stale_share ?? 1));
  });

  test('entries that contradict the old classes are stale, even in unchanged code, and dropped by a repair', async () => {
    const path = { classes: [join(EXAMPLES, 'shop-1.jar')], oldClasses: [join(EXAMPLES, 'shop-1.jar')] };
    const edits: [string, string][] = [
      ['{"ctx":"27:3",', '{"ctx":"27:4",'],
      ['{"ctx":"29:0<25:20",', '{"ctx":"29:0<25:14",'],
      ['[7,769617,', '[5,769617,'],
    ];
    let text = JSON.stringify(JSON.parse(readFileSync(join(EXAMPLES, 'shop.iprof'), 'utf8')));
    for (const [from, to] of edits) {
      equal(text.split(from).length, 2, from);
      text = text.replace(from, to);
    }
    const [profile, out] = [join(folder, 'strange.iprof'), join(folder, 'strange-out.iprof')];
    writeFileSync(profile, text);
    const staleness = await stale(profile, path);
    deepEqual(staleness.contradicts_old, { entries: 2, executions: 521786 + 521787 + 404834 + 769617 });
    ok(noteTexts(staleness.notes).some((note) => note.startsWith('2 entries contradict --old-classes')));
    const shipping = staleness.rows.find(({ method }) => method.startsWith('shop.Shop.shipping'));
    deepEqual(
      [shipping?.state, shipping?.misfits, shipping?.why],
      ['unchanged', 1, 'contradicts --old-classes: no instruction begins at 4'],
    );
    const { counts } = await repaired(profile, path, out);
    equal(
      counts.reduce((sum, { dropped }) => sum + dropped, 0),
      2,
    );
    const again = await stale(out, { classes: path.classes });
    equal(again.stale_share, 0);
    deepEqual([...new Set(again.rows.map(({ state }) => state))], ['fits']);
    deepEqual((await stale(out, path)).contradicts_old, { entries: 0, executions: 0 });
  });

  test('a repair rejects classes of other programs, and warns of swapped paths', async () => {
    const [one = '', two = ''] = [1, 2].map((version) => join(EXAMPLES, `shop-${version}.jar`));
    const [shop, out] = [join(EXAMPLES, 'shop.iprof'), join(folder, 'doubts.iprof')];
    const other = join(ROOT, 'examples', 'loops');
    for (const [old, now] of [
      [one, other],
      [other, two],
      [other, other],
    ] as const) {
      await rejects(repaired(shop, { classes: [now], oldClasses: [old] }, out), /no entry of the profile/);
      ok(!existsSync(out));
    }
    deepEqual((await repaired(shop, { classes: [two], oldClasses: [one] }, out)).doubts, []);
    const swapped = await repaired(shop, { classes: [one], oldClasses: [two] }, out);
    match(noteTexts(swapped.doubts).join(), /^65.55 % of the executions fit --old-classes, 100.00 % fit --classes/);
    deepEqual((await repaired(shop, { classes: [one], oldClasses: [one] }, out)).doubts, []);
  });

  test('one class path is not enough to repair', async (t) => {
    const [pair] = PAIRS;
    const program = pair && compiled(t, pair);
    if (program === undefined) return;
    const { profile, now, out } = program;
    await rejects(repaired(profile, { classes: [now] }, out), /needs two class paths/);
    await rejects(stale(profile, {}), /no classes to compare/);
    ok((await stale(profile, { classes: [now] }, { state: ['gone'] })).rows.length === 0);
  });
});
