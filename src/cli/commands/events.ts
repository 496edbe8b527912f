/** `events`: the types of events of a recording, the events of a type, and groups of them. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { firstEvents } from '../../views/events/first-page.js';
import type { ResultOf } from '../../views/index.js';
import type { Invocation } from '../host.js';
import { answer, pageOf } from '../invocation/answer.js';
import {
  addBaseOptions,
  addExamples,
  addFollow,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type BaseOptions,
  type FollowOption,
  type ListingOptions,
  listOf,
  wholeNumber,
} from '../invocation/options.js';

const STATES = 'examples/deadlock-jstack.txt';

interface EventsOptions extends ListingOptions, BaseOptions, FollowOption {
  readonly groupBy?: string;
  readonly value?: string;
  readonly stackDepth?: number;
  readonly secrets?: true;
  readonly all?: true;
}

export function registerEvents(program: Command, invocation: Invocation): void {
  const command = addEvents(
    program.command('events').description('types of events; with a type, its events with all fields'),
    invocation,
  );
  addExamples(command, [
    `events ${STATES} state --filter state=blocked`,
    `events ${STATES} state --group-by state,stack`,
  ]);
}

/** Arguments, options and action of a command that lists events. `usual`: the types if none are named; else they are listed. */
export function addEvents(command: Command, invocation: Invocation, usual?: string): Command {
  command
    .argument('<file>', 'recording; - is standard input, archive.zip!/inner/path a member')
    .argument('[types]', `types, comma-separated: names, their last parts, or any unique part; * is all`, usual)
    .option('--group-by <fields>', 'count the events by these fields, comma-separated; `type` is the type')
    .option('--value <field>', 'field to sum in groups (default: duration)')
    .option(
      '--stack-depth <frames>',
      'frames of each stack; 0 for all (default: 1, in json and ndjson all)',
      wholeNumber,
    )
    .option('--secrets', 'show texts that look like passwords, tokens or keys')
    .option('--all', 'list the types without events, too');
  addScopeOptions(addPageOptions(addBaseOptions(addFollow(addOutputOptions(command))))).action(
    (file: string, types: string | undefined, options: EventsOptions) => {
      if (options.follow !== true) return answerEvents(invocation, file, types, options);
      const paged = ['limit', 'offset', 'sort'].filter((name) => command.getOptionValueSource(name) === 'cli');
      if (paged.length > 0) throw new UsageError(`--follow lists all events as they come: no --${paged[0]}`);
      return followEvents(invocation, file, types, options);
    },
  );
  return command;
}

async function answerEvents(
  invocation: Invocation,
  file: string,
  types: string | undefined,
  options: EventsOptions,
): Promise<void> {
  const { groupBy, value, stackDepth, secrets = false, all = false, base } = options;
  if (base !== undefined && groupBy === undefined)
    throw new UsageError(
      '--base compares groups of events: --group-by chooses them',
      'As in `--group-by eventThread`.',
    );
  if (types === undefined) {
    if (groupBy !== undefined || value !== undefined || stackDepth !== undefined)
      throw new UsageError('--group-by, --value and --stack-depth need a type of events', 'Name it after the file.');
    return answer(invocation, [file], { view: 'event-types', options: { all } }, options, { extent: 'outline' });
  }
  if (all) throw new UsageError('--all lists types without events: name no type');
  const named = listOf(types);
  if (groupBy === undefined) {
    if (value !== undefined) throw new UsageError('--value needs --group-by');
    const question = { types: named, stack_depth: stackDepthOf(options), secrets };
    const most = firstEvents(pageOf(options), options.scope ?? []);
    const first = { extent: { foreseen: { words: named, most } } };
    return answer(invocation, [file], { view: 'events', options: question }, options, first);
  }
  if (stackDepth !== undefined) throw new UsageError('--stack-depth: groups have the innermost frame of their stacks');
  const question = { types: named, by: listOf(groupBy), secrets, ...(value !== undefined && { value }) };
  const opened = { extent: { foreseen: { words: named } } };
  return answer(invocation, [file], { view: 'event-groups', options: question }, options, opened);
}

/** Whole stacks are for programs. */
function stackDepthOf({ stackDepth, json, format }: EventsOptions): number {
  return stackDepth ?? (json === true || format === 'json' || format === 'ndjson' ? 0 : 1);
}

/** Each part sorts the events of its snapshot, and takes about 100 MB as text. */
const ROWS_AT_ONCE = 100_000;

/** Prints the events of these types, and those that follow. */
async function followEvents(
  invocation: Invocation,
  file: string,
  types: string | undefined,
  options: EventsOptions,
): Promise<void> {
  const { groupBy, value, secrets = false, all = false, base } = options;
  if (types === undefined) throw new UsageError('--follow needs a type of events', 'Name it after the file.');
  if (groupBy !== undefined || value !== undefined || all || base !== undefined)
    throw new UsageError('--follow lists events: no --group-by, --value, --all or --base');
  const named = listOf(types);
  if (named.length > 1 && (options.format === 'csv' || options.format === 'tsv'))
    throw new UsageError(
      `--follow lists one type as ${options.format}`,
      'Types have columns of their own; ndjson can hold several.',
    );
  const after = new Map<string, number>();
  const question = { types: named, stack_depth: stackDepthOf(options), secrets };
  const { follow } = await import('../invocation/follow.js');
  return follow(invocation, [file], options, {
    question: () => ({ view: 'events', options: { ...question, after: Object.fromEntries(after) } }),
    rowsAtOnce: ROWS_AT_ONCE,
    foreseen: named,
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
