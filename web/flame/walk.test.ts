/** The keyboard walk and the viewport on a made-up tree: every box can be reached, and only visible ones. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { layout } from '../../src/pictures/flame/layout.js';
import { type FlamePicture, flamePicture, nameOf } from '../../src/pictures/flame/picture.js';
import { ask } from '../../src/session/session.js';
import { runs } from '../../src/testing/amount.js';
import { picture } from '../../src/testing/pictures/picture.js';
import { picturedSession } from '../../src/testing/pictures/pictured-session.js';
import { drawn, plainEvents } from '../../src/testing/pictures/random-picture.js';
import { hiddenChildren, isSeen, WALK_KEYS, walk } from './keyboard.js';
import { contentHeight, panned, ROW, scrolled, scrolledTo, whole, windowOf, zoomTo } from './viewport.js';

const SIZE = { width: 1000, height: 10 * ROW };

async function flameOf(text: string): Promise<FlamePicture> {
  return flamePicture(await ask(picturedSession(picture(text)), { view: 'flame' }));
}

describe('the keyboard', () => {
  it('reaches every box of a small picture with the arrow keys', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, async (events) => {
        const flame = flamePicture(await ask(picturedSession(drawn(events)), { view: 'flame' }));
        const placed = layout(flame, 'name');
        const window = windowOf(whole(placed), SIZE);
        const reached = new Set([0]);
        for (const node of reached)
          for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowRight'] as const)
            reached.add(walk(flame, placed, window, node, key));
        equal(reached.size, flame.length);
        for (const node of reached)
          for (const key of WALK_KEYS) {
            const to = walk(flame, placed, window, node, key);
            ok(to === node || isSeen(placed, window, placed.placeOf[to]));
          }
      }),
      runs(100),
    );
  });

  it('goes to parent, heaviest child and siblings', async () => {
    const flame = await flameOf('@count 2 5 1 3\n       a a a b\n       c d e');
    const placed = layout(flame, 'name');
    const window = windowOf(whole(placed), SIZE);
    const from = (start: string, ...keys: (typeof WALK_KEYS)[number][]): string => {
      let node = Array.from({ length: flame.length }, (_, i) => i).find((i) => nameOf(flame, i) === start) ?? -1;
      for (const key of keys) node = walk(flame, placed, window, node, key);
      return nameOf(flame, node);
    };
    deepStrictEqual(
      [
        from('all', 'ArrowDown'),
        from('all', 'ArrowDown', 'ArrowDown'),
        from('c', 'End'),
        from('e', 'Home'),
        from('e', 'ArrowRight'),
        from('c', 'ArrowLeft'),
        from('d', 'ArrowUp'),
        from('all', 'ArrowUp'),
        from('b', 'ArrowDown'),
        from('all', 'PageDown'),
        from('e', 'PageUp'),
      ],
      ['a', 'd', 'e', 'c', 'e', 'c', 'a', 'all', 'b', 'd', 'all'],
    );
  });

  it('skips boxes that are too narrow, until a zoom shows them', async () => {
    const flame = await flameOf('@count 9999 1 1 1\n       a    a a b\n       c    d e');
    const placed = layout(flame, 'name');
    const all = whole(placed);
    const narrow = windowOf(all, SIZE);
    const [c, d] = [3, 4];
    equal(nameOf(flame, d), 'd');
    equal(walk(flame, placed, narrow, c, 'ArrowRight'), c);
    equal(hiddenChildren(placed, narrow, 1), 2);
    const zoomed = windowOf(zoomTo(flame, placed, d, SIZE, all), SIZE);
    ok(isSeen(placed, zoomed, placed.placeOf[d]));
    equal(hiddenChildren(placed, zoomed, 1), 2, 'its neighbours are beside the window now');
  });
});

describe('the viewport', () => {
  it('shows the zoomed node over the whole width, and its ancestors', async () => {
    const flame = await flameOf('@count 5 1 2 3\n       a a a b\n       c d e');
    const placed = layout(flame, 'name');
    const viewport = zoomTo(flame, placed, 1, SIZE, whole(placed));
    deepStrictEqual(viewport, { from: 0, to: 8, scroll: 0, zoomed: 1 });
    const out = panned(viewport, flame, placed, 7, 3);
    deepStrictEqual(out, { from: 7, to: 10, scroll: 0, zoomed: 0 }, 'out of a, the whole is what is zoomed to');
    deepStrictEqual(panned(viewport, flame, placed, -5, 100), { from: 0, to: 11, scroll: 0, zoomed: 0 });
    equal(panned(viewport, flame, placed, 2, 4).zoomed, 1);
  });

  it('scrolls within the levels, as little as needed', async () => {
    const frames = Array.from({ length: 100 }, (_, i) => `  f${i}`).join('\n');
    const flame = await flameOf(frames);
    const start = whole(layout(flame, 'name'));
    equal(contentHeight(flame), 101 * ROW);
    equal(scrolled(start, flame, 1e9, SIZE).scroll, 91 * ROW);
    equal(scrolled(start, flame, -5, SIZE).scroll, 0);
    equal(scrolledTo(start, flame, 5, SIZE).scroll, 0);
    const down = scrolledTo(start, flame, 50, SIZE);
    equal(down.scroll, (50 + 3 - 10) * ROW);
    equal(scrolledTo(down, flame, 48, SIZE).scroll, down.scroll);
    equal(scrolledTo(down, flame, 20, SIZE).scroll, 18 * ROW);
  });
});
