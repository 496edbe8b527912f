/** `pgo strip`: a profile without what is not needed, or without names, proven by reading it again. */
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
    .description('a profile without the types and methods that no entry names, and without what else is asked to go')
    .argument('<file>', 'PGO profile')
    .requiredOption('-o, --output <file>', 'file to write; .gz behind its name compresses; - is standard output')
    .option('--min-count <count>', 'only entries whose counts sum to as much', wholeNumber)
    .option('--kinds <list>', `only entries of these kinds, with commas between: ${KINDS.join(', ')}`, kindList)
    .option('--drop-kinds <list>', 'no entries of these kinds', kindList)
    .option('--no-profiler', "no entries of the profiler's own code, nor of what that called")
    .option('--anonymise', 'hashes in place of all names but those of the JDK and of GraalVM')
    .option('--keep-names <regex>', 'with --anonymise: names of matching classes stay')
    .option('--salt <text>', 'with --anonymise: other hashes, which nobody without the text can check a guess with')
    .option('--to <version>', "version of the format; the recording's own if not given")
    .option('--no-cache', 'read the file itself even if a copy of what was read is cached, and cache nothing');
  // Frames cannot be taken out: what was counted is true of whole contexts only.
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
    if (!KINDS.includes(word)) throw new InvalidArgumentError(`${word} is none of ${KINDS.join(', ')}.`);
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
    ...stripped.dropped.map((line) => `dropped: ${line}`),
    sizeLine(stripped),
  ];
  for (const line of lines) note(invocation, line);
  if (whole.complete) return;
  note(invocation, `${file}: not all of it could be read (see check); the rest was written.`);
  invocation.exitCode = EXIT.partial;
}

const WHY: Readonly<Record<StripReason, string>> = {
  kind: 'of a kind that was not wanted',
  scope: 'outside the scope',
  profiler: "the profiler's own",
  minimum: 'counted too seldom',
};

function selectionLines({ kinds, unscoped }: Stripped): string[] {
  const lines = kinds.flatMap(({ many, before, after, gone }) => {
    const reasons = STRIP_REASONS.filter((reason) => gone[reason] > 0);
    const why = reasons.map((reason) => `${formatCount(gone[reason])} ${WHY[reason]}`).join(', ');
    return reasons.length === 0
      ? []
      : [`${many}: ${formatCount(after)} of ${formatCount(before)} ${after === 1 ? 'is' : 'are'} left (${why})`];
  });
  return unscoped.length === 0 ? lines : [...lines, `Written without regard to the scope: ${unscoped.join(', ')}.`];
}

function symbolLines({ classes, functions }: Stripped): string[] {
  const line = (noun: string, { before, after }: Stripped['classes']): string =>
    `${noun}: ${formatCount(after)} of ${formatCount(before)} ${after === 1 ? 'is' : 'are'} left, which entries name`;
  const kept =
    classes.perhaps + functions.perhaps === 0
      ? []
      : [
          `${plural(classes.perhaps, 'type')} and ${plural(functions.perhaps, 'method')} more are left, since parts of the file that the format does not have may name them`,
        ];
  return [line('types', classes), line('methods', functions), ...kept];
}

/** What the format does not explain could hold names. */
function namelessLines({ unexplained: { sections, elements } }: Stripped): string[] {
  return [
    ...(sections.length === 0
      ? []
      : [`dropped: ${plural(sections.length, 'section')} that could hold names: ${sections.join(', ')}`]),
    ...(elements === 0
      ? []
      : [`dropped: what ${plural(elements, 'element')} had beyond the format, which could hold names`]),
  ];
}

function sizeLine({ bytes: { before, after } }: Stripped): string {
  const share = formatValue(after / before, 'ratio');
  return `${formatCount(before)} bytes of JSON before, ${formatCount(after)} after (${share}); read again, and all is there that was to stay`;
}
