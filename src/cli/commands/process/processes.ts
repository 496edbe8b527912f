/** `processes`, `usage` and `index`: what a recording is of, what the operating system counted, and metrics by parts of the time and the like. */
import { type Command, Option } from 'commander';
import { INDEX_KINDS, type IndexKind } from '../../../analysis/index-objects/objects.js';
import { USAGE_GROUPS, type UsageGroup } from '../../../views/experiment/usage.js';
import type { Invocation } from '../../host.js';
import { answer } from '../../invocation/answer.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
} from '../../invocation/options.js';

const FILES = 'recordings that describe their processes: experiments of gprofng';
const EXAMPLE = 'examples/experiment/store.er.tar.gz';

export function registerProcesses(program: Command, invocation: Invocation): void {
  const processes = program
    .command('processes')
    .description('what a recording is of: commands, machine, kinds of data, pauses, descendants')
    .argument('<file...>', FILES);
  addPageOptions(addOutputOptions(processes)).action((files: string[], options: ListingOptions) =>
    answer(invocation, files, { view: 'processes' }, options),
  );
  addExamples(processes, [`processes ${EXAMPLE}`, `processes ${EXAMPLE} --sort events`]);
  registerUsage(program, invocation);
  registerIndex(program, invocation);
}

function registerUsage(program: Command, invocation: Invocation): void {
  const usage = program
    .command('usage')
    .description('what the operating system counted: CPU time, page faults, blocks, context switches')
    .argument('<file...>', FILES)
    .addOption(
      new Option('--by <group>', 'rows: processes, or their samples').choices(USAGE_GROUPS).default('process'),
    );
  addPageOptions(addOutputOptions(usage)).action((files: string[], options: ListingOptions & { by: UsageGroup }) =>
    answer(invocation, files, { view: 'usage', options: { by: options.by } }, options),
  );
  addExamples(usage, [`usage ${EXAMPLE}`, `usage ${EXAMPLE} --by sample`]);
}

function registerIndex(program: Command, invocation: Invocation): void {
  const index = program
    .command('index')
    .description(
      'a metric by samples, seconds, collections, sizes, durations, processes, processors, parallel regions or tasks',
    )
    .argument('<file...>', 'recordings; - is standard input, archive.zip!/inner/path a member')
    .addOption(new Option('--by <kind>', 'what events belong to').choices(INDEX_KINDS).default('second'))
    .option('--metric <id>', 'metric to show (default: the usual one; summary lists them)');
  addScopeOptions(addPageOptions(addOutputOptions(index))).action(
    (files: string[], { by, metric, ...options }: ListingOptions & { by: IndexKind; metric?: string }) =>
      answer(
        invocation,
        files,
        { view: 'index-objects', options: { by, ...(metric === undefined ? {} : { metric }) } },
        options,
      ),
  );
  addExamples(index, [
    `index ${EXAMPLE} --by process`,
    `index ${EXAMPLE} --by size --metric io-written`,
    'index examples/jfr/shop.jfr.gz --by second --metric io-time',
  ]);
}
