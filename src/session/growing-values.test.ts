/** The values of a recording that grows, with drawn stages: each snapshot has its own, and older ones go. */
import { deepStrictEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Subject, subjectOf, use } from '../models/open-recording.js';
import { drawnStage, GrowingRecording } from '../testing/drawn-stages.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { Derived, ENTRY_BYTES } from './derived.js';
import { ask, sessionOfOpen } from './session.js';

const RECORDING = drawnRecording({ ...picture('App.main App.main\nApp.get'), name: 'app' });
/** Runs all pending work. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const isAbort = { name: 'AbortError' };

/** A promise that a test ends by hand. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((end) => {
    resolve = end;
  });
  return { promise, resolve };
}

describe('a recording that grows', () => {
  test('answers from its current snapshot, and each snapshot has its own values', async () => {
    const source = new GrowingRecording('growing', RECORDING);
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const early = derived.get(use(stage, [subjectOf(source)], ''));
    source.grow(drawnRecording({ ...picture('App.main App.main App.main\nApp.get  App.get'), name: 'app' }));
    const late = derived.get(use(stage, [subjectOf(source)], ''));
    deepStrictEqual(
      runs.map(({ of: subjects }) => subjects[0]?.snapshot.id),
      [0, 1],
    );
    runs[0]?.finish('one');
    runs[1]?.finish('two');
    deepStrictEqual([await early, await late], ['one', 'two']);
  });

  test('gives views the numbers of its snapshot', async () => {
    const source = new GrowingRecording('growing', RECORDING);
    const session = sessionOfOpen([source]);
    const sum = async () => (await ask(session, { view: 'functions' })).metric.sum;
    equal(await sum(), 2);
    source.grow(drawnRecording({ ...picture('App.main App.main App.main\nApp.get  App.get'), name: 'app' }), true);
    equal(await sum(), 3);
    equal(session.recordings[0]?.profile?.stacks.length, 2);
  });

  test('keeps the values of an older snapshot as long as a question about it runs', async () => {
    const source = new GrowingRecording('growing', RECORDING);
    const { stage, runs } = drawnStage('drawn');
    const derived = new Derived();
    const [early, late] = [deferred(), deferred()];
    const first = subjectOf(source);
    const value = async (subject: Subject, text: string): Promise<void> => {
      const result = derived.get(use(stage, [subject], text));
      runs.at(-1)?.finish(text);
      equal(await result, text);
    };
    const question = derived.during([first], async () => {
      await value(first, 'one');
      await early.promise;
      await value(first, 'two');
      await late.promise;
    });
    await settled();
    source.grow(RECORDING);
    const second = subjectOf(source);
    await derived.during([second], () => value(second, 'three'));
    equal(derived.bytes, 8 + 2 * ENTRY_BYTES, 'the first question still runs');
    early.resolve();
    await settled();
    equal(derived.bytes, 11 + 3 * ENTRY_BYTES, 'its further values are kept, too');
    late.resolve();
    await question;
    equal(derived.bytes, 5 + ENTRY_BYTES, 'those of the newest snapshot are left');
    await value(first, 'four');
    equal(derived.bytes, 5 + ENTRY_BYTES, 'what is asked of an older one outside of questions is not kept');
  });

  test('is closed with its session, which ends its runs', async () => {
    const source = new GrowingRecording('growing', RECORDING);
    const session = sessionOfOpen([source]);
    const { stage, runs } = drawnStage('drawn');
    const value = session.derived.get(use(stage, [subjectOf(source)], ''));
    await session.close();
    await rejects(value, isAbort);
    equal(runs[0]?.work.signal?.aborted, true);
    equal(source.closed, true);
    equal(session.derived.bytes, 0);
  });
});
