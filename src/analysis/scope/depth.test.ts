import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { picture, tree, treeText } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { commonDepth } from './depth.js';
import { applyScope } from './scope.js';
import { scopeRecording } from './scoped.js';

describe('a depth limit', () => {
  test('gives the stacks that a recorder with this limit would write', () => {
    const whole = picture(`
      @ending  whole  whole  whole  cut
               a      a      b      b
               b      b             c
               c
    `);
    const { profile } = applyScope(whole.program, whole.profile, [{ kind: 'depth', frames: 2 }]);
    assert.equal(
      treeText({ program: whole.program, profile }),
      tree(`
      b 1 3
        c 2 2
      a 0 1
        b 1 1
    `),
    );
    // a─b and b are whole still, b─c is cut of a─b─c, and of what was cut before.
    assert.deepEqual([...profile.stacks.ending].sort(), [0, 0, 0, 1, 1]);
  });

  test('counts code of an unknown function in a load object as a frame, also as the outermost of a cut stack', () => {
    const whole = picture(`
               n!f@10
               n!@20
               a
    `);
    const twice = { kind: 'depth', frames: 2 } as const;
    const { profile } = applyScope(whole.program, whole.profile, [twice]);
    const again = applyScope(whole.program, profile, [twice]).profile;
    const text = treeText({ program: whole.program, profile });
    assert.equal(text.split('\n').filter((line) => line.trim() !== '').length, 2);
    assert.equal(treeText({ program: whole.program, profile: again }), text);
  });

  test('for several recordings is the lowest one, if they differ', () => {
    const cutAt = (frames: number) =>
      scopeRecording(drawnRecording(picture(`@ending cut\n${'        f\n'.repeat(frames)}`)), []);
    const whole = scopeRecording(drawnRecording(picture('f')), []);
    assert.equal(commonDepth([cutAt(3), cutAt(2)]), 2);
    assert.equal(commonDepth([whole, cutAt(2)]), 2);
    assert.equal(commonDepth([cutAt(2), cutAt(2)]), undefined);
    assert.equal(commonDepth([whole, whole]), undefined);
  });
});
