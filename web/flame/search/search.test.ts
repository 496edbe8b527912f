/** Search against naive counting over events, and the walk from match to match. */
import { deepStrictEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { layout } from '../../../src/pictures/flame/layout.js';
import { flamePicture, nameOf } from '../../../src/pictures/flame/picture.js';
import { ask } from '../../../src/session/session.js';
import { runs } from '../../../src/testing/amount.js';
import { picturedSession } from '../../../src/testing/pictures/pictured-session.js';
import { drawn, functionOf, plainEvents } from '../../../src/testing/pictures/random-picture.js';
import { matcher, matchesBefore, nextMatch, search } from './search.js';

const RUNS = runs(200);
const wanted = fc.constantFrom('a', 'b', 'C.', 'D', 'x');

describe('search', () => {
  it('counts each stack with a match once', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, wanted, fc.boolean(), async (now, base, text, inverted) => {
        const session = picturedSession(drawn(now), drawn(base));
        const flame = flamePicture(await ask(session, { view: 'flame', base: 'r2', options: { inverted } }));
        const found = search(flame, matcher(text, false));
        const naive = (events: typeof now): number =>
          events
            .filter(({ frames }) =>
              frames.some((frame) => functionOf(frame).toLowerCase().includes(text.toLowerCase())),
            )
            .reduce((sum, { count }) => sum + count, 0);
        equal(found.total, naive(now));
        equal(found.baseTotal, naive(base));
        let nodes = 0;
        for (let node = 1; node < flame.length; node++)
          if (nameOf(flame, node).toLowerCase().includes(text.toLowerCase())) nodes++;
        equal(found.count, nodes);
      }),
      RUNS,
    );
  });

  it('goes through all matches in the order of the screen, both ways, round the end', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, wanted, async (events, text) => {
        const flame = flamePicture(await ask(picturedSession(drawn(events)), { view: 'flame' }));
        const placed = layout(flame, 'weight');
        const found = search(flame, matcher(text, false));
        const before = matchesBefore(flame, placed, found);
        const expected = [...placed.order.keys()].filter((place) => {
          const node = placed.order[place];
          return node > 0 && matcher(text, false)(nameOf(flame, node));
        });
        const walked = (step: 1 | -1): number[] => {
          const places: number[] = [];
          for (let place = 0, i = 0; i < expected.length; i++) {
            place = nextMatch(before, place, step);
            places.push(place);
          }
          return places;
        };
        deepStrictEqual(walked(1), expected);
        deepStrictEqual(walked(-1), [...expected].reverse());
        if (expected.length === 0) equal(nextMatch(before, 0, 1), -1);
      }),
      RUNS,
    );
  });
});

describe('matcher', () => {
  it('accepts text in either case, or a regular expression as written', () => {
    equal(matcher('hashmap.get', false)('java.util.HashMap.get'), true);
    equal(matcher('.', false)('get'), false);
    equal(matcher('map\\.get$', true)('java.util.HashMap.get'), false);
    equal(matcher('Map\\.get$', true)('java.util.HashMap.get'), true);
    throws(() => matcher('(', true), SyntaxError);
  });
});
