/**
 * The line that begins an event in the output of `perf script`: what ran, when, and which event it is. Fields that `-F` leaves out are missing.
 *
 *   depot-long 21056/21056 [003]  2074.462453:    2004008 cpu-clock:u:
 *   command    process/thread cpu  seconds        period  event
 */

export interface EventLine {
  readonly command: string;
  /** -1 if it was not printed. */
  readonly process: number;
  readonly thread: number;
  readonly processor: number;
  /** Nanoseconds. */
  readonly time: number;
  /** -1 if it was not printed. */
  readonly period: number;
  readonly event: string;
  /** What follows the event: an address and a symbol, fields of a tracepoint. */
  readonly rest: string;
}

/** The longest that is looked at; lines of tracepoints may be longer. */
const LONGEST = 4096;
const EVENT =
  /^\s*(\S.*?)\s+(-?\d{1,10})(?:\/(-?\d{1,10}))?\s+(?:\[(\d{1,6})\]\s+)?(?:[.a-zA-Z]{4,8}\s+)?(\d{1,12})\.(\d{1,9}):\s+(?:(\d{1,19})\s+)?(?=\S*[a-zA-Z])(PERF_RECORD_\S+|\S+:)(?:\s+(.*))?$/s;

/** The parts of a line; undefined if it begins no event. */
export function eventLine(text: string): EventLine | undefined {
  const match = EVENT.exec(text.slice(0, LONGEST));
  if (match === null) return undefined;
  const [, command = '', first = '', second, cpu, seconds = '', part = '', period, event = '', rest = ''] = match;
  return {
    command,
    process: second === undefined ? -1 : Number(first),
    thread: Number(second ?? first),
    processor: cpu === undefined ? -1 : Number(cpu),
    time: Number(seconds) * 1e9 + Number(part.padEnd(9, '0')),
    period: period === undefined ? -1 : Number(period),
    event: event.replace(/:$/, ''),
    rest,
  };
}
