/**
 * `monitors`: locks of threads. Locks at a moment (thread dumps, MONITOR DUMP of HPROF) come first, then contention
 * summed by site (MONITOR TIME), then plain counts (PGO profiles).
 */
import { z } from 'zod';
import { LockHandles } from '../../analysis/handles/named-locks.js';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { waitersByMonitor, wantedBy } from '../../analysis/locks/deadlocks.js';
import { monitorHandle, monitorLabel } from '../../analysis/locks/monitor-label.js';
import { waitSitesUse } from '../../analysis/locks/stages.js';
import type { WaitSites } from '../../analysis/locks/wait-sites.js';
import { requireDump } from '../../analysis/scope/moment.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type ErrorDetails, MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { joinedPhrases, type Phrase, phrase, theOption, theStep, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { CONTENTION_EVENTS, type ContentionEvents } from '../../models/events/contention.js';
import { SYNCHRONISATION_EVENTS, type SynchronisationEvents } from '../../models/events/synchronisation.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import { type Locks, MONITORS } from '../../models/locks/locks.js';
import { TRACES } from '../../models/profile/tables.js';
import { className, locationName } from '../../models/program/names.js';
import { MONITORS_OPTIONS, type WaitGrouping } from '../../questions/options/recording.js';
import { idNotes } from '../file-ids.js';
import { columnsOf, common, HEADLINES, listingShape, measuredIn, pageOf } from '../listing.js';
import { virtualWaitNotes } from '../metric-choice.js';
import { defineView, type ViewInput, WITHOUT_STEPS } from '../question.js';
import { tableRows } from '../row-table.js';
import { gapNotes } from './gaps.js';
import { threadLabels } from './lock-labels.js';
import { deadlockNotes, momentNote, type NamedDeadlock, namedDeadlocks, unreadLocks } from './locks.js';
import { DEADLOCK, MONITOR_ROW, WANTED_MONITOR } from './monitor-shapes.js';
import { mostWanted, type Wanted, wantedNote } from './wanted.js';

type Row = z.input<typeof MONITOR_ROW>;
type Key = keyof Row;

const RECORDED_IN = phrase`Thread dumps, HPROF with monitor=y and PGO profiles have them; ${theView('summary')} lists what this recording has.`;
/** The metric of waits that a recorder of native code traced: its events have functions, and no monitor. */
const NATIVE_WAITS = 'sync';

/** What a recording without monitors, or without times of waiting, has instead. */
function instead({ profile, recording }: ViewInput, otherwise: Phrase): Phrase {
  if (profile?.metrics.some(({ id }) => id === NATIVE_WAITS) !== true)
    return recording.format === 'experiment' ? 'It has no waits: `gprofng collect app -s on` records them.' : otherwise;
  return phrase`Its waits have functions: ${theView('functions', { recording: recording.name, options: { metric: NATIVE_WAITS } })}.`;
}

function noMonitors(input: ViewInput): MissingError {
  const advice = instead(input, RECORDED_IN);
  return new MissingError(`${input.recording.name} has no monitors`, { code: 'no-monitors', advice });
}

/** The parts of a listing of one kind. */
interface Listing {
  readonly rows: readonly Row[];
  readonly columns: readonly Key[];
  /** `order`: that of the rows. */
  readonly sort: Key | 'order';
  readonly headlines?: readonly Phrase[];
  readonly notes: readonly Note[];
}

const OF = ['locks', 'contention', 'counts'] as const;
type Of = (typeof OF)[number];

const NOUNS: Readonly<Record<Of, Phrase>> = {
  locks: 'owners and waiters',
  contention: phrase`contention (${theOption('contention')})`,
  counts: 'entries by class',
};

