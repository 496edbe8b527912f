/** `merge`: several recordings as one, each with a weight. */
import { type Command, Option } from 'commander';
import { parseWeight } from '../../analysis/merge/rational.js';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { eventCount } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import { mergeToFile } from '../../transform/merge.node.js';
import { writableFormats } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { open } from '../invocation/open.js';
import { addExamples } from '../invocation/options.js';
import { readable } from '../render/table.js';

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
    .description('several recordings as one: what is the same is one, counts of the same place are added')
    .argument('<file...>', 'recordings')
    .requiredOption(
      '-o, --output <file>',
      'file to write; its ending says the format, .gz behind it compresses; - is standard output',
    )
    .option('--weights <list>', 'a weight for each recording, with commas between: 2,0.5,1/3; 1 each if not given')
    .addOption(new Option('--as <format>', 'format to write, whatever the name of the file').choices(writableFormats()))
    .option('--to <version>', 'version of the format; the newest of the recordings if not given')
    .option('--metric <id>', 'what to write where the format has one number a stack (summary lists the metrics)')
    .option('--lines', 'keep the places within a function apart in formats whose frames are names')
    .option('--no-cache', 'read the files themselves even if copies of what was read are cached, and cache nothing');
  command.action((files: string[], options: MergeOptions) => merge(invocation, files, options));
  addExamples(command, [
    'merge examples/pgo/before.iprof examples/pgo/after.iprof --weights 1,1/3 -o /tmp/merged.iprof',
    'merge examples/hprof/cpu-samples.txt examples/hprof/cpu-samples.txt -o /tmp/merged.collapsed',
  ]);
}

async function merge(invocation: Invocation, files: readonly string[], options: MergeOptions): Promise<void> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('standard input can be read once only', 'Weigh it instead: --weights 2.');
  const { recordings } = await open(invocation, files, options);
  const weights = options.weights?.split(',').map(parseWeight);
  const { to: version, as: format, metric, lines } = options;
  const {
    recording: merged,
    dropped,
    commonMetric,
  } = await mergeToFile(recordings, options.output, {
    ...defined({ weights, version, format, metric, lines }),
    inputs: files,
    work: { signal: invocation.host.signal },
  });
  if (!commonMetric)
    note(invocation, 'They have no metric in common: in a file with one number a stack, only some of them are.');
  for (const line of [...problemLines(merged), ...dropped.map((text) => `dropped: ${text}`)])
    note(invocation, readable(line));
  note(
    invocation,
    `${options.output}: ${plural(eventCount(merged.profile), 'row')} of ${plural(merged.program.functions.length, 'method')}, merged from ${plural(recordings.length, 'recording')}`,
  );
  for (const { name, complete } of recordings) {
    if (complete) continue;
    note(invocation, `${readable(name)}: not all of it could be read (see check); the rest was merged.`);
    invocation.exitCode = EXIT.partial;
  }
}

/** What is to be known of the result; of many things of one kind the first ones and their number. */
function problemLines({ problems }: Recording): string[] {
  const lines = problems.list.map(({ code, message }) => `${code}: ${message}`);
  for (const [code, count] of Object.entries(problems.counts)) {
    const kept = problems.list.filter((problem) => problem.code === code).length;
    if (count > kept) lines.push(`${code}: and ${plural(count - kept, 'more', 'more')}`);
  }
  return lines;
}
