/**
 * `diff` of two reports of a points-to analysis: what one image has and the other lacks, by its cause. Methods are compared by joined names
 * (`analysis/identity`), causes are defined in `analysis/callgraph/new-part.ts`.
 */
import { z } from 'zod';
import { callChangesUse } from '../../analysis/callgraph/changes.js';
import { onlyRows } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { packageOf } from '../../analysis/packages.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { formatBytes, formatCount, formatValue, plural } from '../../base/units.js';
import { CALL_DIFF_BY, CALLS_DIFF_OPTIONS, type CallDiffBy } from '../../questions/options/diff.js';
import { nameFilter } from '../diff/name-filter.js';
import { relationNotes, runsOf } from '../diff/runs.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  HEADLINES,
  listed,
  listingShape,
  maybe,
  maybeText,
  text,
} from '../listing.js';
import { defineView } from '../question.js';
import { methodHandles, requireGraph } from './choice.js';
import { CALL_STATES, type CallChange, CallChangeRows } from './diff-rows.js';

const row = z.object({
  methods: maybe('Methods', 'count', 'methods that only one side has and that belong to the cause'),
  only: detail(1, maybe('Only', 'count', 'those of them and others that nothing but the callee of the cause leads to')),
  base: maybe('Base', 'count', 'methods in the base'),
  value: maybe('Value', 'count', 'methods in this'),
  added: maybe('New', 'count', 'methods that the base lacks'),
  removed: maybe('Gone', 'count', 'methods that this lacks'),
  classes: detail(
    1,
    maybe('Classes', 'count', 'classes that the other side lacks, by the cause of their first method'),
  ),
  packages: detail(1, maybe('Packages', 'count', 'packages likewise')),
  code_bytes: maybe(
    'Code',
    'bytes',
    'machine code of the methods; of classes, packages and changed methods: the growth',
  ),
  count: detail(1, maybe('Times', 'count', 'how many more there are than on the other side')),
  state: text('State', `${CALL_STATES.join(', ')}`),
  at: detail(2, maybeText('BCI', 'bytecode index of the call')),
  call: detail(2, maybeText('Call', 'how the caller calls; of an entry, its reason')),
  caller: maybeText('Caller', 'the caller; null for entries'),
  name: text('Name', 'method, class or package; of a cause or call the callee, of a virtual site what it declares'),
  cause: detail(1, maybeText('Cause', 'why the method is on one side only')),
  handle: HANDLE,
});

const counts = z
  .object({ base: z.number(), value: z.number(), new: z.number(), gone: z.number() })
  .describe('numbers on both sides, those only this has, and those only the base has');

/** Columns by kind of rows. */
const COLUMNS: Readonly<Record<CallDiffBy, readonly (keyof z.input<typeof row>)[]>> = {
  cause: ['methods', 'only', 'classes', 'packages', 'code_bytes', 'at', 'call', 'caller'],
  function: ['code_bytes', 'cause'],
  class: ['base', 'value', 'added', 'removed', 'code_bytes'],
  package: ['base', 'value', 'added', 'removed', 'code_bytes'],
  entry: ['call'],
  site: ['count', 'at', 'call', 'caller'],
  target: ['count', 'at', 'call', 'caller'],
};

/** Packages of `new_packages`. */
const MOST_NAMES = 100;

