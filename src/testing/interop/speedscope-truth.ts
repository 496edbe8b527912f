/** What speedscope said about a file (`expected/NAME.speedscope.txt`; its layout is in the README of the data), and what Kansoku says. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import type { Format } from '../../formats/format.js';
import { functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';

export interface SaidFrame {
  readonly self: number;
  readonly total: number;
  readonly name: string;
  readonly file: string;
}

/** Bytes of a file, unpacked; also of its `.gz` where only that is there. */
export function unpacked(path: string): Uint8Array {
  const isPacked = path.endsWith('.gz') || !existsSync(path);
  return isPacked ? gunzipSync(readFileSync(path.endsWith('.gz') ? path : `${path}.gz`)) : readFileSync(path);
}

/** Reads a file with a format, without the rest of a session. */
export function readWith(format: Pick<Format, 'read'>, path: string): Promise<Recording> {
  return format.read(memorySource(path, unpacked(path)));
}

/** Frames of all profiles of a file, summed by name and file. */
export function saidFrames(path: string): SaidFrame[] {
  const sums = new Map<string, SaidFrame>();
  for (const line of Buffer.from(unpacked(path)).toString('utf8').split('\n')) {
    const [kind, , self, total, name = '', file = ''] = line.split('\t');
    if (kind !== 'frame') continue;
    const before = sums.get(`${name}\n${file}`) ?? { self: 0, total: 0 };
    const sum = { self: before.self + Number(self), total: before.total + Number(total), name, file };
    sums.set(`${name}\n${file}`, sum);
  }
  return [...sums.values()];
}

/** Self and total of each function of a table of events, by a walk up each stack. */
export function seenFunctions(
  { profile, program }: Recording,
  kind: string,
  field: string,
): Map<string, { self: number; total: number }> {
  const table = profile?.events.find((each) => each.kind === kind);
  const sums = new Map<string, { self: number; total: number }>();
  if (profile === undefined || table === undefined) return sums;
  const { stacks } = profile;
  const values = column(table, field);
  const leaf = column(table, 'stack');
  for (let row = 0; row < table.length; row++) {
    const counted = new Set<string>();
    for (let id = leaf[row]; id >= 0; id = stacks.parent[id]) {
      const name = functionName(program, program.locations.function[stacks.location[id]]);
      const sum = sums.get(name) ?? { self: 0, total: 0 };
      sums.set(name, sum);
      if (id === leaf[row]) sum.self += values[row];
      if (!counted.has(name)) sum.total += values[row];
      counted.add(name);
    }
  }
  return sums;
}
