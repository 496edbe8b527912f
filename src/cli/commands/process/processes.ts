/** `processes` and `usage`: what a recording is of, and what the operating system counted. */
import { type Command, Option } from 'commander';
import { USAGE_GROUPS, type UsageGroup } from '../../../views/experiment/usage.js';
import type { Invocation } from '../../host.js';
import { answer } from '../../invocation/answer.js';
import { addExamples, addOutputOptions, addPageOptions, type ListingOptions } from '../../invocation/options.js';

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
