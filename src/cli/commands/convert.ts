/**
 * `convert`: writes a recording again, in another format, version or compressed; also writes the file of `check
 * --salvage`.
 */
import { type Command, Option } from 'commander';
import { withSpans } from '../../analysis/events/span.js';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import type { Phrase } from '../../base/phrase.js';
import { formatCount } from '../../base/units.js';
import { subjectOf } from '../../models/open-recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { readable } from '../../pictures/cells.js';
import type { Session } from '../../session/session.js';
import { type Converted, convertRecording, salvageRecording } from '../../transform/convert.node.js';
import { cutRecording } from '../../transform/cut.node.js';
import { convertedFormats, maybeCut } from '../../transform/output-format.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { addDebugOptions } from '../invocation/debug-options.js';
import { named, openOne, theOnly, withSession } from '../invocation/open.js';
import { addExamples, addScopeOptions, listOf } from '../invocation/options.js';
import { withProgress } from '../render/progress.js';
import { commandLineText, noteTexts } from '../render/spelling.js';

interface ConvertOptions {
  readonly to?: string;
  readonly as?: string;
  readonly metric?: string;
  readonly lines?: true;
  readonly type?: readonly string[];
  readonly secrets?: true;
  readonly suppressTypes?: string;
  readonly expandTypes?: string;
  readonly suppressRoots?: string;
  readonly expandRoots?: string;
  readonly scope?: readonly ScopeStep[];
  readonly cache: boolean;
}

export function registerConvert(program: Command, invocation: Invocation): void {
  const command = program
    .command('convert')
    .description('write a recording in another format or version, compressed, or a part of it')
    .argument('<in>', 'recording')
    .argument(
      '<out>',
      'output file; its extension chooses the format, .gz compresses, .csv writes the tables of a call tree, .cypher also a script that loads them; a directory gets a report under its usual name; - is standard output',
    )
    .addOption(new Option('--as <format>', 'output format, for any file name').choices(convertedFormats()))
    .option('--to <version>', "version of the output format (default: the recording's)")
    .option('--metric <id>', 'metric to write, for formats with one number per stack (summary lists the metrics)')
    .option('--lines', 'add line numbers to frames, for formats with frame names only')
    .option(
      '--type <types>',
      'event types to write, comma-separated, as events takes them; for .jfr',
      (text, before: readonly string[] = []) => [...before, ...listOf(text)],
    )
    .option('--secrets', 'keep texts that look like passwords, tokens or keys; for .jfr')
    .option('--suppress-types <patterns>', 'types whose objects an object tree shows only as text: a.b.C,a.b.*,*Cache')
    .option('--expand-types <patterns>', 'types whose objects it shows with their fields, also of those above')
    .option('--suppress-roots <patterns>', 'roots whose objects it shows only as text')
    .option('--expand-roots <patterns>', 'roots whose objects it shows with their fields, also of those above')
    .option('--no-cache', 'read the file itself; neither use nor write the cache');
  addScopeOptions(addDebugOptions(command)).action((input: string, output: string, options: ConvertOptions) =>
    convert(invocation, input, output, options),
  );
  addExamples(command, [
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.iprof --to 1.1.0',
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.iprof.gz',
    'convert examples/krisfoster-binary-tree.iprof /tmp/binary-tree.collapsed --focus shootouts',
    'convert examples/jfr/churn-g1.jfr.gz /tmp/pauses.jfr --type GarbageCollection,GCPhasePause --time 0..1',
    'convert examples/points-to/call_tree_hello.txt.gz /tmp/call_tree_hello.csv --to 21.3',
    'convert examples/points-to/call_tree_hello.txt.gz /tmp/hello.cypher',
    'convert examples/points-to/call_tree_hello.txt.gz /tmp/hello.graphml.gz',
    'convert examples/heap/graph.hprof.gz /tmp/graph.txt --as object-tree --suppress-types java.*',
  ]);
}

