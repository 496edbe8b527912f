/** Questions as words: what a command makes of the words is the question again. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addQuestion, givenQuestion } from '../cli/invocation/question.js';
import type { ScopeStep } from '../models/scope.js';
import type { CatalogueEntry } from './catalogue/entry.js';
import { questionForms } from './catalogue/forms.js';
import { allQuestions } from './catalogue/index.js';
import { commandWords } from './command-words.js';

/** The words of a shell line without quotes but single ones. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** What a command of the question gives; undefined for options that are the command's own. */
async function given(entry: CatalogueEntry, words: readonly string[]) {
  const command = new Command(entry.id.split(' ').at(-1)).exitOverride().configureOutput({ writeErr: () => undefined });
  addQuestion(command, entry);
  let question: ReturnType<typeof givenQuestion> | undefined;
  command.action(() => {
    question = givenQuestion(command, entry);
  });
  await command.parseAsync([...words], { from: 'user' }).catch(() => undefined);
  return question;
}

test('the examples of all questions come back', async () => {
  const forms = new Map((await questionForms()).map((form) => [form.id, form]));
  let checked = 0;
  for (const entry of await allQuestions()) {
    // Its command has columns in place of a width of tables.
    if (entry.id === 'timeline') continue;
    const form = forms.get(entry.id);
    for (const example of entry.examples) {
      const words = wordsOf(example).slice(entry.id.split(' ').length);
      const first = await given(entry, words);
      if (form === undefined || first === undefined || first.files.length !== 1) continue;
      const { scope = [], limit, offset = 0, sort } = first.words;
      const page = { ...(sort !== undefined && { sort }), ...(limit !== undefined && { limit }), offset };
      const base = first.compared?.files[0];
      if (first.compared !== undefined && first.compared.key !== entry.compared[0]?.key) continue;
      const again = commandWords(
        form,
        { options: first.options, scope, page },
        { recording: first.files[0] ?? '', base },
      );
      const second = await given(entry, again.slice(entry.id.split(' ').length));
      deepEqual(second?.options, first.options, example);
      deepEqual(second?.words.scope ?? [], scope, example);
      deepEqual(second?.files, first.files, example);
      checked++;
    }
  }
  equal(checked > 60, true, `${checked} examples`);
});

test('steps of every kind come back', async () => {
  const [entry] = (await allQuestions()).filter(({ id }) => id === 'functions');
  const form = (await questionForms()).find(({ id }) => id === 'functions');
  if (entry === undefined || form === undefined) throw new Error('no functions');
  const scope: ScopeStep[] = [
    { kind: 'focus', pattern: "^a b'c$" },
    { kind: 'thread', pattern: 'pool-1' },
    { kind: 'filter', expression: 'duration > 20ms' },
    { kind: 'time', from: 1.5e9, to: 3_123_456_789 },
    { kind: 'time', from: 17 },
    { kind: 'clock', from: '08:07:58' },
    { kind: 'state', states: ['RUNNABLE', 'BLOCKED'] },
    { kind: 'origin', origins: ['own', 'jdk'] },
    { kind: 'at', event: 'jdk.ThreadPark#3' },
    { kind: 'during', events: 'acme.Request and duration > 1s' },
    { kind: 'view-mode', mode: 'machine' },
    { kind: 'dump', number: 2 },
    { kind: 'process', processes: '17,18' },
  ];
  const words = commandWords(form, { scope }, { recording: 'a.jfr' });
  deepEqual((await given(entry, words.slice(1)))?.words.scope, scope);
});
