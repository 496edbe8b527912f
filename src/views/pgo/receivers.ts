/** `pgo receivers`: the classes of virtual calls (or type checks), and how many of the calls go to how many classes. */
import { z } from 'zod';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { receiverClassesUse } from '../../analysis/places/class-stages.js';
import type { ProfileFit } from '../../analysis/places/fit.js';
import {
  type MetClass,
  outcomeParts,
  type PlacedReceiver,
  PlacedReceivers,
  type ReceiverKind,
} from '../../analysis/places/placed-receivers.js';
import { requireEvents, type SiteGroups, siteGroups } from '../../analysis/places/sites.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatValue } from '../../base/units.js';
import { INSTANCEOF_EVENTS, type InstanceofEvents } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS, type ReceiverEvents } from '../../models/events/receiver.js';
import type { Profile } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { EFFECTIVELY_MONOMORPHIC, RECEIVERS_OPTIONS } from '../../questions/options/pgo.js';
import { idNotes, PART_ID } from '../file-ids.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  listed,
  listingShape,
  maybe,
  maybeText,
  number,
  parts,
  text,
} from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { FIT, fitNotes } from './fit.js';
import {
  findingOrder,
  fitOfSites,
  INLINED_INTO,
  type ListedSites,
  shownColumns,
  siteCells,
  WHERE,
  withoutProfiler,
} from './site-listing.js';

const met = z.object({
  name: z.string(),
  file_id: PART_ID,
  count: z.number(),
  share: z.number().nullable(),
  outcome: z
    .string()
    .nullable()
    .optional()
    .describe('with classes: the method that runs for this class, or whether it passes the check; null if unknown'),
});

const row = z.object({
  calls: number('Calls', 'count', 'calls (or checks) at the site'),
  types: detail(1, number('Types', 'count', 'number of receiver types')),
  shape: text(
    'Shape',
    'monomorphic (one type), effectively monomorphic (nearly always one), bimorphic (two), megamorphic or never called',
  ),
  top_share: maybe('Top %', 'ratio', 'share of the most frequent type'),
  ...WHERE,
  declared: detail(2, maybeText('Declared', 'with classes: the method named by the call, or the checked type')),
  classes: z
    .array(met)
    .meta({ title: 'Classes', description: 'how often each type occurred, most frequent first', unit: 'parts' }),
  outcomes: detail(2, parts('Outcome', 'with classes: the methods that ran, or the result of the check')),
  finding: detail(2, maybeText('Finding', 'with classes: why the code does not have the site or a receiver type')),
  inlined_into: INLINED_INTO,
  handle: HANDLE,
});

const SHAPES = ['monomorphic', 'effectively monomorphic', 'bimorphic', 'megamorphic', 'never called'] as const;
type Shape = (typeof SHAPES)[number];
const shapeSum = z.object({
  shape: z.enum(SHAPES),
  sites: z.number(),
  calls: z.number(),
  share: z.number().nullable(),
});
type ShapeSum = z.infer<typeof shapeSum>;