async function convert(invocation: Invocation, input: string, output: string, options: ConvertOptions): Promise<void> {
  // Parts of files are written from the files themselves: nothing else of them needs to be read.
  const outlined = maybeCut(output, options.as) ? { extent: 'outline' as const } : {};
  await withSession(invocation, [input], { ...options, ...outlined }, async (session) => {
    theOnly(session, input);
    const isCut = maybeCut(output, options.as, session.recordings[0]?.format);
    const write = isCut ? writeCut : writeConverted;
    const { path, notes, dropped, complete } = await write(invocation, session, input, output, options);
    if (path !== output) note(invocation, `${readable(path)}: written`);
    for (const line of noteTexts(notes)) note(invocation, line);
    report(invocation, dropped);
    if (complete) return;
    note(invocation, `${input}: parts could not be read (see check); the rest was written.`);
    invocation.exitCode = EXIT.partial;
  });
}

type Writing = (
  invocation: Invocation,
  session: Session,
  input: string,
  output: string,
  options: ConvertOptions,
) => Promise<Converted & { readonly complete: boolean }>;

/** The steps of the scope, with events replaced by their spans. */
async function stepsOf(session: Session, { scope = [] }: ConvertOptions): Promise<readonly ScopeStep[]> {
  const [source] = session.sources;
  if (source === undefined) return scope;
  return withSpans(subjectOf(source), scope, (use) => session.derived.get(use, {}));
}

const writeConverted: Writing = async (invocation, session, input, output, options) => {
  const { to: version, as: format, metric, lines, type, secrets } = options;
  if (type !== undefined || secrets !== undefined)
    throw new UsageError('--type and --secrets are for parts of .jfr files, which are written as .jfr');
  const [recording = theOnly(session, input)] = await named(invocation, session, input);
  const scope = await stepsOf(session, options);
  const converted = await withProgress(invocation.host, output, (work) =>
    convertRecording(recording, output, {
      ...defined({ version, format, metric, lines, heaps: session.sources[0]?.heaps, expansion: expansionOf(options) }),
      scope,
      inputs: [input],
      announce: (message) => note(invocation, `kansoku: ${message}`),
      work,
    }),
  );
  return { ...converted, complete: recording.complete };
};

const writeCut: Writing = async (invocation, session, input, output, options) => {
  const { to, metric, lines, type: types, secrets } = options;
  const [source] = session.sources;
  if (to !== undefined || metric !== undefined || lines !== undefined)
    throw new UsageError(
      '--to, --metric and --lines change what is written; events of .jfr files are written as they are',
    );
  if (source === undefined) throw new UsageError(`${input} holds no recording`);
  const scope = await stepsOf(session, options);
  return withProgress(invocation.host, output, (work) =>
    cutRecording(source, output, { ...defined({ types, secrets }), scope, inputs: [input], work }),
  );
};

function expansionOf({ suppressTypes, expandTypes, suppressRoots, expandRoots }: ConvertOptions) {
  const options = defined({ suppressTypes, expandTypes, suppressRoots, expandRoots });
  return Object.keys(options).length === 0 ? undefined : options;
}

/** Writes the intact part of one damaged file; exit code 1 if there was damage, as for `check`. */
export async function salvage(
  invocation: Invocation,
  files: readonly string[],
  output: string,
  options: { readonly cache: boolean },
): Promise<void> {
  const [input = ''] = files;
  if (files.length !== 1) throw new UsageError('--salvage takes one file at a time');
  if (output !== '-' && maybeCut(output, undefined)) {
    // A part of a file without a scope is all of it that is whole.
    await convert(invocation, input, output, { cache: options.cache });
    if (invocation.exitCode === EXIT.partial) invocation.exitCode = EXIT.no;
    return;
  }
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
  note(invocation, `${output}: written from ${formatCount(entries)} entries that were read of ${input}.`);
  if (errors.length > 0 || !recording.complete) invocation.exitCode = EXIT.no;
}

function report(invocation: Invocation, dropped: readonly Phrase[]): void {
  for (const line of dropped) note(invocation, `dropped: ${commandLineText(line)}`);
}
