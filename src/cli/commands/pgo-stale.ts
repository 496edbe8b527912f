/** `pgo stale`: how much of a profile fits today's classes, and writing a profile that fits. */

import { type Command, InvalidArgumentError } from 'commander';
import { METHOD_STATES, type MethodState } from '../../analysis/stale/verdict.js';
import { UsageError } from '../../base/errors.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { type Repair, repairProfile } from '../../transform/repair.node.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { answer } from '../invocation/answer.js';
import { withSession } from '../invocation/open.js';
import {
  addCodeOptions,
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type CodeOptions,
  type ListingOptions,
  percentage,
  repeated,
} from '../invocation/options.js';
import { commandLineText, noteTexts } from '../render/spelling.js';
import { readable } from '../render/table.js';

interface StaleOptions extends ListingOptions, CodeOptions {
  readonly state?: MethodState[];
  readonly failAbove?: number;
  readonly repair?: string;
}

export function registerStale(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('stale')
    .description('how much of a profile still fits newer classes, by method; --repair updates it')
    .argument('<file...>', 'PGO profiles')
    .option(
      '--old-classes <path>',
      'classes that the profile was recorded with, for an exact answer; same syntax as --classes',
      repeated,
    )
    .option('--state <list>', `only methods in these states, comma-separated: ${METHOD_STATES.join(', ')}`, stateList)
    .option(
      '--fail-above <percent>',
      'exit with code 1 if more than this share of the executions is stale',
      percentage(100),
    )
    .option(
      '--repair <out>',
      'write a profile for the new classes: entries move with their code, stale ones are dropped',
    );
  addScopeOptions(addPageOptions(addOutputOptions(addCodeOptions(command)))).action(
    async (files: string[], options: StaleOptions) => {
      if (options.repair !== undefined) await repair(invocation, files, options.repair, options);
      const { state, failAbove } = options;
      return answer(invocation, files, { view: 'pgo-stale', options: state === undefined ? {} : { state } }, options, {
        ...(failAbove === undefined
          ? {}
          : { refuse: refuseUnjudged, exit: (result) => judgment(invocation, result, failAbove) }),
      });
    },
  );
  addExamples(command, [
    'pgo stale examples/stale/shop.iprof --classes examples/stale/shop-2.jar',
    'pgo stale examples/stale/shop.iprof --old-classes examples/stale/shop-1.jar --classes examples/stale/shop-2.jar',
    'pgo stale examples/stale/shop.iprof --old-classes examples/stale/shop-1.jar --classes examples/stale/shop-2.jar --repair /tmp/shop-2.iprof',
  ]);
}

function stateList(text: string): MethodState[] {
  return text.split(',').map((word) => {
    const state = METHOD_STATES.find((known) => known === word);
    if (state === undefined)
      throw new InvalidArgumentError(`${word} is unknown; expected one of ${METHOD_STATES.join(', ')}.`);
    return state;
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
  options: StaleOptions,
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
