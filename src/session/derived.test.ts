/**
 * What is derived, with drawn stages and a drawn recording that grows: the test controls when each run begins and ends.
 */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TooLargeError } from '../base/errors.js';
import type { Progress } from '../base/progress.js';
import { openedRecording, type Stage, type StageUse, type Subject, subjectOf, use } from '../models/open-recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { ColumnCodec, StageStore } from '../models/stage-store.js';
import { drawnStage, GrowingRecording } from '../testing/drawn-stages.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { Derived, ENTRY_BYTES } from './derived.js';
import { ask, costOf, sessionOf } from './session.js';

const RECORDING = drawnRecording({ ...picture('App.main App.main\nApp.get'), name: 'app' });
const subject = (id = 'a', scope: readonly ScopeStep[] = []): Subject =>
  subjectOf(new GrowingRecording(id, RECORDING), scope);
/** Runs all pending work. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const isAbort = { name: 'AbortError' };

describe('a value is made once', () => {
  test('for concurrent and later questions, by stage, subjects and parameters', async () => {
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const stageUse = use(stage, [subject()], 'x');
    const both = Promise.all([derived.get(stageUse), derived.get(use(stage, [subject()], 'x'))]);
    equal(runs.length, 1);
    runs[0]?.finish('value');
    deepStrictEqual(await both, ['value', 'value']);
    equal(await derived.get(stageUse), 'value');
    equal(runs.length, 1);
    equal(derived.bytes, 5 + ENTRY_BYTES);

    const focus: ScopeStep = { kind: 'focus', pattern: 'get' };
    const others = [
      use(stage, [subject()], 'y'),
      use(stage, [subject('b')], 'x'),
      use(stage, [subject(), subject('b')], 'x'),
      use(stage, [subject('b'), subject()], 'x'),
      use(stage, [subject('a', [focus])], 'x'),
      use(stage, [subject('a', [{ kind: 'ignore', pattern: 'get' }])], 'x'),
      use(stage, [subject('a', [focus, focus])], 'x'),
      use(stage, [subject('a', [{ kind: 'time', from: 0, to: 5 }])], 'x'),
      use(stage, [subject('a', [{ kind: 'time', from: 0 }])], 'x'),
      use(stage, [subject('a', [{ kind: 'dump', number: 1 }])], 'x'),
      use({ ...stage, version: 2 }, [subject()], 'x'),
      use({ ...stage, name: 'other' }, [subject()], 'x'),
    ];
    const all = Promise.all(others.map((other) => derived.get(other)));
    equal(runs.length, 1 + others.length);
    for (const [i, run] of runs.slice(1).entries()) run.finish(String(i));
    deepStrictEqual(
      await all,
      others.map((_, i) => String(i)),
    );
  });

  test('but not if the run fails: the next question runs it again', async () => {
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const stageUse = use(stage, [subject()], '');
    const first = [derived.get(stageUse), derived.get(stageUse)];
    runs[0]?.fail(new Error('broken'));
    for (const one of first) await rejects(one, /broken/);
    const second = derived.get(stageUse);
    equal(runs.length, 2);
    runs[1]?.finish('mended');
    equal(await second, 'mended');
  });
});

describe('a run', () => {
  test('reports its progress to all waiting questions, and to no others', async () => {
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const stageUse = use(stage, [subject()], '');
    const progressCalls: [string, number][] = [];
    const listen = (who: string) => ({ progress: ({ done }: Progress) => progressCalls.push([who, done]) });
    const stop = new AbortController();
    const first = derived.get(stageUse, listen('first'));
    const report = (done: number) => runs[0]?.work.progress?.({ phase: 'drawing', done, total: 3, unit: 'rows' });
    report(1);
    const second = derived.get(stageUse, { ...listen('second'), signal: stop.signal });
    report(2);
    stop.abort();
    await rejects(second, isAbort);
    report(3);
    runs[0]?.finish('value');
    equal(await first, 'value');
    deepStrictEqual(progressCalls, [
      ['first', 0],
      ['first', 1],
      ['first', 2],
      ['second', 2],
      ['first', 3],
    ]);
  });

  test('continues while a question waits, and ends with the last', async () => {
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const stageUse = use(stage, [subject()], '');
    const stops = [new AbortController(), new AbortController()];
    const waiting = stops.map(({ signal }) => derived.get(stageUse, { signal }));
    stops[0]?.abort();
    await rejects(waiting[0] ?? Promise.resolve(), isAbort);
    equal(runs[0]?.work.signal?.aborted, false);
    stops[1]?.abort();
    await rejects(waiting[1] ?? Promise.resolve(), isAbort);
    equal(runs[0]?.work.signal?.aborted, true);
    const again = derived.get(stageUse);
    equal(runs.length, 2);
    runs[1]?.finish('value');
    equal(await again, 'value');
    equal(derived.bytes, 5 + ENTRY_BYTES);
  });

  test('does not begin for an aborted question', async () => {
    const { stage, runs } = drawnStage('drawn');
    await rejects(new Derived().get(use(stage, [subject()], ''), { signal: AbortSignal.abort() }), isAbort);
    equal(runs.length, 0);
  });
});

describe('memory', () => {
  test('the value unused longest is removed first, and made again', async () => {
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived({ keep: 10 + 2 * ENTRY_BYTES });
    const get = async (parameters: string): Promise<string> => {
      const before = runs.length;
      const value = derived.get(use(stage, [subject()], parameters));
      if (runs.length > before) runs[before]?.finish(parameters);
      return value;
    };
    for (const value of ['aaaa', 'bbbb', 'aaaa', 'cccc']) equal(await get(value), value);
    equal(derived.bytes, 8 + 2 * ENTRY_BYTES);
    equal(runs.length, 3);
    await get('aaaa');
    equal(runs.length, 3, 'asked for again in between, so it was kept');
    await get('bbbb');
    equal(runs.length, 4, 'the oldest was dropped');
    const large = 'x'.repeat(11 + 2 * ENTRY_BYTES);
    equal(await get(large), large);
    equal(derived.bytes, 0, 'a value larger than the budget is returned but not kept');
  });

  test('a stage that announces more memory than allowed is an error that names it, before it runs', async () => {
    const { stage, runs } = drawnStage('dominators', (parameters) => Number(parameters));
    const derived = new Derived({ most: 1000 });
    await rejects(derived.get(use(stage, [subject()], '2000')), (error: Error) => {
      ok(error instanceof TooLargeError);
      match(error.message, /^dominators of app needs about 2\.00 KB of memory; the limit is 1\.00 KB/);
      return true;
    });
    equal(runs.length, 0);
    await rejects(
      new Derived({ most: () => 106 }).get(use(doubled(drawnStage('inner', () => 100).stage), [subject()], 'x')),
      {
        message: 'doubled of app needs about 107 B of memory; the limit is 106 B',
      },
    );
    const allowed = derived.get(use(stage, [subject()], '1000'));
    runs[0]?.finish('');
    equal(await allowed, '');
  });
});

/** A value of another one: twice what `inner` gives. */
function doubled(inner: Stage<string, string>, declares = true): Stage<string, string> {
  return {
    name: 'doubled',
    version: 1,
    key: (parameters) => parameters,
    needs: (subjects, parameters) => (declares ? [use(inner, subjects, parameters)] : []),
    cost: () => ({ bytes: 7, seconds: 2 }),
    run: async (subjects, parameters, get) => (await get(use(inner, subjects, parameters))).repeat(2),
    bytes: (value) => value.length,
  };
}

