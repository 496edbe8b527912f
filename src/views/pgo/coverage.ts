/**
 * `pgo coverage`: the methods and branches that ran, by package, class, module or method. The list of methods of a
 * profile is not a list of methods that ran, and code that was not counted may have run: each has a column of its own.
 */
import { z } from 'zod';
import { type Executed, ExecutedGroups } from '../../analysis/coverage/executed.js';
import { FoldedBranches } from '../../analysis/coverage/folded-branches.js';
import { functionRuns } from '../../analysis/coverage/method-contexts.js';
import { MethodIndex } from '../../analysis/coverage/method-index.js';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { originOfClass, originOfPackage } from '../../analysis/origin.js';
import { ClassPackages } from '../../analysis/packages.js';
import { methodText } from '../../analysis/places/call-code.js';
import { requireProfile, scopedUse } from '../../analysis/scope/scoped.js';
import { FormatError, MissingError, UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { share } from '../../base/share.js';
import { plural } from '../../base/units.js';
import { readClassFile } from '../../code/java/class-file/class-file.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Profile } from '../../models/profile/profile.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { className, functionSignature, sourceTypeName } from '../../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import { ORIGINS, type Origin, originsOf } from '../../models/scope.js';
import { COVERAGE_OPTIONS } from '../../questions/options/pgo.js';
import { GROUPINGS, type MethodGrouping } from '../../questions/options/shared.js';
import { FILE_ID, withIds } from '../file-ids.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  handleField,
  listingShape,
  maybe,
  number,
  pageOf,
  text,
} from '../listing.js';
import { groupName } from '../method-groups.js';
import { defineView } from '../question.js';
import { tableRows } from '../row-table.js';

const row = z.object({
  ran: number('Ran', 'count', 'methods that ran, inlined or not'),
  never: number('Never', 'count', 'methods counted as never run'),
  uncounted: detail(
    2,
    number('Not counted', 'count', 'methods listed in the profile without counts; they may have run'),
  ),
  ran_share: maybe('Ran %', 'ratio', 'share of the methods listed in the profile'),
  code: detail(2, maybe('With code', 'count', 'methods of the class path with code')),
  code_share: maybe('Covered', 'ratio', 'methods with code that ran'),
  unlisted: detail(3, maybe('Not listed', 'count', 'methods with code that the profile does not list')),
  branches: detail(1, number('Branches', 'count', 'counted branches')),
  taken: detail(1, number('Taken', 'count', 'branch outcomes taken')),
  untaken: detail(2, number('Never taken', 'count', 'branch outcomes counted as never taken')),
  unplaced: detail(3, number('No place', 'count', 'branch outcomes without a place in the code')),
  taken_share: maybe('Taken %', 'ratio', 'share of the outcomes with a place'),
  ways: detail(2, maybe('Ways', 'count', 'outcomes of all branches in the code of the class path')),
  ways_share: maybe('Ways taken', 'ratio', 'outcomes in the code that were taken'),
  file_id: FILE_ID,
  name: text('Name', 'package, class, module or method'),
  handle: HANDLE,
});

/** Columns that need classes. */
const OF_CODE = new Set(['code', 'code_share', 'unlisted', 'ways', 'ways_share']);

export const coverageView = defineView({
  name: 'pgo-coverage',
  version: 3,
  title: 'Coverage',
  options: COVERAGE_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(GROUPINGS),
    totals: row,
  },
  needs: (input, options) => {
    const { classes } = input.library;
    requireCounts(requireProfile(input));
    if (options.by === 'module' && classes === undefined)
      throw new UsageError('modules are unknown: a profile has none', {
        code: 'needs-classes',
        advice: phrase`Pass the recorded classes with ${theInput('classes', { choose: 'PATH' })}.`,
        action: { give: ['classes'] },
      });
    return { executed: executedUse(input.subject, { by: options.by, classes }) };
  },
  answer: async (input, options, { executed }) => {
    const groups = [[TOTAL, executed.total] as const, ...executed.groups];
    const withCode = executed.total.code > 0;
    const rows = groups.map(([name, sums]) => toRow(name, sums, withCode));
    const ids = options.ids && options.by === 'method';
    const columns = withIds(columnsOf(row), ids).filter(({ key }) => withCode || !OF_CODE.has(key));
    const keys = Object.fromEntries(columns.map(({ key }) => [key, (i: number) => cellOf(rows[i], key)]));
    const order = await pageOf(rows.length, keys, input, 'ran', columns);
    const { program } = input.recording;
    return {
      ...common(input, notesOn(executed, withCode)),
      by: options.by,
      totals: rows[0],
      columns,
      total: rows.length,
      offset: input.page.offset,
      rows: tableRows(
        order.map((i) => ({
          ...rows[i],
          ...(ids && { file_id: fileIdOf(program.functions, executed.functions.get(rows[i].name) ?? NONE) }),
          ...handleField(functionHandle(program, executed.functions.get(rows[i].name) ?? NONE)),
        })),
      ),
    };
  },
});

