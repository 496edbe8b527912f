/**
 * The expected content of collapsed stacks, by splitting the text into lines and one regular expression, without any
 * code of the reader. The rules are those of docs/formats/collapsed.md.
 */
import { isDeepStrictEqual } from 'node:util';
import { encodeUtf8, stringAt } from '../../../base/text.js';
import { functionName } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import { column, hasField } from '../../../models/table.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';
import { writeFrame } from '../../shared/frame-text.js';

/** A line: its stack, one character a byte of UTF-8, and its numbers, the count first. */
export type SeenLine = readonly [stack: string, ...numbers: number[]];

interface Expected {
  readonly lines: SeenLine[];
  readonly lost: number;
}

const NUMBER = String.raw`-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?`;
const ONE = new RegExp(`^(.*)[ \t](${NUMBER})$`, 's');

export function collapsedOracle(): Judge {
  return (mutated, outcome) => {
    const wanted = naiveLines(mutated);
    if (wanted === undefined) return { input: 'ambiguous' };
    const input = wanted.lost > 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused') {
      const fault =
        wanted.lost > 0 && wanted.lines.length === 0 ? undefined : { code: 'refused', detail: outcome.message };
      return { input, ...faultOf(fault) };
    }
    const { recording } = outcome;
    if (input === 'damaged') {
      const hidden = mustShow(mutated, outcome, 'a line without a count');
      if (hidden !== undefined || recording.complete)
        return { input, fault: hidden ?? { code: 'silent', detail: 'the recording is complete' } };
    } else if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input, fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? '' } };
    const seen = seenLines(recording);
    if (isDeepStrictEqual(seen, wanted.lines)) return { input };
    const at = wanted.lines.findIndex((line, i) => !isDeepStrictEqual(line, seen[i]));
    const detail = `${wanted.lines.length} lines, ${seen.length} read; line ${at}: ${JSON.stringify(wanted.lines[at])}, ${JSON.stringify(seen[at])} read`;
    return { input, fault: { code: 'differs', detail } };
  };
}

/** Undefined if a number has more digits than a reader need look at, or if the text may be of another form. */
export function naiveLines(bytes: Uint8Array): Expected | undefined {
  const { text, cut } = textOf(bytes);
  if (/[\d.]{300}/.test(text)) return undefined;
  // Carriage returns alone may end lines, and every second byte may be 0 in UTF-16 without a mark.
  if (text.includes('\r') && !text.includes('\n')) return undefined;
  if (bytes.filter((byte) => byte === 0).length > bytes.length / 4 && text.includes('\0')) return undefined;
  const lines = text.split('\n').map((line) => line.replace(/[ \t\r]+$/, ''));
  const filled = lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('//'));
  const said = lines.includes('# one count a line');
  const matched = filled
    .map((line) => ONE.exec(line))
    .filter((match) => match !== null && Number.isFinite(Number(match[2])));
  const twofold = !said && matched.length > 0 && matched.every((match) => isCounted(match?.[1] ?? ''));
  const found: SeenLine[] = [];
  for (const match of matched) {
    const [, stack = '', count = ''] = match ?? [];
    if (!twofold) found.push([stack, Number(count) + 0]);
    else {
      const [, shorter = '', base = ''] = ONE.exec(stack) ?? [];
      found.push([shorter, Number(count) + 0, Number(base) + 0]);
    }
  }
  return { lines: found, lost: filled.length - matched.length + (cut ? 1 : 0) };
}

function isCounted(text: string): boolean {
  const match = ONE.exec(text);
  return match !== null && Number.isFinite(Number(match[2]));
}

function textOf(bytes: Uint8Array): { text: string; cut: boolean } {
  const buffer = Buffer.from(bytes);
  const big = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (!big && !(bytes[0] === 0xff && bytes[1] === 0xfe)) {
    const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { text: buffer.toString('latin1', marked ? 3 : 0), cut: false };
  }
  const even = buffer.subarray(2, buffer.length - (buffer.length % 2));
  const utf16 = (big ? Buffer.from(even).swap16() : even).toString('utf16le');
  return { text: Buffer.from(encodeUtf8(utf16)).toString('latin1'), cut: buffer.length % 2 === 1 };
}

/** The lines of a recording that was read. */
export function seenLines(recording: Recording): SeenLine[] {
  const { program, profile } = recording;
  const table = profile?.events[0];
  if (profile === undefined || table === undefined) return [];
  const stack = column(table, 'stack');
  const thread = hasField(table, 'thread') ? column(table, 'thread') : undefined;
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let id = stack[row]; id >= 0; id = profile.stacks.parent[id]) {
      const location = profile.stacks.location[id];
      if (functionName(program, program.locations.function[location]) !== '<no stack>')
        frames.unshift(Buffer.from(writeFrame(program, location)).toString('latin1'));
    }
    if (thread !== undefined && thread[row] >= 0) frames.unshift(threadFrame(recording, thread[row]));
    const numbers = ['count', 'base'].filter((key) => hasField(table, key)).map((key) => column(table, key)[row]);
    return [frames.join(';'), ...numbers];
  });
}

function threadFrame({ profile, program }: Recording, thread: number): string {
  const threads = profile?.threads;
  if (threads === undefined) return '';
  const name = stringAt(program.names, column(threads, 'name')[thread]);
  const tid = `tid=${column(threads, 'tid')[thread]}`;
  return Buffer.from(encodeUtf8(name === tid ? `[${tid}]` : `[${name} ${tid}]`)).toString('latin1');
}

/** Offsets at which frames, counts and lines begin or end. */
export function collapsedEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === 0x3b || bytes[at] === 0x20 || bytes[at] === 10) edges.push(at);
  return edges;
}
