/** The workspace: both carriers open, answer, cancel, follow and close alike. */
import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DamagedError, FormatError, MissingError, UnreadableError, UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { chunkAfter, FINISHED, WRITING } from '../../formats/jfr/testing/growing-chunk.js';
import { changedQuestion } from '../../questions/change.js';
import { parseQuestion } from '../../questions/schema.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { isViewName, VIEWS, type ViewName } from '../../views/index.js';
import { tableOf, tableRows } from '../../views/row-table.js';
import type { CataloguedQuestion, Question } from '../session.js';
import { directWorkspace } from './direct.node.js';
import { isShortList, ObjectLists, publishedLists, SHORT_LISTS } from './testing/object-lists.js';
import { receivedError, receivedResult, sentError, sentResult } from './wire.js';
import { workerWorkspace } from './worker.node.js';
import type { RecordingFacts, Workspace } from './workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-workspace-'));
after(() => rmSync(folder, { recursive: true }));

const example = (name: string): string => join(ROOT, 'examples', name);
const [IPROF, TEXT, JFR, CALLS, DUMP] = [
  'loops/loops.iprof',
  'hprof/cpu-samples.txt',
  'jfr/shop.jfr.gz',
  'points-to/call_tree_shop-1.txt',
  'deadlock-jstack.txt',
].map(example);
const EXAMPLES = [
  ...[IPROF, TEXT, JFR, CALLS, DUMP],
  ...['heap/graph.hprof.gz', 'histogram/before.txt', 'histogram/after.txt', 'stale/shop.iprof'].map(example),
  example('experiment/store.er.tar.gz'),
  ...['points-to/trace_types_shop.txt', 'points-to/call_tree_shop-2.txt', 'points-to/shop.collapsed'].map(example),
  example('experiment/store.er.tar.gz'),
  example('heap/out-of-memory.hprof.gz'),
];

const CARRIERS: readonly (readonly [string, () => Workspace])[] = [
  ['direct', directWorkspace],
  ['worker', workerWorkspace],
];

/** Options of the views that need some. */
const OPTIONS: Readonly<Record<string, object>> = {
  callers: { function: 'java' },
  source: { name: 'Loops.gcd' },
  disasm: { method: 'Loops.gcd' },
  events: { types: ['jdk.ThreadPark'] },
  'event-groups': { types: ['jdk.ThreadPark'], by: ['thread'] },
  'heap-inspect': { object: '0xfe0708a0' },
  'heap-paths': { object: '0xfe0708a0' },
  'calls-why': { method: 'Stock' },
  'calls-callers': { method: 'Stock' },
  'calls-graph': { method: 'Stock' },
  'calls-groups': { by: 'package' },
  'calls-check': { forbid: ['java.util.**'] },
  'calls-smallest-cut': { bytes: '10' },
  'pgo-inlining': { method: 'Loops', into: true },
};
/** The bases of views that compare. */
const BASES: Readonly<Record<string, readonly string[]>> = {
  diff: ['points-to/shop.collapsed', 'histogram/before.txt'].map(example),
  'calls-diff': [example('points-to/call_tree_shop-1.txt')],
  'calls-unreached': [example('points-to/shop.collapsed')],
};

/** An answer, or what was wrong. */
async function outcome(
  workspace: Workspace,
  question: Question<ViewName> | CataloguedQuestion,
  see: (result: unknown) => void = () => undefined,
): Promise<unknown> {
  try {
    const result = await workspace.ask(question);
    see(result);
    return JSON.parse(JSON.stringify(result));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof DamagedError)) throw error;
    return [error.constructor.name, error.message, error.advice];
  }
}