export const receiversView = defineView({
  name: 'pgo-receivers',
  version: 3,
  title: 'Receiver types',
  options: RECEIVERS_OPTIONS,
  shape: {
    ...listingShape(row),
    kind: z.enum(['virtual', 'instanceof']),
    monomorphic: z.number().describe('smallest share of one type that makes a site effectively monomorphic'),
    shapes: z.array(shapeSum),
    code: FIT,
  },
  needs: ({ subject, profile, library }, options) => ({
    classes: profile && receiverClassesUse(subject, library.classes, options.kind),
  }),
  answer: async (input, options, { classes }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const events =
      options.kind === 'virtual'
        ? requireEvents(profile, RECEIVER_EVENTS, 'receiver types')
        : requireEvents(profile, INSTANCEOF_EVENTS, 'instance-of counts');
    const { sums, sites, apart, placed, findings, fit, shapes } = await input.kept('sites', bytesOfSites, () => {
      const groups = siteGroups(profile, events, !options.contexts);
      const sums = receiverSums(events, groups);
      const noun = options.kind === 'virtual' ? 'calls' : 'checks';
      const { sites, notes: apart } = withoutProfiler(input, groups, sums.executed, noun);
      const receivers = classes && new PlacedReceivers(classes, program, options.kind);
      const placed =
        receivers &&
        ((i: number) => {
          const group = sites.group[i];
          return receivers.of(groups.location[group], typesIn(events, groups, group), sums.executed[group]);
        });
      const findings = placed && ((i: number) => placed(i).findings);
      const fit = findings && fitOfSites(program, sites, sums.executed, findings);
      return { sums, sites, apart, placed, findings, fit, shapes: shapeSums(sites, sums, options.monomorphic) };
    });
    const where = siteCells(profile, program, sites, findings, options);
    const cells = receiverCells(program, events, sites, { ...sums, effectively: options.monomorphic }, placed, where);
    return {
      ...common(input, [
        ...apart,
        ...notesOf(options.kind, fit),
        ...effectiveNotes(shapes, options.monomorphic),
        ...idNotes(options.ids, program),
      ]),
      kind: options.kind,
      monomorphic: options.monomorphic,
      shapes,
      code: fit ?? null,
      ...(await listed(cells, {
        columns: shownColumns(columnsOf(row), options, fit, OF_CODE),
        count: sites.group.length,
        input,
        usual: 'calls',
        sortable: (key) => SORTED.includes(key) || (placed !== undefined && key === 'declared'),
        orders: findingOrder(findings),
        handle: where.handle,
      })),
    };
  },
});

const SORTED: readonly string[] = ['calls', 'types', 'shape', 'top_share', 'contexts', 'site'];

const NO_METHODS = note(
  'types-only',
  phrase`The file has receiver types, not the methods called (${theInput('classes', { choose: 'PATH' })} adds them).`,
  { action: { give: ['classes'] } },
);

function notesOf(kind: ReceiverKind, fit: ProfileFit | undefined): Note[] {
  if (fit === undefined) return [NO_METHODS];
  const lookedUp = note(
    'methods-looked-up',
    'The methods of the receiver types are looked up in the classes; the file does not have them.',
  );
  return [...fitNotes(fit), ...(kind === 'virtual' ? [lookedUp] : [])];
}

/** The share from which sites count as effectively monomorphic, if there are any. */
function effectiveNotes(shapes: readonly ShapeSum[], effectively: number): Note[] {
  if (!shapes.some(({ shape, sites }) => shape === 'effectively monomorphic' && sites > 0)) return [];
  return [
    note(
      'effectively-monomorphic',
      phrase`Effectively monomorphic: one of several types has at least ${formatValue(effectively, 'ratio')} (${theOption('monomorphic')}).`,
      { about: { column: 'shape' }, action: { choose: ['monomorphic'] } },
    ),
  ];
}

/** Columns that need classes. */
const OF_CODE = ['line', 'instruction', 'declared', 'outcomes'];

type TypedEvents = ReceiverEvents | InstanceofEvents;

/** By group: calls or checks, the number of classes seen, and the count of the most frequent one. */
interface ReceiverSums {
  readonly executed: Float64Array;
  readonly types: Int32Array;
  readonly most: Float64Array;
}

function receiverSums(events: TypedEvents, groups: SiteGroups): ReceiverSums {
  const executed = new Float64Array(groups.length);
  const types = new Int32Array(groups.length);
  const most = new Float64Array(groups.length);
  const counts = new Map<number, number>();
  for (let group = 0; group < groups.length; group++) {
    counts.clear();
    executed[group] = addCounts(counts, events, groups, group);
    for (const count of counts.values()) {
      if (count > 0) types[group]++;
      most[group] = Math.max(most[group], count);
    }
  }
  return { executed, types, most };
}

/** Adds the counts of a group by class; returns their sum. */
function addCounts(
  counts: Map<number, number>,
  { type, count }: TypedEvents,
  { entries: { from: firstEvents }, start, members }: SiteGroups,
  group: number,
): number {
  let sum = 0;
  for (let i = start[group]; i < start[group + 1]; i++)
    for (let row = firstEvents[members[i]]; row < firstEvents[members[i] + 1]; row++) {
      sum += count[row];
      counts.set(type[row], (counts.get(type[row]) ?? 0) + count[row]);
    }
  return sum;
}

