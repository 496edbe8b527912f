/** `gc`: garbage collection. */
import { type Command, Option } from 'commander';
import { GC_GROUPS, type GcGroupsBy } from '../../views/gc/gc-groups.js';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addBaseOptions,
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type BaseOptions,
  type ListingOptions,
} from '../invocation/options.js';

interface GcOptions extends ListingOptions, BaseOptions {
  readonly by?: GcGroupsBy;
}

const EXAMPLE = 'examples/jfr/churn-g1.jfr.gz';
const SERIAL = 'examples/jfr/churn-serial.jfr.gz';

export function registerGc(program: Command, invocation: Invocation): void {
  const command = program
    .command('gc')
    .description('garbage collections: pauses, causes, heap before and after')
    .argument('<file...>', 'recordings; - is standard input, archive.zip!/inner/path a member')
    .addOption(
      new Option(
        '--by <groups>',
        'sums and percentiles of pauses, or of parts of them, instead of collections',
      ).choices(GC_GROUPS),
    );
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command)))).action(
    (files: string[], options: GcOptions) =>
      options.by === undefined && options.base === undefined
        ? answer(invocation, files, { view: 'gc' }, options)
        : answer(invocation, files, { view: 'gc-groups', options: { by: options.by ?? 'all' } }, options),
  );
  addExamples(command, [
    `gc ${EXAMPLE}`,
    `gc ${EXAMPLE} --by cause`,
    `gc ${EXAMPLE} --base ${SERIAL} --by cause`,
    `gc ${EXAMPLE} --sort paused --limit 5`,
  ]);
}
