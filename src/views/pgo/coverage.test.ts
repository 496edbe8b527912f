/** `pgo coverage` against a naive reading of the JSON, on every real profile there is. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { basename } from 'node:path';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { type Frame, iprofTruth, type TrueEntry } from '../../formats/iprof/testing/iprof-truth.js';
import { ORIGINS } from '../../models/scope.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { iprofFiles } from '../../testing/shared-data.js';
import { coverageAsLcov } from '../../transform/lcov.js';

const ALL = { limit: 0 };
/** Of each section: how many numbers a record has; the last one counts. */
const SECTIONS: Readonly<Record<string, number>> = {
  callCountProfiles: 1,
  hotnessPoints: 1,
  conditionalProfiles: 3,
  conditionalPoints: 3,
  virtualInvokeProfiles: 2,
  invokePoints: 2,
  samplingProfiles: 1,
};
const BRANCHES = ['conditionalProfiles', 'conditionalPoints'];

/** A class of a name like `a.b.C` is in `a.b`; stubs have no names. */
function packageOf(method: string): string {
  const owner = /^(.*)\.[^.]*$/.exec(method.replace(/\(.*/s, ''))?.[1];
  if (owner === undefined || owner.startsWith('<')) return '<unknown>';
  return owner.includes('.') ? owner.replace(/\.[^.]*$/, '') : '<unnamed package>';
}

function executed({ records }: TrueEntry, arity: number): boolean {
  return records.some((value, i) => i % arity === arity - 1 && value > 0);
}

function countBy<Item>(items: Iterable<Item>, key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

for (const file of iprofFiles()) {
  describe(`coverage of ${basename(file)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(file)]);
    });
    const truth = iprofTruth(file);

    /** Methods by id that ran in entries with a wanted frame. */
    const ran = (isChosen: (frame: Frame) => boolean): Map<number, string> => {
      const methodNames = new Map<number, string>();
      for (const [section, arity] of Object.entries(SECTIONS))
        for (const entry of truth.entries(section))
          if (executed(entry, arity) && entry.frames.some(isChosen))
            for (const { id, method } of entry.frames) methodNames.set(id, method);
      return methodNames;
    };

    it('lists the methods of each origin, with all that proves that they ran', async () => {
      const whole = await ask(session, { view: 'pgo-coverage', options: { by: 'method' }, page: ALL });
      const originRows: typeof whole.rows = [];
      for (const origin of ORIGINS) {
        const scope = [{ kind: 'origin', origins: [origin] }] as const;
        const { rows } = await ask(session, { view: 'pgo-coverage', options: { by: 'method' }, scope, page: ALL });
        originRows.push(...rows.filter(({ name }) => name !== '<Total>'));
      }
      const byName = (rows: typeof originRows) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
      deepStrictEqual(byName(originRows), byName(whole.rows.filter(({ name }) => name !== '<Total>')));
    });

    it('counts the methods that ran by package', async () => {
      const { rows, totals } = await ask(session, { view: 'pgo-coverage', page: ALL });
      const expected = countBy(ran(() => true).values(), packageOf);
      const ranRows = rows.filter(({ name, ran: count }) => count > 0 && name !== '<Total>');
      deepStrictEqual(new Map(ranRows.map(({ name, ran: count }) => [name, count])), expected);
      equal(totals.ran, ran(() => true).size);
    });

    it('counts the outcomes of branches over all contexts', async () => {
      const { totals } = await ask(session, { view: 'pgo-coverage' });
      const ways = new Map<string, { taken: number; placed: boolean }>();
      const places = new Set<string>();
      for (const { frames, records } of truth.entries(...BRANCHES)) {
        const place = `${frames[0]?.id}:${frames[0]?.bci}`;
        places.add(place);
        for (let i = 0; i < records.length; i += 3) {
          const way = ways.get(`${place} ${records[i + 1]}`) ?? { taken: 0, placed: false };
          ways.set(`${place} ${records[i + 1]}`, way);
          way.taken += records[i + 2] ?? 0;
          way.placed ||= (records[i] ?? -1) >= 0;
        }
      }
      const all = [...ways.values()];
      equal(totals.branches, places.size);
      equal(totals.taken, all.filter(({ taken: wayRuns, placed }) => placed && wayRuns > 0).length);
      equal(totals.untaken, all.filter(({ taken: wayRuns, placed }) => placed && wayRuns === 0).length);
      equal(totals.unplaced, all.filter(({ placed }) => !placed).length);
    });

    it('applies the scope', async () => {
      const scope = [{ kind: 'focus', pattern: 'HashMap|<method 1' } as const];
      const { totals } = await ask(session, { view: 'pgo-coverage', scope });
      equal(totals.ran, ran(({ method }) => /HashMap|<method 1/.test(method)).size);
      ok(totals.ran > 0);
    });

    for (const by of ['package', 'class', 'method'] as const)
      it(`has rows that sum to the total, by ${by}`, async () => {
        const { rows, totals, total } = await ask(session, { view: 'pgo-coverage', options: { by }, page: ALL });
        equal(rows.length, total);
        for (const key of ['ran', 'never', 'uncounted', 'branches', 'taken', 'untaken', 'unplaced'] as const) {
          const sum = rows.reduce((all, row) => all + (row.name === '<Total>' ? 0 : row[key]), 0);
          equal(sum, totals[key], key);
        }
      });
  });
}

describe('coverage', () => {
  const profile = (sections: object) =>
    openSession([
      memorySource(
        'some.iprof',
        new TextEncoder().encode(
          JSON.stringify({
            version: '1.0.0',
            types: [
              { id: 0, name: 'a.A' },
              { id: 1, name: 'void' },
            ],
            methods: ['outer', 'inner', 'zero', 'unknown', 'sampled'].map((name, id) => ({
              id,
              name,
              signature: [0, 1],
            })),
            ...sections,
          }),
        ),
      ),
    ]);

  it('distinguishes code that ran, was counted as 0, and was not counted', async () => {
    const session = await profile({
      // That `inner` ran in `outer` proves that `outer` did; that `zero` did not prove nothing of `unknown`.
      callCountProfiles: [
        { ctx: '1:0<0:4', records: [5] },
        { ctx: '2:0<3:4', records: [0] },
      ],
      samplingProfiles: [{ ctx: '4:9', records: [1] }],
    });
    const { totals, rows } = await ask(session, { view: 'pgo-coverage', options: { by: 'method' }, page: ALL });
    deepStrictEqual([totals.ran, totals.never, totals.uncounted], [3, 1, 1]);
    const row = (name: string) => rows.find((one) => one.name === `a.A.${name}()`);
    deepStrictEqual([row('outer')?.ran, row('zero')?.never, row('unknown')?.uncounted], [1, 1, 1]);
    deepStrictEqual([totals.code, totals.ways, totals.ways_share], [null, null, null]);
  });

  it('is an error without the needed data', async () => {
    const sampled = await profile({ samplingProfiles: [{ ctx: '4:9', records: [1] }] });
    await rejects(ask(sampled, { view: 'pgo-coverage' }), /no call counts/);
    const counted = await profile({ callCountProfiles: [{ ctx: '1:0', records: [5] }] });
    await rejects(ask(counted, { view: 'pgo-coverage', options: { by: 'module' } }), /modules are unknown/);
    await rejects(ask(counted, { view: 'pgo-coverage', page: { sort: 'code' } }), /cannot sort by code/);
    await rejects(coverageAsLcov(counted), /needs the classes/);
  });
});

it('a package has the classes whose names begin with it, however the names are spelled', async () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'B', '.', '/', '[', ']', 'L', ';', '<', ' ', '0x1'),
    maxLength: 9,
  });
  const names = fc.array(
    fc.oneof(
      name,
      name.map((end) => `java.util.${end}`),
    ),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom(undefined, 'own', 'jdk', 'unknown'), async (all, origin) => {
      const text = JSON.stringify({
        version: '1.0.0',
        types: all.map((type, id) => ({ id, name: type })),
        methods: all.map((_, id) => ({ id, name: `m${id}`, signature: [id, id] })),
        callCountProfiles: [{ ctx: '0:0', records: [1] }],
      });
      const session = await openSession([memorySource('names.iprof', new TextEncoder().encode(text))]);
      const scope = origin === undefined ? [] : [{ kind: 'origin', origins: [origin] } as const];
      const sumsBy = async (by: 'class' | 'package', key: (name: string) => string) => {
        const { rows } = await ask(session, { view: 'pgo-coverage', options: { by }, scope, page: ALL });
        const sums = new Map<string, number>();
        for (const row of rows)
          if (row.name !== '<Total>') sums.set(key(row.name), (sums.get(key(row.name)) ?? 0) + row.ran + row.uncounted);
        return [...sums].sort();
      };
      // async-profiler puts a dot before the address of a hidden class.
      const packageName = (type: string): string =>
        type === '<unknown>'
          ? type
          : (/^(.*)\.[^.]*$/s.exec(type.replace(/[./]0x1a*$/, ''))?.[1] ?? '<unnamed package>');
      deepStrictEqual(await sumsBy('package', (group) => group), await sumsBy('class', packageName));
    }),
    runs(300),
  );
});
