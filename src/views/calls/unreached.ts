/**
 * `calls unreached` and `calls unobserved`: methods that one of three lacks: class path, report, profiles.
 *
 *   unreached    in the class path, not reachable         what the image leaves out
 *   missed       seen by a profile, not reachable         what the analysis missed, or another program
 *   unobserved   reachable, not seen by any profile       what could go
 */
import { z } from 'zod';
import type { ObservedMethods } from '../../analysis/callgraph/observed-methods.js';
import { type PathMethods, pathMethodsUse } from '../../analysis/callgraph/path-methods.js';
import { hasEdges, type Reach, reachedMethods } from '../../analysis/callgraph/reach.js';
import { reachUse } from '../../analysis/callgraph/stages.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { formatBytes, formatCount, plural } from '../../base/units.js';
import { className, functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { MISSING_KINDS, UNREACHED_OPTIONS } from '../../questions/options/calls.js';
import { GROUPINGS, type MethodGrouping } from '../../questions/options/shared.js';
import { columnsOf, common, detail, HANDLE, HEADLINES, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { methodHandles, NO_CALLS, requireGraph } from './choice.js';
import { type MethodSum, MethodSums } from './method-sums.js';
import {
  bytecodeOf,
  codeBytesOf,
  missedNotes,
  observedMethods,
  observedNotes,
  profilesOf,
  shortMethodNotes,
} from './observed.js';

const row = z.object({
  methods: number('Methods', 'count', 'methods of the listed kind'),
  share: maybe('Methods %', 'ratio', 'their share of `of`'),
  of: detail(
    1,
    number(
      'Of',
      'count',
      'methods with code in the class path, that profiles saw, or that are reachable, by kind of listing',
    ),
  ),
  bytes: maybe('Bytecode', 'bytes', 'bytecode of the methods, as far as the class path has them; null without'),
  code_bytes: maybe('Code', 'bytes', 'machine code of the methods; null if the report has no sizes'),
  name: text('Name', 'package, class, module or method'),
  handle: HANDLE,
});

export const unreachedView = defineView({
  name: 'calls-unreached',
  version: 2,
  title: 'Methods that are missing',
  options: UNREACHED_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    show: z.enum(MISSING_KINDS),
    by: z.enum(GROUPINGS),
    totals: row,
  },
  takesRuns: true,
  needs: (input, { show, by }) => {
    requireGraph(input);
    const { programClasses, classes } = input.library;
    if (input.runs.length > 0)
      throw new UsageError('calls unreached and unobserved take one report at a time', { code: 'one-report' });
    if (classes === undefined && (show === 'unreached' || by === 'module'))
      throw new UsageError(
        show === 'unreached' ? 'nothing to compare the report with' : 'modules are unknown: reports have none',
        {
          code: 'needs-classes',
          advice: phrase`Pass the classes of the program with ${theInput('classes', { choose: 'PATH' })}, or profiles with ${theInput('observed', { choose: 'FILE' })}.`,
          action: { give: ['classes'] },
        },
      );
    const profiles = profilesOf(input);
    if (profiles.length === 0 && show !== 'unreached')
      throw new UsageError(`${show} methods need a profile`, { code: 'needs-profile' });
    return {
      reach: reachUse(input.subject),
      methods:
        show === 'missed'
          ? undefined
          : pathMethodsUse(input.subject, show === 'unreached' ? (programClasses ?? classes) : classes),
      united: profiles.length === 0 ? undefined : unitedUse([input, ...profiles].map(({ subject }) => subject)),
    };
  },
  answer: async (input, { show, by }, { reach, methods, united }) => {
    const { reached, observed, rows } = await input.kept('rows', bytesOfParts, () =>
      partsOf(input, { show, by }, { reach, methods, united }),
    );
    const [totals] = rows;
    const shownRows = rows.slice(1).filter((groupRow) => groupRow.methods > 0);
    const handleOf = methodHandles(input.recording.program, requireGraph(input));
    const cell =
      <Key extends keyof MethodSum>(key: Key) =>
      (i: number) =>
        shownRows[i][key];
    return {
      ...common(input, notesOn({ input, show, reached, methods, observed })),
      headlines: [headline(show, totals)],
      show,
      by,
      totals: totalsOf(totals),
      ...(await listed(
        {
          methods: cell('methods'),
          share: cell('share'),
          of: cell('of'),
          bytes: cell('bytes'),
          code_bytes: cell('code_bytes'),
          name: cell('name'),
        },
        {
          columns: columnsFor(by, totals),
          count: shownRows.length,
          input,
          usual: usualOf(by, totals),
          handle: (i) => handleOf(shownRows[i].function),
        },
      )),
    };
  },
});

function totalsOf({ function: _, ...totals }: MethodSum): z.input<typeof row> {
  return totals;
}

/** What a listing is about, and its rows: the total, then the groups. */
interface Parts {
  readonly reached: Uint8Array;
  readonly observed: ObservedMethods | undefined;
  readonly rows: readonly MethodSum[];
}

function bytesOfParts({ reached, observed, rows }: Parts): number {
  return 2 * reached.byteLength + 40 * (observed?.methods.length ?? 0) + 150 * rows.length;
}

function partsOf(
  input: ViewInput,
  { show, by }: { readonly show: Shown; readonly by: MethodGrouping },
  { reach, methods, united }: PartValues,
): Parts {
  const { program } = input.recording;
  const reached = reachedMethods(requireGraph(input), reach);
  const observed = united && observedMethods(input, reached, united);
  const groups = new MethodSums(by, input.library.classes);
  if (show === 'unreached' && methods !== undefined) addUnreached(groups, methods, reached);
  const programs = profilesOf(input).map(({ recording }) => recording.program);
  if (show === 'missed' && observed !== undefined) addMissed(groups, observed, programs);
  if (show === 'unobserved' && observed !== undefined)
    addUnobserved(groups, { program, reached, observed, methods, codeBytes: codeBytesOf(input) });
  return { reached, observed, rows: groups.rows() };
}

interface PartValues {
  readonly reach: Reach;
  readonly methods: PathMethods | undefined;
  readonly united: UnitedPrograms | undefined;
}

type Shown = (typeof MISSING_KINDS)[number];

function addUnreached(
  groups: MethodSums,
  { length, type, types, names, bytes, function: id }: PathMethods,
  reached: Uint8Array,
): void {
  for (let i = 0; i < length; i++)
    groups.add(types[type[i]], () => names[i], id[i] < 0 || reached[id[i]] === 0, { bytes: bytes[i], function: id[i] });
}

function addMissed(groups: MethodSums, { methods }: ObservedMethods, programs: readonly Program[]): void {
  for (const { profile, id, isReached } of methods) {
    const program = programs[profile];
    // The function is of the profile, not of the report.
    groups.add(className(program, program.functions.class[id]), () => functionSignature(program, id), !isReached, {});
  }
}

interface Reached {
  readonly program: Program;
  readonly reached: Uint8Array;
  readonly observed: ObservedMethods;
  readonly methods: PathMethods | undefined;
  readonly codeBytes: Float64Array;
}

function addUnobserved(groups: MethodSums, { program, reached, observed, methods, codeBytes }: Reached): void {
  for (let id: FunctionId = 0; id < reached.length; id++) {
    if (reached[id] === 0) continue;
    const type = className(program, program.functions.class[id]);
    const name = (): string => functionSignature(program, id);
    groups.add(type, name, observed.seen[id] === 0, {
      bytes: bytecodeOf(methods, id),
      code: codeBytes[id],
      function: id,
    });
  }
}

function columnsFor(by: MethodGrouping, { bytes, code_bytes: code }: MethodSum) {
  // A method is all of its group.
  const hidden = new Set(by === 'method' ? ['methods', 'share', 'of'] : []);
  if (bytes === null) hidden.add('bytes');
  if (code === null) hidden.add('code_bytes');
  return columnsOf(row).filter(({ key }) => !hidden.has(key));
}

function usualOf(by: MethodGrouping, { bytes, code_bytes: code }: MethodSum): string {
  if (by !== 'method') return 'methods';
  return code !== null ? 'code_bytes' : bytes !== null ? 'bytes' : 'name';
}

function headline(show: Shown, { methods, of: methodCount, bytes, code_bytes: code }: MethodSum): string {
  const sizes = [
    ...(bytes === null ? [] : [`${formatBytes(bytes)} of bytecode`]),
    ...(code === null ? [] : [`${formatBytes(code)} of machine code`]),
  ];
  const which = `${formatCount(methods)} of ${plural(methodCount, 'method')}`;
  const size = sizes.length === 0 ? '' : ` (${sizes.join(', ')})`;
  switch (show) {
    case 'unreached':
      return `${which} with code in the class path are not reachable${size}.`;
    case 'missed':
      return `${which} that the profile saw are not reachable in the report.`;
    case 'unobserved':
      return `${which} that are reachable were not seen by the profile${size}.`;
  }
}

interface Known {
  readonly input: ViewInput;
  readonly show: Shown;
  readonly reached: Uint8Array;
  readonly methods: PathMethods | undefined;
  readonly observed: ObservedMethods | undefined;
}

function notesOn({ input, show, reached, methods, observed }: Known): Note[] {
  const notes: Note[] = [];
  if (!hasEdges(requireGraph(input))) notes.push(NO_CALLS);
  if (methods !== undefined) notes.push(...classNotes(methods, reached, show));
  if (observed === undefined) return notes;
  notes.push(...observedNotes(input, reached, observed));
  if (show === 'missed') notes.push(...initialiserNotes(input, observed));
  if (show === 'unobserved') notes.push(...missedNotes(observed), ...shortMethodNotes(input));
  return notes;
}

function classNotes(
  { length, withoutCode, unreadable, function: id, bytesOf }: PathMethods,
  reached: Uint8Array,
  show: Shown,
): Note[] {
  const notes: Note[] = [];
  if (!id.some((functionId) => functionId >= 0 && reached[functionId] === 1))
    notes.push(
      note('other-classes', 'No reachable method is in these classes; check the class path.', {
        action: { give: ['classes'] },
      }),
    );
  if (unreadable > 0)
    notes.push(note('unreadable-classes', `${plural(unreadable, 'class', 'classes')} could not be read.`));
  if (show === 'unreached' && withoutCode > 0)
    notes.push(
      note(
        'without-bytecode',
        `Abstract and native methods have no bytecode and are not listed: ${formatCount(withoutCode)} beside ${formatCount(length)}.`,
      ),
    );
  const unknown =
    show === 'unobserved'
      ? rowsWhere(reached.length, (functionId) => reached[functionId] === 1 && bytesOf[functionId] < 0).length
      : 0;
  if (unknown > 0)
    notes.push(
      note(
        'not-in-class-path',
        `${plural(unknown, 'reachable method is', 'reachable methods are')} not in the class path: their bytecode is not counted.`,
      ),
    );
  return notes;
}

/** Builders run class initialisers of the JDK themselves. */
function initialiserNotes(input: ViewInput, { methods }: ObservedMethods): Note[] {
  const programs = profilesOf(input).map(({ recording }) => recording.program);
  const count = methods.filter(({ profile, id, isReached }) => {
    const { functions, names } = programs[profile];
    return !isReached && stringAt(names, functions.name[id]) === '<clinit>';
  }).length;
  return count === 0
    ? []
    : [
        note(
          'class-initialisers',
          `${formatCount(count)} of them are class initialisers: the builder of an image may have run these.`,
        ),
      ];
}