describe('every view answers the same through a worker', () => {
  const [direct, worker] = [directWorkspace(), workerWorkspace()];
  after(() => Promise.all([direct.end(), worker.end()]));
  const library = {
    classes: ['loops', 'stale/shop-2.jar', 'points-to/shop.jar'].map(example),
    sources: [example('loops')],
  };
  const request = { names: EXAMPLES, cache: false, library };
  let facts: readonly RecordingFacts[] = [];
  test('as do the facts', async () => {
    facts = await direct.open(request);
    deepEqual(await worker.open(request), facts);
    deepEqual([await worker.list(), await worker.facts('r3')], [await direct.list(), facts[2]]);
  });

  const answered = new Set<string>();
  const lists = new ObjectLists();
  for (const view of Object.keys(VIEWS).filter(isViewName))
    test(view, async () => {
      const options = OPTIONS[view];
      const bases = BASES[view]?.flatMap((path) => facts.filter(({ name }) => name === path)) ?? [undefined];
      for (const { id: recording } of facts)
        for (const base of bases) {
          const sides = { recording, ...(base && { base: base.id }) };
          const question: Question<ViewName> = { view, ...sides, ...(options && { options }) };
          const expected = await outcome(direct, question);
          const received = await outcome(worker, question, (result) => lists.add(view, result));
          deepEqual(received, expected, recording);
          if (!Array.isArray(expected)) answered.add(view);
        }
    });

  test('and every view answered', () => {
    deepEqual(
      Object.keys(VIEWS).filter((view) => !answered.has(view)),
      [],
    );
  });

  const askLast = async (paths: readonly string[], view: ViewName, options: object, isCompared = false) => {
    const names = [...paths];
    const ids = (await direct.open({ names, cache: false, library })).map(({ id }) => id);
    await worker.open({ names, cache: false, library });
    const question = { view, recording: ids.at(-1), ...(isCompared && { base: ids[0] }), options };
    const received = await outcome(worker, question, (result) => lists.add(view, result));
    deepEqual(received, await outcome(direct, question));
  };
  test('and lists that few recordings have', async () => {
    await askLast([example('heap/graph.hprof.gz')], 'heap-inspect', { object: '0xfe009468' });
    await askLast([example('krisfoster-binary-tree.iprof')], 'pgo-stale', {});
    await askLast(['pgo/before.iprof', 'pgo/after.iprof'].map(example), 'diff', { by: 'branch' }, true);
  });
  test('and pauses of a recorder', async (t) => {
    const path = sharedData(t, 'experiments/pauses.er.tar.gz');
    if (path !== undefined) await askLast([path], 'processes', {});
    // No other recording has any.
    else lists.tables.add('processes pauses');
  });

  test('and no list that may be long is an array of objects', () => {
    deepEqual(
      [...lists.arrays].filter((path) => !isShortList(path)),
      [],
    );
    const published = Object.keys(VIEWS).flatMap(publishedLists);
    const columns = published.filter((path) => !isShortList(path));
    deepEqual(
      columns.filter((path) => !lists.tables.has(path)),
      [],
      'no answer had a row',
    );
    deepEqual(
      Object.keys(SHORT_LISTS).filter((path) => !published.includes(path)),
      [],
    );
  });

  test('and a question of the catalogue, by the view that fits the recording', async () => {
    const types = new Set<string>();
    for (const { id: recording } of facts) {
      const question = { question: 'tree', recording, options: { depth: 2 } };
      const expected = await outcome(direct, question);
      deepEqual(await outcome(worker, question), expected, recording);
      if (typeof expected === 'object' && expected !== null && 'type' in expected) types.add(String(expected.type));
    }
    deepEqual([...types].sort(), ['calls-tree', 'tree']);
  });

  test('and a comparison', async () => {
    const question = { view: 'flame', recording: 'r3', base: 'r2', options: { metric: 'samples' } } as const;
    deepEqual(await outcome(worker, question), await outcome(direct, question));
  });
});