export const monitorsView = defineView({
  name: 'monitors',
  version: 7,
  title: 'Monitors',
  options: MONITORS_OPTIONS,
  shape: {
    ...listingShape(MONITOR_ROW),
    of: z.enum(OF).describe('kind of the rows'),
    headlines: HEADLINES,
    count: z.number().nullable().describe('sum of all entries; null if not counted'),
    deadlocks: z.array(DEADLOCK),
    wanted: WANTED_MONITOR.nullable().describe('the monitor that blocks the most threads'),
  },
  needs: ({ profile, subject }, { by }) => ({
    waits: CONTENTION_EVENTS.of(profile) === undefined ? waitSitesUse(subject, by) : undefined,
  }),
  answer: async (input, options, { waits }) => {
    const { locks, profile } = input;
    const tables = {
      locks: locks === undefined || locks.snapshots.length === 0 ? undefined : locks,
      contention: CONTENTION_EVENTS.of(profile) ?? waits,
      counts: SYNCHRONISATION_EVENTS.of(profile),
    };
    const there = OF.filter((kind) => tables[kind] !== undefined);
    // Dumps without any lock, or that the scope does not apply to, say less than the other kinds.
    const isLess = input.recording.locks?.monitors.length === 0 || input.unscoped.has('locks');
    const best = there.find((kind) => kind !== 'locks' || !isLess) ?? there[0];
    const source = options.contention ? 'contention' : best;
    if (source === undefined) throw noMonitors(input);
    if (!there.includes(source))
      throw new MissingError(`${input.recording.name} has no times of contention`, {
        code: 'no-contention',
        advice: instead(input, 'JFR, async-profiler and HPROF with monitor=y have them.'),
      });
    const { held, listing } = await input.kept('listing', bytesOfListing, () => {
      const held = source === 'locks' && locks !== undefined ? heldUp(input, locks) : undefined;
      return { held, listing: listingOf(input, tables, source, held, options) };
    });
    const { rows, columns, sort, headlines = [], notes } = listing;
    const keys = Object.fromEntries(
      columns
        .filter((key) => key !== 'waiters' && key !== 'owners')
        .map((key) => [key, (i: number) => plain(rows[i][key])]),
    );
    const waited = source === 'contention' ? profile?.metrics.find(({ id }) => id === 'contention') : undefined;
    const rowColumns = columnsOf(MONITOR_ROW);
    const shownColumns = columns
      .flatMap((key) => rowColumns.filter((one) => one.key === key))
      .map((one) => (one.key === 'time' && waited !== undefined ? { ...one, ...measuredIn(waited) } : one))
      .map((one) => (one.key === 'owner' && source === 'contention' ? { ...one, title: PREVIOUS_OWNER } : one));
    const order = await pageOf(rows.length, { ...keys, order: (i) => -i }, input, sort, shownColumns);
    const others = there.filter((kind) => kind !== source).map((kind) => NOUNS[kind]);
    const otherKinds = phrase`The recording also has: ${joinedPhrases(others, ', ')}.`;
    const also = others.length === 0 ? [] : [note('also-recorded', otherKinds)];
    return {
      ...common(input, [
        ...(source === 'contention' ? virtualWaitNotes(input) : []),
        ...notes,
        ...idNotes(options.ids, input.recording.program),
        ...also,
      ]),
      headlines: [...headlines],
      of: source,
      count: source === 'locks' ? null : rows.reduce((sum, one) => sum + (one.count ?? 0), 0),
      deadlocks: tableRows(held?.deadlocks ?? []),
      wanted: held?.wanted ?? null,
      columns: shownColumns,
      total: rows.length,
      offset: input.page.offset,
      rows: tableRows(order.map((i) => rows[i])),
    };
  },
});

function bytesOfListing({ listing: { rows } }: { readonly listing: Listing }): number {
  return 400 * rows.length;
}

function plain(value: Row[Key]): number | string | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

interface Tables {
  readonly locks: Locks | undefined;
  readonly contention: ContentionEvents | WaitSites | undefined;
  readonly counts: SynchronisationEvents | undefined;
}

interface HeldUp {
  readonly deadlocks: NamedDeadlock[];
  readonly wanted: Wanted | null;
}

function heldUp(input: ViewInput, locks: Locks): HeldUp {
  return { deadlocks: namedDeadlocks(input, locks), wanted: mostWanted(input, locks) };
}

function listingOf(
  input: ViewInput,
  { locks, contention, counts }: Tables,
  source: Of,
  held: HeldUp | undefined,
  { by, ids }: { readonly by: WaitGrouping; readonly ids: boolean },
): Listing {
  if (held !== undefined && locks !== undefined) return lockListing(input, locks, held);
  if (source === 'contention' && contention !== undefined)
    return 'sites' in contention ? waitListing(input, contention, by) : contentionListing(input, contention);
  if (counts === undefined) throw noMonitors(input);
  return countListing(input, counts, ids);
}

