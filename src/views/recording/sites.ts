/**
 * `sites`: allocations by class and stack. HPROF's SITES section (§1.5 of its manual) has them at one moment; "live" objects are those
 * without a recorded free. JFR has samples of allocations, and sampled objects that stayed alive. Tracing of native memory has blocks by stack.
 */
import { z } from 'zod';
import { SiteHandles } from '../../analysis/handles/named-sites.js';
import { classHandle } from '../../analysis/identity/named-classes.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type LEADING, type RecordedSites, type SummedSites, sitesUse } from '../../analysis/site-stages.js';
import type { AllocationSites, SiteSums } from '../../analysis/sites.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatCount, plural } from '../../base/units.js';
import { ALLOCATION_EVENTS, allocationKind, OBJECT_ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import type { Profile, StackId, StackTable } from '../../models/profile/profile.js';
import { TRACES } from '../../models/profile/tables.js';
import { className, functionSignature, locationName } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { SITE_GROUPS, SITES_OPTIONS, type SiteGroup, type SiteMemory } from '../../questions/options/recording.js';
import { dumpNotes } from '../heap/classes.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  list,
  listed,
  listingShape,
  maybe,
  maybeText,
  type ResultColumn,
} from '../listing.js';
import { freedRemarks } from '../memory/remarks.js';
import { allocationNotes } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';

const row = z.object({
  live_bytes: maybe('Live bytes', 'bytes', 'bytes of objects not seen freed'),
  allocated_bytes: detail(
    1,
    maybe('Allocated', 'bytes', 'bytes allocated since the start; of samples, what they stand for'),
  ),
  share: maybe('Live %', 'ratio', 'share of the sites in the first column'),
  accum: detail(1, maybe('Accum %', 'ratio', 'share of this site and all sites with more')),
  live_objects: detail(1, maybe('Live objects', 'count', 'objects not seen freed')),
  allocated_objects: detail(2, maybe('Objects', 'count', 'objects allocated since the start')),
  samples: detail(1, maybe('Samples', 'count', 'recorded allocations that the bytes are from')),
  old_objects: maybe('Old objects', 'count', 'sampled objects that were alive when the recording was written'),
  old_bytes: detail(2, maybe('Old bytes', 'bytes', 'bytes of these objects themselves')),
  oldest: detail(1, maybe('Oldest', 'ns', 'age of the oldest of them')),
  class: maybeText('Class', 'class of the objects; null of methods'),
  method: maybeText('Method', 'where the objects were allocated; null of sites and classes'),
  trace: detail(2, maybe('Trace', 'none', 'number of the stack in the recording')),
  frames: list('Allocated in', 'the innermost frames of the stack'),
  handle: HANDLE,
});

/** Number of frames in a row. */
const FRAMES = 4;

const sum = z.number().nullable();

