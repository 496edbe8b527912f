/** Which boxes have which colour: by package, the same in every picture of the same packages; by kind and how code ran. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import type { OptionsOf } from '../../views/index.js';
import { type Categories, kindCategories, packageCategories } from './categories.js';
import { type FlamePicture, flamePicture, nameOf } from './picture.js';

async function flameOf(collapsed: string, inverted = false): Promise<FlamePicture> {
  const session = await openSession([memorySource('stacks.txt', new TextEncoder().encode(collapsed))]);
  return flamePicture(await ask(session, { view: 'flame', options: { inverted } }));
}

function coloursByName(picture: FlamePicture, { ofNode, colours }: Categories): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: picture.length - 1 }, (_, i) => [nameOf(picture, i + 1), colours[ofNode[i + 1]] ?? '']),
  );
}

const stacksOf = (packages: readonly string[], weight: (i: number) => number): string =>
  packages.map((name, i) => `java.lang.Thread.run;${name}.App.run ${weight(i)}`).join('\n');

describe('packages', () => {
  const names = Array.from({ length: 23 }, (_, i) => `org.example.part${i}`);

  it('have different colours, up to as many as the palette has', async () => {
    const picture = await flameOf(stacksOf(names, () => 1));
    const colours = Object.values(coloursByName(picture, packageCategories(picture, 'light')));
    equal(new Set(colours).size, 24);
  });

  it('have the same colours whatever their weights, and whichever way round', async () => {
    const first = await flameOf(stacksOf(names, (i) => i + 1));
    const second = await flameOf(stacksOf(names.toReversed(), (i) => 1 + ((i * 7) % 5)));
    const third = await flameOf(
      stacksOf(names, (i) => i + 1),
      true,
    );
    const [a, b, c] = [first, second, third].map((one) => coloursByName(one, packageCategories(one, 'light')));
    deepStrictEqual(a, b);
    deepStrictEqual(a, c);
  });

  it('have the same colours in all graphs of a recording: of any thread, metric, time, size and direction', async () => {
    const path = join(ROOT, 'examples/jfr/shop.jfr.gz');
    const session = await openSession([memorySource(path, gunzipSync(readFileSync(path)))]);
    const colours = new Map<string, string>();
    const questions: readonly [OptionsOf<'flame'>, readonly ScopeStep[]][] = [
      [{}, []],
      [{ minShare: 0.02 }, []],
      [{ inverted: true }, []],
      [{ metric: 'allocated' }, []],
      [{}, [{ kind: 'thread', pattern: 'http' }]],
      [{ metric: 'allocated' }, [{ kind: 'focus', pattern: 'HashMap' }]],
      [{}, [{ kind: 'time', from: 1e9, to: 2e9 }]],
    ];
    let same = 0;
    for (const [options, scope] of questions) {
      const picture = flamePicture(await ask(session, { view: 'flame', options, scope }));
      ok(picture.length > 10);
      const { names, colours: packageColours } = packageCategories(picture, 'light');
      for (const [i, name] of names.entries()) {
        const colour = packageColours[i] ?? '';
        if (colours.has(name)) same++;
        equal(colours.get(name) ?? colour, colour, name);
        colours.set(name, colour);
      }
    }
    ok(same > 40, `${same} packages are in several`);
    await session.close();
  });

  it('beyond the palette share one colour, the lightest of them', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `org.example.part${i}`);
    const picture = await flameOf(stacksOf(many, (i) => 1000 - i));
    const colours = coloursByName(picture, packageCategories(picture, 'light'));
    // The package of Thread.run is the first of 24.
    const heavy = many.slice(0, 23).map((name) => colours[`${name}.App.run`]);
    equal(new Set(heavy).size, 23);
    const light = new Set(many.slice(23).map((name) => colours[`${name}.App.run`]));
    equal(light.size, 1);
    ok(!heavy.includes([...light][0]));
  });
});

describe('kinds', () => {
  it('tell own code, the JDK, native code and the kernel apart, and frames that were inlined or interpreted', async () => {
    const picture = await flameOf(
      [
        'java/lang/Thread.run_[j];shop/App.a_[j];shop/App.b_[i];shop/App.c_[0];shop/App.d_[1]',
        'libc.so.6;do_work;sys_read_[k]',
      ]
        .map((stack) => `${stack} 3`)
        .join('\n'),
    );
    const { ofNode, names, colours } = kindCategories(picture, 'light');
    equal(ofNode[0], -1);
    const byName = Object.fromEntries(
      Array.from({ length: picture.length - 1 }, (_, i) => [nameOf(picture, i + 1), names[ofNode[i + 1]]]),
    );
    deepStrictEqual(byName, {
      'java.lang.Thread.run': 'jdk',
      'shop.App.a': 'own',
      'shop.App.b': 'inlined',
      'shop.App.c': 'interpreted',
      'shop.App.d': 'own',
      'libc.so.6': 'native',
      do_work: 'native',
      sys_read: 'kernel',
    });
    equal(
      new Set(['jdk', 'own', 'inlined', 'interpreted', 'native', 'kernel'].map((name) => colours[names.indexOf(name)]))
        .size,
      6,
    );
  });

  it('of a node that ran in both ways are those of its function', async () => {
    const picture = await flameOf('shop/App.a_[j];shop/App.b_[i] 1\nshop/App.a_[j];shop/App.b_[j] 1');
    const { ofNode, names } = kindCategories(picture, 'light');
    deepStrictEqual(
      Array.from(ofNode.subarray(1), (category) => names[category]),
      ['own', 'own'],
    );
  });
});
