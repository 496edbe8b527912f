/** Actions of notes and errors: what a button does with a question. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import type { Action, Note } from '../base/note.js';
import { theView } from '../base/phrase.js';
import { commandLineText } from '../cli/render/spelling.js';
import { directWorkspace } from '../session/workspace/direct.node.js';
import type { RecordingFacts } from '../session/workspace/workspace.js';
import { ROOT } from '../testing/shared-data.js';
import { allViews, isViewName, VIEWS, type ViewName } from '../views/index.js';
import { changedQuestion } from './change.js';
import { type QuestionData, scopeStepSchema } from './schema.js';

const QUESTION: QuestionData = {
  view: 'functions',
  recording: 'r2',
  options: { by: 'line', metric: 'cpu' },
  scope: [
    { kind: 'focus', pattern: 'a' },
    { kind: 'time', from: 1 },
  ],
  baseScope: [{ kind: 'focus', pattern: 'b' }],
  page: { offset: 3, limit: 5 },
};

test('a change keeps all that it does not name', () => {
  const changes: readonly (readonly [Action, Partial<QuestionData>])[] = [
    [{}, {}],
    [{ set: { metric: 'alloc' } }, { options: { by: 'line', metric: 'alloc' } }],
    [{ omit: ['by', 'also'] }, { options: { metric: 'cpu' } }],
    [{ omitSteps: ['focus'] }, { scope: [{ kind: 'time', from: 1 }], baseScope: [] }],
    [
      { addStep: { kind: 'origin', origins: ['profiler'] } },
      { scope: [...(QUESTION.scope ?? []), { kind: 'origin', origins: ['profiler'] }] },
    ],
    [{ limit: 0 }, { page: { offset: 3, limit: 0 } }],
  ];
  for (const [action, changed] of changes) deepEqual(changedQuestion(QUESTION, action), { ...QUESTION, ...changed });
  const { options: _options, page: _page, ...sides } = QUESTION;
  deepEqual(changedQuestion(QUESTION, { ask: theView('check') }), { ...sides, view: 'check' });
  deepEqual(changedQuestion(QUESTION, { ask: theView('diff', { options: { by: 'class' } }) }), {
    ...sides,
    view: 'diff',
    options: { by: 'class' },
  });
});

test('what needs a person is no button', () => {
  for (const action of [
    { choose: ['metric'] },
    { addSteps: ['time'] },
    { give: ['classes'] },
    { write: { transform: 'repair' } },
    { ask: theView('diff', { inputs: { base: null } }) },
    { ask: theView('calls-tree', { choose: { from: 'METHODS' } }) },
  ] as const)
    equal(changedQuestion(QUESTION, action), undefined);
});

const EXAMPLES = [
  ...['loops/loops.iprof', 'hprof/cpu-samples.txt', 'jfr/shop.jfr.gz', 'points-to/call_tree_shop-1.txt'],
  ...['deadlock-jstack.txt', 'heap/graph.hprof.gz', 'histogram/before.txt', 'histogram/after.txt'],
].map((name) => join(ROOT, 'examples', name));

/** Options of questions that are refused, or that leave something out. */
const OPTIONS: Readonly<Partial<Record<ViewName, readonly object[]>>> = {
  functions: [{}, { durations: true, by: 'line' }, { metric: 'none' }],
  callers: [{ function: 'java' }],
  source: [{ name: 'Loops.gcd' }],
  disasm: [{ method: 'Loops.gcd' }],
  events: [{ types: ['jdk.ThreadPark'] }],
  'event-groups': [{ types: ['jdk.ThreadPark'], by: ['thread'] }],
  'heap-inspect': [{ object: '0xfe0708a0' }],
  'heap-objects': [{}, { sizes: 'mat' }],
  'heap-paths': [{ object: '0xfe0708a0' }],
  'calls-check': [{ forbid: ['shop.*'] }],
  'calls-smallest-cut': [{ bytes: '20B' }],
  'calls-why': [{ method: 'Stock' }],
  'calls-callers': [{ method: 'Stock' }],
  'calls-graph': [{ method: 'Stock', depth: 3, most: 2 }],
  'calls-groups': [{ by: 'package' }, { by: 'module' }],
  'pgo-inlining': [{ method: 'Loops', into: true }, { method: 'Loops' }],
  diff: [{}, { by: 'class' }, { by: 'inlining', metric: 'calls' }],
};
const FOCUS = { kind: 'focus', pattern: 'a' } as const;

describe('every action that views propose', () => {
  const workspace = directWorkspace();
  let facts: readonly RecordingFacts[];
  let shapes: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    facts = await workspace.open({ names: EXAMPLES, cache: false });
    shapes = new Map((await allViews()).map(({ name, options }) => [name, Object.keys(options.shape)]));
  });
  after(() => workspace.end());
  const kinds: readonly string[] = scopeStepSchema.options.flatMap(({ shape: { kind } }) =>
    kind instanceof z.ZodEnum ? kind.options : [...kind.values],
  );
  const codes = new Set<string>();

  /** Notes of the answer, or the error as one. */
  const notesOf = async (question: QuestionData): Promise<readonly Pick<Note, 'code' | 'text' | 'action'>[]> => {
    try {
      return (await Reflect.apply(workspace.ask, workspace, [question])).notes;
    } catch (error) {
      if (!(error instanceof UsageError)) return [];
      const { code, text, advice, action } = error;
      return [{ code, text: advice ?? text, ...(action && { action }) }];
    }
  };

  for (const view of Object.keys(VIEWS).filter(isViewName))
    test(`fits: ${view}`, async () => {
      for (const { id: recording } of facts)
        for (const options of OPTIONS[view] ?? [{}])
          for (const part of [{}, { base: 'r8' }, { scope: [FOCUS] }]) {
            const question: QuestionData = { view, recording, options: { ...options }, ...part };
            for (const { code, text, action } of await notesOf(question)) {
              ok(!/undefined|\[object/.test(commandLineText(text)), commandLineText(text));
              if (action === undefined) continue;
              codes.add(code);
              for (const name of [...(action.choose ?? []), ...(action.omit ?? []), ...Object.keys(action.set ?? {})])
                ok(shapes.get(view)?.includes(name), `${view}, ${code}: ${name}`);
              for (const kind of [...(action.addSteps ?? []), ...(action.omitSteps ?? [])]) ok(kinds.includes(kind));
              const changed = changedQuestion(question, action);
              if (changed === undefined) continue;
              const next = await notesOf(changed);
              ok(!next.some((each) => ['question-invalid', 'unknown-name'].includes(each.code)), `${view}, ${code}`);
              if (action.omit !== undefined || action.omitSteps !== undefined || action.set !== undefined)
                ok(
                  !next.some((each) => each.code === code && each.action?.omit !== undefined),
                  `${view}, ${code}: again`,
                );
            }
          }
    });

  test('and there are some of each kind', () => {
    for (const code of [
      'next-step',
      'functions-only',
      'no-metric',
      'not-in-scope',
      'needs-classes',
      'methods-left-out',
    ])
      ok(codes.has(code), `${code} is none of ${[...codes].join(', ')}`);
  });
});
