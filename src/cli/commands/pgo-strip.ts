/** `pgo strip`: writes a profile without unneeded parts, or without names, and proves it by reading it again. */
import { type Command, InvalidArgumentError } from 'commander';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import type { ScopeStep } from '../../models/scope.js';
import { STRIP_REASONS, type StripReason, strippableKinds } from '../../transform/strip.js';
import { type StripFileOptions, type Stripped, stripProfile } from '../../transform/strip.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { openOne } from '../invocation/open.js';
import { addExamples, addPatternOptions, wholeNumber } from '../invocation/options.js';
import { commandLineText } from '../render/spelling.js';

interface StripCommandOptions {
  readonly output: string;
  readonly minCount?: number;
  readonly kinds?: string[];
  readonly dropKinds?: string[];
  readonly profiler: boolean;
  readonly scope?: readonly ScopeStep[];
  readonly anonymise?: true;
  readonly keepNames?: string;
  readonly salt?: string;
  readonly to?: string;
  readonly cache: boolean;
}

const KINDS = strippableKinds();
const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';

export function registerStrip(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('strip')
    .description(
      'write a smaller profile: without unreferenced types and methods, and the entries that the options exclude',
    )
    .argument('<file>', 'PGO profile')
    .requiredOption('-o, --output <file>', 'output file; .gz compresses; - is standard output')
    .option('--min-count <count>', 'only entries with at least this many executions', wholeNumber)
    .option('--kinds <list>', `only entries of these kinds, comma-separated: ${KINDS.join(', ')}`, kindList)
    .option('--drop-kinds <list>', 'omit entries of these kinds', kindList)
    .option('--no-profiler', "omit the profiler's own code and everything it called")
    .option('--anonymise', 'replace all names by hashes, except those of the JDK and GraalVM')
    .option('--keep-names <regex>', 'with --anonymise: keep the names of matching classes')
    .option('--salt <text>', 'with --anonymise: salt of the hashes, against guessing of names')
    .option('--to <version>', "version of the output format (default: the recording's)")
    .option('--no-cache', 'read the file itself; neither use nor write the cache');
  // Frames cannot be removed, since counts belong to whole contexts.
  addPatternOptions(command, ['focus', 'ignore']);
  command.action((file: string, options: StripCommandOptions) => strip(invocation, file, options));
  addExamples(command, [
    `pgo strip ${EXAMPLE} -o /tmp/stripped.iprof.gz`,
    `pgo strip ${EXAMPLE} -o /tmp/own.iprof --focus shootouts --no-profiler --min-count 10`,
    `pgo strip ${EXAMPLE} -o /tmp/anonymous.iprof --anonymise --keep-names ^bench.shootouts --to 1.1.0`,
  ]);
}

function kindList(text: string): string[] {
  return text.split(',').map((word) => {
    if (!KINDS.includes(word))
      throw new InvalidArgumentError(`${word} is unknown; expected one of ${KINDS.join(', ')}.`);
    return word;
  });
}

function stripOptions(options: StripCommandOptions): StripFileOptions {
  const { anonymise, salt, keepNames: keep, kinds = KINDS, dropKinds = [], minCount: minimum, profiler } = options;
  if (anonymise !== true && (keep !== undefined || salt !== undefined))
    throw new UsageError('--keep-names and --salt are for --anonymise');
  return {
    kinds: kinds.filter((kind) => !dropKinds.includes(kind)),
    profiler,
    ...defined({ minimum, scope: options.scope, version: options.to }),
    ...(anonymise === true ? { anonymise: defined({ salt, keep }) } : {}),
  };
}

async function strip(invocation: Invocation, file: string, options: StripCommandOptions): Promise<void> {
  const chosen = stripOptions(options);
  const whole = await openOne(invocation, [file], options);
  const stripped = await stripProfile(whole, options.output, {
    ...chosen,
    inputs: [file],
    work: { signal: invocation.host.signal },
  });
  const lines = [
    ...selectionLines(stripped),
    ...symbolLines(stripped),
    ...namelessLines(stripped),
    ...stripped.dropped.map((line) => `dropped: ${commandLineText(line)}`),
    sizeLine(stripped),
  ];
  for (const line of lines) note(invocation, line);
  if (whole.complete) return;
  note(invocation, `${file}: parts could not be read (see check); the rest was written.`);
  invocation.exitCode = EXIT.partial;
}

const WHY: Readonly<Record<StripReason, string>> = {
  kind: 'of an excluded kind',
  scope: 'outside the scope',
  profiler: "the profiler's own",
  minimum: 'below --min-count',
};

function selectionLines({ kinds, unscoped }: Stripped): string[] {
  const lines = kinds.flatMap(({ many, before, after, gone }) => {
    const reasons = STRIP_REASONS.filter((reason) => gone[reason] > 0);
    const why = reasons.map((reason) => `${formatCount(gone[reason])} ${WHY[reason]}`).join(', ');
    return reasons.length === 0
      ? []
      : [`${many}: ${plural(after, `of ${formatCount(before)} remains`, `of ${formatCount(before)} remain`)} (${why})`];
  });
  return unscoped.length === 0 ? lines : [...lines, `Written without regard to the scope: ${unscoped.join(', ')}.`];
}

function symbolLines({ classes, functions }: Stripped): string[] {
  const line = (noun: string, { before, after }: Stripped['classes']): string =>
    `${noun}: ${plural(after, `of ${formatCount(before)} remains`, `of ${formatCount(before)} remain`)}`;
  const uncertainLines =
    classes.perhaps + functions.perhaps === 0
      ? []
      : [
          `${plural(classes.perhaps, 'type')} and ${plural(functions.perhaps, 'method')} more remain, because unknown parts of the file may refer to them`,
        ];
  return [line('types', classes), line('methods', functions), ...uncertainLines];
}

/** Data that the format does not define may contain names. */
function namelessLines({ unexplained: { sections, elements } }: Stripped): string[] {
  return [
    ...(sections.length === 0
      ? []
      : [`dropped: ${plural(sections.length, 'section')} that could hold names: ${sections.join(', ')}`]),
    ...(elements === 0 ? [] : [`dropped: unknown keys of ${plural(elements, 'element')}, which could hold names`]),
  ];
}

function sizeLine({ bytes: { before, after } }: Stripped): string {
  const share = formatValue(after / before, 'ratio');
  return `${formatCount(before)} bytes of JSON before, ${formatCount(after)} after (${share}); verified by reading it again`;
}
