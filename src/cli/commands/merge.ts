/** `merge`: writes several recordings as one, each with a weight. */
import { type Command, Option } from 'commander';
import { parseWeight } from '../../analysis/merge/rational.js';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { eventCount } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import { readable } from '../../pictures/cells.js';
import { mergeToFile } from '../../transform/merge.node.js';
import { writableFormats } from '../../transform/output-format.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { named, withSession } from '../invocation/open.js';
import { addExamples } from '../invocation/options.js';
import { commandLineText } from '../render/spelling.js';

interface MergeOptions {
  readonly output: string;
  readonly weights?: string;
  readonly to?: string;
  readonly as?: string;
  readonly metric?: string;
  readonly lines?: true;
  readonly cache: boolean;
}

export function registerMerge(program: Command, invocation: Invocation): void {
  const command = program
    .command('merge')
    .description('merge several recordings into one, adding counts of the same stacks and sites')
    .argument('<file...>', 'recordings')
    .requiredOption(
      '-o, --output <file>',
      'output file; its extension chooses the format, .gz compresses; - is standard output',
    )
    .option('--weights <list>', 'comma-separated weights, one per recording: 2,0.5,1/3 (default: 1 each)')
    .addOption(new Option('--as <format>', 'output format, for any file name').choices(writableFormats()))
    .option('--to <version>', 'version of the output format (default: the newest among the recordings)')
    .option('--metric <id>', 'metric to write, for formats with one number per stack (summary lists the metrics)')
    .option('--lines', 'add line numbers to frames, for formats with frame names only')
    .option('--no-cache', 'read the files themselves; neither use nor write the cache');
  command.action((files: string[], options: MergeOptions) => merge(invocation, files, options));
  addExamples(command, [
    'merge examples/pgo/before.iprof examples/pgo/after.iprof --weights 1,1/3 -o /tmp/merged.iprof',
    'merge examples/hprof/cpu-samples.txt examples/hprof/cpu-samples.txt -o /tmp/merged.collapsed',
  ]);
}

async function merge(invocation: Invocation, files: readonly string[], options: MergeOptions): Promise<void> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input was named twice', 'Name it once, with --weights 2.');
  const recordings = await withSession(invocation, files, options, (session) =>
    named(invocation, session, `${files.length} inputs`),
  );
  const weights = options.weights?.split(',').map(parseWeight);
  const { to: version, as: format, metric, lines } = options;
  const {
    recording: merged,
    dropped,
    commonMetric,
  } = await mergeToFile(recordings, options.output, {
    ...defined({ weights, version, format, metric, lines }),
    inputs: files,
    announce: (message) => note(invocation, `kansoku: ${message}`),
    work: { signal: invocation.host.signal },
  });
  if (!commonMetric)
    note(
      invocation,
      'The recordings have no metric in common; a file with one number per stack holds only some of them.',
    );
  for (const line of repeatedFiles(files)) note(invocation, line);
  for (const line of [...problemLines(merged), ...dropped.map((text) => `dropped: ${commandLineText(text)}`)])
    note(invocation, readable(line));
  note(
    invocation,
    `${options.output}: ${plural(eventCount(merged.profile), 'row')} of ${plural(merged.program.functions.length, 'method')}, merged from ${plural(recordings.length, 'recording')}`,
  );
  for (const { name, complete } of recordings) {
    if (complete) continue;
    note(invocation, `${readable(name)}: parts could not be read (see check); the rest was merged.`);
    invocation.exitCode = EXIT.partial;
  }
}

/** A line for each file that is named several times: its values count each time. */
function repeatedFiles(files: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const file of files) times.set(file, (times.get(file) ?? 0) + 1);
  const repeated = [...times].filter(([, count]) => count > 1);
  return repeated.map(([file, count]) => `${readable(file)}: given ${count} times and counted each time.`);
}

/** The problems of the result: of each kind the first ones and their number. */
function problemLines({ problems }: Recording): string[] {
  const lines = problems.list.map(({ code, message }) => `${code}: ${message}`);
  for (const [code, count] of Object.entries(problems.counts)) {
    const listedCount = problems.list.filter((problem) => problem.code === code).length;
    if (count > listedCount) lines.push(`${code}: and ${plural(count - listedCount, 'more', 'more')}`);
  }
  return lines;
}
