/**
 * `pgo stale`: how much of a profile still fits today's classes, method by method. `analysis/stale/verdict.ts` and
 * `staleness.ts` define the states.
 */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { packagePart } from '../../analysis/packages.js';
import { methodText } from '../../analysis/places/call-code.js';
import { type JudgedProfile, judgedUse } from '../../analysis/stale/stale-profile.js';
import {
  fittingShare,
  judgedShare,
  type KindTally,
  type MethodTally,
  type Staleness,
  sumOf,
  type Tally,
} from '../../analysis/stale/staleness.js';
import type { MethodVerdict } from '../../analysis/stale/verdict.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput, theTransform } from '../../base/phrase.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { className, functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { METHOD_STATES, type MethodState, STALE_OPTIONS } from '../../questions/options/pgo.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { tableRows } from '../row-table.js';
import { classesOf, nextStep, oldClassesOf } from './next-steps.js';

const row = z.object({
  state: text('State', METHOD_STATES.join(', ')),
  misplaced: number(
    'Misplaced',
    'count',
    'executions at places that do not fit as they stand because of this method, including moved ones',
  ),
  calls: detail(1, number('Calls', 'count', 'times the method ran, over all contexts')),
  entries: detail(2, number('Entries', 'count', 'profile entries in the method, over all contexts')),
  places: detail(1, number('Places', 'count', 'places in its code with counts')),
  misfits: number('Misfits', 'count', 'places where the code contradicts the counts'),
  shift: detail(2, maybe('Shift', 'none', 'by how many bytes entries moved, if the same for all')),
  file_id: FILE_ID,
  method: text('Method', 'class, name and parameter types'),
  candidate: detail(1, text('Perhaps', 'possible new name of a method that is gone; a guess, not used elsewhere')),
  why: text('Why', 'the first contradiction'),
  handle: HANDLE,
});

const tally = z.object({
  fits: z.number(),
  moved: z.number().describe('at another place in the current code'),
  stale: z.number(),
  exempt: z.number().describe('entries without a place to compare: negative bytecode indexes, native methods'),
  outside: z.number().describe('entries of methods outside the class path'),
  share: z.number().nullable().describe('share of judged entries that fit where they are'),
});

const kindShape = z.object({
  kind: z.string().describe('call, branch, receiver, instanceof, sample or all'),
  entries: tally,
  executions: tally,
  hot: tally.describe('the entries that make up 90 % of the judged executions'),
  cold: tally.describe('the other entries'),
});

export const staleView = defineView({
  name: 'pgo-stale',
  version: 4,
  title: 'Staleness',
  options: STALE_OPTIONS,
  shape: {
    ...listingShape(row),
    exact: z
      .boolean()
      .describe('whether the profile was compared with its own classes, not only searched for contradictions'),
    kinds: z.array(kindShape),
    contradicts_old: z
      .object({ entries: z.number(), executions: z.number() })
      .nullable()
      .describe('stale entries that contradict the old classes; null without them'),
    judged_share: z.number().nullable().describe('share of all executions that can be judged; null if there are none'),
    stale_share: z.number().nullable().describe('share of judged executions that do not fit'),
    states: z.array(z.object({ state: z.enum(METHOD_STATES), methods: z.number(), calls: z.number() })),
    outside: z
      .array(z.object({ package: z.string(), methods: z.number(), calls: z.number() }))
      .describe('packages outside the class path, most calls first'),
  },
  needs: ({ subject, library }) => {
    const { classes, oldClasses } = library;
    if (classes === undefined)
      throw new UsageError('no classes to compare the profile with', {
        code: 'needs-classes',
        advice: phrase`Pass the jar of the program and the home of its JDK with ${theInput('classes')}.`,
        action: { give: ['classes'] },
      });
    return { judged: judgedUse(subject, { classes, oldClasses }) };
  },
  answer: async (input, options, { judged: judgement }) => {
    const program = input.recording.program;
    const methods = new JudgedMethods(judgement, program);
    const shownMethods = methods.ofStates(options.state ?? METHOD_STATES.filter((state) => state !== 'outside'));
    const functionOf = (i: number) => methods.tally(shownMethods[i])?.function ?? NONE;
    const cells = { ...methodCells(methods, shownMethods), ...idCell(options.ids, program, functionOf) };
    const page = await listed(cells, {
      columns: withIds(columnsOf(row), options.ids),
      count: shownMethods.length,
      input,
      usual: 'misplaced',
      sortable: (key) => key !== 'candidate' && key !== 'why',
      handle: (i) => functionHandle(program, functionOf(i)),
    });
    const kinds = [...judgement.staleness.kinds.map(shares), shares(allKinds(judgement.staleness.kinds))];
    const executions = kinds.at(-1)?.executions;
    const executed = executions?.share ?? null;
    const exact = input.library.oldClasses !== undefined;
    const contradicts = exact ? judgement.staleness.contradictsOld : null;
    return {
      ...common(input, [
        ...notesOf(kinds, exact, contradicts),
        ...idNotes(options.ids, program),
        ...nextSteps(input, executed, exact),
      ]),
      exact,
      contradicts_old: contradicts,
      kinds,
      judged_share: executions === undefined ? null : judgedShare(executions),
      stale_share: executed === null ? null : 1 - executed,
      states: METHOD_STATES.map((state) => methods.sum(state)).filter((sum) => sum.methods > 0),
      outside: tableRows(outsidePackages(judgement, program)),
      ...page,
    };
  },
});

/** All methods, those with more calls first, then the new ones. Texts are made only for the rows that are shown. */
class JudgedMethods {
  readonly #judged: JudgedProfile;
  readonly #program: Program;
  /** Indexes of the judged methods by calls. */
  readonly #order: readonly number[];
  /** By place in the order: index into `METHOD_STATES`. */
  readonly #states: Uint8Array;

  constructor(judgement: JudgedProfile, program: Program) {
    const { methods } = judgement.staleness;
    this.#judged = judgement;
    this.#program = program;
    this.#order = [...methods.keys()].sort((a, b) => methods[b].calls - methods[a].calls || a - b);
    this.#states = new Uint8Array(methods.length + judgement.added.length);
    for (let i = 0; i < this.#states.length; i++)
      this.#states[i] = METHOD_STATES.indexOf(this.verdict(i)?.state ?? 'new');
  }

  /** A judged method by its place in the order; undefined for new ones. */
  tally(place: number): MethodTally | undefined {
    return this.#judged.staleness.methods[this.#order[place] ?? -1];
  }

  verdict(place: number): MethodVerdict | undefined {
    const tally = this.tally(place);
    return tally && this.#judged.judge.method(tally.function);
  }

  name(place: number): string {
    const tally = this.tally(place);
    if (tally !== undefined) return functionSignature(this.#program, tally.function);
    return methodText(this.#judged.added[place - this.#order.length]);
  }

  state(place: number): MethodState {
    return METHOD_STATES[this.#states[place]];
  }

  ofStates(states: readonly MethodState[]): Int32Array {
    return rowsWhere(this.#states.length, (place) => states.includes(this.state(place)));
  }

  sum(state: MethodState) {
    const chosen = this.ofStates([state]);
    return { state, methods: chosen.length, calls: chosen.reduce((sum, i) => sum + (this.tally(i)?.calls ?? 0), 0) };
  }
}

function methodCells(methods: JudgedMethods, shownMethods: Int32Array) {
  const number = (key: 'misplaced' | 'calls' | 'entries' | 'places' | 'misfits') => (i: number) =>
    methods.tally(shownMethods[i])?.[key] ?? 0;
  return {
    state: (i: number) => methods.state(shownMethods[i]),
    misplaced: number('misplaced'),
    calls: number('calls'),
    entries: number('entries'),
    places: number('places'),
    misfits: number('misfits'),
    shift: (i: number) =>
      methods.state(shownMethods[i]) === 'moved' ? (methods.verdict(shownMethods[i])?.shift ?? null) : null,
    method: (i: number) => methods.name(shownMethods[i]),
    candidate: (i: number) => methods.verdict(shownMethods[i])?.candidates.join(' or ') ?? '',
    why: (i: number) => methods.tally(shownMethods[i])?.why[0] ?? methods.verdict(shownMethods[i])?.why[0] ?? '',
  };
}

function outsidePackages({ staleness, judge }: JudgedProfile, program: Program) {
  const packages = new Map<string, { package: string; methods: number; calls: number }>();
  for (const { function: id, calls } of staleness.methods) {
    if (judge.method(id).state !== 'outside') continue;
    const name = packagePart(className(program, program.functions.class[id]));
    const sum = packages.get(name) ?? { package: name, methods: 0, calls: 0 };
    sum.methods++;
    sum.calls += calls;
    packages.set(name, sum);
  }
  return [...packages.values()].sort((a, b) => b.calls - a.calls || (a.package < b.package ? -1 : 1));
}

function allKinds(kinds: readonly KindTally[]) {
  return {
    kind: 'all',
    entries: sumOf(kinds.map((kind) => kind.entries)),
    executions: sumOf(kinds.map((kind) => kind.executions)),
    hot: sumOf(kinds.map((kind) => kind.hot)),
    cold: sumOf(kinds.map((kind) => kind.cold)),
  };
}

function shares({ kind, ...tallies }: Omit<KindTally, 'kind'> & { readonly kind: string }) {
  const { entries, executions, hot, cold } = tallies;
  return {
    kind,
    entries: { ...entries, share: fittingShare(entries) },
    executions: { ...executions, share: fittingShare(executions) },
    hot: { ...hot, share: fittingShare(hot) },
    cold: { ...cold, share: fittingShare(cold) },
  };
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  call: 'calls',
  branch: 'branches',
  receiver: 'receivers',
  instanceof: 'type checks',
  sample: 'samples',
  all: 'all',
};

function notesOf(
  kinds: readonly ReturnType<typeof shares>[],
  exact: boolean,
  contradicts: Staleness['contradictsOld'] | null,
): Note[] {
  const fitting = [...kinds.slice(-1), ...kinds.slice(0, -1)]
    .filter((kind) => kind.executions.share !== null)
    .map(({ kind, entries, executions, hot, cold }) =>
      note(
        'fitting',
        `Fits: ${KIND_NAMES[kind]} ${percent(executions.share)} of executions, ${percent(entries.share)} of entries (hot ${percent(hot.share)}, cold ${percent(cold.share)}).`,
      ),
    );
  return [
    ...judgedNotes(kinds.at(-1)),
    ...contradictionNotes(contradicts),
    ...(fitting.length === 0 ? [NOTHING_COMPARED] : fitting),
    ...(exact ? [] : [ONE_CLASS_PATH]),
  ];
}

const NOTHING_COMPARED = note('nothing-compared', 'No entry of the profile can be compared with these classes.');
const ONE_CLASS_PATH = note(
  'one-class-path',
  phrase`One class path shows only contradictions; code that fits may have changed (${theInput('oldClasses')} compares exactly).`,
  { action: { give: ['oldClasses'] } },
);

/** Notes on how much could be judged: if it is little, the share that fits says little. */
function judgedNotes(all: ReturnType<typeof shares> | undefined): Note[] {
  const { outside = 0, exempt = 0 } = all?.entries ?? {};
  if (all === undefined || outside + exempt === 0) return [];
  const shareOf = (tally: Tally) => percent(judgedShare(tally));
  return [
    note('judged', `Judged: ${shareOf(all.executions)} of executions, ${shareOf(all.entries)} of entries.`),
    note(
      'not-judged',
      `Not judged: ${plural(outside, 'entry', 'entries')} outside the class path, ${formatCount(exempt)} without a place to compare.`,
    ),
  ];
}

/** Share of the judged executions below which a profile should be recorded again: a rule of thumb, not a measurement. */
const RECORD_AGAIN = 0.9;

function nextSteps({ recording, library }: ViewInput, fits: number | null, exact: boolean): Note[] {
  if (fits === null) return [];
  const rule = note(
    'record-again',
    `Rule of thumb: record again if less than ${percent(RECORD_AGAIN)} of judged executions fit (here ${percent(fits)}).`,
  );
  const inputs = { ...oldClassesOf(library), ...classesOf(library) };
  const why = exact ? 'keep entries that fit and move the moved ones' : 'compare exactly and keep the entries that fit';
  return [rule, nextStep(why, theTransform('repair', { recording: recording.name, inputs }))];
}

function contradictionNotes(contradicts: Staleness['contradictsOld'] | null): Note[] {
  if (contradicts === null || contradicts.executions === 0) return [];
  const { entries, executions } = contradicts;
  return [
    note(
      'old-classes-contradicted',
      phrase`${plural(entries, 'entry contradicts', 'entries contradict')} ${theInput('oldClasses')} (${plural(executions, 'execution')}): check that they are the profiled build.`,
      { action: { give: ['oldClasses'] } },
    ),
  ];
}

function percent(value: number | null): string {
  return value === null ? '–' : formatValue(value, 'ratio');
}