/** A store in memory; `damaged`: nothing that was kept can be read. */
class DrawnStore implements StageStore {
  readonly kept = new Map<string, unknown>();
  damaged = false;

  async load<Value>(key: string, { fromColumns }: ColumnCodec<Value>): Promise<Value | undefined> {
    return this.damaged || !this.kept.has(key) ? undefined : fromColumns(this.kept.get(key));
  }

  async save<Value>(key: string, { toColumns }: ColumnCodec<Value>, value: Value): Promise<void> {
    this.kept.set(key, toColumns(value));
  }
}

describe('values kept in files', () => {
  const columns: ColumnCodec<string> = {
    version: 1,
    toColumns: (value) => [value],
    fromColumns: (storedColumns) => (Array.isArray(storedColumns) ? String(storedColumns[0]) : undefined),
  };
  const opened = (content?: string): Subject =>
    subjectOf(openedRecording(RECORDING, content === undefined ? {} : { content }));

  test('are found by content in the next process, and made again if unreadable', async () => {
    const store = new DrawnStore();
    const { stage, runs } = drawnStage('drawn');
    const keptStage = { ...stage, columns };
    const get = async (subject: Subject): Promise<string> => {
      const before = runs.length;
      const value = new Derived({ store }).get(use(keptStage, [subject], 'x'));
      await settled();
      if (runs.length > before) runs[before]?.finish(`made ${runs.length}`);
      return value;
    };
    equal(await get(opened('content')), 'made 1');
    equal(await get(opened('content')), 'made 1');
    equal(await get(opened('other content')), 'made 2');
    equal(await get(opened()), 'made 3', 'nothing names its content');
    equal(store.kept.size, 2);
    store.damaged = true;
    equal(await get(opened('content')), 'made 4');
    store.damaged = false;
    equal(await get(opened('content')), 'made 4');
  });

  test('are not kept for growing recordings, or for stages without columns', async () => {
    const store = new DrawnStore();
    const { stage, runs } = drawnStage('drawn');
    const growing = Object.assign(new GrowingRecording('growing', RECORDING), { content: 'content' });
    for (const stageUse of [
      use({ ...stage, columns }, [subjectOf(growing)], ''),
      use(stage, [opened('content')], ''),
    ]) {
      const value = new Derived({ store }).get(stageUse);
      await settled();
      runs.at(-1)?.finish('value');
      equal(await value, 'value');
    }
    equal(store.kept.size, 0);
  });
});

