/** `convert`: a recording written again, in another format, version or compressed; and what `check --salvage` writes. */
import { type Command, Option } from 'commander';
import { withinScope } from '../../analysis/scope/scoped.js';
import { UsageError } from '../../base/errors.js';
import { formatCount } from '../../base/units.js';
import { eventCount } from '../../models/profile/profile.js';
import type { ScopeStep } from '../../models/scope.js';
import { allProblems } from '../../session/opened.js';
import { writableFormats, writeRecording } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { openOne } from '../invocation/open.js';
import { addExamples, addScopeOptions } from '../invocation/options.js';
import { readable } from '../render/render.js';

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
    .description('write a recording again: in another format or version, a part of it, or compressed')
    .argument('<in>', 'recording')
    .argument('<out>', 'file to write; its ending says the format, .gz behind it compresses; - is standard output')
    .addOption(new Option('--as <format>', 'format to write, whatever the name of the file').choices(writableFormats()))
    .option('--to <version>', "version of the format; the recording's own if not given")
    .option('--metric <id>', 'what to write where the format has one number a stack (summary lists the metrics)')
    .option('--lines', 'keep the places within a function apart in formats whose frames are names')
    .option('--no-cache', 'read the file itself even if a copy of what was read is cached, and cache nothing');
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
  const { to, as, metric, lines, scope = [] } = options;
  const whole = await openOne(invocation, [input], options);
  const { recording, notes } = withinScope(whole, scope);
  if (eventCount(whole.profile) > 0 && eventCount(recording.profile) === 0)
    throw new UsageError(`nothing of ${input} lies within the scope`, 'Nothing was written.');
  const dropped = await writeRecording(recording, output, {
    ...(to === undefined ? {} : { version: to }),
    ...(as === undefined ? {} : { format: as }),
    ...(metric === undefined ? {} : { metric }),
    ...(lines === undefined ? {} : { lines }),
    inputs: [input],
    work: { signal: invocation.host.signal },
  });
  for (const line of notes) note(invocation, line);
  report(invocation, dropped);
  if (recording.complete) return;
  note(invocation, `${input}: not all of it could be read (see check); the rest was written.`);
  invocation.exitCode = EXIT.partial;
}

/** Writes what is whole of one damaged file; exit code 1 where there was damage, as for `check`. */
export async function salvage(
  invocation: Invocation,
  files: readonly string[],
  output: string,
  options: { readonly cache: boolean },
): Promise<void> {
  if (files.length !== 1) throw new UsageError('--salvage takes one file at a time');
  const recording = await openOne(invocation, files, options);
  report(
    invocation,
    await writeRecording(recording, output, {
      salvage: true,
      inputs: files,
      work: { signal: invocation.host.signal },
    }),
  );
  const faults = allProblems(recording).list.filter((problem) => problem.severity === 'error');
  for (const problem of faults)
    note(
      invocation,
      `${problem.code} ${problem.offset === undefined ? '' : ` at byte ${problem.offset}`}: ${readable(problem.message)}`,
    );
  const whole = recording.sections.reduce((sum, section) => sum + section.entries, 0);
  note(invocation, `${output}: written from ${formatCount(whole)} entries that were read of ${files[0] ?? ''}.`);
  if (faults.length > 0 || !recording.complete) invocation.exitCode = EXIT.no;
}

function report(invocation: Invocation, dropped: readonly string[]): void {
  for (const line of dropped) note(invocation, `dropped: ${line}`);
}
