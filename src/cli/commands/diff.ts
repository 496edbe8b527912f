/** `diff`: two recordings of any kind, or several runs of each. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { diff } from '../../questions/catalogue/diff.js';
import type { RecordingTraits } from '../../questions/catalogue/traits.js';
import type { ViewQuestion } from '../../questions/options/index.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import type { ExitCode } from '../exit.js';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  type Conditions,
  checkOfCalls,
  conditions,
  judgeCalls,
  judgeHeaps,
  rowsOfHeaps,
} from '../invocation/fail-on.js';
import { addExamples } from '../invocation/options.js';
import { addQuestion, type GivenQuestion, givenQuestion, viewQuestion } from '../invocation/question.js';

export function registerDiff(program: Command, invocation: Invocation): void {
  const command = program.command('diff').description(diff.title).usage('[options] BASE FILE | --base FILE... FILE...');
  const recordings = { ...diff.recordings, description: 'base and recording; with --base, the runs of the recording' };
  addQuestion(command, { ...diff, recordings }, (extended) =>
    extended.option(
      '--fail-on <list>',
      'exit with code 1 on any of these, comma-separated: growth=PERCENT; of reports of calls new-entry, new-package; of heaps new-root, new-class',
      conditions,
    ),
  );
  command.action(async () => {
    const question = givenQuestion(command, diff);
    const { failOn } = command.opts<{ readonly failOn?: Conditions }>();
    const { base, now } = sidesOf(question.files, question.compared?.files);
    await answer<ViewName>(
      invocation,
      now,
      (traits) => checkedQuestion({ ...question, compared: { key: 'base', files: base } }, traits, failOn),
      { ...question.words, base },
      {
        runs: true,
        ...(failOn && { exit: (result) => judged(invocation, result, failOn) }),
      },
    );
  });
  addExamples(command, diff.examples);
}

function judged(invocation: Invocation, result: ResultOf<ViewName>, failOn: Conditions): ExitCode | undefined {
  if (result.type === 'calls-diff') return judgeCalls(invocation, result, failOn);
  return result.type === 'diff' ? judgeHeaps(invocation, result, failOn) : undefined;
}

/** The question, of the rows that the conditions need. Throws `UsageError` for conditions that these recordings cannot meet. */
function checkedQuestion(
  commandQuestion: GivenQuestion<typeof diff.options>,
  traits: readonly RecordingTraits[],
  failOn: Conditions | undefined,
): ViewQuestion {
  const question = viewQuestion(diff, commandQuestion, traits);
  if (failOn === undefined) return question;
  if (question.view === 'calls-diff') {
    checkOfCalls(failOn);
    return question;
  }
  const by = rowsOfHeaps(failOn, commandQuestion.options.by);
  const judgedQuestion = viewQuestion(
    diff,
    { ...commandQuestion, options: { ...commandQuestion.options, by } },
    traits,
  );
  if (judgedQuestion.view === 'threads')
    throw new UsageError('--fail-on is for reports of calls and for heaps: threads are not counted');
  return judgedQuestion;
}

/** Two files are base and recording; if bases are named by options, all files are runs of the recording. */
function sidesOf(files: readonly string[], bases: readonly string[] | undefined) {
  if (bases !== undefined) return { base: bases, now: files };
  const [base, ...now] = files;
  if (base === undefined || now.length !== 1)
    throw new UsageError(
      `diff needs two recordings, and ${files.length === 1 ? 'one was' : `${files.length} were`} named`,
      'kansoku diff BASE FILE; of several runs: kansoku diff --base BASE1 --base BASE2 FILE1 FILE2.',
    );
  return { base: [base], now };
}