for (const [title, carrier] of CARRIERS)
  describe(`the ${title} carrier`, () => {
    const opened = async (t: { after(end: () => Promise<void>): void }, ...names: string[]) => {
      const workspace = carrier();
      t.after(() => workspace.end());
      return { workspace, facts: await workspace.open({ names, cache: false }) };
    };

    test('gives notes and errors as data', async (t) => {
      const { workspace } = await opened(t, JFR);
      const { notes } = await workspace.ask({ view: 'event-types' });
      const empty = notes.find(({ code }) => code === 'types-without-events');
      deepEqual(empty?.action, { set: { all: true } });
      deepEqual(empty?.text.slice(1), [{ option: 'all' }, ' lists them).']);
      const question = { view: 'functions', options: { durations: true, by: 'line', metric: 'blocked' } } as const;
      await rejects(workspace.ask(question), {
        name: 'UsageError',
        message: 'the option durations are those of functions',
        code: 'functions-only',
        advice: ['Omit ', { option: 'by' }, '.'],
        action: { omit: ['by'] },
      });
    });

    test('asks each recording with the classes that it was opened with', async (t) => {
      const workspace = carrier();
      t.after(() => workspace.end());
      await workspace.open({ names: [IPROF], cache: false, library: { classes: [example('loops')] } });
      const alone = await workspace.ask({ view: 'pgo-coverage', recording: 'r1' });
      const library = { classes: [example('stale/shop-1.jar')] };
      await workspace.open({ names: [example('stale/shop.iprof')], cache: false, library });
      deepEqual(await workspace.ask({ view: 'pgo-coverage', recording: 'r1' }), alone);
    });

    test('resolves questions of the catalogue, so that the actions of notes change them', async (t) => {
      const { workspace } = await opened(t, example('histogram/before.txt'), example('histogram/after.txt'));
      const question = { question: 'heap histogram', recording: 'r2', base: 'r1' };
      const { notes } = await workspace.ask(question);
      const same = notes.find(({ action }) => action?.set?.same === true);
      throws(() => changedQuestion(parseQuestion(question), same?.action ?? {}), /is not resolved/);
      const changed = changedQuestion(await workspace.resolve(question), same?.action ?? {});
      deepEqual([changed?.view, changed?.options], ['diff', { by: 'class', same: true }]);
      await rejects(workspace.ask({ ...question, comparison: 'counts' }), { advice: 'It takes base.' });
      await rejects(workspace.ask({ question: 'tree', comparison: 'counts' }), /no base is the counts/);
    });

    test('keeps ids when recordings are closed, and gives none again', async (t) => {
      const { workspace } = await opened(t, IPROF, TEXT);
      const later = await workspace.open({ names: [DUMP], cache: false });
      await workspace.close('r1');
      deepEqual(
        (await workspace.list()).map(({ id }) => id),
        ['r2', 'r3'],
      );
      equal((await workspace.ask({ view: 'summary', recording: 'r2' })).recording, TEXT);
      equal((await workspace.ask({ view: 'summary', recording: 'r3' })).recording, DUMP);
      await rejects(workspace.ask({ view: 'summary', recording: 'r1' }), {
        message: 'the session has no recording r1',
      });
      await rejects(workspace.facts('r1'), { message: 'no recording has the id r1', advice: 'Open: r2, r3.' });
      await rejects(workspace.close('r1'), UsageError);
      throws(() => workspace.subscribe('r1', () => undefined), UsageError);
      deepEqual(
        [later.map(({ id }) => id), (await workspace.open({ names: [IPROF] })).map(({ id }) => id)],
        [['r3'], ['r4']],
      );
    });

    test('has facts that fronts decide by', async (t) => {
      const { facts } = await opened(t, JFR, CALLS, DUMP);
      const [jfr, calls, dump] = facts;
      deepEqual([jfr?.format, jfr?.models, jfr?.final], ['jfr', ['profile', 'event-types'], true]);
      deepEqual([calls?.models.includes('call-graph'), calls?.complete], [true, true]);
      ok(jfr?.metrics.some(({ id }) => id === 'samples'));
      const traits = { reportsCalls: false, givesReasons: false, countsStates: false, hasStates: false };
      deepEqual(
        [jfr, calls, dump].map((each) => each?.traits),
        [traits, { ...traits, reportsCalls: true }, { ...traits, countsStates: true, hasStates: true }],
      );
    });

    test('passes errors on', async (t) => {
      const { workspace } = await opened(t, IPROF);
      await rejects(workspace.open({ names: [join(folder, 'missing')] }), UnreadableError);
      await rejects(workspace.ask({ view: 'heap-objects' }), UsageError);
      await rejects(workspace.ask({ view: 'functions', options: { metric: 'call' } }), {
        message: /has no metric call/,
      });
    });

    test('reports the cost, and stops before it begins', async (t) => {
      const { workspace } = await opened(t, TEXT);
      equal((await workspace.cost({ view: 'functions' })).bytes, 0);
      await rejects(workspace.ask({ view: 'tree' }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
      const controller = new AbortController();
      const stopped = workspace.ask({ view: 'tree' }, { signal: controller.signal });
      controller.abort();
      await rejects(stopped, { name: 'AbortError' });
    });

    test('names the content of a recording', async (t) => {
      const { workspace } = await opened(t, TEXT);
      const expected = createHash('sha256').update(readFileSync(TEXT)).digest('hex');
      equal(await workspace.contentHash('r1'), expected);
      await rejects(workspace.contentHash('r9'), /r9/);
    });

    test('follows a recording that grows, as long as somebody listens', async (t) => {
      const workspace = carrier();
      t.after(() => workspace.end());
      const path = join(folder, `${title}.jfr`);
      writeFileSync(path, chunkAfter(1, WRITING));
      const [facts] = await workspace.open({ names: [path], follow: true });
      deepEqual([facts?.snapshot, facts?.final], [1, false]);
      const events = async () => (await workspace.ask({ view: 'summary' })).sections;
      const before = await events();
      const factsSeen: RecordingFacts[] = [];
      const stop = workspace.subscribe(facts?.id ?? '', (each) => factsSeen.push(each));
      writeFileSync(path, chunkAfter(3, FINISHED));
      while (factsSeen.length === 0) await setTimeout(20);
      stop();
      deepEqual([factsSeen[0]?.id, factsSeen[0]?.snapshot], [facts?.id, 2]);
      ok(JSON.stringify(await events()) !== JSON.stringify(before));
    });
  });

describe('the worker carrier', () => {
  test('ends an aborted question at once, and answers the next one in a new thread', async (t) => {
    const workspace = workerWorkspace();
    t.after(() => workspace.end());
    const path = join(folder, 'many.collapsed');
    writeFileSync(path, manyStacks(60_000));
    await workspace.open({ names: [TEXT, path], cache: false });
    await workspace.close('r1');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const controller = new AbortController();
    const question = { view: 'flame', recording: 'r2', options: { inverted: true } } as const;
    const stopped = workspace.ask(question, { signal: controller.signal });
    const other = workspace.ask({ view: 'summary', recording: 'r2' });
    await setTimeout(60);
    const aborted = performance.now();
    controller.abort();
    await rejects(stopped, { name: 'AbortError' });
    const late = performance.now() - aborted;
    const { recording, metric } = await workspace.ask({ view: 'functions', recording: 'r2' });
    equal(recording, path);
    equal(metric.sum, 60_000);
    equal((await other).recording, path);
    deepEqual(
      (await workspace.list()).map(({ id }) => id),
      ['r2'],
    );
    delay.disable();
    t.diagnostic(
      `aborted after ${late.toFixed(1)} ms; the asking thread was blocked ${(delay.max / 1e6).toFixed(0)} ms`,
    );
  });

  test('reports progress of what takes long', async (t) => {
    const workspace = workerWorkspace();
    t.after(() => workspace.end());
    const path = join(folder, 'deep.collapsed');
    writeFileSync(path, manyStacks(60_000));
    const phases = new Set<string>();
    await workspace.open({ names: [path], cache: false });
    await workspace.ask({ view: 'tree', options: { inverted: true } }, { progress: ({ phase }) => phases.add(phase) });
    match([...phases].join(', '), /call tree/);
  });
});

/** Stacks that share few frames: an inverted tree has a node for nearly each. */
function manyStacks(count: number): string {
  let text = '';
  for (let stack = 0; stack < count; stack++) {
    const frames = Array.from({ length: 20 }, (_, depth) => `f${(stack * (depth * 7 + 13)) % 7919}`);
    text += `${frames.join(';')};own${stack} 1\n`;
  }
  return text;
}

test('the memory of all columns is given away, also of those within cells', () => {
  const parts = [{ name: 'x', count: 1 }];
  const result = { rows: tableRows([{ a: 1, flag: true, names: ['x'], parts, nested: [{ parts }] }]) };
  const expected = JSON.parse(JSON.stringify(result));
  const { message, transfer } = sentResult(result);
  const received = receivedResult(structuredClone(message, { transfer }));
  deepEqual(JSON.parse(JSON.stringify(received)), expected);
  const buffers = JSON.stringify(tableOf(result.rows), (_, value) =>
    ArrayBuffer.isView(value) ? value.byteLength : value,
  );
  match(buffers, /"values":0/);
  ok(!/"(values|first|ids)":[1-9]/.test(buffers), buffers);
});

test('errors keep their class, text, code, advice, action and place', () => {
  for (const error of [
    new UsageError('a', 'b'),
    new UsageError(phrase`${theOption('by')} is for functions`, {
      code: 'functions-only',
      advice: phrase`Omit ${theOption('by')}.`,
      action: { omit: ['by'] },
    }),
    new MissingError('a'),
    new UnreadableError('a', 'b'),
    new DamagedError('a'),
    new FormatError({ format: 'jfr', offset: 7, expected: 'x', found: 'y', advice: 'z' }),
  ]) {
    const received = receivedError(structuredClone(sentError(error)));
    equal(received.constructor, error.constructor);
    for (const field of ['message', 'text', 'code', 'advice', 'action'])
      deepEqual(Reflect.get(received, field), Reflect.get(error, field), field);
    if (error instanceof FormatError) equal(Reflect.get(received, 'offset'), 7);
  }
  equal(receivedError(sentError(new DOMException('stopped', 'AbortError'))).name, 'AbortError');
  equal(receivedError(sentError('text')).message, 'text');
});
