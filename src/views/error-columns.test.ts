/** The 95 % intervals of all views against a second implementation, and which columns show them. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { noteTexts } from '../cli/render/spelling.js';
import { flamePicture } from '../pictures/flame/picture.js';
import { facts } from '../pictures/flame/words.js';
import { openInputs } from '../session/open.node.js';
import { ask } from '../session/session.js';
import { bisected } from '../testing/bisected-interval.js';
import { ROOT } from '../testing/shared-data.js';
import type { OptionsOf, ViewName } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-error-'));
after(() => rmSync(folder, { recursive: true }));

const STACKS = join(folder, 'shop.collapsed');
writeFileSync(
  STACKS,
  'Shop.main:2_[j];Shop.sell:5_[j] 30\nShop.main:3_[j];Shop.buy:6_[j] 10\nShop.main:3_[j] 5\nother 55\n'.replaceAll(
    'Shop',
    'shop/Shop',
  ),
);
const source = ['class Shop {', 'void main() { sell();', 'buy();', '}', 'void sell() {}', 'void buy() {}', '}'];
mkdirSync(join(folder, 'shop'));
writeFileSync(join(folder, 'shop', 'Shop.java'), source.join('\n'));
const CALLS = join(ROOT, 'examples/krisfoster-binary-tree.iprof');
const SAMPLES = 100;

async function asked<Name extends ViewName>(file: string, view: Name, options: OptionsOf<Name>) {
  const library = { classes: [join(ROOT, 'examples/loops')], sources: [folder] };
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {}, library });
  try {
    return await ask(session, { view, options, page: { limit: 0 } });
  } finally {
    await session.close?.();
  }
}

/** The interval of a value, rounded as far as bisection is exact. */
function expected(value: number | null): readonly (number | null)[] {
  return value === null ? [null, null] : bisected(value / SAMPLES, SAMPLES).map((end) => rounded(end * SAMPLES));
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(6));
}

function keysOf({ columns }: { readonly columns: readonly { readonly key: string }[] }): string[] {
  return columns.map(({ key }) => key).filter((key) => /_(?:low|high)$/.test(key));
}

describe('intervals of sampled values', () => {
  it('callers: of each value passed on, in the rows always, as columns if asked for', async () => {
    const plain = await asked(STACKS, 'callers', { function: 'shop.Shop.main' });
    deepStrictEqual(
      plain.rows.map(({ attributed }) => attributed),
      [45, 5, 30, 10],
    );
    for (const row of plain.rows)
      deepStrictEqual([rounded(row.attributed_low), rounded(row.attributed_high)], expected(row.attributed));
    deepStrictEqual(keysOf(plain), []);
    const withError = await asked(STACKS, 'callers', { function: 'shop.Shop.main', error: true });
    deepStrictEqual(keysOf(withError), ['attributed_low', 'attributed_high']);
    ok(noteTexts(withError.notes).some((note) => note.startsWith('Low and high are')));
  });

  it('source: of the values of each line', async () => {
    const { rows, ...result } = await asked(STACKS, 'source', { name: 'shop.Shop', error: true });
    deepStrictEqual(
      rows.map(({ self, total }) => [self, total]),
      [
        [null, null],
        [null, 30],
        [5, 15],
        [null, null],
        [30, 30],
        [10, 10],
        [null, null],
      ],
    );
    for (const row of rows) {
      deepStrictEqual([rounded(row.self_low), rounded(row.self_high)], expected(row.self));
      deepStrictEqual([rounded(row.total_low), rounded(row.total_high)], expected(row.total));
    }
    deepStrictEqual(keysOf(result), ['self_low', 'self_high', 'total_low', 'total_high']);
    deepStrictEqual(keysOf(await asked(STACKS, 'source', { name: 'shop.Shop' })), []);
  });

  it('flame: of the share of each box, from the number of samples', async () => {
    const result = await asked(STACKS, 'flame', {});
    equal(result.metric.samples, SAMPLES);
    const picture = flamePicture(result);
    for (let node = 0; node < picture.length; node++) {
      const [low = 0, high = 0] = bisected(picture.total[node] / SAMPLES, SAMPLES);
      const interval = facts(picture, node, 0).find(({ key }) => key === 'interval');
      equal(interval?.text, `${(low * 100).toFixed(2)} % – ${(high * 100).toFixed(2)} %`);
    }
  });

  it('exact counts have none, and a note says so', async () => {
    const callers = await asked(CALLS, 'callers', { function: 'java.lang.String.hashCode', error: true });
    ok(callers.rows.every((row) => row.attributed_low === null && row.attributed_high === null));
    deepStrictEqual(keysOf(callers), []);
    ok(noteTexts(callers.notes).some((note) => note.startsWith('No intervals')));
    const loops = join(ROOT, 'examples/loops/loops.iprof');
    const listing = await asked(loops, 'disasm', { method: 'Loops.gcd', metric: 'calls', error: true });
    ok(listing.rows.every((row) => row.self_low === null && row.total_low === null));
    deepStrictEqual(keysOf(listing), []);
    const flame = await asked(CALLS, 'flame', { inverted: true, metric: 'calls' });
    equal(flame.metric.samples, null);
    equal(
      facts(flamePicture(flame), 1, 0).find(({ key }) => key === 'interval'),
      undefined,
    );
  });
});