export const sitesView = defineView({
  name: 'sites',
  version: 2,
  title: 'Allocation sites',
  options: SITES_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(SITE_GROUPS),
    dump: z.number().int().describe('number of the dump shown, from 1; 0 if there are no dumps'),
    dumps: z.number().int().describe('dumps in the recording'),
    live_bytes: sum.describe('of all sites; null if the recorder does not know what was freed'),
    live_objects: sum.describe('of all sites; null if the recorder does not know what was freed'),
    allocated_bytes: sum.describe('of all sites'),
    old_objects: sum.describe('of all sites; null if the recorder does not sample them'),
  },
  needs: ({ subject }, { by, memory }) => ({ recorded: sitesUse(subject, { by, memory }) }),
  answer: async (input, { by, memory }, { recorded }) => {
    const { program } = input.recording;
    const profile = requireProfile(input);
    const sites = requireSites(input, by, memory, recorded);
    const { sums, totals, leading } = sites;
    const order = sums[leading] ?? new Float64Array();
    const whole = totals[leading] ?? 0;
    const serials = serialsOf(input.recording.profile);
    const cells = {
      ...sumCells(sums),
      share: (i: number) => share(order[i], whole),
      accum: (i: number) => share(sites.accumulated[i], whole),
      class: (i: number) => (by === 'method' || sites.memory === 'native' ? null : siteClass(program, sites, i)),
      method: (i: number) =>
        by === 'method' ? functionSignature(program, methodOf(program, profile.stacks, sites.stack[i])) : null,
      trace: (i: number) => serials(sites.trace[i]),
      frames: (i: number) => (by === 'site' ? frames(profile, program, sites.stack[i]) : []),
    };
    return {
      ...common(input, [
        ...(sites.dump === 0 ? [] : dumpNotes({ dump: sites.dump, dumps: input.dump.of })),
        ...notes(profile, sites),
        ...(sites.sums.allocated_bytes === undefined ? [] : allocationNotes(input)),
      ]),
      by,
      dump: sites.dump,
      dumps: input.dump.of,
      live_bytes: totals.live_bytes ?? null,
      live_objects: totals.live_objects ?? null,
      allocated_bytes: totals.allocated_bytes ?? null,
      old_objects: totals.old_objects ?? null,
      ...(await listed(cells, {
        columns: columnsFor(sites, by, leading),
        count: sites.length,
        input,
        usual: leading,
        sortable: (key) => key !== 'frames',
        handle: handlesOfGroups(by, program, profile, sites),
      })),
    };
  },
});

/** The sites within the scope; throws if there are none. */
function requireSites(
  { recording, unscoped }: ViewInput,
  by: SiteGroup,
  memory: SiteMemory | undefined,
  { sites, hasObjects }: RecordedSites,
): SummedSites {
  const isNative = sites?.memory === 'native';
  if (hasObjects ? sites === undefined : isNative && unscoped.has(NATIVE_MEMORY_EVENTS.kind))
    throw new UsageError('allocation sites of this recording cannot be selected by this scope', {
      code: 'not-in-scope',
    });
  if (isNative && by === 'class')
    throw new UsageError('native memory has no classes', {
      code: 'no-classes',
      advice: phrase`Use ${theOption('by', { value: 'site' })} or ${theOption('by', { value: 'method' })}.`,
      action: { choose: ['by'] },
    });
  if (sites !== undefined) return sites;
  if (memory === 'native')
    throw new MissingError(`${recording.name} has no events of native memory`, {
      code: 'no-allocation-sites',
      advice: 'Experiments of gprofng with -H on have them, and recordings of async-profiler with nativemem.',
    });
  throw new MissingError(`${recording.name} has no allocation sites`, {
    code: 'no-allocation-sites',
    advice:
      'HPROF files recorded with heap=sites or heap=all have them, recordings of JFR with allocation events, and experiments of gprofng with -H on.',
  });
}