const EMPTY: Omit<Row, 'monitor'> = {
  dump: null,
  time: null,
  longest: null,
  share: null,
  count: null,
  blocked: null,
  parked: null,
  waiting: null,
  entries: null,
  owner: null,
  owners: [],
  waiters: null,
  site: null,
  sites: null,
  trace: null,
};

/** Nobody holds a lock of past waits. */
const PREVIOUS_OWNER = 'Mostly held by';

const WITHOUT_SCOPE = { ...WITHOUT_STEPS, advice: 'Omit the scope.' };

function refuseUnscoped(input: ViewInput, kind: string, subject: string, remedy: ErrorDetails): void {
  if (input.unscoped.has(kind))
    throw new UsageError(`${subject} of this recording have no stack, thread or time to select by`, remedy);
}

function lockListing(input: ViewInput, locks: Locks, { deadlocks, wanted: most }: HeldUp): Listing {
  refuseUnscoped(input, 'locks', 'locks', WITHOUT_STEPS);
  requireDump(input.recording, input.dump, 'locks');
  const { program, profile } = input.recording;
  const { monitors } = locks;
  const label = threadLabels(profile, program);
  const { dump, owner, entries } = MONITORS.rows(monitors);
  const waiters = waitersByMonitor(locks);
  const waiterCounts = waiters.map((threads, i) => wantedBy(threads, owner[i]));
  const order = [...waiters.keys()].sort(
    (a, b) =>
      waiterCounts[b] - waiterCounts[a] ||
      waiters[b].parked.length - waiters[a].parked.length ||
      waiters[b].waiting.length - waiters[a].waiting.length ||
      a - b,
  );
  const rows = order.map((i) => ({
    ...EMPTY,
    dump: dump[i] + 1,
    monitor: monitorLabel(program, monitors, i),
    handle: monitorHandle(program, monitors, i),
    owner: owner[i] < 0 ? null : label(owner[i]),
    entries: entries[i] < 0 ? null : entries[i],
    blocked: waiters[i].blocked.length,
    parked: waiters[i].parked.length,
    waiting: waiters[i].waiting.length,
    waiters: [...waiters[i].blocked, ...waiters[i].parked, ...waiters[i].waiting].map(label),
  }));
  const columns: Key[] = ['blocked', 'parked', 'waiting', 'entries', 'owner', 'monitor', 'waiters'];
  return {
    rows,
    columns: locks.snapshots.length > 1 ? ['dump', ...columns] : columns,
    sort: 'order',
    headlines: [
      ...(monitors.length === 0 && locks.unread === undefined
        ? ['The recording reports no held or wanted locks.']
        : []),
      ...unreadLocks(locks),
      ...deadlockNotes(deadlocks, locks),
      ...wantedNote(most),
      ...gapNotes(input, locks),
    ],
    notes: momentNote(locks),
  };
}

function contentionListing(input: ViewInput, events: ContentionEvents): Listing {
  refuseUnscoped(input, CONTENTION_EVENTS.kind, 'times of contention', WITHOUT_SCOPE);
  const { program } = input.recording;
  const { length, stack, trace, dump, class: types, name, count, waited } = events;
  const traces = input.recording.profile?.traces;
  const serials = traces && TRACES.rows(traces).serial;
  const handles = input.profile && new LockHandles(program, input.profile.stacks);
  let sum = 0;
  for (const time of waited) sum += time;
  const rows = Array.from({ length }, (_, i) => {
    const place = stack[i] < 0 ? -1 : (input.profile?.stacks.location[stack[i]] ?? -1);
    const number = dump?.[i] ?? -1;
    return {
      ...EMPTY,
      dump: number < 0 ? null : number + 1,
      time: waited[i],
      share: share(waited[i], sum),
      count: count[i],
      monitor: contendedName(input, types[i], name[i]),
      site: place < 0 ? null : locationName(program, place),
      trace: serials?.[trace?.[i] ?? -1] ?? null,
      handle: handles?.contention({
        stack: stack[i],
        class: types[i],
        name: name[i],
        trace: trace?.[i] ?? -1,
        dump: number,
      }),
    };
  });
  const columns: Key[] = ['monitor', 'site', 'time', 'share', 'count', 'trace'];
  const dumps = Math.max(1, new Set(dump).size);
  return { rows, columns: dumps > 1 ? ['dump', ...columns] : columns, sort: 'time', notes: sharedNotes(dumps) };
}

