/** Records of the file overview: what the system counted until a time. */
import { Fields } from './fields.js';
import type { MachineLayout } from './packets.js';

const SIZES: Readonly<Record<4 | 8, number>> = { 8: 504, 4: 224 };
/** Numbers of the pairs of seconds and nanoseconds behind the first 8 bytes. */
const PLACES = { time: 0, run: 3, user: 4, system: 5 } as const;

/** `time` is absolute, the others are since the start; all in nanoseconds. */
export interface CountedUsage extends Readonly<Record<keyof typeof PLACES, number>> {
  readonly pid: number;
}

export function overviewRecord(usage: CountedUsage, { littleEndian, word }: MachineLayout): Uint8Array {
  const bytes = new Uint8Array(SIZES[word]);
  const fields = new Fields(bytes, 0, littleEndian);
  fields.word(0, usage.pid);
  for (const key of ['time', 'run', 'user', 'system'] as const) {
    const at = 8 + PLACES[key] * 2 * word;
    const [whole, rest] = [Math.floor(usage[key] / 1e9), Math.floor(usage[key] % 1e9)];
    if (word === 4) {
      fields.word(at, whole);
      fields.word(at + 4, rest);
    } else {
      fields.wide(at, whole);
      fields.wide(at + 8, rest);
    }
  }
  return bytes;
}
