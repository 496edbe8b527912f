/**
 * Threads as tools write them that ask `ThreadMXBean` of the JVM: VisualVM and Spring Boot (`/actuator/threaddump` as
 * text), which imitate the VM, and `ThreadInfo.toString()`. They have neither addresses nor CPU; locks have identity
 * hash codes, and the line of a wanted lock names its owner.
 *
 *   "worker-1" - Thread t@12                                       VisualVM, Spring Boot
 *   "worker-1"                                                     Spring Boot 2
 *   "worker-1" daemon prio=5 Id=13 BLOCKED on a.B@32a88bc2 owned by "worker-0" Id=9       ThreadInfo
 */
import { LONGEST_HEADER, NO_FIELDS, type ThreadHeader } from '../text/header.js';
import { lockOfObject } from '../text/lock-line.js';

const NUMBERED = /^"(.*)" - Thread t@(\d{1,15})$/s;
const NAMED = /^"(.*)"$/s;

/** The header as VisualVM and Spring Boot write it; without its number where `nameOnly`, which the next line must confirm. */
export function managementHeader(text: string, nameOnly: boolean): ThreadHeader | undefined {
  if (text.length > LONGEST_HEADER) return undefined;
  const match = NUMBERED.exec(text) ?? (nameOnly ? NAMED.exec(text) : null);
  if (match === null) return undefined;
  const [, name = '', number] = match;
  return { ...NO_FIELDS, by: 'management', name, number: number === undefined ? -1 : Number(number) };
}

const STATES = 'NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED';
/** The start of a header of `ThreadInfo`. */
export const INFO_HEADER = new RegExp(
  `^"[^"]{0,200}"(?: daemon)?(?: prio=\\d{1,2})? Id=\\d{1,15}(?: in)? (?:${STATES})\\b`,
);
const THREAD_INFO = new RegExp(
  `^"(.*)"( daemon)?(?: prio=(\\d{1,2}))? [Ii]d=(\\d{1,15})(?: in)? (${STATES})(?: on (.+?)@([0-9a-f]{1,8})(?: owned by "(.*)" [Ii]d=(-?\\d{1,15}))?)?(?: \\(suspended\\))?(?: \\((?:running )?in native\\))?$`,
  's',
);

/** The header of `ThreadInfo.toString()`, since JDK 5; undefined for other text. */
export function threadInfoHeader(text: string): ThreadHeader | undefined {
  const match = text.length > LONGEST_HEADER ? null : THREAD_INFO.exec(text);
  if (match === null) return undefined;
  const [, name = '', daemon, priority, number, words = '', type, hash, owner, ownerNumber] = match;
  const lock =
    type === undefined ? undefined : lockOfObject(words === 'BLOCKED' ? 'enter' : 'notify', type, hash ?? '');
  const ownedLock =
    owner === undefined ? lock : lock && { ...lock, owner: { name: owner, number: Number(ownerNumber) } };
  return {
    ...NO_FIELDS,
    by: 'management',
    name,
    number: Number(number),
    daemon: daemon === undefined ? -1 : 1,
    priority: priority === undefined ? -1 : Number(priority),
    words,
    ...(ownedLock && { wants: ownedLock }),
  };
}
