/** `memory`: native memory. */
import type { Command } from 'commander';
import type { Invocation } from '../../host.js';
import { answer } from '../../invocation/answer.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
} from '../../invocation/options.js';

const EXAMPLE = 'examples/experiment/store.er.tar.gz';

export function registerMemory(program: Command, invocation: Invocation): void {
  const command = program
    .command('memory')
    .description('native memory: blocks by size, what was not freed, most in use; `sites` has it by stack')
    .argument('<file...>', 'recordings with events of native memory: experiments, async-profiler');
  addScopeOptions(addPageOptions(addOutputOptions(command))).action((files: string[], options: ListingOptions) =>
    answer(invocation, files, { view: 'memory' }, options),
  );
  addExamples(command, [`memory ${EXAMPLE}`, `memory ${EXAMPLE} --focus read_all`]);
}
