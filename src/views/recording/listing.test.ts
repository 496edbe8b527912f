/** Sorting and paging of every listing, and rows folded into one. */
import { deepStrictEqual, equal, match, notDeepStrictEqual, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { commandLineText } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { BINARY_TREE, ROOT } from '../../testing/shared-data.js';

const FIB = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'fib-1.0.0.iprof');
const ALL = { limit: 0 };

/** The Fibonacci profile with some of its sections replaced. */
async function changed(sections: Record<string, unknown>) {
  const text = JSON.stringify({ ...JSON.parse(readFileSync(FIB, 'utf8')), ...sections });
  return openSession([memorySource('changed.iprof', new TextEncoder().encode(text))]);
}

/** Numbers fall, text rises; null stands behind both. */
function inOrder(a: unknown, b: unknown): boolean {
  if (b === null) return true;
  if (typeof a === 'number' && typeof b === 'number') return a >= b;
  return typeof a === 'string' && typeof b === 'string' && a <= b;
}

/** Units of columns with several values in a cell. */
const MANY = ['parts', 'list'];

describe('sorting', () => {
  let session: Session;
  before(async () => {
    session = await openSession([await fileSource(BINARY_TREE), await fileSource(FIB)]);
  });
  for (const recording of ['r1', 'r2']) {
    for (const view of ['functions', 'monitors', 'pgo-receivers'] as const) {
      it(`${view} of ${recording === 'r1' ? 'calls' : 'samples'}: by every column with one value`, async () => {
        const { columns } = await ask(session, { view, recording });
        ok(columns.length >= 3);
        for (const { key, unit } of columns) {
          if (MANY.includes(unit)) continue;
          const { rows } = await ask(session, { view, recording, page: { ...ALL, sort: key } });
          const values = rows.map((row) => Object.entries(row).find(([name]) => name === key)?.[1]);
          for (let i = 1; i < values.length; i++) ok(inOrder(values[i - 1], values[i]), `${key}: ${values[i - 1]}`);
        }
      });
    }
  }

  it('check: by every column', async () => {
    const damaged = await changed({ surprise: [1], monitorProfiles: [{ ctx: '0:0', records: [9] }], other: 2 });
    const { columns, total } = await ask(damaged, { view: 'check' });
    ok(total >= 2, `${total} problems`);
    for (const { key } of columns) {
      const { rows } = await ask(damaged, { view: 'check', page: { ...ALL, sort: key } });
      const values = rows.map((row) => Object.entries(row).find(([name]) => name === key)?.[1]);
      if (key === 'severity') deepStrictEqual(values, rank(values));
      else for (let i = 1; i < values.length; i++) ok(inOrder(values[i - 1], values[i]), key);
    }
  });

  it('callers and callees are sorted separately, with the function between them', async () => {
    const options = { function: 'java.util.HashMap' };
    const usual = await ask(session, { view: 'callers', options, page: ALL });
    for (const key of ['attributed', 'share', 'function'] as const) {
      const { rows } = await ask(session, { view: 'callers', options, page: { ...ALL, sort: key } });
      deepStrictEqual(
        rows.map((row) => row.relation),
        usual.rows.map((row) => row.relation),
      );
      deepStrictEqual(new Set(rows.map((row) => row.function)), new Set(usual.rows.map((row) => row.function)));
      rows.forEach((row, i) => {
        const before = rows[i - 1];
        if (before?.relation === row.relation) ok(inOrder(before[key], row[key]), key);
      });
    }
    const { rows } = await ask(session, { view: 'callers', options, page: { ...ALL, sort: '-function' } });
    const names = rows.filter((row) => row.relation === 'caller').map((row) => row.function);
    ok(names.length > 2);
    deepStrictEqual(names, [...names].sort().reverse());
  });

  it('columns can be named by title or by key', async () => {
    const orderBy = async (sort: string) =>
      (await ask(session, { view: 'functions', options: { metric: 'calls' }, page: { limit: 9, offset: 0, sort } }))
        .rows;
    deepStrictEqual(await orderBy('Self %'), await orderBy('self_share'));
    deepStrictEqual(await orderBy('-FUNCTION'), await orderBy('-function'));
    notDeepStrictEqual(await orderBy('Function'), await orderBy('Self'));
    await rejects(orderBy('Self%'), (error) => {
      ok(error instanceof UsageError);
      match(commandLineText(error.advice ?? ''), /^Columns to sort by: self, Self % \(self_share\),? .*function\.$/);
      return true;
    });
  });

  it('trees do not accept an order or an offset, callers no offset', async () => {
    const inlining = { method: 'java.util.HashMap.putVal' };
    for (const page of [{ sort: 'self' }, { offset: 1 }]) {
      await rejects(ask(session, { view: 'tree', page }), UsageError);
      await rejects(ask(session, { view: 'pgo-inlining', options: inlining, page }), UsageError);
    }
    await rejects(ask(session, { view: 'callers', options: { function: 'HashMap' }, page: { offset: 1 } }), UsageError);
    await rejects(
      ask(session, { view: 'callers', options: { function: 'HashMap' }, page: { sort: 'relation' } }),
      /cannot sort by relation/,
    );
    equal((await ask(session, { view: 'tree', page: { offset: 0 } })).offset, 0);
  });
});

