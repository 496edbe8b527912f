/** `pgo receivers`: the classes of virtual calls (or type checks), and how many of the calls go to how many classes. */
import { z } from 'zod';
import { receiverClassesUse } from '../../analysis/places/class-stages.js';
import type { Fit } from '../../analysis/places/fit.js';
import {
  type MetClass,
  outcomeParts,
  type PlacedReceiver,
  PlacedReceivers,
  type ReceiverKind,
} from '../../analysis/places/placed-receivers.js';
import { requireEvents, type SiteGroup, siteGroups } from '../../analysis/places/sites.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { share } from '../../base/share.js';
import { formatValue } from '../../base/units.js';
import { INSTANCEOF_EVENTS, type InstanceofEvents } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS, type ReceiverEvents } from '../../models/events/receiver.js';
import type { Profile } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { columnsOf, common, detail, listed, listingShape, maybe, maybeText, number, parts, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { FIT, fitNotes } from './fit.js';
import {
  findingOrder,
  INLINED_INTO,
  placedSites,
  shownColumns,
  siteCells,
  WHERE,
  withoutProfiler,
} from './site-listing.js';

const met = z.object({
  name: z.string(),
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
});

/** Share of the most frequent class from which a site counts as effectively monomorphic. */
const EFFECTIVELY = 0.99;

const SHAPES = ['monomorphic', 'effectively monomorphic', 'bimorphic', 'megamorphic', 'never called'] as const;
type Shape = (typeof SHAPES)[number];
const shapeSum = z.object({
  shape: z.enum(SHAPES),
  sites: z.number(),
  calls: z.number(),
  share: z.number().nullable(),
});

export const receiversView = defineView({
  name: 'pgo-receivers',
  version: 1,
  title: 'Receiver types',
  options: z.object({
    contexts: z.boolean().default(false),
    kind: z.enum(['virtual', 'instanceof']).default('virtual'),
    monomorphic: z.number().min(0.5).max(1).default(EFFECTIVELY),
  }),
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
  answer: (input, options, { classes }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const events =
      options.kind === 'virtual'
        ? requireEvents(profile, RECEIVER_EVENTS, 'receiver types')
        : requireEvents(profile, INSTANCEOF_EVENTS, 'instance-of counts');
    const all = siteGroups(profile, events, !options.contexts).map((group) => receiverSite(events, group));
    const { sites, notes: apart } = withoutProfiler(input, all, options.kind === 'virtual' ? 'calls' : 'checks');
    const shaped = sites.map((site) => shapeOf(site, options.monomorphic));
    const receivers = classes && new PlacedReceivers(classes, program, options.kind);
    const placed =
      receivers &&
      placedSites(program, sites, ({ group, types, executed }) => receivers.of(group.location, types, executed));
    const where = siteCells(profile, program, sites, placed?.sites, options.contexts);
    const cells = receiverCells(program, sites, placed?.sites, where, shaped);
    return {
      ...common(input, [
        ...apart,
        ...notesOf(options.kind, placed?.fit),
        ...effectiveNotes(shaped, options.monomorphic),
      ]),
      kind: options.kind,
      monomorphic: options.monomorphic,
      shapes: shapes(sites, options.monomorphic),
      code: placed?.fit ?? null,
      ...listed(cells, {
        columns: shownColumns(columnsOf(row), options.contexts, placed?.fit, OF_CODE),
        count: sites.length,
        page: input.page,
        usual: 'calls',
        sortable: (key) => SORTED.includes(key) || (placed !== undefined && key === 'declared'),
        orders: findingOrder(placed?.sites),
      }),
    };
  },
});

const SORTED: readonly string[] = ['calls', 'types', 'shape', 'top_share', 'contexts', 'site'];

function notesOf(kind: ReceiverKind, fit: Fit | undefined): string[] {
  if (fit === undefined) return ['The file has receiver types, not the methods called (--classes PATH adds them).'];
  const lookedUp = 'The methods of the receiver types are looked up in the classes; the file does not have them.';
  return [...fitNotes(fit), ...(kind === 'virtual' ? [lookedUp] : [])];
}

/** The share from which sites count as effectively monomorphic, if there are any. */
function effectiveNotes(shaped: readonly Shape[], effectively: number): string[] {
  if (!shaped.includes('effectively monomorphic')) return [];
  return [
    `Effectively monomorphic: one of several types has at least ${formatValue(effectively, 'ratio')} (--monomorphic).`,
  ];
}

/** Columns that need classes. */
const OF_CODE = ['line', 'instruction', 'declared', 'outcomes'];

interface ReceiverSite {
  readonly group: SiteGroup;
  /** Calls or checks. */
  readonly executed: number;
  /** Classes seen, most frequent first. */
  readonly types: readonly MetClass[];
}

function receiverSite({ type, count }: ReceiverEvents | InstanceofEvents, group: SiteGroup): ReceiverSite {
  const counts = new Map<number, number>();
  let executed = 0;
  for (const row of group.rows) {
    executed += count[row];
    counts.set(type[row], (counts.get(type[row]) ?? 0) + count[row]);
  }
  const types = [...counts].map(([id, sum]) => ({ type: id, count: sum })).filter((one) => one.count > 0);
  return { group, executed, types: types.sort((a, b) => b.count - a.count || a.type - b.type) };
}

function shapeOf(site: ReceiverSite, effectively: number): Shape {
  const [top] = site.types;
  if (site.types.length > 1 && top !== undefined && top.count >= effectively * site.executed)
    return 'effectively monomorphic';
  switch (site.types.length) {
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
function shapes(sites: readonly ReceiverSite[], effectively: number) {
  const all = sites.reduce((sum, site) => sum + site.executed, 0);
  return SHAPES.map((shape) => {
    const chosen = sites.filter((site) => shapeOf(site, effectively) === shape);
    const calls = chosen.reduce((sum, site) => sum + site.executed, 0);
    return { shape, sites: chosen.length, calls, share: share(calls, all) };
  });
}

/** The shapes of all virtual call sites except the profiler's own, folded over contexts; null without receiver types. */
export function receiversSummary(input: ViewInput, profile: Profile) {
  const events = RECEIVER_EVENTS.of(profile);
  if (events === undefined) return null;
  const all = siteGroups(profile, events, true).map((group) => receiverSite(events, group));
  const { sites, apart } = withoutProfiler(input, all, 'calls');
  return { shapes: shapes(sites, EFFECTIVELY), apart };
}

function receiverCells(
  program: Program,
  sites: readonly ReceiverSite[],
  placed: readonly PlacedReceiver[] | undefined,
  where: ReturnType<typeof siteCells>,
  shaped: readonly Shape[],
) {
  const classes = ({ types, executed }: ReceiverSite, outcomes: PlacedReceiver['outcomes'] | undefined) =>
    types.map((one, place) => ({
      name: className(program, one.type),
      count: one.count,
      share: share(one.count, executed),
      ...(outcomes && { outcome: outcomes[place] ?? null }),
    }));
  return {
    calls: (i: number) => sites[i].executed,
    types: (i: number) => sites[i].types.length,
    shape: (i: number): string => shaped[i],
    top_share: (i: number) => {
      const [top] = sites[i].types;
      return top === undefined ? null : share(top.count, sites[i].executed);
    },
    contexts: where.contexts,
    site: where.site,
    line: (i: number) => placed?.[i].line ?? null,
    instruction: (i: number) => placed?.[i].instruction ?? null,
    declared: (i: number) => placed?.[i].declared ?? null,
    classes: (i: number) => classes(sites[i], placed?.[i].outcomes),
    outcomes: (i: number) =>
      placed === undefined ? [] : outcomeParts(placed[i].outcomes, sites[i].types, sites[i].executed),
    finding: where.finding,
    inlined_into: where.inlined_into,
  };
}