const TOTAL = '<Total>';

/** The group of code without a class. */
const UNKNOWN = '<unknown>';

type Row = z.input<typeof row>;

function toRow(name: string, sums: Executed, withCode: boolean): Row {
  const { ran, never, uncounted, code, codeRan, unlisted, ways, waysTaken, ...branches } = sums;
  return {
    ran,
    never,
    uncounted,
    ran_share: share(ran, ran + never + uncounted),
    code: withCode ? code : null,
    code_share: withCode ? share(codeRan, code) : null,
    unlisted: withCode ? unlisted : null,
    ...branches,
    taken_share: share(branches.taken, branches.taken + branches.untaken),
    ways: withCode ? ways : null,
    ways_share: withCode ? share(waysTaken, ways) : null,
    name,
  };
}

function cellOf(row: Row, key: string): number | string | null {
  return Object.entries(row).find(([name]) => name === key)?.[1] ?? null;
}

function notesOn({ total, unreadable, withClasses }: ExecutedGroups, withCode: boolean): Note[] {
  const { code, codeRan, ran, unlisted } = total;
  const beside = ran - codeRan;
  return [
    ...(unreadable === 0
      ? []
      : [
          note(
            'unreadable-classes',
            `${plural(unreadable, 'class', 'classes')} could not be read and ${unreadable === 1 ? 'is' : 'are'} not counted.`,
          ),
        ]),
    ...(withCode && code > 0 && codeRan === 0
      ? [
          note(
            'other-classes',
            `${unlisted === code ? 'No method of the profile is in these classes' : 'None of these classes ran'}; check the class path.`,
            { action: { give: ['classes'] } },
          ),
        ]
      : []),
    note(
      'uncounted-code',
      'Code without counts may have run: the compiler removes branches and inlines methods before counting.',
    ),
    ...(withCode
      ? beside > 0
        ? [
            note(
              'not-in-class-path',
              `${plural(beside, 'method')} that ran ${beside === 1 ? 'is' : 'are'} not in the class path: generated at run time, native, or missing.`,
            ),
          ]
        : []
      : [withClasses ? note('no-code', 'No selected class of the class path has code.') : UNLISTED_METHODS]),
  ];
}

const UNLISTED_METHODS = note(
  'unlisted-methods',
  phrase`Methods that the profile does not list are missing here (${theInput('classes', { choose: 'PATH' })} adds them).`,
  { action: { give: ['classes'] } },
);

interface Counting {
  readonly by: MethodGrouping;
  readonly classes: ClassPath | undefined;
}

const executedStage: Stage<ExecutedGroups, Counting> = {
  name: 'coverage',
  version: 1,
  key: ({ by, classes }) => `${by} ${classes?.id ?? ''}`,
  needs: ([subject]) => [scopedUse(ofAllOrigins(subject))],
  run: async ([subject], counting, get, work) => {
    const scoped = await get(scopedUse(ofAllOrigins(subject)));
    const origins = originsOf(subject.scope) ?? ORIGINS;
    return executedOf(requireProfile(scoped), scoped.recording.program, { ...counting, origins }, work);
  },
  bytes: ({ groups }) => GROUP * [...groups].length,
};

