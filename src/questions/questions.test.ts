/** Questions as data: what survives JSON and a URL, and what is refused. */
import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import { openedRecording } from '../models/open-recording.js';
import { ORIGINS, VIEW_MODES } from '../models/scope.js';
import { ask, sessionOf, sessionOfOpen } from '../session/session.js';
import { runs } from '../testing/amount.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { allViews } from '../views/index.js';
import { parseQuestion, type QuestionData, scopeStepSchema } from './schema.js';
import { questionOfQuery, questionQuery } from './url.js';

const VIEWS = await allViews();
const text = fc.oneof(fc.string(), fc.constantFrom('', '5', 'true', '{"kind":"focus"}', 'a:b', '#+&=%', 'クラス', '"'));
const whole = fc.nat();
const time = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const steps = {
  pattern: fc.record({ kind: fc.constantFrom('focus', 'ignore', 'hide', 'show', 'thread'), pattern: text }),
  process: fc.record({ kind: fc.constant('process'), processes: text }),
  filter: fc.record({ kind: fc.constant('filter'), expression: text }),
  at: fc.record({ kind: fc.constant('at'), event: text }),
  during: fc.record({ kind: fc.constant('during'), events: text }),
  time: fc.record({ kind: fc.constant('time'), from: time, to: time }, { requiredKeys: ['kind', 'from'] }),
  clock: fc.record({ kind: fc.constant('clock'), from: text, to: text }, { requiredKeys: ['kind'] }),
  state: fc.record({ kind: fc.constant('state'), states: fc.array(text) }),
  dump: fc.record({ kind: fc.constant('dump'), number: fc.oneof(whole, fc.constant('last')) }),
  origin: fc.record({ kind: fc.constant('origin'), origins: fc.array(fc.constantFrom(...ORIGINS)) }),
  'view-mode': fc.record({ kind: fc.constant('view-mode'), mode: fc.constantFrom(...VIEW_MODES) }),
  depth: fc.record({ kind: fc.constant('depth'), frames: fc.integer({ min: 1 }) }),
};
const scope = fc.array(fc.oneof(...Object.values(steps)), { maxLength: 5 });

/** Values that fit the schema of an option. */
function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return valuesOf(schema.def.innerType);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element), { minLength: 1, maxLength: 3 });
  if (schema instanceof z.ZodRecord) return fc.dictionary(text, valuesOf(schema.valueType), { noNullPrototype: true });
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(valuesOf));
  if (schema instanceof z.ZodNumber) return fitting(schema, [0, 0.5, 1, 2, 7, 100]);
  return fitting(schema, ['', '5', 'true', 'java.util.HashMap', 'クラス #+&=%', '0x7f', 'a:b', 'jdk.ThreadPark#3']);
}

/** Those of the values that fit; a test fails where none does, since the option would not be tried. */
function fitting(schema: unknown, values: readonly unknown[]): fc.Arbitrary<unknown> {
  const fit = values.filter((value) => schema instanceof z.ZodType && schema.safeParse(value).success);
  if (fit.length === 0) throw new Error(`none of ${values.join(', ')} fits`);
  return fc.constantFrom(...fit);
}

/** Questions to a view, with any of its options. */
function questionsTo({ name, options }: { readonly name: string; readonly options: z.ZodObject }) {
  const fields = Object.fromEntries(Object.entries(options.shape).map(([key, field]) => [key, valuesOf(field)]));
  const required = Object.entries(options.shape).flatMap(([key, field]) =>
    field instanceof z.ZodType && !field.safeParse(undefined).success ? [key] : [],
  );
  const id = fc.constantFrom('r1', 'r2', 'another');
  return fc.record(
    {
      view: fc.constant(name),
      recording: id,
      base: id,
      runs: fc.array(id, { minLength: 1, maxLength: 3 }),
      baseRuns: fc.array(id, { minLength: 1, maxLength: 3 }),
      options: fc.record(fields, { requiredKeys: required }),
      scope,
      baseScope: scope,
      page: fc.record({ offset: whole, limit: whole, sort: text }, { requiredKeys: [] }),
    },
    { requiredKeys: ['view'] },
  );
}

/** Without what says nothing: a URL has no empty scope, options or page. */
function withoutEmpty({ scope, options, page, ...rest }: QuestionData): QuestionData {
  return {
    ...rest,
    ...(scope !== undefined && scope.length > 0 && { scope }),
    ...(options !== undefined && Object.keys(options).length > 0 && { options }),
    ...(page !== undefined && Object.keys(page).length > 0 && { page }),
  };
}