/** The classes seen at a group, most frequent first. */
function typesIn(events: TypedEvents, groups: SiteGroups, group: number): MetClass[] {
  const counts = new Map<number, number>();
  addCounts(counts, events, groups, group);
  const types = [...counts].map(([type, count]) => ({ type, count })).filter(({ count }) => count > 0);
  return types.sort((a, b) => b.count - a.count || a.type - b.type);
}

/** The shape of a group. `effectively`: the share of one type that makes it effectively monomorphic. */
function shapeOf({ executed, types, most }: ReceiverSums, group: number, effectively: number): Shape {
  if (types[group] > 1 && most[group] >= effectively * executed[group]) return 'effectively monomorphic';
  switch (types[group]) {
    case 0:
      return 'never called';
    case 1:
      return 'monomorphic';
    case 2:
      return 'bimorphic';
    default:
      return 'megamorphic';
  }
}

/** Sites, and calls through them, by shape: a few sites can have most calls. */
/** Ten numbers of each site. */
function bytesOfSites({ sites: { groups } }: { readonly sites: ListedSites }): number {
  return 80 * groups.length;
}

function shapeSums({ group }: ListedSites, sums: ReceiverSums, effectively: number): ShapeSum[] {
  const shapeRows = SHAPES.map((shape): ShapeSum => ({ shape, sites: 0, calls: 0, share: null }));
  let all = 0;
  for (let i = 0; i < group.length; i++) {
    const sum = shapeRows[SHAPES.indexOf(shapeOf(sums, group[i], effectively))];
    sum.sites++;
    sum.calls += sums.executed[group[i]];
    all += sums.executed[group[i]];
  }
  return shapeRows.map((sum) => ({ ...sum, share: share(sum.calls, all) }));
}

/** The shapes of all virtual call sites except the profiler's own, folded over contexts; null without receiver types. */
export function receiversSummary(input: Pick<ViewInput, 'recording' | 'subject'>, profile: Profile) {
  const events = RECEIVER_EVENTS.of(profile);
  if (events === undefined) return null;
  const groups = siteGroups(profile, events, true);
  const sums = receiverSums(events, groups);
  const { sites, apart } = withoutProfiler(input, groups, sums.executed, 'calls');
  return { shapes: shapeSums(sites, sums, EFFECTIVELY_MONOMORPHIC), apart };
}

function receiverCells(
  program: Program,
  events: TypedEvents,
  { groups, group }: ListedSites,
  { effectively, ...sums }: ReceiverSums & { readonly effectively: number },
  placed: ((row: number) => PlacedReceiver) | undefined,
  where: ReturnType<typeof siteCells>,
) {
  const calls = (i: number) => sums.executed[group[i]];
  const types = (i: number) => typesIn(events, groups, group[i]);
  const classes = (i: number, outcomes: PlacedReceiver['outcomes'] | undefined) =>
    types(i).map(({ type, count }, place) => ({
      name: className(program, type),
      ...('context' in where && { file_id: fileIdOf(program.classes, type) }),
      count,
      share: share(count, calls(i)),
      ...(outcomes && { outcome: outcomes[place] ?? null }),
    }));
  return {
    calls,
    types: (i: number) => sums.types[group[i]],
    shape: (i: number): string => shapeOf(sums, group[i], effectively),
    top_share: (i: number) => (sums.types[group[i]] === 0 ? null : share(sums.most[group[i]], calls(i))),
    contexts: where.contexts,
    ...('context' in where && { context: where.context }),
    site: where.site,
    line: (i: number) => placed?.(i).line ?? null,
    instruction: (i: number) => placed?.(i).instruction ?? null,
    declared: (i: number) => placed?.(i).declared ?? null,
    classes: (i: number) => classes(i, placed?.(i).outcomes),
    outcomes: (i: number) => (placed === undefined ? [] : outcomeParts(placed(i).outcomes, types(i), calls(i))),
    finding: where.finding,
    inlined_into: where.inlined_into,
  };
}
