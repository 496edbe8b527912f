/** `pgo strip`: a profile without what is not needed, or without names, proven by reading it again. */
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../base/errors.js';
import { usingPattern } from '../../base/pattern.js';
import { stringAt } from '../../base/text.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { beyondFormat, iprofResidue } from '../../formats/iprof/check.js';
import { ENTRY_KINDS } from '../../formats/iprof/entry-events.js';
import type { EntryKind } from '../../formats/iprof/rows.js';
import { type SubsetRecording, subsetIprof } from '../../formats/iprof/subset.js';
import { ENTRY_NAMES } from '../../formats/iprof/write/drop-log.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { anonymise } from '../../transform/anonymise.js';
import { nameHash } from '../../transform/hash-names.node.js';
import { type Selection, STRIP_REASONS, type StripOptions, selectEntries } from '../../transform/strip.js';
import { proveStripped } from '../../transform/strip-proof.js';
import { endingOf, writeRecording } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { openOne } from '../invocation/open.js';
import { addExamples, addPatternOptions, wholeNumber } from '../invocation/options.js';

interface StripCommandOptions {
  readonly output: string;
  readonly minCount?: number;
  readonly kinds?: EntryKind[];
  readonly dropKinds?: EntryKind[];
  readonly profiler: boolean;
  readonly scope?: readonly ScopeStep[];
  readonly anonymise?: true;
  readonly keepNames?: string;
  readonly salt?: string;
  readonly to?: string;
  readonly cache: boolean;
}

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';

