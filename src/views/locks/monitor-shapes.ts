/** The shapes of the answer of `monitors`. */
import { z } from 'zod';
import { FILE_ID } from '../file-ids.js';
import { detail, HANDLE, maybe, maybeNames, maybeText, parts, text } from '../listing.js';

/** A lock, at a moment or over all. */
export const MONITOR_ROW = z.object({
  dump: detail(2, maybe('Dump', 'none', 'number of the dump that has it, from 1')),
  time: maybe('Time', 'ns', 'time that threads were blocked, or parked'),
  longest: maybe('Longest', 'ns', 'longest single wait, if each is recorded'),
  share: maybe('Share', 'ratio', 'share of all time, or of all entries if no time is known'),
  count: maybe('Entries', 'count', 'times it was entered; for contention, entered after being blocked'),
  blocked: maybe('Blocked', 'count', 'threads that wait to get it: to enter a monitor, or parked for a lock'),
  parked: maybe('Parked', 'count', 'threads parked for it, if it is not a lock'),
  waiting: maybe('Waiting', 'count', 'threads in Object.wait on it'),
  entries: detail(2, maybe('Held', 'count', 'times its owner has entered it without leaving')),
  owner: maybeText('Owner', 'thread that holds it; for contention, that held it before most of the time'),
  owners: detail(
    2,
    parts('Previous owners', 'for contention: threads that held it before, with waits and share of the time'),
  ),
  file_id: FILE_ID,
  monitor: text('Monitor', 'class and address, or name; for counts the class of the objects'),
  waiters: detail(1, maybeNames('Waiters', 'blocked threads, then parked ones, then waiting ones')),
  site: detail(1, maybeText('Site', 'where threads were blocked; of a lock, for most of the time')),
  sites: detail(1, maybe('Sites', 'count', 'of a lock: lines where threads were blocked')),
  trace: detail(3, maybe('Trace', 'none', 'number of the stack in the recording')),
  handle: HANDLE,
});

/** Threads that wait for each other. */
export const DEADLOCK = z.object({
  dumps: z.array(z.number()).describe('numbers of the dumps that have it'),
  threads: z.array(z.string()).describe('each waits for the monitor at the same index, which the next thread holds'),
  monitors: z.array(z.string()),
  stuck: z.number().describe('threads outside the deadlock that wait for one in it'),
  reported: z.boolean().nullable().describe('whether the recording reports it; null if it reports no deadlocks'),
  shown: z.boolean().describe('whether owners and waiters show it; false if only the recording reports it'),
});

/** The monitor that most threads wait for, and why they do. */
export const WANTED_MONITOR = z.object({
  monitor: z.string(),
  dump: z.number(),
  wanted: z.number().describe('threads that wait to get it'),
  owners: z.array(z.string()).describe('the owner, the thread that it waits for, and so on'),
  monitors: z.array(z.string()).describe('the monitor that each owner waits to get, if any'),
  endless: z.boolean().describe('whether the chain of owners ends in a deadlock'),
  end: z.string().nullable().describe('why the chain ends there; null if the last owner waits for nothing known'),
});
