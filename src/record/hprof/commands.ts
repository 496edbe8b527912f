/** Commands that the HPROF agent takes over net=host:port: `u1 kind, u4 serial, u4 length, body`, big-endian (agent/hprof/net/net.h). */
import { UsageError } from '../../base/errors.js';

/** By the words of a command: its kind, and the body for the number behind the words. */
const COMMANDS: Readonly<Record<string, readonly [kind: number, body?: (value: number) => Uint8Array]>> = {
  gc: [1],
  heap: [2],
  sites: [3, (cutoff) => selectionBody(0, cutoff)],
  'sites new': [3, (cutoff) => selectionBody(1, cutoff)],
  'sites allocated': [3, (cutoff) => selectionBody(2, cutoff)],
  'sites collected': [3, (cutoff) => selectionBody(4, cutoff)],
  summary: [4],
  exit: [5],
  traces: [6],
  samples: [7, (cutoff) => selectionBody(0, cutoff)],
  'allocations on': [8, () => words(1)],
  'allocations off': [8, () => words(2)],
  'sampling on': [8, (thread) => words(3, thread >>> 16, thread & 0xffff)],
  'sampling off': [8, (thread) => words(4, thread >>> 16, thread & 0xffff)],
  'clear samples': [8, () => words(5)],
  'clear sites': [8, () => words(6)],
  depth: [8, (depth) => words(7, depth)],
  end: [255],
};

/** The words of all commands. */
export const COMMAND_WORDS: readonly string[] = Object.keys(COMMANDS);

function words(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 2));
  values.forEach((value, place) => {
    view.setUint16(place * 2, value);
  });
  return new Uint8Array(view.buffer);
}

/** Flags, and the least part of the total that a row must have. */
function selectionBody(flags: number, cutoff: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(6));
  view.setUint16(0, flags);
  view.setFloat32(2, cutoff);
  return new Uint8Array(view.buffer);
}

/** The bytes of a command: `sites allocated 0.01`, `depth 8`, `sampling off 0x50000012`. Throws UsageError for one that does not exist. */
export function commandBytes(line: string): Uint8Array {
  const [, name = '', number] = /^\s*([a-z ]*?)\s*(0x[0-9a-f]+|[\d.]+)?\s*$/i.exec(line.toLowerCase()) ?? [];
  const [kind, bodyOf] = COMMANDS[name] ?? [];
  const value = number === undefined ? 0 : Number(number);
  if (kind === undefined || !(value >= 0 && value < 2 ** 32) || (number !== undefined && bodyOf === undefined))
    throw new UsageError(`there is no command ${JSON.stringify(line)}`, `commands: ${COMMAND_WORDS.join(', ')}`);
  const body = bodyOf?.(value) ?? new Uint8Array(0);
  const bytes = new Uint8Array(9 + body.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(5, body.length);
  bytes.set(body, 9);
  return bytes;
}
