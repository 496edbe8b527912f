/** What recordings share, against sets of names, and which differences are reported as different programs. */
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { picturedSession } from '../../testing/pictures/pictured-session.js';
import { overlapOf } from './overlap.js';
import { unite } from './unite.js';

/** A recording with one stack a function. */
function calling(names: readonly string[]) {
  const cells = names.map((name) => name.padEnd(20));
  return picture(`@count ${names.map(() => '1'.padEnd(20)).join('')}\n       ${cells.join('')}`);
}

const OWN = Array.from({ length: 8 }, (_, i) => `app.A.m${i}`);
const JDK = Array.from({ length: 4 }, (_, i) => `java.util.B.m${i}`);

describe('what recordings have in common', () => {
  it('are the names that both have; of the JDK only if a side has nothing else', () => {
    const some = fc.subarray([...OWN, ...JDK], { minLength: 1 });
    fc.assert(
      fc.property(some, some, (base, now) => {
        const programs = [base, now].map((names) => calling(names).program);
        const found = overlapOf(programs, unite(programs), 1, 'function');
        const plain = (names: readonly string[]) => names.filter((name) => name.startsWith('app.'));
        const own = plain(base).length > 0 && plain(now).length > 0;
        const [one, other] = own ? [plain(base), plain(now)] : [base, now];
        deepStrictEqual(found, {
          shared: one.filter((name) => other.includes(name)).length,
          all: new Set([...one, ...other]).size,
          smaller: Math.min(one.length, other.length),
          own,
        });
      }),
      runs(200),
    );
  });

  it('less than 5 % of the smaller side is reported first, in diff and flame; 5 % is not', async () => {
    const names = (of: string, count: number) => Array.from({ length: count }, (_, i) => `${of}.A.m${i}`);
    const notesOf = async (base: readonly string[], now: readonly string[], view: 'diff' | 'flame') => {
      const session = picturedSession(calling(now), calling(base));
      return noteTexts(
        (await ask(session, { view, base: 'r2', options: view === 'flame' ? { inverted: true } : {} })).notes,
      );
    };
    for (const view of ['diff', 'flame'] as const) {
      const apart = await notesOf([...names('app', 21), ...JDK], ['app.A.m0', ...names('org', 20), ...JDK], view);
      match(
        apart[0] ?? '',
        /^The recordings share 1 of 41 functions outside the JDK and VM: they may be of different programs\.$/,
      );
      const near = await notesOf([...names('app', 20), ...JDK], ['app.A.m0', ...names('org', 19), ...JDK], view);
      equal(
        near.some((note) => note.includes('different programs')),
        false,
      );
    }
  });
});
