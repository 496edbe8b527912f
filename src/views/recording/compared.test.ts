/** `tree` and `callers` beside a base: each side has the numbers that it has alone. */
import { deepEqual, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { unpacked } from '../events/testing/printed-events.js';

const SHOP = unpacked(join(ROOT, 'examples/jfr/shop.jfr.gz'));
const session = await openSession(['before', 'after'].map((name) => memorySource(name, SHOP)));
const EARLY: readonly ScopeStep[] = [{ kind: 'time', from: 0, to: 2e9 }];
const LATE: readonly ScopeStep[] = [{ kind: 'time', from: 2e9 }];
const COMPARED = { recording: 'r2', scope: LATE, base: 'r1', baseScope: EARLY, page: { limit: 0 } } as const;

interface Node {
  readonly id: number;
  readonly parent: number;
  readonly function: string;
  readonly total: number | null;
  readonly self: number;
}

/** The nodes by the functions of their paths, with their sums: hidden classes that differ in their numbers are the same in two recordings. */
function byPath(rows: readonly Node[]): Map<string, { total: number; self: number }> {
  const paths = new Map<number, string>();
  const pathValues = new Map<string, { total: number; self: number }>();
  for (const row of rows) {
    const path = `${paths.get(row.parent) ?? ''}/${row.function.replace(/\/(0x[0-9a-f]+|\*)/g, '/n')}`;
    paths.set(row.id, path);
    const sums = pathValues.get(path) ?? { total: 0, self: 0 };
    pathValues.set(path, { total: sums.total + (row.total ?? 0), self: sums.self + row.self });
  }
  return pathValues;
}

describe('a tree beside a base', () => {
  for (const inverted of [false, true])
    test(`has both totals of each path${inverted ? ', inverted' : ''}, the largest change first`, async () => {
      const question = { view: 'tree', options: { metric: 'allocated', inverted } } as const;
      const alone = async (scope: readonly ScopeStep[]) =>
        byPath((await ask(session, { ...question, scope, page: { limit: 0 } })).rows);
      const [before, after] = [await alone(EARLY), await alone(LATE)];
      const { rows } = await ask(session, { ...question, ...COMPARED });
      const now = byPath(rows);
      const base = byPath(rows.map((row) => ({ ...row, total: row.base_total, self: row.base_self ?? 0 })));
      deepEqual(new Set(now.keys()), new Set([...before.keys(), ...after.keys()]));
      ok(before.size > 10 && after.size > 10);
      const nothing = { total: 0, self: 0 };
      for (const path of now.keys()) {
        deepEqual(now.get(path), after.get(path) ?? nothing, path);
        deepEqual(base.get(path), before.get(path) ?? nothing, path);
      }
      ok(rows.every(({ delta, total, base_total: other }) => delta === (total ?? 0) - (other ?? 0)));
      const changes = rows.filter(({ parent }) => parent < 0).map(({ id }) => largestBelow(rows, id));
      deepEqual(
        changes,
        [...changes].sort((a, b) => b - a),
      );
    });
});

/** The largest change of a node and of those below it. */
function largestBelow(rows: readonly (Node & { readonly delta: number | null })[], top: number): number {
  const below = new Set([top]);
  let largest = 0;
  for (const { id, parent, delta } of rows) {
    if (below.has(parent)) below.add(id);
    if (below.has(id)) largest = Math.max(largest, Math.abs(delta ?? 0));
  }
  return largest;
}

test('callers beside a base have the values of both', async () => {
  const question = { view: 'callers', options: { function: 'java.util.Arrays.copyOf', metric: 'allocated' } } as const;
  const alone = async (scope: readonly ScopeStep[]) => {
    const { rows } = await ask(session, { ...question, scope, page: { limit: 0 } });
    return new Map(rows.map((row) => [`${row.relation} ${row.function}`, row.attributed ?? 0]));
  };
  const [before, after] = [await alone(EARLY), await alone(LATE)];
  const { rows } = await ask(session, { ...question, ...COMPARED });
  deepEqual(
    new Set(rows.map((row) => `${row.relation} ${row.function}`)),
    new Set([...before.keys(), ...after.keys()]),
  );
  for (const row of rows) {
    const name = `${row.relation} ${row.function}`;
    const [one, other] = [after.get(name) ?? 0, before.get(name) ?? 0];
    deepEqual([row.attributed, row.base, row.delta], [one, other, one - other], name);
  }
});

test('a function that the base lacks has 0 there, and one that the recording lacks is an error', async () => {
  const nothing: readonly ScopeStep[] = [{ kind: 'time', from: 0, to: 1 }];
  const options = { function: 'java.util.Arrays.copyOf', metric: 'allocated' };
  const { rows } = await ask(session, { view: 'callers', options, ...COMPARED, baseScope: nothing });
  ok(rows.length > 0 && rows.every(({ base, attributed, delta }) => base === 0 && attributed === delta));
  await rejects(
    ask(session, { view: 'callers', options: { function: 'No.such' }, ...COMPARED }),
    /has no function No.such/,
  );
});

test('callers of a misspelt function are refused with the closest names', async () => {
  const options = { function: 'java.util.Arrays.copyOff' };
  await rejects(ask(session, { view: 'callers', options }), (error: UsageError) => {
    match(String(error.advice), /^Did you mean java\.util\.Arrays\.copyOf(?:,|\?)/);
    return true;
  });
});

test('a name of callers that is no pattern is taken as a part of names, and said to be', async () => {
  const { rows } = await ask(session, { view: 'functions', page: { limit: 0 } });
  const [, part] = /(\w+\$\w+)/.exec(rows.map((row) => row.function).find((name) => /\w\$\w/.test(name)) ?? '') ?? [];
  ok(part !== undefined);
  const { notes } = await ask(session, { view: 'callers', options: { function: part } });
  ok(notes.some(({ code }) => code === 'part-of-names'));
});