function rank(severities: readonly unknown[]): unknown[] {
  return ['error', 'warning', 'info'].flatMap((one) => severities.filter((severity) => severity === one));
}

/** One virtual call site that met classes so often. */
async function receiversOf(counts: readonly number[], monomorphic?: number) {
  const types = [2280, 1322, 3236];
  const records = counts.flatMap((count, i) => [types[i] ?? 0, count]);
  const session = await changed({ virtualInvokeProfiles: [{ ctx: '3236:11', records }] });
  return ask(session, { view: 'pgo-receivers', options: monomorphic === undefined ? {} : { monomorphic } });
}

describe('rows', () => {
  it('a site with only zero counts was never called', async () => {
    const session = await changed({
      virtualInvokeProfiles: [
        { ctx: '6886:9<6882:23', records: [1322, 0, 2280, 0] },
        { ctx: '3236:11', records: [2280, 10, 1322, 0] },
      ],
    });
    const { rows, shapes } = await ask(session, { view: 'pgo-receivers', page: ALL });
    deepStrictEqual(
      rows.map((row) => [row.site, row.calls, row.shape]),
      [
        ['java.lang.String.valueOf:11', 10, 'monomorphic'],
        [rows[1]?.site, 0, 'never called'],
      ],
    );
    deepStrictEqual(
      shapes.map(({ shape, sites, calls }) => [shape, sites, calls]),
      [
        ['monomorphic', 1, 10],
        ['effectively monomorphic', 0, 0],
        ['bimorphic', 0, 0],
        ['megamorphic', 0, 0],
        ['never called', 1, 0],
      ],
    );
  });

  it('a site with nearly always the same class is effectively monomorphic, from a given share', async () => {
    const { rows } = await receiversOf([99, 1]);
    equal(rows[0]?.shape, 'effectively monomorphic');
    equal((await receiversOf([98, 2])).rows[0]?.shape, 'bimorphic');
    equal((await receiversOf([98, 2], 0.98)).rows[0]?.shape, 'effectively monomorphic');
    equal((await receiversOf([9_999_990, 5, 5])).rows[0]?.shape, 'effectively monomorphic');
    equal((await receiversOf([100, 0], 0.98)).rows[0]?.shape, 'monomorphic');
  });

  it('monitors of one class share a row', async () => {
    const session = await changed({
      monitorProfiles: [
        { ctx: '0:0', records: [9, 4, 10, 1, 9, 2] },
        { ctx: '0:0', records: [10, 30, 2280, 3] },
      ],
    });
    const { rows, count, total } = await ask(session, { view: 'monitors', page: ALL });
    deepStrictEqual(
      rows.map((row) => [row.monitor, row.count, row.share]),
      [
        ['Fib', 31, 31 / 40],
        ['java.lang.Object', 6, 6 / 40],
        ['java.lang.String', 3, 3 / 40],
      ],
    );
    equal(count, 40);
    equal(total, 3);
  });
});
