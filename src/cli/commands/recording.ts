/** Commands for recordings of any kind. */
import type { Command } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import {
  callers,
  check,
  functions,
  monitors,
  sites,
  summary,
  threads,
  tree,
} from '../../questions/catalogue/recording.js';
import { allCountStates } from '../../questions/catalogue/traits.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { addFollow } from '../invocation/options.js';
import { type GivenQuestion, registerQuestion } from '../invocation/question.js';

export function registerRecordingViews(program: Command, invocation: Invocation): void {
  registerSummary(program, invocation);
  registerCheck(program, invocation);
  registerQuestion(program, invocation, functions);
  registerQuestion(program, invocation, callers, { run: withCountedClasses });
  registerQuestion(program, invocation, tree, { run: withCountedClasses });
  registerThreads(program, invocation);
  registerMonitors(program, invocation);
  registerQuestion(program, invocation, sites);
}

/** Class paths are for the receiver types of counted calls. */
async function withCountedClasses(
  { compared, words }: Pick<GivenQuestion<z.ZodObject>, 'compared' | 'words'>,
  usual: () => Promise<unknown>,
): Promise<void> {
  if (words.classes !== undefined && compared?.key !== 'counts') throw new UsageError('--classes is for --counts');
  await usual();
}

function registerSummary(program: Command, invocation: Invocation): void {
  const page = async (result: ResultOf<ViewName>) => {
    const { summaryPage } = await import('../render/summary.js');
    if (result.type !== 'summary') throw new Error(`summary answered with ${result.type}`);
    return summaryPage(result);
  };
  registerQuestion(program, invocation, summary, {
    printing: () => ({ page }),
    extend: addFollow,
    run: async ({ files, words }, usual, command) => {
      if (command.getOptionValue('follow') !== true) return usual();
      const { follow } = await import('../invocation/follow.js');
      return follow(invocation, files, words, { question: () => ({ view: 'summary' }), page });
    },
  });
}

function registerCheck(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, check, {
    also: '; exit code 1 if it has errors',
    printing: () => ({ exit: (result) => (result.type === 'check' ? soundness(invocation, result) : undefined) }),
    extend: (command) => command.option('--salvage <out>', 'write the intact part of a damaged file'),
    run: async ({ files, words }, usual, command) => {
      const output: unknown = command.getOptionValue('salvage');
      if (typeof output !== 'string') return usual();
      return (await import('./convert.js')).salvage(invocation, files, output, words);
    },
  });
}

function soundness(invocation: Invocation, result: ResultOf<'check'>): ExitCode {
  const counted = result.codes.reduce((sum, code) => sum + code.count, 0);
  if (counted > result.total)
    note(invocation, `${plural(counted, 'problem')} in total; the first 20 of each code are listed.`);
  if (result.sound && counted === 0) note(invocation, `${result.recording}: no problems found.`);
  return result.sound && result.complete ? EXIT.done : EXIT.no;
}

/** The threads of each file, or of the dumps of all files together if there is a base. */
function registerThreads(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, threads, {
    run: async ({ compared, options }, usual) => {
      const dumps = await usual();
      const areDumps = dumps.length > 1 && allCountStates(dumps.map(({ traits }) => traits));
      if (areDumps && compared === undefined && options.group === undefined)
        note(invocation, 'To see changes from dump to dump: kansoku threads --base FIRST OTHERS…');
    },
  });
}

function registerMonitors(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, monitors, {
    extend: (command) => command.option('--fail-on-deadlock', 'exit with code 1 if there is a deadlock'),
    run: async ({ compared }, usual, command) => {
      if (command.getOptionValue('failOnDeadlock') === true && compared !== undefined)
        throw new UsageError('--fail-on-deadlock is for one recording');
      await usual();
    },
    printing: (_, command) => ({
      exit: (result) => {
        const fails = command.getOptionValue('failOnDeadlock') === true;
        if (fails && result.type === 'monitors' && result.deadlocks.length > 0) return EXIT.no;
        return result.complete ? EXIT.done : EXIT.partial;
      },
    }),
  });
}
