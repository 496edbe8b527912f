/**
 * The events that a text of a question means, where it is the handle of a group of events.
 *
 *   site#1235.8.3-5f2a07bd      of an answer about this snapshot; of another one, the only group with the name
 *   site:1235.8.3-5f2a07bd      all groups with the name, also none: for the base of a question
 */
import { type HandleKind, type HandleParts, partsOfHandle, unknownHandle } from '../../models/handle.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import type { EventGroups } from './event-groups.js';
import { lockGroups } from './named-locks.js';
import { placeGroups } from './named-places.js';
import { siteGroups } from './named-sites.js';

type GroupsOf = (program: Program, profile: Profile, parts: HandleParts) => EventGroups;

/** How the events of each kind of handles are grouped. */
const GROUPS: readonly (readonly [HandleKind, GroupsOf])[] = [
  ['site', siteGroups],
  ['place', placeGroups],
  ['lock', lockGroups],
];

/** Groups of events that a text means. */
export interface NamedEvents {
  readonly groups: EventGroups;
  /** 1 for each group that is meant. */
  readonly marks: Uint8Array;
}

interface EventText {
  readonly groupsOf: GroupsOf;
  readonly parts: HandleParts;
  /** Whether all groups with the name are meant, in any recording. */
  readonly isByName: boolean;
}

function readText(text: string): EventText | undefined {
  for (const [kind, groupsOf] of GROUPS) {
    const isByName = text.startsWith(`${kind}:`);
    const parts = partsOfHandle(kind, isByName ? text.replace(':', '#') : text);
    if (parts !== undefined) return { groupsOf, parts, isByName };
  }
  return undefined;
}

/** Whether a text names a group of events, and is no name or pattern of functions. */
export function isEventsText(text: string): boolean {
  return readText(text) !== undefined;
}

/** The events that a handle names; undefined for all other texts. Throws `UsageError` for a handle of another recording. */
export function eventsOfHandle(program: Program, profile: Profile, text: string): NamedEvents | undefined {
  const read = readText(text);
  if (read === undefined) return undefined;
  const { parts, isByName } = read;
  const groups = read.groupsOf(program, profile, parts);
  const marks = new Uint8Array(groups.length);
  const group = isByName ? undefined : groups.groupOf(parts);
  if (group !== undefined && group >= 0) marks[group] = 1;
  else {
    const meant = marks.map((_, id) => (groups.hashOf(id) === parts.hash ? 1 : 0));
    const count = meant.reduce((sum, mark) => sum + mark, 0);
    if (!isByName && (count > 1 || (count === 0 && group === undefined))) throw unknownHandle(text);
    marks.set(meant);
  }
  return { groups, marks };
}

/** The text that means the events of the same names in another recording. Other texts stay. */
export function eventsTextForOther(text: string): string {
  return isEventsText(text) ? text.replace('#', ':') : text;
}