describe('stages that need others', () => {
  test('share them, and report the values still to be made', async () => {
    const { stage, runs } = drawnStage('inner', () => 100);
    const derived = new Derived();
    const outer = use(doubled(stage), [subject()], 'x');
    deepStrictEqual(derived.cost([outer, outer]), { bytes: 107, seconds: 2 });
    const value = derived.get(outer);
    await settled();
    runs[0]?.finish('ab');
    equal(await value, 'abab');
    equal(await derived.get(use(stage, [subject()], 'x')), 'ab');
    equal(runs.length, 1);
    deepStrictEqual(derived.cost([outer]), { bytes: 0, seconds: 0 });
    deepStrictEqual(derived.cost([use(doubled(stage), [subject()], 'y')]), { bytes: 107, seconds: 2 });
  });

  test('a passing value reaches all who wait for it, takes no memory, and is made again', async () => {
    const { stage, runs } = drawnStage('inner');
    const passing = { ...stage, passing: true } as const;
    const derived = new Derived();
    const both = Promise.all(['x', 'x'].map(() => derived.get(use(passing, [subject()], 'x'))));
    runs[0]?.finish('ab');
    deepStrictEqual(await both, ['ab', 'ab']);
    equal(derived.bytes, 0);
    const again = derived.get(use(passing, [subject()], 'x'));
    runs[1]?.finish('cd');
    equal(await again, 'cd');
  });

  test('end the runs of their inputs when no question waits for them', async () => {
    const { stage, runs } = drawnStage('inner');
    const derived = new Derived();
    const stop = new AbortController();
    const value = derived.get(use(doubled(stage), [subject()], 'x'), { signal: stop.signal });
    await settled();
    equal(runs.length, 1);
    stop.abort();
    await rejects(value, isAbort);
    await settled();
    equal(runs[0]?.work.signal?.aborted, true);
  });

  test('must declare their inputs, and cannot need themselves', async () => {
    const derived = new Derived();
    const { stage } = drawnStage('inner');
    await rejects(
      derived.get(use(doubled(stage, false), [subject()], 'x')),
      /doubled does not declare its dependency inner/,
    );
    const itself: Stage<string, string> = {
      ...stage,
      name: 'itself',
      needs: (subjects, parameters): readonly StageUse<unknown>[] => [use(itself, subjects, parameters)],
      run: (subjects, parameters, get) => get(use(itself, subjects, parameters)),
    };
    await rejects(derived.get(use(itself, [subject()], 'x')), /the stage itself depends on itself/);
  });
});

test('questions of one session share the scope, the values along stacks and the tree', async () => {
  const session = sessionOf([RECORDING]);
  const scope = [{ kind: 'focus', pattern: 'get' }] as const;
  await ask(session, { view: 'functions', scope });
  const { derived } = session;
  const bytes = derived.bytes;
  await ask(session, { view: 'tree', scope });
  ok(derived.bytes > bytes);
  await ask(session, { view: 'callers', options: { function: 'get' }, scope });
  const all = derived.bytes;
  for (const view of ['tree', 'functions'] as const) await ask(session, { view, scope });
  equal(derived.bytes, all, 'nothing was made anew');
});

test('the cost of a question is that of the missing values of its view', async () => {
  const session = sessionOf([RECORDING]);
  deepStrictEqual(await costOf(session, { view: 'functions' }), { bytes: 0, seconds: 0 });
  await rejects(costOf(session, { view: 'functions', options: { metric: 'none' } }), /has no metric none/);
  await rejects(costOf(session, { view: 'tree', page: { sort: 'self' } }), /cannot be sorted/);
});
