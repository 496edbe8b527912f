/**
 * Parses the first line of a thread, in its two forms: of the VM (`jstack`, `Thread.print`, SIGQUIT; `printOn` of
 * HotSpot's threads, JDK 5 to 25) and of `Thread.dump_to_file` (JDK 21 to 25). Names are not escaped: they may have
 * quotes, line feeds and whole headers, so the name ends at the last quote that the rest of a header can follow.
 * `dialects/` has the headers that other tools write.
 */
import type { LockLine } from './lock-line.js';

/** The fields of a header; -1 if missing. */
export interface ThreadHeader {
  /** Who wrote it: the VM (also `dump_to_file`), a tool that asks `ThreadMXBean`, or the serviceability agent. */
  readonly by: 'vm' | 'management' | 'agent';
  readonly name: string;
  /** `Thread.threadId()`. */
  readonly number: number;
  /** Id in the operating system. */
  readonly native: number;
  readonly address: number;
  readonly daemon: number;
  readonly virtual: number;
  readonly priority: number;
  /** Nanoseconds. */
  readonly cpu: number;
  readonly elapsed: number;
  /** Bytes; the VM rounds large ones to K and M. */
  readonly allocated: number;
  /** Classes the thread defined. */
  readonly defined: number;
  /** The state in the VM's words, or the state of `dump_to_file`. */
  readonly words: string;
  /** The lock that the thread waits for, where its header names it. */
  readonly wants?: LockLine;
}

export const NO_FIELDS: ThreadHeader = {
  by: 'vm',
  name: '',
  number: -1,
  native: -1,
  address: -1,
  daemon: -1,
  virtual: -1,
  priority: -1,
  cpu: -1,
  elapsed: -1,
  allocated: -1,
  defined: -1,
  words: '',
};

/** Most characters of a header; names of threads are far shorter. */
export const LONGEST_HEADER = 1 << 14;

/** Numbers have the decimal sign of the locale that the JVM was started in. */
const VM_HEADER =
  /^"(.*)" (?:#(\d{1,15}) )?(?:\[(\d{1,10})\] )?(daemon )?(?:prio=(\d{1,2}) )?(?:os_prio=-?\d{1,4} )?(?:cpu=(\d{1,12}[.,\u066b]\d\d)ms )?(?:elapsed=(\d{1,12}[.,\u066b]\d\d)s )?(?:allocated=(\d{1,15})([BKMG]) )?(?:defined_classes=(\d{1,9}) )?tid=0x([0-9a-f]{1,16})(?: nid=(0x[0-9a-f]{1,8}|\d{1,10}|NA)(?= |$))?(?: (.*))?$/s;
/** JDK 5 and older write both ends of the stack. */
export const STACK_ADDRESS = /\[0x[0-9a-f]{1,16}(?:(?:,|\.\.)0x[0-9a-f]{1,16})?\]$/;

/** Parses a header in `text`: a line, or several if the name has line feeds; undefined for other text. */
export function vmHeader(text: string): ThreadHeader | undefined {
  const match = text.length > LONGEST_HEADER ? null : VM_HEADER.exec(text);
  if (match === null) return undefined;
  const [
    ,
    name = '',
    number,
    native,
    daemon,
    priority,
    cpu,
    elapsed,
    allocated,
    unit,
    defined,
    address,
    nid,
    rest = '',
  ] = match;
  // The VM writes what the thread does behind the address, in JDK 21 and older the native id, too.
  if (nid === undefined && trimmed(rest) === '') return undefined;
  const id = nid === undefined || nid === 'NA' ? native : nid;
  return {
    by: 'vm',
    name,
    number: numberOr(number),
    native: numberOr(id),
    address: Number(`0x${address}`),
    daemon: daemon === undefined ? 0 : 1,
    virtual: 0,
    priority: numberOr(priority),
    cpu: decimal(cpu, 1e6),
    elapsed: decimal(elapsed, 1e9),
    allocated: allocated === undefined ? -1 : Number(allocated) * (UNITS[unit ?? 'B'] ?? 1),
    defined: numberOr(defined),
    words: trimmed(trimmed(rest).replace(STACK_ADDRESS, '')),
  };
}

/** Threads of the VM that do not print their name, such as the sampler of JDK Flight Recorder in JDK 17. */
const NAMELESS = 'os_prio=';

/** The header of a thread of the VM that prints no name; undefined for other text. */
export function namelessHeader(text: string): ThreadHeader | undefined {
  return text.startsWith(NAMELESS) ? vmHeader(`"" ${text}`) : undefined;
}

/** Removes blanks at the ends. A no-break space is not a blank: the VM never writes it. */
export function trimmed(text: string): string {
  return text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');
}

const UNITS: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function decimal(text: string | undefined, scale: number): number {
  if (text === undefined) return -1;
  const value = Number(text);
  return Math.round((Number.isNaN(value) ? Number(text.replace(/[,\u066b]/, '.')) : value) * scale);
}

function numberOr(text: string | undefined): number {
  return text === undefined ? -1 : Number(text);
}

/** A header of the VM or of `dump_to_file`. */
export function headerOf(text: string): ThreadHeader | undefined {
  return text.startsWith('#') ? fileHeader(text) : vmHeader(text);
}

const FILE_HEADER =
  /^#(\d{1,15}) "(.*)"( virtual)?(?: ([A-Z_]{3,20}) \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)?$/s;

/** Same as `vmHeader`, for `Thread.dump_to_file`: JDK 21 writes no state. */
export function fileHeader(text: string): ThreadHeader | undefined {
  const match = text.length > LONGEST_HEADER ? null : FILE_HEADER.exec(text);
  if (match === null) return undefined;
  const [, number, name = '', virtual, words = ''] = match;
  return { ...NO_FIELDS, name, number: Number(number), virtual: virtual === undefined ? 0 : 1, words };
}
