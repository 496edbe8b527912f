/**
 * `sites`: allocations by class and stack, at one moment. HPROF's SITES section (§1.5 of its manual): "live" objects
 * are those without a recorded free.
 */
import { z } from 'zod';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { accumulated, share } from '../../base/share.js';
import { formatCount, plural } from '../../base/units.js';
import { SITE_EVENTS, type SiteEvents } from '../../models/events/site.js';
import { shownDump } from '../../models/profile/moment.js';
import { type Profile, STACK_ENDINGS, type StackId } from '../../models/profile/profile.js';
import { TRACES } from '../../models/profile/tables.js';
import { className, locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Column } from '../../models/table.js';
import { dumpNotes } from '../heap/classes.js';
import { columnsOf, common, detail, list, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';

const row = z.object({
  live_bytes: number('Live bytes', 'bytes', 'bytes of objects not seen freed'),
  share: maybe('Live %', 'ratio', 'share of the live bytes of all sites'),
  accum: detail(1, maybe('Accum %', 'ratio', 'share of this site and all sites with more live bytes')),
  live_objects: detail(1, maybe('Live objects', 'count', 'objects not seen freed')),
  allocated_bytes: detail(1, maybe('Allocated', 'bytes', 'bytes allocated since the start')),
  allocated_objects: detail(2, maybe('Objects', 'count', 'objects allocated since the start')),
  class: text('Class', 'class of the objects'),
  trace: detail(2, maybe('Trace', 'none', 'number of the stack in the recording')),
  frames: list('Allocated in', 'the innermost frames of the stack'),
});

/** Number of frames in a row. */
const FRAMES = 4;

export const sitesView = defineView({
  name: 'sites',
  version: 1,
  title: 'Allocation sites',
  options: z.object({}),
  shape: {
    ...listingShape(row),
    dump: z.number().int().describe('number of the dump shown, from 1'),
    dumps: z.number().int().describe('dumps in the recording'),
    live_bytes: z.number().describe('of all sites'),
    live_objects: z.number().describe('of all sites'),
  },
  answer: (input) => {
    const { program } = input.recording;
    const profile = requireProfile(input);
    const { sites, rows, dump, dumps } = sitesOf(input, profile);
    const live = sites.live_bytes;
    const sums = accumulated(rows.map((id) => live[id]));
    const bytes = rows.reduce((sum, id) => sum + live[id], 0);
    // For the sites that the recorder left out, only the live bytes are known.
    const known = (values: Column) => (i: number) => (sites.class[rows[i]] < 0 ? null : values[rows[i]]);
    const serials = serialsOf(input.recording.profile);
    const cells = {
      live_bytes: (i: number) => live[rows[i]],
      share: (i: number) => share(live[rows[i]], bytes),
      accum: (i: number) => share(sums[i], bytes),
      live_objects: known(sites.live_objects),
      allocated_bytes: known(sites.allocated_bytes),
      allocated_objects: known(sites.allocated_objects),
      class: (i: number) => siteClass(program, sites.class[rows[i]]),
      trace: (i: number) => serials(sites.trace?.[rows[i]] ?? -1),
      frames: (i: number) => frames(profile, program, sites.stack[rows[i]]),
    };
    return {
      ...common(input, [...dumpNotes({ dump, dumps }), ...notes(profile, sites, rows)]),
      dump,
      dumps,
      live_bytes: bytes,
      live_objects: rows.reduce((sum, id) => sum + sites.live_objects[id], 0),
      ...listed(cells, {
        columns: columnsOf(row),
        count: rows.length,
        page: input.page,
        usual: 'live_bytes',
        sortable: (key) => key !== 'frames',
      }),
    };
  },
});

/** The rows of the selected dump, else of the last dump of the recording, independent of the scope. */
function sitesOf(input: ViewInput, profile: Profile) {
  const sites = SITE_EVENTS.of(profile);
  const whole = SITE_EVENTS.of(input.recording.profile);
  if (sites === undefined || whole === undefined)
    throw new MissingError(
      `${input.recording.name} has no allocation sites`,
      'HPROF files recorded with heap=sites or heap=all have them.',
    );
  if (input.unscoped.has(SITE_EVENTS.kind))
    throw new UsageError('allocation sites of this recording cannot be selected by this scope');
  const dump = shownDump(input.dump, whole.dump);
  const rows: number[] = [];
  for (let id = 0; id < sites.length; id++) if (sites.dump[id] === dump - 1) rows.push(id);
  return { sites, rows, dump, dumps: input.dump.of };
}

/** Rows without a class are the sites that the recorder left out, below its cutoff. */
function siteClass(program: Program, id: number): string {
  return id < 0 ? '<Below cutoff>' : className(program, id);
}

/** The recording's own number of a trace, from the whole profile: the scope may have removed rows. */
function serialsOf(profile: Profile | undefined): (trace: number) => number | null {
  const serials = profile?.traces && TRACES.rows(profile.traces).serial;
  return (trace) => (trace < 0 ? null : (serials?.[trace] ?? null));
}

function frames(profile: Profile, program: Program, stack: StackId): string[] {
  const shown: string[] = [];
  for (let id = stack; id >= 0 && shown.length < FRAMES; id = profile.stacks.parent[id])
    shown.push(locationName(program, profile.stacks.location[id]));
  return shown;
}

function notes(profile: Profile, { stack }: SiteEvents, rows: readonly number[]): string[] {
  const cut = STACK_ENDINGS.indexOf('cut');
  const stacks = new Set(rows.map((id) => stack[id]).filter((id) => id >= 0));
  const short = [...stacks].filter((id) => profile.stacks.ending[id] === cut).length;
  const truncated =
    short === 0
      ? []
      : [
          `${formatCount(short)} of ${plural(stacks.size, 'stack')} ${short === 1 ? 'is' : 'are'} truncated at the depth limit: their outer callers are missing.`,
        ];
  return ['Live means not seen freed: no collection was forced, so garbage is included.', ...truncated];
}
