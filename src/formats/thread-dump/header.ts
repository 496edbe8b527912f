/**
 * Parses the first line of a thread, in its two forms: of the VM (`jstack`, `Thread.print`, SIGQUIT; `printOn` of
 * HotSpot's threads, JDK 5 to 25) and of `Thread.dump_to_file` (JDK 21 to 25). Names are not escaped: they may have
 * quotes, line feeds and whole headers, so the name ends at the last quote that the rest of a header can follow.
 */

/** The fields of a header; -1 if missing. */
export interface ThreadHeader {
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
}

export const NO_FIELDS: ThreadHeader = {
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

const VM_HEADER =
  /^"(.*)" (?:#(\d{1,15}) )?(?:\[(\d{1,10})\] )?(daemon )?(?:prio=(\d{1,2}) )?(?:os_prio=-?\d{1,4} )?(?:cpu=(\d{1,12}\.\d\d)ms )?(?:elapsed=(\d{1,12}\.\d\d)s )?(?:allocated=(\d{1,15})([BKMG]) )?(?:defined_classes=(\d{1,9}) )?tid=0x([0-9a-f]{1,16})(?: nid=(0x[0-9a-f]{1,8}|\d{1,10}|NA))? (.*)$/s;
const STACK_ADDRESS = /\[0x[0-9a-f]{1,16}(?:,0x[0-9a-f]{1,16})?\]$/;

/** Parses a header in `text`: a line, or several if the name has line feeds; undefined for other text. */
export function vmHeader(text: string): ThreadHeader | undefined {
  const match = text.length > LONGEST_HEADER ? null : VM_HEADER.exec(text);
  if (match === null) return undefined;
  const [, name = '', number, native, daemon, priority, cpu, elapsed, allocated, unit, defined, address, nid] = match;
  const id = nid === undefined || nid === 'NA' ? native : nid;
  return {
    name,
    number: numberOr(number),
    native: numberOr(id),
    address: Number(`0x${address}`),
    daemon: daemon === undefined ? 0 : 1,
    virtual: 0,
    priority: numberOr(priority),
    cpu: cpu === undefined ? -1 : Math.round(Number(cpu) * 1e6),
    elapsed: elapsed === undefined ? -1 : Math.round(Number(elapsed) * 1e9),
    allocated: allocated === undefined ? -1 : Number(allocated) * (UNITS[unit ?? 'B'] ?? 1),
    defined: numberOr(defined),
    words: trimmed(trimmed(match[13] ?? '').replace(STACK_ADDRESS, '')),
  };
}

/** Removes blanks at the ends. A no-break space is not a blank: the VM never writes it. */
function trimmed(text: string): string {
  return text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');
}

const UNITS: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function numberOr(text: string | undefined): number {
  return text === undefined ? -1 : Number(text);
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
