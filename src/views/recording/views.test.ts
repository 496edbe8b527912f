/** Every view on every real profile, against a second implementation and the laws that its numbers must keep. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { basename } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileSource } from '../../bytes/file.node.js';
import { type IprofTruth, iprofTruth, sums } from '../../formats/iprof/testing/iprof-truth.js';
import { ORIGINS } from '../../models/scope.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { iprofFiles } from '../../testing/shared-data.js';

const ALL = { limit: 0 };
const CALLS = ['callCountProfiles', 'hotnessPoints'];
const BRANCHES = ['conditionalProfiles', 'conditionalPoints'];
const RECEIVERS = ['virtualInvokeProfiles', 'invokePoints'];
/** Stub tables give every method one name, an id; sites of one place are still distinguished. */
const site = (frame: { method: string; bci: number } | undefined): string => `${frame?.method}:${frame?.bci}`;

/** `x:-6` is shown as `x:invalid-bci`; the truth compares by number. */
const MARKS: Record<string, number> = {
  unwind: -1,
  before: -2,
  after: -3,
  'after-exception': -4,
  unknown: -5,
  'invalid-bci': -6,
};

function plainSite(text: string): string {
  const colon = text.lastIndexOf(':');
  const bci = text.slice(colon + 1);
  return `${text.slice(0, colon)}:${MARKS[bci] ?? bci}`;
}

/** Sites are shown with parameter types only where other methods of the profile are called so. */
function shownSites({ methods }: IprofTruth): (text: string) => string {
  const withoutParameters = (text: string): string => text.replace(/\([^)]*\)/, '');
  const called = new Map<string, number>();
  for (const name of new Set(methods.values()))
    called.set(withoutParameters(name), (called.get(withoutParameters(name)) ?? 0) + 1);
  return (text) => {
    const plain = withoutParameters(text);
    return (called.get(plain.slice(0, plain.lastIndexOf(':'))) ?? 0) > 1 ? text : plain;
  };
}

/** No code is excluded if the question names origins. */
const EVERYTHING = [{ kind: 'origin', origins: ORIGINS }] as const;

