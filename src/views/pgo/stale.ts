/**
 * `pgo stale`: how much of a profile still fits the classes of today, method by method. What the states mean:
 * `analysis/stale/verdict.ts` and `staleness.ts`.
 */
import { z } from 'zod';
import { methodText } from '../../analysis/places/call-code.js';
import { packageOf } from '../../analysis/stale/class-scope.js';
import { type JudgedProfile, judgedUse } from '../../analysis/stale/stale-profile.js';
import {
  fittingShare,
  judgedShare,
  type KindTally,
  type Staleness,
  sumOf,
  type Tally,
} from '../../analysis/stale/staleness.js';
import { METHOD_STATES, type MethodState } from '../../analysis/stale/verdict.js';
import { UsageError } from '../../base/errors.js';
import { formatValue, plural } from '../../base/units.js';
import { className, functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { columnsOf, common, detail, listingShape, maybe, number, pageOf, text } from '../listing.js';
import { defineView } from '../question.js';
import { command, nextNotes } from './next-steps.js';

const row = z.object({
  state: text('State', METHOD_STATES.join(', ')),
  misplaced: number(
    'Misplaced',
    'count',
    'executions at places that no longer fit as they stand because of this method, those that were moved included',
  ),
  calls: detail(1, number('Calls', 'count', 'times the method ran, over all contexts')),
  entries: detail(2, number('Entries', 'count', 'entries of the profile in the method, over all contexts')),
  places: detail(1, number('Places', 'count', 'places of its code that something was counted at')),
  misfits: number('Misfits', 'count', 'places that are not what was counted there'),
  shift: detail(2, maybe('Shift', 'none', 'by how many bytes what was moved was moved, where that is one number')),
  method: text('Method', 'class, name and parameter types'),
  candidate: detail(1, text('Perhaps', 'what a method that is gone may be now; nothing follows from it')),
  why: text('Why', 'what contradicts, the first of several'),
});

const tally = z.object({
  fits: z.number(),
  moved: z.number().describe('elsewhere in the code of today'),
  stale: z.number(),
  exempt: z.number().describe('no place to compare: negative bytecode indexes, native methods'),
  outside: z.number().describe('of methods that the class path has nothing of'),
  share: z.number().nullable().describe('of what fits, was moved or is stale, the part that fits where it is'),
});

const kindShape = z.object({
  kind: z.string().describe('call, branch, receiver, instanceof, sample or all'),
  entries: tally,
  executions: tally,
  hot: tally.describe('entries that make 90 % of the executions that can be judged'),
  cold: tally.describe('the other entries'),
});

export const staleView = defineView({
  name: 'pgo-stale',
  version: 2,
  title: 'Staleness',
  options: z.object({ state: z.array(z.enum(METHOD_STATES)).optional() }),
  shape: {
    ...listingShape(row),
    exact: z.boolean().describe('compared with the classes it was made with, not only searched for contradictions'),
    kinds: z.array(kindShape),
    contradicts_old: z
      .object({ entries: z.number(), executions: z.number() })
      .nullable()
      .describe(
        'of what is stale, what contradicts the classes the profile is said to be made with; null without them',
      ),
    judged_share: z
      .number()
      .nullable()
      .describe('of all executions, those that can be judged; null where there are none'),
    stale_share: z.number().nullable().describe('of the executions that can be judged, those that do not fit'),
    states: z.array(z.object({ state: z.enum(METHOD_STATES), methods: z.number(), calls: z.number() })),
    outside: z
      .array(z.object({ package: z.string(), methods: z.number(), calls: z.number() }))
      .describe('packages that the class path has nothing of, most calls first'),
  },
  needs: ({ subject, library }) => {
    const { classes, oldClasses } = library;
    if (classes === undefined)
      throw new UsageError(
        'there are no classes to compare the profile with',
        'Name them with --classes: the jar of the program, the home of its JDK.',
      );
    return { judged: judgedUse(subject, { classes, oldClasses }) };
  },
  answer: (input, options, { judged }) => {
    const program = input.recording.program;
    const methods = describeMethods(judged, program);
    const wanted = options.state ?? METHOD_STATES.filter((state) => state !== 'outside');
    const shown = methods.filter(({ state }) => wanted.includes(state));
    const keys = Object.fromEntries(
      (['misplaced', 'calls', 'entries', 'places', 'misfits', 'shift', 'state', 'method'] as const).map((key) => [
        key,
        (i: number) => shown[i][key],
      ]),
    );
    const order = pageOf(shown.length, keys, input.page, 'misplaced', columnsOf(row));
    const kinds = [...judged.staleness.kinds.map(shares), shares(allKinds(judged.staleness.kinds))];
    const executions = kinds.at(-1)?.executions;
    const executed = executions?.share ?? null;
    const exact = input.library.oldClasses !== undefined;
    const contradicts = exact ? judged.staleness.contradictsOld : null;
    return {
      ...common(input, [
        ...notesOf(kinds, exact),
        ...contradictionNotes(contradicts),
        ...nextSteps(input.recording.name, executed, exact),
      ]),
      exact,
      contradicts_old: contradicts,
      kinds,
      judged_share: executions === undefined ? null : judgedShare(executions),
      stale_share: executed === null ? null : 1 - executed,
      states: METHOD_STATES.map((state) => summed(state, methods)).filter((sum) => sum.methods > 0),
      outside: outsidePackages(judged, program),
      columns: columnsOf(row),
      total: shown.length,
      offset: input.page.offset,
      rows: order.map((i) => shown[i]),
    };
  },
});

type StaleRow = z.infer<typeof row> & { readonly state: MethodState };

/** All methods, those with more calls first. */
function describeMethods({ staleness, judge, added }: JudgedProfile, program: Program): StaleRow[] {
  const counted = staleness.methods.map((method): StaleRow => {
    const verdict = judge.method(method.function);
    return {
      state: verdict.state,
      misplaced: method.misplaced,
      calls: method.calls,
      entries: method.entries,
      places: method.places,
      misfits: method.misfits,
      shift: verdict.state === 'moved' ? verdict.shift : null,
      method: functionSignature(program, method.function),
      candidate: verdict.candidates.join(' or '),
      why: method.why[0] ?? verdict.why[0] ?? '',
    };
  });
  const none = { misplaced: 0, calls: 0, entries: 0, places: 0, misfits: 0, shift: null, candidate: '', why: '' };
  const fresh = added.map((method): StaleRow => ({ ...none, state: 'new', method: methodText(method) }));
  return [...counted.sort((a, b) => b.calls - a.calls), ...fresh];
}

function summed(state: MethodState, methods: readonly StaleRow[]) {
  const chosen = methods.filter((method) => method.state === state);
  return { state, methods: chosen.length, calls: chosen.reduce((sum, { calls }) => sum + calls, 0) };
}

function outsidePackages({ staleness, judge }: JudgedProfile, program: Program) {
  const packages = new Map<string, { package: string; methods: number; calls: number }>();
  for (const { function: id, calls } of staleness.methods) {
    if (judge.method(id).state !== 'outside') continue;
    const name = packageOf(className(program, program.functions.class[id]));
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

function notesOf(kinds: readonly ReturnType<typeof shares>[], exact: boolean): string[] {
  const fitting = kinds
    .filter((kind) => kind.executions.share !== null)
    .map(
      ({ kind, entries, executions, hot, cold }) =>
        `Fits of ${KIND_NAMES[kind]}: ${percent(executions.share)} of executions (${percent(entries.share)} of entries; hot ${percent(hot.share)}, cold ${percent(cold.share)}).`,
    );
  return [
    ...judgedNotes(kinds.at(-1)),
    ...(fitting.length === 0 ? ['Nothing of the profile can be judged by these classes.'] : fitting),
    ...(exact
      ? []
      : [
          'With one class path only contradictions are found: what fits may have changed all the same. --old-classes makes it exact.',
        ]),
  ];
}

/** A share of what fits says little where little could be judged. */
function judgedNotes(all: ReturnType<typeof shares> | undefined): string[] {
  const { outside = 0, exempt = 0 } = all?.entries ?? {};
  if (all === undefined || outside + exempt === 0) return [];
  const shareOf = (tally: Tally) => percent(judgedShare(tally));
  return [
    `Judged: ${shareOf(all.executions)} of executions, ${shareOf(all.entries)} of entries; the rest are ${plural(outside, 'entry', 'entries')} of methods that the class path has nothing of, ${plural(exempt, 'entry', 'entries')} without a place to compare.`,
  ];
}

/** Share of the judged executions below which a profile should be recorded again: a rule of thumb, not a measurement. */
const RECORD_AGAIN = 0.9;

function nextSteps(file: string, fits: number | null, exact: boolean): string[] {
  if (fits === null) return [];
  const rule = `Record again below ${percent(RECORD_AGAIN)} of judged executions (a rule of thumb); of this profile ${percent(fits)} fit.`;
  const paths = ['--old-classes', 'OLD.jar', '--classes', 'NEW.jar'];
  const repair = command('pgo', 'stale', file, ...paths, '--repair', 'repaired.iprof');
  const why = exact ? 'keep what fits and move what moved' : 'compare exactly, and keep what fits';
  return [rule, ...nextNotes([{ why, run: repair }])];
}

function contradictionNotes(contradicts: Staleness['contradictsOld'] | null): string[] {
  if (contradicts === null || contradicts.executions === 0) return [];
  const { entries, executions } = contradicts;
  return [
    `${plural(entries, 'entry contradicts', 'entries contradict')} --old-classes, ${plural(executions, 'execution')}: are these the classes the profile was made with?`,
  ];
}

function percent(value: number | null): string {
  return value === null ? '–' : formatValue(value, 'ratio');
}
