/**
 * The threads that held the monitors which others waited for during some events, and what these threads did meanwhile: a wait has the owner
 * before, and not its stack.
 */
import { addToList } from '../../base/columns/lists.js';
import { type Note, note } from '../../base/note.js';
import { someNames } from '../../base/some-names.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../models/events/wait.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import { locationName } from '../../models/program/names.js';
import type { LocationId, Program } from '../../models/program/program.js';
import type { TimeSpans } from '../../models/scope.js';
import { type Column, columnOf, type Table } from '../../models/table.js';
import { joinedSpans, overlaps } from '../spans.js';

/** Threads that a note names. */
const MOST_OWNERS = 3;
const ENTER = WAIT_REASONS.indexOf('enter');

interface Owner {
  readonly thread: number;
  /** How long others waited for monitors that it held before. */
  readonly time: number;
  readonly spans: TimeSpans;
  /** By place: how many events of the thread have a stack that ends there. */
  readonly places: Map<LocationId, number>;
}

/** The monitors that the waits of `scoped` were for, by their owners before, with their stacks in `profile`; no note without such waits. */
export function previousOwnerNotes(program: Program, profile: Profile, scoped: Profile): Note[] {
  const owners = ownersOf(eventTable(scoped, WAIT_EVENTS.kind));
  if (owners.length === 0) return [];
  const firstOwners = owners.slice(0, MOST_OWNERS);
  for (const table of profile.events) addPlaces(profile, table, firstOwners);
  const time = owners.reduce((sum, owner) => sum + owner.time, 0);
  const names = owners.map((owner, i) => (i < MOST_OWNERS ? ownerText(program, profile, owner) : ''));
  return [
    note(
      'previous-owners',
      `Waits for monitors: ${formatValue(time, 'ns')}. Owners before: ${someNames(names, MOST_OWNERS)}.`,
    ),
  ];
}

/** The owners before of the monitors that were waited for, the longest time first. */
function ownersOf(waits: Table | undefined): Owner[] {
  const { reason, other, waited } = waits?.columns ?? {};
  const times = waits && columnOf(waits, TIME);
  if (reason === undefined || other === undefined || waited === undefined || times === undefined) return [];
  const rowsByThread = new Map<number, number[]>();
  for (let row = 0; row < reason.length; row++)
    if (reason[row] === ENTER && other[row] >= 0 && waited[row] >= 0) addToList(rowsByThread, other[row], row);
  return [...rowsByThread]
    .map(([thread, rows]) => {
      const starts = Float64Array.from(rows, (row) => times[row]);
      // What begins where a wait ends is within it, and times are whole nanoseconds.
      const spans = joinedSpans(starts, (i) => starts[i] + waited[rows[i]] + 1);
      const time = rows.reduce((sum, row) => sum + waited[row], 0);
      return { thread, time, spans, places: new Map<LocationId, number>() };
    })
    .sort((a, b) => b.time - a.time || a.thread - b.thread);
}

/** Counts where the stacks of the owners' events end that begin while others wait for them. */
function addPlaces({ stacks }: Profile, table: Table, owners: readonly Owner[]): void {
  const threads = columnOf(table, THREAD);
  const times = columnOf(table, TIME);
  if (threads === undefined || times === undefined) return;
  const byThread = new Map(owners.map((owner) => [owner.thread, owner]));
  // Columns are unpacked when they are read: most tables have no event of an owner.
  let ends: Column | undefined;
  for (let row = 0; row < table.length; row++) {
    const owner = byThread.get(threads[row]);
    if (owner === undefined || !overlaps(owner.spans, times[row], 0)) continue;
    ends ??= columnOf(table, STACK);
    const stack = ends?.[row] ?? -1;
    const place = stack < 0 ? -1 : stacks.location[stack];
    if (place >= 0) owner.places.set(place, (owner.places.get(place) ?? 0) + 1);
  }
}

function ownerText(program: Program, profile: Profile, { thread, time, places }: Owner): string {
  const label = threadLabel(profile, program, thread) ?? 'unknown thread';
  const count = [...places.values()].reduce((sum, stacks) => sum + stacks, 0);
  const [most] = [...places].sort(([, a], [, b]) => b - a);
  const place = most === undefined ? '' : `, ${formatCount(most[1])} in ${locationName(program, most[0])}`;
  return `${label} ${formatValue(time, 'ns')} (${count === 0 ? 'no stack' : plural(count, 'stack')} meanwhile${place})`;
}
