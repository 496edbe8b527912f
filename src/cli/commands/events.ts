/** `events`: the types of events of a recording, the events of a type, and groups of them. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
  wholeNumber,
} from '../invocation/options.js';

const STATES = 'examples/deadlock-jstack.txt';

interface EventsOptions extends ListingOptions {
  readonly groupBy?: string;
  readonly value?: string;
  readonly stackDepth?: number;
  readonly secrets?: true;
  readonly all?: true;
}

export function registerEvents(program: Command, invocation: Invocation): void {
  const command = program
    .command('events')
    .description('types of events; with a type, its events with all fields')
    .argument('<file>', 'recording; - is standard input, archive.zip!/inner/path a member')
    .argument('[types]', 'types, comma-separated: names, their last parts, or any unique part')
    .option('--group-by <fields>', 'count the events by these fields, comma-separated; `type` is the type')
    .option('--value <field>', 'field to sum in groups (default: duration)')
    .option(
      '--stack-depth <frames>',
      'frames of each stack; 0 for all (default: 1, in json and ndjson all)',
      wholeNumber,
    )
    .option('--secrets', 'show texts that look like passwords, tokens or keys')
    .option('--all', 'list the types without events, too');
  addScopeOptions(addPageOptions(addOutputOptions(command))).action(
    (file: string, types: string | undefined, options: EventsOptions) => answerEvents(invocation, file, types, options),
  );
  addExamples(command, [
    `events ${STATES} state --filter state=blocked`,
    `events ${STATES} state --group-by state,stack`,
  ]);
}

async function answerEvents(
  invocation: Invocation,
  file: string,
  types: string | undefined,
  options: EventsOptions,
): Promise<void> {
  const { groupBy, value, stackDepth, secrets = false, all = false } = options;
  const opened = { extent: 'outline' } as const;
  if (types === undefined) {
    if (groupBy !== undefined || value !== undefined || stackDepth !== undefined)
      throw new UsageError('--group-by, --value and --stack-depth need a type of events', 'Name it after the file.');
    return answer(invocation, [file], { view: 'event-types', options: { all } }, options, opened);
  }
  if (all) throw new UsageError('--all lists types without events: name no type');
  const named = listOf(types);
  if (groupBy === undefined) {
    if (value !== undefined) throw new UsageError('--value needs --group-by');
    const isData = options.json === true || options.format === 'json' || options.format === 'ndjson';
    const question = { types: named, stack_depth: stackDepth ?? (isData ? 0 : 1), secrets };
    return answer(invocation, [file], { view: 'events', options: question }, options, opened);
  }
  if (stackDepth !== undefined) throw new UsageError('--stack-depth: groups have the innermost frame of their stacks');
  const question = { types: named, by: listOf(groupBy), secrets, ...(value !== undefined && { value }) };
  return answer(invocation, [file], { view: 'event-groups', options: question }, options, opened);
}

function listOf(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}