export const callDiffView = defineView({
  name: 'calls-diff',
  version: 2,
  title: 'Difference of reports',
  options: CALLS_DIFF_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    base: z.string().describe('the base, as named on the command line'),
    by: z.enum(CALL_DIFF_BY),
    methods: counts,
    entries: counts.nullable().describe('methods that are entries; null if a report has none'),
    sites: counts.nullable().describe('call sites of these methods; null if a report has no calls'),
    targets: counts.nullable().describe('targets of these sites; null likewise'),
    packages: counts,
    new_packages: z.array(z.string()).describe(`packages that the base lacks, ${MOST_NAMES} at most`),
    code_bytes: z
      .object({ base: z.number(), value: z.number() })
      .nullable()
      .describe('machine code of all methods; null if a report has no sizes'),
    growth: z
      .number()
      .nullable()
      .describe('of the methods, or of their machine code if that grew more; null without a base'),
  },
  needs: (input) => {
    const [base, now] = runsOf(input);
    for (const side of [base, now]) requireGraph(side);
    return {
      united: unitedUse([base.subject, now.subject]),
      changes: callChangesUse(base.subject, now.subject),
    };
  },
  answer: async (input, options, { united, changes }) => {
    const [base, now] = runsOf(input);
    const { rows, totals } = await input.kept('totals', bytesOfRows, () => {
      const rows = new CallChangeRows(changes, united.functions, base.recording.program, now.recording.program);
      return { rows, totals: totalsOf(rows) };
    });
    const by = options.by ?? (totals.sites === null ? 'package' : 'cause');
    if (totals.sites === null && (by === 'cause' || by === 'site' || by === 'target'))
      throw new UsageError(phrase`${theOption('by', { value: by })} needs calls, and these reports have none`, {
        code: 'no-calls',
        advice: 'Compare by function, class or package.',
        action: { choose: ['by'] },
      });
    const shownChanges = await input.kept(`rows by ${by}`, bytesOfChanges, () => {
      const isMatch = nameFilter(options.match);
      return rows
        .of(by)
        .filter((change) => options.match === undefined || isMatch(change.name()) || isMatch(change.caller?.() ?? ''));
    });
    const keys = new Set<string>([...COLUMNS[by], 'state', 'name']);
    if (totals.code_bytes === null) keys.delete('code_bytes');
    const functionOf = onlyRows(united.functions, 1);
    const handleOf = methodHandles(now.recording.program, requireGraph(now));
    return {
      ...common(input, [
        ...relationNotes({ runs: [base, now], bases: 1, united }),
        ...notesOn(rows, by, totals.sites !== null),
      ]),
      headlines: headlinesOf(totals),
      base: base.recording.name,
      by,
      ...totals,
      ...(await listed(cellsOf(shownChanges), {
        columns: columnsOf(row).filter(({ key }) => keys.has(key)),
        count: shownChanges.length,
        input,
        usual: undefined,
        handle: (i) => {
          const joined = shownChanges[i].function ?? NONE;
          return joined < 0 ? undefined : handleOf(functionOf(joined));
        },
      })),
    };
  },
});

/** A name of each class. */
function bytesOfRows({ rows: { changes } }: { readonly rows: CallChangeRows }): number {
  return 10 * (changes.now.has.length + changes.base.has.length);
}

function bytesOfChanges(changes: readonly CallChange[]): number {
  return 400 * changes.length;
}

