import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { functionName } from '../../models/program/names.js';
import { runs } from '../../testing/amount.js';
import { type Picture, picture, stackTexts } from '../../testing/pictures/picture.js';
import { countMetric, drawn, functionOf, type PlainEvent, plainEvents } from '../../testing/pictures/random-picture.js';
import {
  attributedAround,
  childrenOf,
  exclusiveByStack,
  functionByStack,
  inclusiveByFunction,
  inclusiveByStack,
  stacksThrough,
} from './stack-values.js';

const RUNS = runs(1000);

function values(source: Picture) {
  const { program, profile } = source;
  const { stacks } = profile;
  const functions = functionByStack(stacks, program);
  const exclusive = exclusiveByStack(profile, countMetric(source));
  const inclusive = inclusiveByStack(stacks, exclusive);
  return { stacks, functions, exclusive, inclusive, count: program.functions.length };
}

function chosenFunctions(source: Picture, names: readonly string[]): Uint8Array {
  return Uint8Array.from({ length: source.program.functions.length }, (_, id) =>
    names.includes(functionName(source.program, id)) ? 1 : 0,
  );
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function named(source: Picture, attributed: ReadonlyMap<number, number>): Record<string, number> {
  return Object.fromEntries(
    [...attributed].map(([id, value]) => [id < 0 ? '-' : functionName(source.program, id), value]),
  );
}

/** The functions of an event's frames, root first. */
function pathOf(event: PlainEvent): string[] {
  return event.frames.map(functionOf);
}

function addTo(record: Record<string, number>, key: string, value: number): void {
  record[key] = (record[key] ?? 0) + value;
}

/** Chains of one to three frames, each with some functions. */
const fragments = fc.array(fc.subarray(['a', 'b', 'C.a', 'C.b', 'D.c'], { minLength: 1 }), {
  minLength: 1,
  maxLength: 3,
});

describe('values of an example', () => {
  const source = picture(`
    @count  5  1  2  4
            a  a  a  b
            f  f  g  f
            g  f     b
            f
  `);

  test('recursion counts once in inclusive values', () => {
    const { stacks, functions, inclusive, count } = values(source);
    const byFunction = inclusiveByFunction(stacks, functions, inclusive, count);
    const entries = Array.from(byFunction, (value, id) => [functionName(source.program, id), value]);
    assert.deepEqual(Object.fromEntries(entries), { a: 8, f: 10, g: 7, b: 4 });
  });

  test('attributed values flow through the innermost occurrence', () => {
    const { stacks, functions, exclusive } = values(source);
    const around = attributedAround(stacks, functions, exclusive, [chosenFunctions(source, ['f'])]);
    assert.deepEqual([around.inclusive, around.exclusive], [10, 6]);
    assert.deepEqual(named(source, around.callers), { g: 5, f: 1, b: 4 });
    assert.deepEqual(named(source, around.callees), { b: 4 });
  });

  test('a root has no caller', () => {
    const { stacks, functions, exclusive } = values(source);
    const around = attributedAround(stacks, functions, exclusive, [chosenFunctions(source, ['a'])]);
    assert.deepEqual(named(source, around.callers), { '-': 8 });
    assert.deepEqual(named(source, around.callees), { f: 6, g: 2 });
  });
});

describe('values of any profile', () => {
  test('are conserved: exclusive values add up to the inclusive ones of the roots', () => {
    fc.assert(
      fc.property(plainEvents, (events) => {
        const { stacks, exclusive, inclusive } = values(drawn(events));
        const roots = inclusive.filter((_, id) => stacks.parent[id] < 0);
        const withStack = events.filter(({ frames }) => frames.length > 0);
        assert.equal(sum(exclusive), sum(withStack.map(({ count }) => count)));
        assert.equal(sum(roots), sum(exclusive));
      }),
      RUNS,
    );
  });

  test('of stacks are sums over all events at and below them', () => {
    fc.assert(
      fc.property(plainEvents, (events) => {
        const source = drawn(events);
        const { stacks, exclusive, inclusive } = values(source);
        for (let id = 0; id < stacks.length; id++) {
          const path = stackTexts(source, id);
          const below = events.filter(({ frames }) => path.every((text, depth) => frames[depth] === text));
          const own = below.filter(({ frames }) => frames.length === path.length);
          assert.equal(inclusive[id], sum(below.map(({ count }) => count)));
          assert.equal(exclusive[id], sum(own.map(({ count }) => count)));
        }
      }),
      RUNS,
    );
  });

  test('of functions are sums over all events with the function', () => {
    fc.assert(
      fc.property(plainEvents, (events) => {
        const source = drawn(events);
        const { stacks, functions, inclusive, count } = values(source);
        const byFunction = inclusiveByFunction(stacks, functions, inclusive, count);
        const wanted: Record<string, number> = {};
        for (const event of events) for (const name of new Set(pathOf(event))) addTo(wanted, name, event.count);
        const found = Array.from(byFunction, (value, id) => [functionName(source.program, id), value]);
        assert.deepEqual(Object.fromEntries(found), wanted);
      }),
      RUNS,
    );
  });

  test('around functions and fragments are conserved: callers add up to the inclusive value, and so do callees and exclusive', () => {
    fc.assert(
      fc.property(plainEvents, fragments, (events, fragment) => {
        const source = drawn(events);
        const { stacks, functions, exclusive } = values(source);
        const masks = fragment.map((names) => chosenFunctions(source, names));
        const around = attributedAround(stacks, functions, exclusive, masks);
        const wanted = { inclusive: 0, exclusive: 0, callers: {}, callees: {} };
        for (const event of events) {
          const path = pathOf(event);
          const outermost = path.findLastIndex((_, at) =>
            fragment.every((names, i) => names.includes(path[at + i] ?? '')),
          );
          if (outermost < 0 || event.count === 0) continue;
          const innermost = outermost + fragment.length - 1;
          wanted.inclusive += event.count;
          addTo(wanted.callers, path[outermost - 1] ?? '-', event.count);
          if (innermost === path.length - 1) wanted.exclusive += event.count;
          else addTo(wanted.callees, path[innermost + 1] ?? '', event.count);
        }
        assert.equal(sum(around.callers.values()), around.inclusive);
        assert.equal(sum(around.callees.values()) + around.exclusive, around.inclusive);
        const found = { ...around, callers: named(source, around.callers), callees: named(source, around.callees) };
        assert.deepEqual(found, wanted);
      }),
      RUNS,
    );
  });

  test('are chosen by any frame of the stack', () => {
    fc.assert(
      fc.property(plainEvents, fc.constantFrom('a', 'b', 'C.b'), (events, name) => {
        const source = drawn(events);
        const { stacks, functions } = values(source);
        const through = stacksThrough(stacks, functions, chosenFunctions(source, [name]));
        const wanted = Array.from(through, (_, id) => (stackTexts(source, id).map(functionOf).includes(name) ? 1 : 0));
        assert.deepEqual([...through], wanted);
      }),
      RUNS,
    );
  });

  test('have each stack once among the roots or the children of its parent, in order', () => {
    fc.assert(
      fc.property(plainEvents, (events) => {
        const { stacks } = values(drawn(events));
        const { first, next, roots } = childrenOf(stacks);
        const chain = (start: number): number[] => {
          const ids: number[] = [];
          for (let id = start; id >= 0; id = next[id]) ids.push(id);
          return ids;
        };
        for (let parent = -1; parent < stacks.length; parent++) {
          const wanted = [...stacks.parent.keys()].filter((id) => stacks.parent[id] === parent);
          assert.deepEqual(chain(parent < 0 ? roots : first[parent]), wanted);
        }
      }),
      RUNS,
    );
  });
});
