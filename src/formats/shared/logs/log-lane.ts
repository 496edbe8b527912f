/**
 * The lines of one program in a log: those with one wrapping, stream and prefix. Logs of several services have their lines
 * between one another:
 *
 *   app-1  | Full thread dump …     record of app-1, read at once
 *   app-2  | Full thread dump …     held until the record of app-1 has ended
 *   app-1  | "main" #1 …
 *   app-2  | "main" #1 …            held
 */
import { decodeUtf8 } from '../../../base/text.js';
import type { HeadingPlace } from './log-kind.js';
import {
  criStart,
  dockerLine,
  isDockerLine,
  jsonLine,
  PREFIX_WITHIN,
  type PrefixPatterns,
  prefixPatterns,
} from './log-prefix.js';

/** One character a byte, or nearly so: prefixes are compared with one another only. */
export const latin1 = new TextDecoder('latin1');
const utf8 = new TextEncoder();

/** A line of the log as it is in the file. */
export interface RawLine {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly ended: boolean;
  readonly end: number;
}

export interface LogLane {
  /** Undefined if lines are neither wrapped nor prefixed. */
  readonly place: HeadingPlace | undefined;
  readonly patterns: PrefixPatterns | undefined;
}

export function laneOf(found: HeadingPlace): LogLane {
  const { wrapping, prefix } = found;
  // In JSON the prefix was decoded; prefixes are compared byte by byte.
  const bytewise = wrapping === 'json' || wrapping === 'docker' ? latin1.decode(utf8.encode(prefix)) : prefix;
  return {
    place: wrapping === undefined && prefix === '' ? undefined : found,
    patterns: prefix === '' ? undefined : prefixPatterns(bytewise),
  };
}

export function isSameLane(one: LogLane, other: LogLane): boolean {
  return (
    one.place?.wrapping === other.place?.wrapping &&
    one.place?.stream === other.place?.stream &&
    one.patterns?.own.source === other.patterns?.own.source
  );
}

/** A line out of its wrapping, which may be a part of one or several; `other`: of another stream; `none`: not wrapped so. */
export type Unwrapped = { readonly content: RawLine; readonly partial: boolean } | 'other' | 'none';

export function unwrapped(raw: RawLine, { wrapping, stream }: HeadingPlace): Unwrapped {
  const { bytes, from, to } = raw;
  if (wrapping === undefined) return { content: raw, partial: false };
  if (wrapping === 'cri') {
    const cri = criStart(startOf(raw));
    if (cri === undefined) return 'none';
    return cri.stream === stream ? { content: { ...raw, from: from + cri.length }, partial: cri.partial } : 'other';
  }
  const text = decodeUtf8(bytes, from, to);
  const line = wrapping === 'json' ? jsonLine(text) : isDockerLine(text) ? dockerLine(text) : undefined;
  if (line === undefined) return 'none';
  if (line.stream !== stream) return 'other';
  const content = utf8.encode(line.text);
  return { content: { ...raw, bytes: content, from: 0, to: content.length, ended: true }, partial: line.partial };
}

/** Whether a line is certainly of the lane. */
export function isOf({ place, patterns }: LogLane, raw: RawLine): boolean {
  if (place === undefined) return false;
  const line = unwrapped(raw, place);
  if (typeof line === 'string') return false;
  return patterns === undefined || patterns.own.test(startOf(line.content));
}

export function startOf({ bytes, from, to }: RawLine): string {
  return latin1.decode(bytes.subarray(from, Math.min(to, from + PREFIX_WITHIN)));
}

/** Bytes of lines that are held, in all lanes of a log, and lanes that hold some. */
const MOST_HELD = 16 << 20;
const MOST_LANES = 16;
/** Memory of a line beyond its bytes. */
const LINE = 128;

/** Lanes whose records wait for the end of another one. */
export class HeldLanes {
  readonly #lanes: { readonly lane: LogLane; readonly lines: RawLine[]; bytes: number }[] = [];
  #bytes = 0;

  get any(): boolean {
    return this.#lanes.length > 0;
  }

  get full(): boolean {
    return this.#bytes > MOST_HELD || this.#lanes.length > MOST_LANES;
  }

  /** `before`: lines of the log before the heading; those of the lane belong to its record. */
  begin(lane: LogLane, before: readonly RawLine[]): void {
    this.#lanes.push({ lane, lines: [], bytes: 0 });
    for (const line of before) if (isOf(lane, line)) this.hold(line);
  }

  has(lane: LogLane): boolean {
    return this.#lanes.some((held) => isSameLane(held.lane, lane));
  }

  /** Keeps a copy of a line of one of these lanes; false if it is of none. */
  hold(raw: RawLine): boolean {
    const held = this.#lanes.find(({ lane }) => isOf(lane, raw));
    if (held === undefined) return false;
    const { bytes, from, to } = raw;
    held.lines.push({ ...raw, bytes: bytes.slice(from, to), from: 0, to: to - from });
    held.bytes += to - from + LINE;
    this.#bytes += to - from + LINE;
    return true;
  }

  /** The lane that has waited longest, with its lines; it no longer waits. */
  next(): { readonly lane: LogLane; readonly lines: readonly RawLine[] } | undefined {
    const held = this.#lanes.shift();
    this.#bytes -= held?.bytes ?? 0;
    return held;
  }
}
