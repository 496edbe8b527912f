/** `pgo`: questions about GraalVM PGO profiles. */
import type { Command } from 'commander';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addCodeOptions,
  addExamples,
  addLimitOption,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type CodeOptions,
  type LimitOptions,
  type ListingOptions,
  percentage,
  wholeNumber,
} from '../invocation/options.js';
import { registerCoverage } from './pgo-coverage.js';
import { registerStale } from './pgo-stale.js';
import { registerStrip } from './pgo-strip.js';

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';
const LOOPS = 'examples/loops/loops.iprof';
const FILES = 'PGO profiles';

export function registerPgo(program: Command, invocation: Invocation): void {
  const pgo = program.command('pgo').description('GraalVM PGO profiles (.iprof)').helpCommand(false);
  registerHot(pgo, invocation);
  registerBranches(pgo, invocation);
  registerReceivers(pgo, invocation);
  registerInlining(pgo, invocation);
  registerStale(pgo, invocation);
  registerStrip(pgo, invocation);
  registerCoverage(pgo, invocation, EXAMPLE);
}

function registerHot(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('hot')
    .description('methods by number of calls, over all contexts')
    .argument('<file...>', FILES);
  addScopeOptions(addPageOptions(addOutputOptions(command))).action((files: string[], options: ListingOptions) =>
    answer(invocation, files, { view: 'pgo-hot' }, options),
  );
  addExamples(command, [`pgo hot ${EXAMPLE}`, `pgo hot ${EXAMPLE} --origin own --sort contexts`]);
}

function registerBranches(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('branches')
    .description('outcomes of each branch')
    .argument('<file...>', FILES)
    .option('--contexts', 'one row per context instead of one row per site');
  addScopeOptions(addPageOptions(addOutputOptions(addCodeOptions(command)))).action(
    (files: string[], options: ListingOptions & CodeOptions & { contexts?: true }) =>
      answer(invocation, files, { view: 'pgo-branches', options: { contexts: options.contexts === true } }, options),
  );
  addExamples(command, [
    `pgo branches ${EXAMPLE}`,
    `pgo branches ${LOOPS} --classes examples/loops`,
    `pgo branches ${EXAMPLE} --focus shootouts --contexts --sort bias`,
  ]);
}

function registerReceivers(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('receivers')
    .description('receiver types at virtual calls and type checks')
    .argument('<file...>', FILES)
    .option('--contexts', 'one row per context instead of one row per site')
    .option('--instanceof', 'type checks instead of virtual calls')
    .option(
      '--monomorphic <percent>',
      'share of one class that makes a site effectively monomorphic (default: 99)',
      percentage(100),
    );
  addScopeOptions(addPageOptions(addOutputOptions(addCodeOptions(command)))).action(
    (
      files: string[],
      options: ListingOptions & CodeOptions & { contexts?: true; instanceof?: true; monomorphic?: number },
    ) => {
      const question = {
        contexts: options.contexts === true,
        kind: options.instanceof === true ? 'instanceof' : 'virtual',
        ...(options.monomorphic === undefined ? {} : { monomorphic: options.monomorphic / 100 }),
      } as const;
      return answer(invocation, files, { view: 'pgo-receivers', options: question }, options);
    },
  );
  addExamples(command, [
    `pgo receivers ${EXAMPLE}`,
    `pgo receivers ${LOOPS} --classes examples/loops`,
    `pgo receivers ${EXAMPLE} --sort types --limit 5`,
  ]);
}

function registerInlining(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('inlining')
    .description('calls inlined into a method; with --into, the methods it was inlined into')
    .argument('<file>', 'PGO profile')
    .argument('<method>', 'name, Class.method, or a regular expression')
    .option('--into', 'show the methods it was inlined into')
    .option('--depth <levels>', 'number of levels; 0 for all', wholeNumber, 0);
  addScopeOptions(addLimitOption(addOutputOptions(command))).action(
    (file: string, method: string, options: LimitOptions & { into?: true; depth: number }) => {
      const question = { method, into: options.into === true, depth: options.depth };
      return answer(invocation, [file], { view: 'pgo-inlining', options: question }, options);
    },
  );
  addExamples(command, [
    `pgo inlining ${EXAMPLE} java.util.HashMap.putVal --limit 10`,
    `pgo inlining ${EXAMPLE} java.lang.String.hashCode --into --depth 3`,
  ]);
}
