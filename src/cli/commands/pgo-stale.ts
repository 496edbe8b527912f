/** `pgo stale`: how much of a profile fits today's classes, and writing a profile that fits. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import { stale } from '../../questions/catalogue/pgo.js';
import { type Repair, repairProfile } from '../../transform/repair.node.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type Invocation, note } from '../host.js';
import type { AnswerOptions } from '../invocation/answer.js';
import { withSession } from '../invocation/open.js';
import { percentage } from '../invocation/options.js';
import { registerQuestion } from '../invocation/question.js';
import { commandLineText, noteTexts } from '../render/spelling.js';

interface StaleOptions {
  /** In percent. */
  readonly failAbove?: number;
  readonly repair?: string;
}

export function registerStale(pgo: Command, invocation: Invocation): void {
  registerQuestion(pgo, invocation, stale, {
    also: '; --repair updates it',
    extend: (command) =>
      command
        .option(
          '--fail-above <percent>',
          'exit with code 1 if more than this share of the executions is stale',
          percentage(100),
        )
        .option(
          '--repair <out>',
          'write a profile for the new classes: entries move with their code, stale ones are dropped',
        ),
    run: async ({ files, words }, usual, command) => {
      const { repair: output } = command.opts<StaleOptions>();
      if (output !== undefined) await repair(invocation, files, output, words);
      return usual();
    },
    printing: (_, command) => {
      const { failAbove } = command.opts<StaleOptions>();
      if (failAbove === undefined) return {};
      return {
        refuse: (result) => result.type === 'pgo-stale' && refuseUnjudged(result),
        exit: (result) => (result.type === 'pgo-stale' ? judgment(invocation, result, failAbove) : undefined),
      };
    },
  });
}

/** Throws if nothing can be judged: otherwise `--fail-above` would accept any classes. */
function refuseUnjudged({ stale_share: share, outside }: ResultOf<'pgo-stale'>): void {
  if (share !== null) return;
  const why = outside.length === 0 ? '' : ': these are classes of another program';
  throw new UsageError(
    `no entry of the profile can be compared with these classes${why}`,
    'Run it without --fail-above to see which packages the profile covers.',
  );
}

/** Reports that the stale share exceeds the limit, with the exit code. */
function judgment(
  invocation: Invocation,
  { stale_share: share }: ResultOf<'pgo-stale'>,
  failAbove: number,
): ExitCode | undefined {
  if (share === null || share <= failAbove / 100) return undefined;
  note(invocation, `stale: ${formatValue(share, 'ratio')} of the judged executions, more than ${failAbove} %`);
  return EXIT.no;
}

async function repair(
  invocation: Invocation,
  files: readonly string[],
  output: string,
  options: AnswerOptions,
): Promise<void> {
  if (files.length !== 1) throw new UsageError('--repair takes one profile at a time');
  if ((options.scope ?? []).length > 0)
    throw new UsageError(
      '--repair does not work on a part of a profile',
      'Omit --focus, --ignore and other scope options.',
    );
  await withSession(invocation, files, options, async (session) => {
    const [recording, ...more] = session.recordings;
    if (recording === undefined || more.length > 0)
      throw new UsageError(`${files[0] ?? ''} holds ${session.recordings.length} recordings`, 'Name one of them.');
    const done = await repairProfile(recording, session.library ?? {}, output, {
      inputs: files,
      work: { signal: invocation.host.signal },
    });
    for (const line of repairLines(done, output)) note(invocation, readable(line));
  });
}

function repairLines({ counts, moved, contradicted, dropped, doubts }: Repair, output: string): string[] {
  const kinds = counts.map((count) => {
    const all = count.kept + count.moved + count.dropped;
    const records = count.records === 0 ? '' : `, ${plural(count.records, 'record')} of others dropped`;
    const lost = count.lost === 0 ? '' : `, ${formatCount(count.lost)} executions lost`;
    return `${count.kind}: ${formatCount(all)} = ${formatCount(count.kept)} kept + ${formatCount(count.moved)} moved + ${formatCount(count.dropped)} dropped${records}${lost}`;
  });
  const share = moved === 0 ? 1 : (moved - contradicted) / moved;
  return [
    ...kinds,
    ...dropped.map((line) => `dropped: ${commandLineText(line)}`),
    ...noteTexts(doubts).map((line) => `warning: ${line}`),
    `${output}: written and verified; ${formatValue(share, 'ratio')} of ${plural(moved, 'moved entry', 'moved entries')} would also fit the new classes without the old ones.`,
  ];
}