function sumCells(sums: SiteSums) {
  const cell = (key: keyof SiteSums) => (i: number) => {
    const value = sums[key]?.[i] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  return {
    live_bytes: cell('live_bytes'),
    allocated_bytes: cell('allocated_bytes'),
    live_objects: cell('live_objects'),
    allocated_objects: cell('allocated_objects'),
    samples: cell('samples'),
    old_objects: cell('old_objects'),
    old_bytes: cell('old_bytes'),
    oldest: cell('oldest'),
  };
}

/** Columns that the recording has, with the share named after the column that it is a share of. */
function columnsFor(
  { sums, memory }: AllocationSites,
  by: SiteGroup,
  leading: (typeof LEADING)[number],
): ResultColumn[] {
  const sumKeys = new Set<string>(Object.keys(sums));
  const others: Readonly<Record<string, boolean>> = {
    share: true,
    accum: true,
    class: by !== 'method' && memory === 'objects',
    method: by === 'method',
    trace: by === 'site' && sums.live_bytes !== undefined && memory === 'objects',
    frames: by === 'site',
  };
  const all = columnsOf(row);
  const first = all.find(({ key }) => key === leading);
  const word = first?.title.replace(/ (?:bytes|objects)$/, '') ?? '';
  const rest = all.filter(({ key }) => key !== leading && (others[key] ?? sumKeys.has(key)));
  const otherColumns = rest.map((column) => (column.key === 'share' ? { ...column, title: `${word} %` } : column));
  return first === undefined
    ? otherColumns
    : [{ key: first.key, title: first.title, unit: first.unit }, ...otherColumns];
}

/** Sites without a class are those that the recorder of dumps left out, below its cutoff. */
function siteClass(program: Program, sites: AllocationSites, i: number): string {
  const id = sites.class[i];
  if (id >= 0) return className(program, id);
  return sites.sums.live_bytes === undefined ? '<unknown>' : '<Below cutoff>';
}

/** The recording's own number of a trace, from the whole profile: the scope may have removed rows. */
function serialsOf(profile: Profile | undefined): (trace: number) => number | null {
  const serials = profile?.traces && TRACES.rows(profile.traces).serial;
  return (trace) => (trace < 0 ? null : (serials?.[trace] ?? null));
}

/** The handles of sites, methods or classes. */
function handlesOfGroups(
  by: SiteGroup,
  program: Program,
  { stacks }: Profile,
  { stack, class: classOf, trace, memory }: AllocationSites,
): (i: number) => string | undefined {
  if (by === 'method') return (i) => functionHandle(program, methodOf(program, stacks, stack[i]));
  if (by === 'class') return (i) => classHandle(program, classOf[i]);
  const handles = new SiteHandles(program, stacks, memory === 'native');
  return (i) => handles.handle({ stack: stack[i], class: classOf[i], trace: trace[i] });
}

/** The innermost function of a stack; -1 without a stack. */
function methodOf(program: Program, stacks: StackTable, stack: StackId): FunctionId {
  return stack < 0 ? NONE : program.locations.function[stacks.location[stack]];
}

function frames(profile: Profile, program: Program, stack: StackId): string[] {
  const frameNames: string[] = [];
  for (let id = stack; id >= 0 && frameNames.length < FRAMES; id = profile.stacks.parent[id])
    frameNames.push(locationName(program, profile.stacks.location[id]));
  return frameNames;
}

function notes(profile: Profile, { sums, memory, stacks, cutStacks }: SummedSites): Note[] {
  const truncated =
    cutStacks === 0
      ? []
      : [
          note(
            'truncated-sites',
            `${formatCount(cutStacks)} of ${plural(stacks, 'stack')} ${cutStacks === 1 ? 'is' : 'are'} truncated at the depth limit: their outer callers are missing.`,
          ),
        ];
  return [...(memory === 'native' ? freedRemarks(profile) : meanings(profile, sums)), ...truncated];
}

function meanings(profile: Profile, sums: SiteSums): Note[] {
  if (sums.live_bytes !== undefined)
    return [note('garbage-included', 'Live means not seen freed: no collection was forced, so garbage is included.')];
  const kind = allocationKind(profile);
  const sampled = kind === ALLOCATION_EVENTS;
  return [
    ...(sums.allocated_bytes === undefined || kind === OBJECT_ALLOCATION_EVENTS
      ? []
      : [
          note(
            'estimated-bytes',
            sampled
              ? 'Allocated bytes are estimates: a sample stands for all that its thread allocated since the sample before.'
              : 'Allocated bytes are estimates: an event stands for a whole new buffer, or for one object outside of buffers.',
            { about: { column: 'allocated_bytes' } },
          ),
        ]),
    ...(sums.old_objects === undefined
      ? []
      : [
          note(
            'old-objects-sampled',
            'Old objects are a sample of those that stayed alive; the recorder keeps few, so zero says little.',
            { about: { column: 'old_objects' } },
          ),
        ]),
  ];
}