function cellsOf(shownChanges: readonly CallChange[]) {
  const number = (numberOf: (change: CallChange) => number | undefined) => (i: number) => {
    const value = numberOf(shownChanges[i]);
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  return {
    methods: number(({ methods }) => methods),
    only: number(({ only }) => only),
    base: number(({ base }) => base),
    value: number(({ value }) => value),
    added: number(({ added }) => added),
    removed: number(({ removed }) => removed),
    classes: number(({ classes }) => classes),
    packages: number(({ packages }) => packages),
    code_bytes: number(({ codeBytes }) => codeBytes),
    count: number(({ count }) => count),
    state: (i: number): string => shownChanges[i].state,
    at: (i: number) => shownChanges[i].at?.() ?? null,
    call: (i: number) => shownChanges[i].call?.() ?? null,
    caller: (i: number) => shownChanges[i].caller?.() ?? null,
    name: (i: number) => shownChanges[i].name(),
    cause: (i: number) => shownChanges[i].cause?.() ?? null,
  };
}

type Counts = z.input<typeof counts>;

function totalsOf(rows: CallChangeRows) {
  const { base, now, calls } = rows.changes;
  const hasCalls = base.hasCalls && now.hasCalls;
  const hasEntries = [base, now].every(({ index }) => index.graph.entries.length > 0);
  const [before, after] = [base, now].map(({ index }) => new Set(index.graph.entries.function));
  const lacking = (functions: ReadonlySet<number>, other: ReadonlySet<number>): number =>
    [...functions].filter((id) => !other.has(id)).length;
  const size = (has: Uint8Array): number => has.reduce((sum, one) => sum + one, 0);
  const methods = { base: size(base.has), value: size(now.has), new: now.part.count, gone: base.part.count };
  const groups = [...rows.groups(packageOf)];
  const newPackages = groups.filter(([, group]) => group.base === 0).map(([name]) => name);
  const code = { base: codeOf(base), value: codeOf(now) };
  const codeBytes = code.base === undefined || code.value === undefined ? null : { base: code.base, value: code.value };
  const growths = [methods, ...(codeBytes === null ? [] : [codeBytes])].filter((side) => side.base > 0);
  const countsOf = ({ base, value, new: added, gone }: Counts): Counts => ({ base, value, new: added, gone });
  return {
    methods,
    entries: hasEntries
      ? { base: before.size, value: after.size, new: lacking(after, before), gone: lacking(before, after) }
      : null,
    sites: hasCalls ? countsOf(calls.sites) : null,
    targets: hasCalls ? countsOf(calls.targets) : null,
    packages: {
      base: groups.filter(([, group]) => group.base > 0).length,
      value: groups.filter(([, group]) => group.value > 0).length,
      new: newPackages.length,
      gone: groups.filter(([, group]) => group.value === 0).length,
    },
    new_packages: newPackages.sort().slice(0, MOST_NAMES),
    code_bytes: codeBytes,
    growth: growths.length === 0 ? null : Math.max(...growths.map((side) => side.value / side.base - 1)),
  };
}

function codeOf({ codeBytes }: CallChangeRows['changes']['now']): number | undefined {
  return codeBytes?.reduce((sum, bytes) => sum + (bytes || 0), 0);
}

function headlinesOf({
  methods,
  entries,
  sites,
  targets,
  packages,
  code_bytes,
}: ReturnType<typeof totalsOf>): string[] {
  const line = (tally: Counts | null, noun: string): string[] =>
    tally === null
      ? []
      : [
          `${noun}: ${formatCount(tally.base)} -> ${formatCount(tally.value)}${percent(tally)}, ${formatCount(tally.new)} new, ${formatCount(tally.gone)} gone`,
        ];
  return [
    ...line(methods, 'Methods'),
    ...line(entries, 'Entries'),
    ...line(sites, 'Call sites'),
    ...line(targets, 'Targets'),
    ...line(packages, 'Packages'),
    ...(code_bytes === null
      ? []
      : [`Machine code: ${formatBytes(code_bytes.base)} -> ${formatBytes(code_bytes.value)}${percent(code_bytes)}`]),
  ];
}

function percent({ base, value }: { readonly base: number; readonly value: number }): string {
  if (base === 0 || base === value) return '';
  return ` (${value > base ? '+' : ''}${formatValue(value / base - 1, 'ratio')})`;
}

function notesOn(rows: CallChangeRows, by: CallDiffBy, hasCalls: boolean): Note[] {
  const [ambiguous, merged] = [rows.ambiguous(), rows.merged()];
  return [
    ...(hasCalls ? [] : [NO_CAUSES]),
    ...(by === 'cause' ? [CAUSE_NOTE] : []),
    ...(ambiguous === 0
      ? []
      : [
          note('ambiguous', `${plural(ambiguous, 'method')} not joined, shown as new and gone: the name is ambiguous.`),
        ]),
    ...(merged === 0
      ? []
      : [
          note(
            'shared-names',
            `${plural(merged, 'method')} of lambdas, proxies and other generated classes share a name: each name counts once.`,
          ),
        ]),
  ];
}

const NO_CAUSES = note('no-causes', 'A report without calls has no causes: all methods that it lists are compared.');
const CAUSE_NOTE = note(
  'causes',
  'A cause is a call, or an entry, that leads a breadth-first search to a method that the other side lacks, and to those behind it.',
);