export function registerStrip(pgo: Command, invocation: Invocation): void {
  const command = pgo
    .command('strip')
    .description('a profile without the types and methods that no entry names, and without what else is asked to go')
    .argument('<file>', 'PGO profile')
    .requiredOption('-o, --output <file>', 'file to write; .gz behind its name compresses; - is standard output')
    .option('--min-count <count>', 'only entries whose counts sum to as much', wholeNumber)
    .option('--kinds <list>', `only entries of these kinds, with commas between: ${ENTRY_KINDS.join(', ')}`, kindList)
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

function kindList(text: string): EntryKind[] {
  return text.split(',').map((word) => {
    const kind = ENTRY_KINDS.find((known) => known === word);
    if (kind === undefined) throw new InvalidArgumentError(`${word} is none of ${ENTRY_KINDS.join(', ')}.`);
    return kind;
  });
}

function stripOptions({ kinds, dropKinds, minCount, scope, profiler }: StripCommandOptions): StripOptions {
  const left = (kinds ?? ENTRY_KINDS).filter((kind) => dropKinds?.includes(kind) !== true);
  return {
    kinds: left,
    profiler,
    ...(minCount === undefined ? {} : { minimum: minCount }),
    ...(scope === undefined ? {} : { scope }),
  };
}

async function strip(invocation: Invocation, file: string, options: StripCommandOptions): Promise<void> {
  if (options.anonymise !== true && (options.keepNames !== undefined || options.salt !== undefined))
    throw new UsageError('--keep-names and --salt are for --anonymise');
  const whole = await openOne(invocation, [file], options);
  const selection = selectEntries(whole, stripOptions(options));
  if (isEmptied(selection))
    throw new UsageError(
      `no entry of ${file} would be left`,
      'Nothing was written; `summary` says what there is of each kind.',
    );
  const ending = endingOf(options.output);
  if (ending !== undefined && ending !== 'iprof')
    throw new UsageError(`${options.output}: strip writes .iprof only`, 'Strip first, then `convert` the result.');
  const anonymous = options.anonymise === true;
  const program = anonymous ? anonymousProgram(whole.program, options) : whole.program;
  const stripped = subsetIprof({ ...whole, program }, { ...selection, unknown: !anonymous });
  let again: Recording | undefined;
  const dropped = await writeRecording(stripped.recording, options.output, {
    format: 'iprof',
    inputs: [file],
    work: { signal: invocation.host.signal },
    ...(options.to === undefined ? {} : { version: options.to }),
    verify: async (written) => {
      again = await proveStripped(written, {
        ...stripped,
        ...selection,
        whole,
        className: (id) => stringAt(program.names, program.classes.name[id]),
        functionName: (id) => stringAt(program.names, program.functions.name[id]),
      });
    },
  });
  const lines = [
    ...selectionLines(selection),
    ...symbolLines(whole, stripped),
    ...(anonymous ? namelessLines(whole) : []),
    ...dropped.map((line) => `dropped: ${line}`),
    ...(again === undefined ? [] : [sizeLine(whole, again)]),
  ];
  for (const line of lines) note(invocation, line);
  if (whole.complete) return;
  note(invocation, `${file}: not all of it could be read (see check); the rest was written.`);
  invocation.exitCode = EXIT.partial;
}

function anonymousProgram(program: Program, { keepNames, salt }: StripCommandOptions): Program {
  const hash = nameHash(salt ?? '');
  return usingPattern(`not a regular expression: ${keepNames}`, () =>
    anonymise(program, { hash, ...(keepNames === undefined ? {} : { keep: keepNames }) }),
  );
}

/** Whether there were entries, and none is left of those that could be chosen from. */
function isEmptied({ kinds: all, unscoped }: Selection): boolean {
  const kinds = all.filter(({ kind }) => !unscoped.includes(kind));
  const before = kinds.reduce((sum, kind) => sum + kind.before, 0);
  const gone = kinds.reduce((sum, kind) => STRIP_REASONS.reduce((so, reason) => so + kind.gone[reason], sum), 0);
  return before > 0 && gone === before;
}

const WHY: Readonly<Record<(typeof STRIP_REASONS)[number], string>> = {
  kind: 'of a kind that was not wanted',
  scope: 'outside the scope',
  profiler: "the profiler's own",
  minimum: 'counted too seldom',
};

function selectionLines({ kinds, unscoped }: Selection): string[] {
  const lines = kinds.flatMap(({ kind, before, gone }) => {
    const reasons = STRIP_REASONS.filter((reason) => gone[reason] > 0);
    const left = STRIP_REASONS.reduce((count, reason) => count - gone[reason], before);
    const why = reasons.map((reason) => `${formatCount(gone[reason])} ${WHY[reason]}`).join(', ');
    const [, nouns] = ENTRY_NAMES[kind];
    return reasons.length === 0 ? [] : [`${nouns}: ${formatCount(left)} of ${formatCount(before)} are left (${why})`];
  });
  return unscoped.length === 0 ? lines : [...lines, `Written without regard to the scope: ${unscoped.join(', ')}.`];
}

function symbolLines(whole: Recording, { types, methods, perhaps }: SubsetRecording): string[] {
  const residue = iprofResidue(whole);
  const line = (noun: string, marks: Uint8Array, all: number): string =>
    `${noun}: ${formatCount(marks.subarray(0, all).reduce((sum, kept) => sum + kept, 0))} of ${formatCount(all)} are left, which entries name`;
  const kept =
    perhaps.types + perhaps.methods === 0
      ? []
      : [
          `${plural(perhaps.types, 'type')} and ${plural(perhaps.methods, 'method')} more are left, since parts of the file that the format does not have may name them`,
        ];
  return [line('types', types, residue.types), line('methods', methods, residue.methods), ...kept];
}

/** What the format does not explain could hold names. */
function namelessLines(whole: Recording): string[] {
  const { sections, elements } = beyondFormat(whole);
  return [
    ...(sections.length === 0
      ? []
      : [`dropped: ${plural(sections.length, 'section')} that could hold names: ${sections.join(', ')}`]),
    ...(elements === 0
      ? []
      : [`dropped: what ${plural(elements, 'element')} had beyond the format, which could hold names`]),
  ];
}

function sizeLine(whole: Recording, again: Recording): string {
  const [before, after] = [iprofResidue(whole).bytes, iprofResidue(again).bytes];
  const share = formatValue(after / before, 'ratio');
  return `${formatCount(before)} bytes of JSON before, ${formatCount(after)} after (${share}); read again, and all is there that was to stay`;
}
