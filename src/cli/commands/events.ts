/** `events`: the types of events of a recording, the events of a type, and groups of them. */
import type { Command } from 'commander';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import { events } from '../../questions/catalogue/events.js';
import { firstEvents } from '../../views/events/first-page.js';
import type { ResultOf } from '../../views/index.js';
import type { Invocation } from '../host.js';
import { pageOf } from '../invocation/answer.js';
import { openOnly, withWorkspace } from '../invocation/open.js';
import { addFollow } from '../invocation/options.js';
import { writePicture } from '../invocation/picture.js';
import { answerQuestion, type CommandExtras, type GivenQuestion, registerQuestion } from '../invocation/question.js';
import { stylePolicy } from '../render/page-html.js';
import { noteTexts } from '../render/spelling.js';

type EventsQuestion = GivenQuestion<typeof events.options>;

export function registerEvents(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, events, eventExtras(invocation));
}

/** What commands that list events add to their question. `usual`: the types if none are named; else they are listed. */
export function eventExtras(invocation: Invocation, usual?: string): CommandExtras<typeof events.options> {
  return {
    extend: (command) =>
      addFollow(
        command.option(
          '-o, --output <file>',
          'picture of steps of a number (--group-by time:1s): .svg, or .html with a table',
        ),
      ),
    run: async (question, _, command) => {
      const types = question.options.types ?? (usual === undefined ? undefined : [usual]);
      const typedQuestion = { ...question, options: { ...question.options, ...(types && { types }) } };
      const output: unknown = command.getOptionValue('output');
      if (typeof output === 'string') return drawSteps(invocation, typedQuestion, output);
      if (command.getOptionValue('follow') !== true) return answerEvents(invocation, typedQuestion);
      const paged = ['limit', 'offset', 'sort'].filter((name) => command.getOptionValueSource(name) === 'cli');
      if (paged.length > 0) throw new UsageError(`--follow lists all events as they come: no --${paged[0]}`);
      return followEvents(invocation, typedQuestion);
    },
  };
}

/** Reads no more of the file than the question needs. */
function answerEvents(invocation: Invocation, question: EventsQuestion): Promise<unknown> {
  const { options, words } = question;
  const { types, group_by: fields } = options;
  if (types === undefined) return answerQuestion(invocation, events, question, { extent: 'outline' });
  const most = fields === undefined ? { most: firstEvents(pageOf(words), words.scope ?? []) } : {};
  const depthQuestion =
    fields === undefined ? { ...question, options: { ...options, stack_depth: stackDepthOf(question) } } : question;
  return answerQuestion(invocation, events, depthQuestion, { extent: { foreseen: { words: types, ...most } } });
}

/** Writes groups of events by steps as a picture. */
async function drawSteps(
  invocation: Invocation,
  { files, options, words }: EventsQuestion,
  output: string,
): Promise<void> {
  const kind = /\.(svg|html?)$/.exec(output)?.[1];
  if (kind === undefined) throw new UsageError(`${readable(output)}: unknown output extension`, 'Use .svg or .html.');
  const { types = [], group_by: by = [], ...others } = options;
  if (types.length === 0 || by.length === 0)
    throw new UsageError('-o draws steps of a number', 'Name a type and steps: events FILE TYPE --group-by time:1s.');
  await withWorkspace(invocation, words, async (inputs) => {
    const { id: recording } = await openOnly(inputs, files[0] ?? '');
    const result = await inputs.workspace.ask(
      {
        view: 'event-groups',
        recording,
        options: { types, by, ...defined({ value: others.value, secrets: others.secrets, clock: others.clock }) },
        page: { limit: 0, offset: 0 },
        scope: [...(words.scope ?? [])],
      },
      { signal: invocation.host.signal },
    );
    const texts = noteTexts(result.notes);
    const text =
      kind === 'svg'
        ? (await import('../../pictures/steps/svg.js')).stepsSvg(result, texts)
        : (await import('../../pictures/steps/page.js')).stepsPage(result, texts, stylePolicy);
    await writePicture(invocation, { text, output, files, extent: plural(result.total, 'step') }, result, true);
  });
}

/** Whole stacks are for programs. */
function stackDepthOf({ options, words: { json, format } }: EventsQuestion): number {
  return options.stack_depth ?? (json === true || format === 'json' || format === 'ndjson' ? 0 : 1);
}

/** Each part sorts the events of its snapshot, and takes about 100 MB as text. */
const ROWS_AT_ONCE = 100_000;

/** Prints the events of these types, and those that follow. */
async function followEvents(invocation: Invocation, firstQuestion: EventsQuestion): Promise<void> {
  const { files, options, words, compared } = firstQuestion;
  const { types: typeNames, group_by: fields, value, secrets, clock, all } = options;
  if (typeNames === undefined) throw new UsageError('--follow needs a type of events', 'Name it after the file.');
  if (fields !== undefined || value !== undefined || all || compared !== undefined)
    throw new UsageError('--follow lists events: no --group-by, --value, --all or --base');
  if (typeNames.length > 1 && (words.format === 'csv' || words.format === 'tsv'))
    throw new UsageError(
      `--follow lists one type as ${words.format}`,
      'Types have columns of their own; ndjson can hold several.',
    );
  const after = new Map<string, number>();
  const question = { types: typeNames, stack_depth: stackDepthOf(firstQuestion), secrets, clock };
  const { follow } = await import('../invocation/follow.js');
  return follow(invocation, files, words, {
    question: () => ({ view: 'events', options: { ...question, after: Object.fromEntries(after) } }),
    rowsAtOnce: ROWS_AT_ONCE,
    foreseen: typeNames,
    took: ({ rows }: ResultOf<'events'>) => {
      for (const { event } of rows) {
        const at = event.lastIndexOf('#');
        const type = event.slice(0, at);
        after.set(type, Math.max(after.get(type) ?? 0, Number(event.slice(at + 1))));
      }
      return rows.length > 0;
    },
  });
}