for (const file of iprofFiles()) {
  describe(`views of ${basename(file)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(file)]);
    });
    const truth = iprofTruth(file);
    const sites = shownSites(truth);
    const samples = truth.entries('samplingProfiles');

    it('summary counts the entries of each section', async () => {
      const summary = await ask(session, { view: 'summary' });
      for (const [key, value] of Object.entries(truth.json)) {
        if (key === 'version') equal(summary.metadata.version, value);
        else equal(summary.sections[key], Array.isArray(value) ? value.length : 1, key);
      }
    });

    it('pgo hot sums the disjoint contexts of each method', async () => {
      const expected = sums(
        truth.entries(...CALLS).map(({ frames, records }) => [frames[0]?.method ?? '', records[0] ?? 0]),
      );
      const hot = await ask(session, { view: 'pgo-hot', scope: EVERYTHING, page: ALL });
      deepStrictEqual(sums(hot.rows.map((row) => [row.method, row.calls])), expected);
      equal(
        hot.calls,
        expected.reduce((sum, [, calls]) => sum + calls, 0),
      );
      equal(
        hot.origins.reduce((sum, origin) => sum + origin.calls, 0),
        hot.calls,
      );
    });

    it('pgo hot lists an origin as its scope: shares are of its calls, and sum to 1', async () => {
      const whole = await ask(session, { view: 'pgo-hot', scope: EVERYTHING, page: ALL });
      for (const origin of ORIGINS) {
        const scope = [{ kind: 'origin', origins: [origin] }] as const;
        const { rows, calls } = await ask(session, { view: 'pgo-hot', scope, page: ALL });
        const expected = whole.rows.filter((row) => row.origin === origin);
        deepStrictEqual(
          rows.map((row) => [row.method, row.calls, row.not_inlined, row.contexts]),
          expected.map((row) => [row.method, row.calls, row.not_inlined, row.contexts]),
        );
        equal(
          calls,
          expected.reduce((sum, row) => sum + row.calls, 0),
        );
        for (const row of rows) equal(row.share, calls === 0 ? 0 : row.calls / calls);
      }
      await rejects(ask(session, { view: 'pgo-hot', options: JSON.parse('{"origin":["own"]}') }), /origin/);
    });

    it('pgo branches folds contexts and groups by index', async () => {
      const expected = sums(
        truth.entries(...BRANCHES).map(({ frames, records }) => [sites(site(frames[0])), countsOf(records, 3)]),
      );
      const branches = await ask(session, { view: 'pgo-branches', scope: EVERYTHING, page: ALL });
      deepStrictEqual(sums(branches.rows.map((row) => [plainSite(row.site), row.executed])), expected);
      for (const row of branches.rows) {
        equal(
          row.targets.reduce((sum, target) => sum + target.count, 0),
          row.executed,
        );
        if (row.bias !== null) equal(row.bias, Math.max(...row.targets.map((target) => target.share ?? 0)));
      }
    });

    it('pgo branches --contexts shows each entry, with the calls of the same context', async () => {
      const calls = new Map(
        truth.entries(...CALLS).map(({ frames, records }) => [contextKey(frames), records[0] ?? 0]),
      );
      const entries = truth.entries(...BRANCHES);
      const rows = (
        await ask(session, {
          view: 'pgo-branches',
          options: { contexts: true },
          scope: EVERYTHING,
          page: { ...ALL, sort: 'contexts' },
        })
      ).rows;
      equal(rows.length, entries.length);
      // Equal keys keep the order of the file.
      rows.forEach((row, index) => {
        const { frames, records } = entries[index] ?? { frames: [], records: [] };
        const entered = calls.get(contextKey(frames));
        const executed = countsOf(records, 3);
        equal(row.executed, executed);
        equal(row.inlined_into.length, frames.length - 1);
        if (entered === undefined || entered === 0) equal(row.per_call, null);
        else
          ok(
            Math.abs((row.per_call ?? NaN) - executed / entered) <= 1e-5 * (executed / entered),
            `${row.per_call} ${executed}/${entered}`,
          );
      });
    });

    it('pgo receivers folds contexts and weighs shapes by calls', async () => {
      const expected = sums(
        truth.entries(...RECEIVERS).map(({ frames, records }) => [sites(site(frames[0])), countsOf(records, 2)]),
      );
      const receivers = await ask(session, { view: 'pgo-receivers', scope: EVERYTHING, page: ALL });
      deepStrictEqual(sums(receivers.rows.map((row) => [plainSite(row.site), row.calls])), expected);
      const classes = receivers.rows.flatMap((row) =>
        row.classes.map((one): [string, number] => [one.name, one.count]),
      );
      deepStrictEqual(sums(classes), receiverClasses(truth));
      equal(
        receivers.shapes.reduce((sum, shape) => sum + shape.sites, 0),
        receivers.total,
      );
    });

    it("the profiler's own code is excluded", async () => {
      const isOwn = (method: string): boolean =>
        /^com\.oracle\.(svm|graal)\.(enterprise|core)\.(profiling|pgo)\./.test(method);
      const counted = truth.entries(...RECEIVERS).map(({ frames, records }) => ({
        own: isOwn(frames[0]?.method ?? ''),
        calls: countsOf(records, 2),
      }));
      const sum = (isOwnCode: boolean) =>
        counted.reduce((all, one) => all + (one.own === isOwnCode ? one.calls : 0), 0);
      const { receivers, profiler } = await ask(session, { view: 'summary' });
      equal(
        receivers?.reduce((all, { calls }) => all + calls, 0),
        sum(false),
      );
      equal(profiler?.receiver_calls ?? 0, sum(true));
      const { rows, notes } = await ask(session, { view: 'pgo-receivers', page: ALL });
      equal(
        rows.reduce((all, { calls }) => all + calls, 0),
        sum(false),
      );
      equal(
        notes.some(({ code }) => code === 'profiler-left-out'),
        counted.some(({ own: isOwnCall }) => isOwnCall),
      );
      ok(rows.every(({ site }) => !isOwn(site)));
    });

    it('monitors lists the synchronisation counts', async () => {
      const raw = truth.json.monitorProfiles ?? [truth.json.monitorsProfile];
      const records = (raw as { records: number[] }[])[0]?.records ?? [];
      const monitors = await ask(session, { view: 'monitors', page: ALL });
      deepStrictEqual(
        sums(monitors.rows.map((row) => [row.monitor, row.count ?? 0])),
        sums(pairs(records).map(([id, count]) => [truth.typeName(id), count])),
      );
    });

    it('functions shows calls, and samples if the metric is chosen', async () => {
      equal((await ask(session, { view: 'functions' })).metric.id, 'calls');
      const metric = samples.length > 0 ? 'samples' : 'calls';
      const functions = await ask(session, { view: 'functions', options: { metric }, page: ALL });
      const entries = samples.length > 0 ? samples : truth.entries(...CALLS);
      equal(functions.metric.id, metric);
      const self = sums(entries.map(({ frames, records }) => [frames[0]?.method ?? '', records[0] ?? 0])).filter(
        ([, value]) => value > 0,
      );
      deepStrictEqual(
        sums(
          functions.rows.map((row): [string, number] => [row.function, row.self ?? 0]).filter(([, value]) => value > 0),
        ),
        self,
      );
      equal(
        functions.metric.sum,
        self.reduce((sum, [, value]) => sum + value, 0),
      );
      if (metric === 'calls') ok(functions.rows.every((row) => row.total === null && row.total_share === null));
      else {
        const total = sums(
          samples.flatMap(({ frames, records }) =>
            [...new Map(frames.map((frame) => [frame.id, frame.method])).values()].map((name): [string, number] => [
              name,
              records[0] ?? 0,
            ]),
          ),
        );
        deepStrictEqual(sums(functions.rows.map((row) => [row.function, row.total ?? 0])), total);
      }
    });

    it('tree keeps every value exactly once, top-down and inverted', async () => {
      for (const inverted of [false, true]) {
        const tree = await ask(session, { view: 'tree', options: { inverted }, page: ALL });
        equal(
          tree.rows.reduce((sum, row) => sum + row.self, 0),
          tree.metric.sum,
        );
        equal(tree.rows.length, tree.total);
        const byId = new Map(tree.rows.map((row) => [row.id, row]));
        tree.rows.forEach((row, index) => {
          const parent = byId.get(row.parent);
          equal(row.depth, parent === undefined ? 0 : parent.depth + 1);
          if (index > 0) ok(row.depth <= (tree.rows[index - 1]?.depth ?? 0) + 1);
        });
        if (tree.rows[0]?.total !== null) {
          const roots = tree.rows.filter((row) => row.depth === 0);
          equal(
            roots.reduce((sum, row) => sum + (row.total ?? 0), 0),
            tree.metric.sum,
          );
        }
      }
    });

    it('callers add up to the total of the function', async () => {
      const functions = await ask(session, { view: 'functions', page: ALL });
      for (const row of functions.rows.slice(0, amount(30, 4))) {
        // Methods that differ only in their return type have one name, and are selected together.
        if (functions.rows.filter((one) => one.function === row.function).length > 1) continue;
        const options = { function: row.function, metric: functions.metric.id };
        const callers = await ask(session, { view: 'callers', options, page: ALL });
        const sum = (relation: string): number =>
          callers.rows.filter((one) => one.relation === relation).reduce((all, one) => all + (one.attributed ?? 0), 0);
        equal(callers.exclusive, row.self);
        equal(sum('caller'), row.total ?? row.self);
        if (row.total !== null) equal(sum('callee') + sum('function'), row.total);
      }
    });

    it('callers shows calls by call site, those without a caller as not inlined', async () => {
      const calls = truth.entries(...CALLS);
      const hot = await ask(session, { view: 'pgo-hot', page: { limit: 10 } });
      for (const { method } of hot.rows) {
        const expected = new Map<string, number>();
        for (const { frames, records } of calls) {
          if (frames[0]?.method !== method) continue;
          const key = frames[1] === undefined ? '<not inlined: its callers are not recorded>' : site(frames[1]);
          expected.set(key, (expected.get(key) ?? 0) + (records[0] ?? 0));
        }
        const { rows } = await ask(session, { view: 'callers', options: { function: method }, page: ALL });
        const callerValues = new Map<string, number>();
        for (const row of rows) {
          if (row.relation !== 'caller' || row.attributed === null) continue;
          const key = row.at === null ? row.function : plainSite(`${row.function}:${row.at}`);
          callerValues.set(key, (callerValues.get(key) ?? 0) + row.attributed);
        }
        deepStrictEqual(callerValues, expected);
      }
    });

    it('questions without an answer are errors', async () => {
      await rejects(ask(session, { view: 'functions', options: { metric: 'bananas' } }), /no metric bananas/);
      await rejects(ask(session, { view: 'functions', page: { sort: 'bananas' } }), /cannot sort by bananas/);
      await rejects(
        ask(session, { view: 'callers', options: { function: 'no.such.Method' } }),
        /no function no.such.Method/,
      );
      await rejects(
        ask(session, { view: 'functions', scope: [{ kind: 'focus', pattern: '(' }] }),
        /not a regular expression/,
      );
      await rejects(ask(session, { view: 'functions', scope: [{ kind: 'time', from: 0, to: 1 }] }), /no times/);
    });
  });
}

function countsOf(records: readonly number[], arity: number): number {
  return records.reduce((sum, value, index) => (index % arity === arity - 1 ? sum + value : sum), 0);
}

function pairs(records: readonly number[]): [number, number][] {
  return Array.from({ length: records.length / 2 }, (_, i) => [records[2 * i] ?? NaN, records[2 * i + 1] ?? NaN]);
}

function contextKey(frames: readonly { method: string; bci: number }[]): string {
  return [frames[0]?.method, ...frames.slice(1).map(site)].join(' < ');
}

function receiverClasses(truth: IprofTruth): [string, number][] {
  const all = truth.entries(...RECEIVERS).flatMap(({ records }) => pairs(records));
  return sums(all.map(([id, count]): [string, number] => [truth.typeName(id), count])).filter(([, count]) => count > 0);
}
