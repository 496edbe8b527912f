/** `diff`: two recordings of any kind, class by class or function by function. */
import { type Command, Option } from 'commander';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  answer,
  type Invocation,
  type ListingOptions,
  wholeNumber,
} from '../invocation.js';

interface DiffOptions extends ListingOptions {
  readonly by?: 'class' | 'function';
  readonly metric?: string;
  readonly match?: string;
  readonly normalise?: true;
  readonly same?: true;
  readonly baseDump?: number;
}

export function registerDiff(program: Command, invocation: Invocation): void {
  const command = program
    .command('diff')
    .description('what changed from one recording to another')
    .argument('<base>', 'recording to compare with')
    .argument('<file>', 'recording')
    .addOption(
      new Option('--by <rows>', 'what is compared; classes if both recordings have objects by class').choices([
        'class',
        'function',
      ]),
    )
    .option('--metric <id>', 'what to compare; the first metric that both have if not given')
    .option('--match <regex>', 'only rows whose name matches')
    .option('--normalise', 'scale the base to the same total')
    .option('--same', 'also what did not change')
    .option('--base-dump <number>', 'which dump of the base, where it has several', wholeNumber);
  addScopeOptions(addPageOptions(addOutputOptions(command))).action(
    (base: string, file: string, options: DiffOptions) => {
      const question = {
        normalise: options.normalise === true,
        same: options.same === true,
        ...(options.by === undefined ? {} : { by: options.by }),
        ...(options.metric === undefined ? {} : { metric: options.metric }),
        ...(options.match === undefined ? {} : { match: options.match }),
      };
      return answer(invocation, [file], { view: 'diff', options: question }, { ...options, base });
    },
  );
  addExamples(command, [
    'diff examples/histogram/before.txt examples/histogram/after.txt',
    'diff examples/histogram/before.txt examples/histogram/after.txt --metric live-objects --match ^Growing',
  ]);
}
