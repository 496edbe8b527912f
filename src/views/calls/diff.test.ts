/** Differences of reports, found again by sets of names: of random graphs, of graphs with an added chain, and of two real builds. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { PlainReading } from '../../formats/call-tree/testing/plain-call-tree.js';
import { type DrawnGraph, drawnGraph, randomGraph, reachedBy } from '../../formats/call-tree/testing/random-graph.js';
import type { CallDiffBy } from '../../questions/options/diff.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

type Calls = DrawnGraph['calls'];

const diffOf = (base: DrawnGraph, now: DrawnGraph, by: CallDiffBy = 'cause') =>
  ask(sessionOf([now, base]), { view: 'calls-diff', base: 'r2', options: { by }, page: { limit: 0 } });

/** The methods that `now` reaches and `base` does not. */
function newOf(base: DrawnGraph, now: DrawnGraph): Set<number> {
  const before = reachedBy(base.entries, base.calls);
  return new Set([...reachedBy(now.entries, now.calls)].filter((id) => !before.has(id)));
}

/** By method of a breadth-first search: the method that it was met from; undefined for entries. */
function metFrom({ entries, calls }: DrawnGraph): Map<number, number | undefined> {
  const callerOf = new Map<number, number | undefined>(entries.map((id) => [id, undefined]));
  for (const caller of callerOf.keys())
    for (const call of calls)
      if (call.caller === caller) for (const id of call.targets) if (!callerOf.has(id)) callerOf.set(id, caller);
  return callerOf;
}

const within = (calls: Calls, keptIds: ReadonlySet<number>): Calls =>
  calls
    .filter(({ caller }) => keptIds.has(caller))
    .map((call) => ({ ...call, targets: call.targets.filter((id) => keptIds.has(id)) }));

/** By the first method of each cause: its methods, and those that nothing else leads to. */
function plainCauses(base: DrawnGraph, now: DrawnGraph): Map<number, { methods: number; only: number }> {
  const isNew = newOf(base, now);
  const inside = within(now.calls, isNew);
  const cycle = (id: number): number[] => {
    const reachedIds = reachedBy([id], inside);
    return [...reachedIds].filter((other) => reachedBy([other], inside).has(id));
  };
  const headOf = new Map<number, number>();
  for (const [id, caller] of metFrom(now)) {
    if (!isNew.has(id)) continue;
    const memberHeads = cycle(id).map((member) => headOf.get(member));
    const head =
      memberHeads.find((one) => one !== undefined) ?? (caller === undefined ? undefined : headOf.get(caller)) ?? id;
    headOf.set(id, head);
  }
  const all = reachedBy(now.entries, now.calls);
  const old = [...all].filter((id) => !isNew.has(id));
  return new Map(
    [...new Set(headOf.values())].map((head) => {
      // What both sides have stays reachable.
      const left = reachedBy([...now.entries, ...old], now.calls, new Set(cycle(head)));
      const methods = [...headOf.values()].filter((one) => one === head).length;
      return [head, { methods, only: [...all].filter((id) => !left.has(id)).length }];
    }),
  );
}

const nameOf = (id: number): string => `shop.C${id % 3}.m${id}(${id % 2 === 0 ? '' : 'int, java.lang.String[]'})`;

