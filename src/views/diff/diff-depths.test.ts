/** Differences of recordings with stacks cut at different depths: frames that only one of them cut are not a difference. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask, sessionOf } from '../../session/session.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';

const deep = picture(`
  @ending   whole  whole  cut
  @samples  100    200    50
            main   main   f
            f      f      g
            g      g      h
            h      h      g
                   leaf   h
                          leaf
`);
const shallow = picture(`
  @ending   whole  cut    cut
  @samples  100    200    50
            main   h      h
            f      leaf   leaf
`);
const same = picture(`
  @ending   cut  cut   cut
  @samples  100  200   50
            g    h     h
            h    leaf  leaf
`);

async function paths(base: typeof deep, now: typeof deep, by: 'context' | 'function') {
  const session = sessionOf([now, base].map((source) => drawnRecording(source)));
  const result = await ask(session, {
    view: 'diff',
    base: 'r2',
    options: { by, all: true, metric: 'samples' },
    page: { limit: 0 },
  });
  const rows = result.rows.map(({ name, base: before, value, base_total, total }) => [
    name.replaceAll(':0', ''),
    before,
    value,
    ...(by === 'function' ? [base_total, total] : []),
  ]);
  return { rows: rows.sort(), notes: noteTexts(result.notes) };
}

describe('stacks that were cut at different depths', () => {
  test('are compared at the lower one, and a note reports it', async () => {
    const { rows, notes } = await paths(deep, same, 'context');
    deepStrictEqual(rows, [
      ['h < g', 100, 100],
      ['leaf < h', 250, 250],
    ]);
    ok(notes.some((note) => /truncated to 2 frames/.test(note)));
    deepStrictEqual((await paths(same, deep, 'function')).rows, [
      ['g', 0, 0, 100, 100],
      ['h', 100, 100, 350, 350],
      ['leaf', 250, 250, 250, 250],
    ]);
  });

  test('keep the stacks that are whole at that depth', async () => {
    const { rows } = await paths(deep, shallow, 'context');
    deepStrictEqual(rows, [
      ['f < main', 0, 100],
      ['h < g', 100, 0],
      ['leaf < h', 250, 250],
    ]);
  });

  test('of the same depth are compared unchanged', async () => {
    const { rows, notes } = await paths(same, same, 'context');
    deepStrictEqual(rows.length, 2);
    ok(!notes.some((note) => /frames/.test(note)));
  });
});
