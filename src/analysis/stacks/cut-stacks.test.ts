import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { functionSignature } from '../../models/program/names.js';
import { isThreadRoot, mayBeThreadRoot } from '../../models/program/thread-roots.js';
import { type Picture, picture } from '../../testing/pictures/picture.js';
import { countMetric } from '../../testing/pictures/random-picture.js';
import { cutParts, depthLimit, mayBeLarger } from './cut-stacks.js';
import { exclusiveByStack, functionByStack } from './stack-values.js';

/** Names of the functions with totals that may be larger. */
function larger(source: Picture): string[] {
  const { profile, program } = source;
  const exclusive = exclusiveByStack(profile, countMetric(source));
  const marked = mayBeLarger(profile, program, functionByStack(profile.stacks, program), exclusive);
  return [...(marked ?? []).keys()]
    .filter((id) => marked?.[id] === 1)
    .map((id) => functionSignature(program, id))
    .sort();
}

describe('stacks that were cut', () => {
  test('may belong to functions that call their outermost frame and are not in them', () => {
    const source = picture(`
      @ending  whole  whole  whole  cut
      @count   1      2      4      8
               main   main   other  g
               f      f      leaf   h
               g      leaf          leaf
    `);
    // f and main call g; other does not, h and leaf are in all that was cut.
    assert.deepEqual(larger(source), ['f', 'main']);
    assert.equal(depthLimit(source.profile, source.program), 3);
  });

  test('are counted by the frames that are left, the largest part first', () => {
    const source = picture(`
      @ending  whole  cut  cut  cut
      @count   1      2    4    8
               main   f    g    h
               f      g    h
    `);
    const { profile, program } = source;
    assert.deepEqual(cutParts(profile, program, exclusiveByStack(profile, countMetric(source))), [
      { frames: 1, value: 8 },
      { frames: 2, value: 6 },
    ]);
  });

  test('are found through calls that only cut stacks show', () => {
    const source = picture(`
      @ending  whole  cut  cut
      @count   1      1    1
               main   f    g
               f      g    h
    `);
    // Of f─g the part above f may be main; of g─h it may be main─f.
    assert.deepEqual(larger(source), ['f', 'main']);
  });

  test('without a value do not count', () => {
    const source = picture(`
      @ending  whole  cut
      @count   1      0
               main   f
               f      g
    `);
    assert.deepEqual(larger(source), []);
  });
});

test('functions that begin a thread', () => {
  assert.ok(isThreadRoot('java.lang.Thread.run') && isThreadRoot('start_thread') && isThreadRoot('_start'));
  assert.ok(isThreadRoot('App.main') && isThreadRoot('App.main', 'main') && !isThreadRoot('App.main', 'worker'));
  assert.ok(!isThreadRoot('App.run') && mayBeThreadRoot('App.run') && !mayBeThreadRoot('App.runs'));
});