describe('a difference of call graphs', () => {
  it('has the causes of new and gone methods, both ways round', () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), randomGraph(), async (base, now) => {
        const [there, back] = [await diffOf(base, now), await diffOf(now, base)];
        const rows = (result: typeof there, state: string): string[] =>
          result.rows
            .filter((row) => row.state === state)
            .map(({ name, methods, only }) => `${name} ${methods} ${only}`)
            .sort();
        for (const [source, target, state, other] of [
          [base, now, 'new', 'gone'],
          [now, base, 'gone', 'new'],
        ] as const) {
          const plain = [...plainCauses(source, target)].map(
            ([id, { methods, only }]) => `${nameOf(id)} ${methods} ${only}`,
          );
          deepEqual(rows(there, state), plain.sort());
          deepEqual(rows(back, other), plain);
        }
        equal(there.methods.new, newOf(base, now).size);
        deepEqual(
          [there.methods.gone, there.sites?.gone, there.targets?.gone, there.packages.gone],
          [back.methods.new, back.sites?.new, back.targets?.new, back.packages.new],
        );
      }),
      runs(500),
    ));

  it('has the call sites and targets that one side has more often', () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), randomGraph(), async (base, now) => {
        const more = (
          graph: DrawnGraph,
          than: DrawnGraph,
          part: (call: Calls[number]) => readonly string[],
        ): number => {
          const words = ({ entries, calls }: DrawnGraph): string[] => {
            const reached = reachedBy(entries, calls);
            return calls.filter(({ caller }) => reached.has(caller)).flatMap(part);
          };
          const left = words(than);
          return words(graph).filter((word) => {
            const at = left.indexOf(word);
            if (at >= 0) left.splice(at, 1);
            return at < 0;
          }).length;
        };
        const site = ({ caller, bcis, declared, targets }: Calls[number]): string =>
          `${caller} ${bcis.join('->')} ${declared === undefined ? `direct ${targets[0]}` : `virtual ${declared}`}`;
        const target = (call: Calls[number]): string[] => call.targets.map((id) => `${site(call)} ${id}`);
        const result = await diffOf(base, now, 'target');
        deepEqual(
          [result.sites?.new, result.sites?.gone, result.targets?.new, result.targets?.gone],
          [
            more(now, base, (call) => [site(call)]),
            more(base, now, (call) => [site(call)]),
            more(now, base, target),
            more(base, now, target),
          ],
        );
        equal(
          result.rows.reduce((sum, { count }) => sum + (count ?? 0), 0),
          (result.targets?.new ?? 0) + (result.targets?.gone ?? 0),
        );
      }),
      runs(300),
    ));

  it('of a graph with itself is empty; an added chain is one cause, closed to a cycle too', () =>
    fc.assert(
      fc.asyncProperty(
        randomGraph(),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async ({ methods, entries, calls }, length, closed) => {
          const base = drawnGraph(methods, entries, calls, false);
          for (const by of ['cause', 'function', 'class', 'entry', 'site', 'target'] as const)
            equal((await diffOf(base, base, by)).total, 0);
          const chain = Array.from({ length: length + 1 }, (_, i) => (i === 0 ? entries[0] : methods + i - 1));
          const added = chain
            .slice(1)
            .map((id, i) => ({ caller: chain[i] ?? 0, bcis: [7], declared: undefined, targets: [id] }));
          const back = { caller: chain.at(-1) ?? 0, bcis: [9], declared: undefined, targets: [chain[1] ?? 0] };
          const all = [...calls, ...added, ...(closed ? [back] : [])];
          const result = await diffOf(base, drawnGraph(methods + length, entries, all, false));
          deepEqual(
            result.rows.map((row) => [row.state, row.caller, row.name, row.methods, row.only]),
            [['new', nameOf(entries[0] ?? 0), nameOf(methods), length, length]],
          );
        },
      ),
      runs(100),
    ));
});