function waitListing(input: ViewInput, { sites, idle }: WaitSites, by: WaitGrouping): Listing {
  refuseUnscoped(input, WAIT_EVENTS.kind, 'waits', WITHOUT_SCOPE);
  const { program } = input.recording;
  const profile = requireProfile(input);
  const label = threadLabels(profile, program);
  const sum = sites.reduce((all, { time }) => all + time, 0);
  const handles = new LockHandles(program, profile.stacks);
  const rows = sites.map(({ time, count, longest, owners, site, places, class: type, reason, address }) => ({
    ...EMPTY,
    time,
    share: share(time, sum),
    longest,
    count,
    owner: owners.length === 0 ? null : label(owners[0].thread),
    owners: owners.map((one) => ({ name: label(one.thread), count: one.count, share: share(one.time, time) })),
    monitor: address < 0 ? className(program, type) : `${className(program, type)}@${address.toString(16)}`,
    site: site < 0 ? null : locationName(program, site),
    sites: by === 'lock' ? places : null,
    handle: by === 'lock' ? handles.waitsFor({ class: type, address }) : handles.waits({ reason, site, class: type }),
  }));
  const columns: Key[] = ['monitor', 'site', 'sites', 'time', 'share', 'longest', 'count', 'owner', 'owners'];
  return {
    rows,
    columns: by === 'lock' ? columns : columns.filter((key) => key !== 'sites'),
    sort: 'time',
    notes: [...idleNotes(idle), ...(by === 'lock' ? lockNotes(sites) : [])],
  };
}

/** What rows of locks leave open: locks without an address, and those that moved. */
function lockNotes(sites: WaitSites['sites']): Note[] {
  const nameless = sites.filter(({ address }) => address < 0).length;
  const isMoved = new Set(sites.map(({ class: type }) => type)).size < sites.length;
  return [
    ...(nameless === 0
      ? []
      : [
          note(
            'locks-without-address',
            `Locks without a recorded address are one row a class: ${plural(nameless, 'row')}.`,
          ),
        ]),
    ...(isMoved
      ? [
          note(
            'locks-by-address',
            phrase`Locks are identified by their address: one that a collector moved is several rows (${theOption('by', { value: 'site' })} adds up by class and line).`,
          ),
        ]
      : []),
  ];
}

function idleNotes({ count, time }: WaitSites['idle']): Note[] {
  if (count === 0) return [];
  const waits = `${plural(count, 'wait')} of idle threads, ${formatValue(time, 'ns')}`;
  return [note('idle-waits', `Without ${waits}, which only have frames of the JDK.`)];
}

/** Each row belongs to one dump; the numbers it is compared with do not. */
function sharedNotes(dumps: number): Note[] {
  if (dumps === 1) return [];
  return [
    note(
      'summed-shares',
      phrase`Shares refer to the summed times of ${dumps} dumps (${theStep('dump', { choose: 'N' })} chooses one).`,
      { about: { column: 'share' }, action: { addSteps: ['dump'] } },
    ),
  ];
}

function contendedName(input: ViewInput, type: number, name: number): string {
  const { program } = input.recording;
  return type < 0 && name >= 0 ? stringAt(program.names, name) : className(program, type);
}

function countListing(input: ViewInput, counts: SynchronisationEvents, ids: boolean): Listing {
  refuseUnscoped(input, SYNCHRONISATION_EVENTS.kind, 'monitor counts', WITHOUT_STEPS);
  const { program } = input.recording;
  const handles = input.profile && new LockHandles(program, input.profile.stacks);
  const entered = countsByClass(counts);
  const sum = [...entered.values()].reduce((all, count) => all + count, 0);
  return {
    rows: [...entered].map(([type, count]) => ({
      ...EMPTY,
      count,
      share: share(count, sum),
      ...(ids && { file_id: fileIdOf(program.classes, type) }),
      monitor: className(program, type),
      handle: handles?.counts(type),
    })),
    columns: ['count', 'share', ...(ids ? (['file_id'] as const) : []), 'monitor'],
    sort: 'count',
    notes: [
      note('counts-of-run', 'These count synchronisations over the whole run, not waits; the file has no contention.'),
    ],
  };
}

/** Counts by class: a file may count a class in several entries. */
function countsByClass({ length, type, count }: SynchronisationEvents): Map<number, number> {
  const sums = new Map<number, number>();
  for (let i = 0; i < length; i++) sums.set(type[i], (sums.get(type[i]) ?? 0) + count[i]);
  return sums;
}
