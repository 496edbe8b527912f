/** `pgo coverage`: the code that ran, as a listing, and as LCOV for tools that show coverage of sources. */
import { type Command, Option } from 'commander';
import { MISSING, type MissingMethods } from '../../analysis/coverage/line-coverage.js';
import { UsageError } from '../../base/errors.js';
import { shellWord } from '../../base/parsing/shell-word.js';
import { formatCount, plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import { coverage } from '../../questions/catalogue/pgo.js';
import type { Session } from '../../session/session.js';
import { coverageAsLcov, type Lcov } from '../../transform/lcov.js';
import { writeDocument } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import type { AnswerOptions } from '../invocation/answer.js';
import { withSession } from '../invocation/open.js';
import { registerQuestion } from '../invocation/question.js';

interface CoverageOptions {
  readonly lcov?: string;
  readonly missing?: MissingMethods;
}

/** Options of the listing that do not apply to LCOV. */
const LISTING = ['by', 'origin', 'json', 'format', 'limit', 'offset', 'sort'] as const;

export function registerCoverage(pgo: Command, invocation: Invocation): void {
  registerQuestion(pgo, invocation, coverage, {
    also: '; with --lcov, by source line',
    extend: (command) =>
      command
        .option('--lcov <out>', 'write an LCOV file for genhtml and similar tools; - is standard output')
        .addOption(
          new Option('--missing <how>', 'with --lcov: write methods without counts as 0, or omit them').choices(
            MISSING,
          ),
        ),
    run: async ({ files, words }, usual, command) => {
      const { lcov, missing } = command.opts<CoverageOptions>();
      if (lcov !== undefined) {
        const other = LISTING.find((name) => command.getOptionValueSource(name) === 'cli');
        if (other !== undefined) throw new UsageError(`--${other} is for the listing, not for --lcov`);
        return writeCoverage(invocation, files, lcov, { ...words, ...(missing !== undefined && { missing }) });
      }
      if (missing !== undefined) throw new UsageError('--missing is for --lcov');
      return usual();
    },
  });
}

type LcovOptions = AnswerOptions & Pick<CoverageOptions, 'missing'>;

async function writeCoverage(
  invocation: Invocation,
  files: readonly string[],
  output: string,
  options: LcovOptions,
): Promise<void> {
  if (files.length !== 1)
    throw new UsageError('--lcov takes one file at a time', 'Join the outputs: lcov -a A -a B -o OUT.');
  await withSession(invocation, files, options, async (session) => {
    await writeFrom(session, invocation, files, output, options);
  });
}

async function writeFrom(
  session: Session,
  invocation: Invocation,
  files: readonly string[],
  output: string,
  { scope = [], missing }: LcovOptions,
): Promise<void> {
  const [recording] = session.recordings;
  if (recording === undefined || session.recordings.length > 1)
    throw new UsageError(`${files[0] ?? ''} holds ${session.recordings.length} recordings`);
  const lcov = await coverageAsLcov(session, {
    scope,
    ...(missing === undefined ? {} : { missing }),
    work: { signal: invocation.host.signal },
  });
  await writeDocument(lcov.text, output, files);
  for (const line of summary(lcov, missing ?? 'zero')) note(invocation, line);
  if (!recording.complete) invocation.exitCode = EXIT.partial;
}

/** The summary of the written counts, and of the unknown ones. */
function summary({ tally, files, found: sourceCount, archived, unreadable }: Lcov, missing: MissingMethods): string[] {
  const some = (count: number, text: string): string[] => (count === 0 ? [] : [text]);
  const word = missing === 'zero' ? 'written as 0, although some may have run' : 'left out';
  return [
    `${plural(files, 'source file')}, ${formatCount(sourceCount)} found on the source path.`,
    ...[...archived].map(
      ([archive, count]) =>
        `${formatCount(count)} more ${count === 1 ? 'lies' : 'lie'} inside ${readable(archive)}, where genhtml cannot read them: unzip -q ${shellWord(readable(archive))} -d DIR, then --source-path DIR.`,
    ),
    `Functions: ${formatCount(tally.ran)} of ${formatCount(tally.methods)} ran.`,
    ...some(
      tally.methods > 0 && tally.unlisted === tally.methods ? 1 : 0,
      'No method of the profile is in these classes; check the class path.',
    ),
    ...some(tally.zero, `${plural(tally.zero, 'was', 'were')} counted but never ran.`),
    ...some(tally.missing, `${plural(tally.missing, 'was', 'were')} not counted: ${word} (--missing).`),
    ...some(
      missing === 'zero' && tally.unlisted > tally.methods / 2 && tally.unlisted < tally.methods ? tally.unlisted : 0,
      `${formatCount(tally.unlisted)} of these are not in the profile at all; --missing omit leaves methods without counts out.`,
    ),
    ...some(
      tally.atLeast,
      `${formatCount(tally.atLeast)} ran at least as often as written: some of their calls were not counted.`,
    ),
    `Lines: ${formatCount(tally.linesHit)} of ${formatCount(tally.lines)} ran; ${plural(tally.openLines, 'is omitted: its count does', 'are omitted: their counts do')} not follow from the profile.`,
    `Ways of branches: ${formatCount(tally.waysTaken)} of ${formatCount(tally.ways)} taken; ${formatCount(tally.openWays)} left out likewise.`,
    ...some(
      tally.contradictory,
      `In ${plural(tally.contradictory, 'context')} the counts contradict each other: nothing was derived there.`,
    ),
    ...some(
      tally.unplaced,
      `${plural(tally.unplaced, 'branch record fits', 'branch records fit')} no branch of the code: are these the classes that ran? (See \`pgo stale\`.)`,
    ),
    ...some(
      tally.classesWithoutSource,
      `${plural(tally.classesWithoutSource, 'class names', 'classes name')} no source file.`,
    ),
    ...some(tally.methodsNotFollowed, `${plural(tally.methodsNotFollowed, 'method')}: the code cannot be followed.`),
    ...some(unreadable, `${plural(unreadable, 'class', 'classes')} could not be read.`),
  ];
}
