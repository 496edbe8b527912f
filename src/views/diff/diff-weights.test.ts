/** Differences and intervals of events with weights: expectations are the rule of docs/noise.md, worked out by hand. */
import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { ask, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';

/** By method: how many samples, and how many bytes each stands for. */
type Samples = Readonly<Record<string, readonly (readonly [count: number, bytes: number])[]>>;

function allocations(samples: Samples): Recording {
  const program = new ProgramBuilder();
  const stacks = new StackBuilder();
  const events = ALLOCATION_EVENTS.builder();
  const owner = program.class(program.name('Shop'));
  for (const [method, groups] of Object.entries(samples)) {
    const stack = stacks.add(rootOf('whole'), program.location(program.function(owner, program.name(method))));
    for (const [count, bytes] of groups) for (let i = 0; i < count; i++) events.add({ stack, class: owner, bytes });
  }
  const metrics = [ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated bytes' })];
  const profile = { stacks: stacks.finish(), events: [events.finish()], metrics };
  return drawnRecording({ program: program.finish(), profile });
}

const MANY: Samples = { common: [[5000, 1000]] };

async function states(before: Samples, after: Samples, by: 'function' | 'context'): Promise<Record<string, string>> {
  const session = sessionOf([allocations({ ...MANY, ...before }), allocations({ ...MANY, ...after })]);
  const { rows } = await ask(session, {
    view: 'diff',
    recording: 'r2',
    base: 'r1',
    options: { by, all: true, same: true, metric: 'allocated' },
  });
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

describe('differences of events with weights', () => {
  for (const by of ['function', 'context'] as const)
    test(`${by}: by how many events there are, not by how large they are`, async () => {
      const stateRows = await states(
        { twice: [[200, 2000]], nine: [[9, 4000]], ten: [[10, 4000]] },
        { one: [[1, 16_000_000]], twice: [[400, 2000]] },
        by,
      );
      const state = (method: string) =>
        Object.entries(stateRows).find(([name]) => name.includes(`Shop.${method}`))?.[1];
      // 200 and 400 events: 200 > 3 √(600 + (0.05 · 200)² + (0.05 · 400)²) = 99.
      // 9 against none: 9 < 3 √(9 + 0.45²) = 9.1; 10 against none: 10 > 3 √(10 + 0.5²) = 9.6.
      deepEqual(['common', 'one', 'twice', 'nine', 'ten'].map(state), ['same', 'noise', 'changed', 'noise', 'gone']);
    });
});

test('the interval of allocated bytes is that of the effective number of samples', async () => {
  const session = sessionOf([allocations({ large: [[1, 3000]], small: [[1, 1000]] })]);
  const { rows } = await ask(session, { view: 'functions', options: { metric: 'allocated' } });
  const large = rows.find((row) => row.function.includes('large'));
  // 4000² / (3000² + 1000²) = 1.6 samples; Wilson's score of three quarters of them.
  const [n, p, z] = [1.6, 0.75, 1.959964];
  const half = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  const end = (sign: number): number => (4000 * (p + z ** 2 / (2 * n) + sign * half)) / (1 + z ** 2 / n);
  ok(Math.abs((large?.self_low ?? 0) - end(-1)) < 0.01, `${large?.self_low}`);
  ok(Math.abs((large?.self_high ?? 0) - end(1)) < 0.01, `${large?.self_high}`);
});
