/** The catalogue: every question leads to a view of its own options, and every option is said in words. */
import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allCommands, buildProgram } from '../../cli/program.js';
import { memoryHost } from '../../cli/testing/run-command.js';
import { allViews } from '../../views/index.js';
import { ANY_DIFF_BY, CALL_DIFF_BY, DIFF_BY } from '../options/diff.js';
import { VIEW_OPTIONS } from '../options/index.js';
import { optionDefinitions } from '../options/option.js';
import type { AskedWith } from './entry.js';
import { allQuestions, questionNamed, viewOf } from './index.js';
import type { RecordingTraits } from './traits.js';

const QUESTIONS = await allQuestions();
const VIEWS = await allViews();
const PROFILE: RecordingTraits = { reportsCalls: false, givesReasons: false, countsStates: false, hasStates: false };
const REPORT: RecordingTraits = { ...PROFILE, reportsCalls: true };
const TRACE: RecordingTraits = { ...PROFILE, givesReasons: true };
const DUMP: RecordingTraits = { ...PROFILE, countsStates: true, hasStates: true };
const ALONE: AskedWith = { traits: [PROFILE] };

/** The view that the question with this name leads to. */
async function chosenView(id: string, context: Partial<AskedWith>, options: object = {}): Promise<string> {
  return viewOf(await questionNamed(id), options, { ...ALONE, ...context }).view;
}

describe('the catalogue', () => {
  test('has the options of every view, and views have no others', () => {
    deepEqual(VIEWS.map(({ name }) => name).sort(), Object.keys(VIEW_OPTIONS).sort());
    const schemas = new Map<string, unknown>(Object.entries(VIEW_OPTIONS));
    for (const { name, options } of VIEWS) equal(options, schemas.get(name), name);
  });

  test('leads to every view', async () => {
    const traits = [[PROFILE], [REPORT], [TRACE], [DUMP], [DUMP, DUMP]];
    const optionSets = [
      {},
      { by: 'cause' },
      { cut: undefined, bytes: '20MB' },
      { group: 'stack' },
      { types: ['x'] },
      { types: ['x'], group_by: ['type'] },
    ];
    const views = new Set<string>();
    for (const entry of QUESTIONS)
      for (const each of traits)
        for (const compared of [undefined, ...entry.compared.map(({ key }) => key)])
          for (const options of optionSets) {
            const subject = entry.subject !== undefined && entry.subject !== 'types' ? { [entry.subject]: 'x' } : {};
            try {
              const context = { traits: each, ...(compared && { compared }) };
              views.add(viewOf(entry, { ...subject, ...options }, context).view);
            } catch {
              // Not every choice fits every question.
            }
          }
    deepEqual([...views].sort(), Object.keys(VIEW_OPTIONS).sort());
  });

  test('chooses the view by what the recordings have', async () => {
    equal(await chosenView('tree', { traits: [REPORT] }), 'calls-tree');
    equal(await chosenView('tree', {}), 'tree');
    equal(
      await chosenView('callers', { traits: [REPORT, PROFILE], compared: 'counts' }, { function: 'x' }),
      'calls-callers',
    );
    equal(await chosenView('calls why', { traits: [TRACE] }), 'calls-reasons');
    equal(await chosenView('diff', { traits: [DUMP, DUMP], compared: 'base' }), 'threads');
    equal(await chosenView('diff', { traits: [DUMP, DUMP], compared: 'base' }, { by: 'function' }), 'diff');
    equal(await chosenView('diff', { traits: [REPORT, REPORT], compared: 'base' }), 'calls-diff');
    equal(await chosenView('diff', { traits: [REPORT, REPORT], compared: 'base' }, { by: 'context' }), 'diff');
    equal(await chosenView('heap histogram', { compared: 'base' }), 'diff');
  });

  test('refuses names and options that it does not have, with the nearest ones', async () => {
    await rejects(chosenView('functons', {}), /unknown question functons/);
    await rejects(chosenView('functions', {}, { metrik: 'x' }), { advice: 'Did you mean metric?' });
    await rejects(chosenView('functions', {}, { by: 'lines' }), { advice: 'Did you mean line?' });
    await rejects(chosenView('heap paths', { compared: 'base' }), /heap paths takes no base/);
    const flame = await questionNamed('flame');
    throws(() => viewOf(flame, { minShare: 2 }, ALONE), /minShare/);
  });

  test('says in words what each option does', () => {
    for (const { id, options, subject } of QUESTIONS) {
      const definitions = optionDefinitions(options);
      for (const { key, title, description } of definitions) {
        ok(title.length > 0 && /^[A-Z]/.test(title), `${id} ${key}: ${title}`);
        ok(description.length > 5 && !description.endsWith('.'), `${id} ${key}: ${description}`);
      }
      if (subject !== undefined)
        ok(
          definitions.some(({ key }) => key === subject),
          id,
        );
    }
  });

  test('has a command for each question, with every option', async () => {
    const program = await buildProgram({ host: memoryHost(), exitCode: 0 });
    const commands = new Map(
      allCommands(program).map((command) => {
        const parent = command.parent === program || command.parent === null ? '' : `${command.parent.name()} `;
        return [`${parent}${command.name()}`, command];
      }),
    );
    for (const { id, options, subject } of QUESTIONS) {
      const longNames = commands.get(id)?.options.map(({ long }) => long?.replace(/^--(no-)?/, '')) ?? [];
      for (const { key } of optionDefinitions(options)) {
        const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace('_', '-');
        ok(key === subject || longNames.includes(name), `${id} --${name}`);
      }
    }
  });

  test('compares all rows that one of its views has', () => {
    deepEqual([...new Set([...DIFF_BY, ...CALL_DIFF_BY])].sort(), [...ANY_DIFF_BY].sort());
  });
});