describe('a question survives', () => {
  test('JSON and a URL, to any view with any of its options', () => {
    const schemas = new Map<string, z.ZodObject>(VIEWS.map(({ name, options }) => [name, options.strict()]));
    fc.assert(
      fc.property(fc.oneof(...VIEWS.map(questionsTo)), (drawn) => {
        const question = parseQuestion(drawn);
        deepEqual(parseQuestion(JSON.parse(JSON.stringify(question))), question);
        deepEqual(questionOfQuery(questionQuery(question)), withoutEmpty(question));
        if (question.options !== undefined) schemas.get(question.view ?? '')?.parse(question.options);
      }),
      runs(4000),
    );
  });

  test('in a URL that people can read', () => {
    const question = { view: 'tree', scope: [{ kind: 'focus', pattern: 'HashMap' }], page: { limit: 5 } };
    equal(questionQuery(parseQuestion(question)), 'view=tree&scope=focus%3AHashMap&limit=5');
  });

  test('there is a drawn step of each kind', () => {
    const kinds = scopeStepSchema.options.flatMap(({ shape: { kind } }) =>
      kind instanceof z.ZodEnum ? ['pattern'] : [...kind.values],
    );
    deepEqual(Object.keys(steps), kinds);
  });

  test('with an open end, which an infinite one would not', async () => {
    const session = sessionOf([drawnRecording({ ...picture('@time 1 2 3\n      a a a\n      b   c'), name: 'app' })]);
    const question = { view: 'functions', scope: [{ kind: 'time', from: 2 }] } as const;
    const sum = async (data: typeof question) => (await ask(session, data)).metric.sum;
    equal(await sum(question), 2);
    equal(await sum(JSON.parse(JSON.stringify(question))), 2);
    const infinite = { ...question, scope: [{ kind: 'time', from: 2, to: Infinity }] as const };
    await rejects(ask(session, infinite), { message: /question › scope › 0 › to: .*; found null/ });
  });
});

describe('a question is refused', () => {
  const session = sessionOf([drawnRecording({ ...picture('a a\nb'), name: 'app' })]);
  const refused = async (question: object, message: string, advice?: string): Promise<void> => {
    const error: unknown = await Reflect.apply(ask, undefined, [session, question]).then(
      () => 'an answer',
      (reason: unknown) => reason,
    );
    if (!(error instanceof UsageError)) throw error;
    deepEqual([error.message, error.advice], [message, advice]);
  };

  for (const [title, question, message, advice] of [
    ['view', { view: 'functons' }, 'unknown view functons', 'Did you mean functions?'],
    ['field', { view: 'tree', scop: [] }, 'unknown field of question: scop', 'Did you mean scope?'],
    [
      'option',
      { view: 'functions', options: { metrik: 'x' } },
      'unknown field of options of functions: metrik',
      'Did you mean metric?',
    ],
    [
      'value of an option',
      { view: 'functions', options: { by: 'lines' } },
      'unknown value of options of functions › by: lines',
      'Did you mean line?',
    ],
    [
      'kind of step',
      { view: 'tree', scope: [{ kind: 'focuss', pattern: 'a' }] },
      'unknown kind of question › scope › 0: focuss',
      'Did you mean focus?',
    ],
    [
      'field of a step',
      { view: 'tree', scope: [{ kind: 'time', from: 1, til: 2 }] },
      'unknown field of question › scope › 0: til',
      'Did you mean to?',
    ],
    [
      'mode',
      { view: 'tree', scope: [{ kind: 'view-mode', mode: 'usr' }] },
      'unknown value of question › scope › 0 › mode: usr',
      'Did you mean user?',
    ],
    ['recording', { view: 'tree', recording: 'r7' }, 'the session has no recording r7', 'Its recordings: r1.'],
  ] as const)
    test(`with a misspelt ${title}`, () => refused(question, message, advice));

  for (const [page, message] of [
    [{ offset: -3 }, /^question › page › offset: .*>=0; found -3$/],
    [{ limit: 'x' }, /^question › page › limit: .*expected number.*; found x$/],
    [{ limit: 1.5 }, /^question › page › limit: .*int.*; found 1.5$/],
  ] as const)
    test(`with a page ${JSON.stringify(page)}`, async () => {
      await rejects(Reflect.apply(ask, undefined, [session, { view: 'functions', page }]), { message });
    });

  test('if it is none', () => {
    for (const value of [undefined, null, 7, 'view=tree', []]) throws(() => parseQuestion(value), UsageError);
    throws(() => questionOfQuery('view=tree&view=flame'), /view: given 2 times/);
    throws(() => questionOfQuery('view=tree&scope=bare'), /scope › 0 › |kind of question/);
  });

  test('if the session is empty', () =>
    rejects(ask(sessionOfOpen([]), { view: 'tree' }), { message: 'the session has no recording' }));
});

test('ids stay those of their recordings', async () => {
  const [one, two] = ['one', 'two'].map((name) => openedRecording(drawnRecording({ ...picture('a a\nb'), name })));
  if (one === undefined || two === undefined) throw new Error('two recordings');
  const session = sessionOfOpen([one, two]);
  deepEqual(session.ids, ['r1', 'r2']);
  equal((await ask(session, { view: 'functions', recording: 'r2' })).recording, 'two');
});