describe('a difference of reports', () => {
  const SHOP = [1, 2].map((version) => {
    const name = `call_tree_shop-${version}.txt`;
    return memorySource(name, readFileSync(join(ROOT, 'examples/points-to', name)));
  });
  const shop = async (by: CallDiffBy) => {
    const [base, now] = SHOP;
    if (base === undefined || now === undefined) throw new Error('no reports');
    return ask(await openSession([now, base]), { view: 'calls-diff', base: 'r2', options: { by } });
  };

  it('says what leads to new methods, and what they bring', async () => {
    const { rows, new_packages: packages, growth } = await shop('cause');
    deepEqual(
      rows.map((row) => [row.state, row.methods, row.only, row.classes, row.packages, row.caller, row.name]),
      [
        ['new', 3, 1, 1, 0, 'shop.Main.main(java.lang.String[])', 'shop.Toy.price()'],
        ['new', 2, 2, 1, 0, null, 'shop.Toy.toString()'],
        ['new', 1, 1, 0, 0, 'shop.Main.main(java.lang.String[])', 'shop.Toy.<init>()'],
        ['new', 1, 1, 1, 1, 'shop.Book.price()', 'shop.tax.Rates.of(java.lang.String)'],
        ['gone', 1, 1, 0, 0, 'shop.Book.price()', 'shop.Book.round(long)'],
      ],
    );
    match(rows[1]?.call ?? '', /^entry: at java.lang.String.valueOf/);
    equal(rows[0]?.call, 'virtually calls shop.Item.price(), overridden by');
    deepEqual([packages, growth], [['shop.tax'], 17 / 11 - 1]);
  });

  it('counts methods of each package on both sides', async () => {
    deepEqual(
      (await shop('package')).rows.map(({ name, base, value, added, removed, state }) =>
        [name, base, value, added, removed, state].join(' '),
      ),
      ['shop 7 9 3 1 changed', 'shop.tax 0 3 3 0 new', 'java.lang 2 3 1 0 changed'],
    );
  });

  it('with sizes of code has their growth; without calls there are no causes', async () => {
    const dump = (size: number, more: string) =>
      memorySource(
        'dump',
        Buffer.from(
          `[{"packages":{"shop":{"types":{"A":{"methods":{"a()":{"size":${size}},"b()":{"size":20}${more}}}}}}}]`,
        ),
      );
    const session = await openSession([dump(30, ''), dump(10, ',"c()":{"size":5}')]);
    const result = await ask(session, { view: 'calls-diff', base: 'r2', options: { by: 'function' } });
    deepEqual(
      result.rows.map(({ state, code_bytes: bytes, name }) => [state, bytes, name]),
      [
        ['changed', 20, 'shop.A.a()'],
        ['gone', 5, 'shop.A.c()'],
      ],
    );
    deepEqual([result.code_bytes, result.growth, result.entries], [{ base: 35, value: 50 }, 50 / 35 - 1, null]);
    equal((await ask(session, { view: 'calls-diff', base: 'r2' })).by, 'package');
    await rejects(ask(session, { view: 'calls-diff', base: 'r2', options: { by: 'cause' } }), {
      code: 'no-calls',
      text: [{ option: 'by', value: 'cause' }, ' needs calls, and these reports have none'],
    });
  });

  /** The lines of a report of GraalVM, in words; loaders and addresses are removed. */
  const linesOf = (path: string) => {
    const tree = new PlainReading().read(gunzipSync(readFileSync(path)));
    const bare = (node: string): string =>
      node.replace(/^[\w$.]+:(?=[\w$.]+\.)/, '').replace(/(?<=\/)0x[0-9a-f]+/g, '*');
    const callees = new Map<string, Set<string>>();
    for (const call of tree.calls) {
      const [, caller = '', targets = ''] = /^(.+) @[\d>-]+ .* -> (.*)$/s.exec(call) ?? [];
      const knownCallees = callees.get(bare(caller)) ?? new Set();
      callees.set(bare(caller), knownCallees);
      for (const target of targets.split('; ')) if (target !== '') knownCallees.add(bare(target));
    }
    const entries = new Set(tree.entries.map((entry) => bare(entry.slice(0, entry.indexOf(': ')))));
    const reached = new Set(entries);
    for (const method of reached) for (const callee of callees.get(method) ?? []) reached.add(callee);
    return { entries, reached };
  };

  it('of two real builds has the methods and entries of their lines', async (t) => {
    const folder = sharedData(t, 'points-to/genuine');
    if (folder === undefined) return;
    const [hello, medium] = ['hello', 'medium'].map((program) => {
      const reports = join(folder, `${program}-25.0.2`, 'txt');
      return join(reports, readdirSync(reports).find((name) => name.startsWith('call_tree')) ?? '');
    });
    if (hello === undefined || medium === undefined) throw new Error('no reports');
    const [before, after] = [linesOf(hello), linesOf(medium)];
    const session = await openSession(
      [medium, hello].map((path) => memorySource(path, gunzipSync(readFileSync(path)))),
    );
    const result = await ask(session, { view: 'calls-diff', base: 'r2', options: { by: 'cause' }, page: { limit: 0 } });
    const lacking = (names: ReadonlySet<string>, other: ReadonlySet<string>): number =>
      [...names].filter((name) => !other.has(name)).length;
    deepEqual(result.methods, {
      base: before.reached.size,
      value: after.reached.size,
      new: lacking(after.reached, before.reached),
      gone: lacking(before.reached, after.reached),
    });
    deepEqual(
      [result.entries?.new, result.entries?.gone],
      [lacking(after.entries, before.entries), lacking(before.entries, after.entries)],
    );
    const sum = (state: string): number =>
      result.rows.reduce((all, row) => all + (row.state === state ? (row.methods ?? 0) : 0), 0);
    deepEqual([sum('new'), sum('gone')], [result.methods.new, result.methods.gone]);
    ok(result.rows.every(({ methods, only }) => (only ?? 0) >= 1 && (methods ?? 0) >= 1));
    match(result.rows[0]?.name ?? '', /^demo\.Medium\.main/);
  });
});
