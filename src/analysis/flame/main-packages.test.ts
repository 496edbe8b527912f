/** The frames of packages against a count of the text that stacks are read from. */
import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { MAIN_PACKAGES } from './main-packages.js';

const frame = fc.integer({ min: 0, max: 40 }).map((number) => `org.part${number}.App.run`);
const stack = fc.record({
  frames: fc.array(frame, { minLength: 1, maxLength: 6 }),
  count: fc.integer({ min: 1, max: 9 }),
});

describe('main packages', () => {
  test('have the most frames, whatever the scope', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 60 }), async (stacks) => {
        const text = stacks.map(({ frames, count }) => `${frames.join(';')} ${count}`).join('\n');
        const session = await openSession([memorySource('stacks.collapsed', new TextEncoder().encode(text))]);
        const counts = new Map<string, number>();
        for (const { frames, count } of stacks)
          for (const one of frames) {
            const name = one.replace('.App.run', '');
            counts.set(name, (counts.get(name) ?? 0) + count);
          }
        const { main_packages: main } = await ask(session, { view: 'flame' });
        const least = Math.min(...main.map((name) => counts.get(name) ?? 0));
        const others = [...counts].filter(([name]) => !main.includes(name));
        ok(others.every(([, count]) => count <= least));
        deepEqual(main.length, Math.min(MAIN_PACKAGES, counts.size));
        const focus = [{ kind: 'focus' as const, pattern: stacks[0]?.frames[0] ?? '' }];
        deepEqual((await ask(session, { view: 'flame', scope: focus })).main_packages, main);
        await session.close();
      }),
      runs(40),
    );
  });
});
