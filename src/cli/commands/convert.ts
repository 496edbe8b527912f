/**
 * `convert`: writes a recording again, in another format, version or compressed; also writes the file of `check
 * --salvage`.
 */
import { type Command, Option } from 'commander';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { formatCount } from '../../base/units.js';
import type { ScopeStep } from '../../models/scope.js';
import { convertRecording, salvageRecording } from '../../transform/convert.node.js';
import { writableFormats } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { openOne } from '../invocation/open.js';
import { addExamples, addScopeOptions } from '../invocation/options.js';
import { withProgress } from '../render/progress.js';
import { readable } from '../render/table.js';

interface ConvertOptions {
  readonly to?: string;
  readonly as?: string;
  readonly metric?: string;
  readonly lines?: true;
  readonly scope?: readonly ScopeStep[];
  readonly cache: boolean;
}

export function registerConvert(program: Command, invocation: Invocation): void {
  const command = program
    .command('convert')
    .description('write a recording in another format or version, compressed, or a part of it')
    .argument('<in>', 'recording')
    .argument('<out>', 'output file; its extension chooses the format, .gz compresses; - is standard output')
    .addOption(new Option('--as <format>', 'output format, for any file name').choices(writableFormats()))
    .option('--to <version>', "version of the output format (default: the recording's)")
    .option('--metric <id>', 'metric to write, for formats with one number per stack (summary lists the metrics)')
    .option('--lines', 'add line numbers to frames, for formats with frame names only')
    .option('--no-cache', 'read the file itself; neither use nor write the cache');
  addScopeOptions(command).action((input: string, output: string, options: ConvertOptions) =>
    convert(invocation, input, output, options),
  );
  addExamples(command, [
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.iprof --to 1.1.0',
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.iprof.gz',
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.collapsed --focus shootouts',
  ]);
}

async function convert(invocation: Invocation, input: string, output: string, options: ConvertOptions): Promise<void> {
  const { to: version, as: format, metric, lines, scope } = options;
  const recording = await openOne(invocation, [input], options);
  const { notes, dropped } = await withProgress(invocation.host, output, (work) =>
    convertRecording(recording, output, {
      ...defined({ version, format, metric, lines, scope }),
      inputs: [input],
      announce: (message) => note(invocation, `kansoku: ${message}`),
      work,
    }),
  );
  for (const line of notes) note(invocation, line);
  report(invocation, dropped);
  if (recording.complete) return;
  note(invocation, `${input}: parts could not be read (see check); the rest was written.`);
  invocation.exitCode = EXIT.partial;
}

/** Writes the intact part of one damaged file; exit code 1 if there was damage, as for `check`. */
export async function salvage(
  invocation: Invocation,
  files: readonly string[],
  output: string,
  options: { readonly cache: boolean },
): Promise<void> {
  if (files.length !== 1) throw new UsageError('--salvage takes one file at a time');
  const recording = await openOne(invocation, files, options);
  const { dropped, errors, entries } = await salvageRecording(recording, output, {
    inputs: files,
    work: { signal: invocation.host.signal },
  });
  report(invocation, dropped);
  for (const problem of errors)
    note(
      invocation,
      `${problem.code} ${problem.offset === undefined ? '' : ` at byte ${problem.offset}`}: ${readable(problem.message)}`,
    );
  note(invocation, `${output}: written from ${formatCount(entries)} entries that were read of ${files[0] ?? ''}.`);
  if (errors.length > 0 || !recording.complete) invocation.exitCode = EXIT.no;
}

function report(invocation: Invocation, dropped: readonly string[]): void {
  for (const line of dropped) note(invocation, `dropped: ${line}`);
}