/** Steps by origin choose the methods that are listed; events in other code inlined into them still prove that they ran. */
function ofAllOrigins(subject: Subject): Subject {
  return { ...subject, scope: subject.scope.filter(({ kind }) => kind !== 'origin') };
}

/** Bytes of a group with its name. */
const GROUP = 400;

/** The code that ran, by group; all classes of the path are read. */
function executedUse(subject: Subject, counting: Counting): StageUse<ExecutedGroups> {
  return use(executedStage, [subject], counting);
}

interface OfOrigins extends Counting {
  readonly origins: readonly Origin[];
}

async function executedOf(
  profile: Profile,
  program: Program,
  { by, classes, origins }: OfOrigins,
  work: Work,
): Promise<ExecutedGroups> {
  const executed = new ExecutedGroups(functionRuns(profile, program), new FoldedBranches(profile, program));
  const isChosen = (type: string): boolean => origins.includes(originOfClass(type));
  executed.addProfile(program, groupsOf(program, { by, classes, origins }, executed));
  if (classes === undefined) return executed;
  executed.withClasses = true;
  const index = new MethodIndex(program);
  const names = [...classes.names()].filter(isChosen);
  const add = (name: string, bytes: Uint8Array): void => {
    const file = attempt(() => readClassFile(bytes, name));
    if (file instanceof FormatError) {
      executed.unreadable++;
      return;
    }
    for (const method of file.methods)
      executed.addMethod(
        method,
        index.of(method),
        groupName(by, name, () => methodText(method), classes),
      );
  };
  await classes.load(names, add, work);
  return executed;
}

/** Returns the counts of a function's group; undefined if it is of no wanted origin. */
function groupsOf(
  program: Program,
  { by, classes, origins }: OfOrigins,
  executed: ExecutedGroups,
): (id: FunctionId) => Executed | undefined {
  const unknown = origins.includes('unknown') ? UNKNOWN : undefined;
  const packages = new ClassPackages(program);
  const ofPackage: (PackageGroup | undefined)[] = [];
  const groupOfClass = (id: ClassId): string | undefined => {
    const place = by === 'package' ? packages.of(id) : NONE;
    if (place >= 0) {
      ofPackage[place] ??= packageGroup(packages.prefix(place), origins);
      const { whole, group } = ofPackage[place];
      if (whole) return group;
    }
    const type = className(program, id);
    if (type.startsWith('<')) return unknown;
    return origins.includes(originOfClass(type)) ? groupName(by, type, () => type, classes) : undefined;
  };
  /** By class: the counts of its group, or, if methods are the groups, the name of its group; null if it has none. */
  const classGroups: (Executed | string | null)[] = [];
  return (id) => {
    const declaring = program.functions.class[id];
    if (declaring < 0) return unknown && executed.of(unknown);
    let group = classGroups[declaring];
    if (group === undefined) {
      const name = groupOfClass(declaring);
      group = name === undefined ? null : by === 'method' && name !== UNKNOWN ? name : executed.of(name);
      classGroups[declaring] = group;
    }
    return typeof group === 'string' ? executed.ofMethod(functionSignature(program, id), id) : (group ?? undefined);
  };
}

/** The group of all classes of a package, if they are of one origin and package; no group if the origin is not wanted. */
interface PackageGroup {
  readonly whole: boolean;
  readonly group: string | undefined;
}

function packageGroup(prefix: string, origins: readonly Origin[]): PackageGroup {
  // Other spellings than `a.b.` are those of arrays, of the VM, and of classes that have no name.
  const origin = /[<[/]/.test(prefix) ? null : originOfPackage(prefix);
  if (origin === null) return { whole: false, group: undefined };
  const type = sourceTypeName(`${prefix}X`);
  return { whole: true, group: origins.includes(origin) ? type.slice(0, type.lastIndexOf('.')) : undefined };
}

/** Throws if a profile has only samples: they show what ran, but not what did not. */
export function requireCounts(profile: Profile): void {
  if (CALL_EVENTS.of(profile) === undefined)
    throw new MissingError('this recording has no call counts', {
      code: 'no-call-counts',
      advice: 'Coverage needs a profile that counts calls (.iprof).',
    });
}
