/** overview: what the operating system counted of the process, a record at each sample point. */
import type { ByteSource } from '../../bytes/byte-source.js';

/** Bytes of a record: process and count, 16 pairs of seconds and nanoseconds, 22 counts. */
const LENGTH: Readonly<Record<4 | 8, number>> = { 8: 504, 4: 224 };
/** Times and counts of a record, in its order; the rest of it is unused. */
const TIMES = 14;
const COUNTS = 12;
const ALL_TIMES = 20;
const USER = 4;
const SYSTEM = 5;
const FIRST_TIME = 8;
/** Records of longer files are not read: a process that was sampled each second for eleven days has a million. */
const MOST_RECORDS = 1 << 20;

/** What the system counted of a process from its start to one moment; times in nanoseconds. */
export interface UsageRecord {
  /**
   * Moment, creation and end of the process, real time, user, system, trap, text faults, data faults, kernel faults, locks, sleep, waits for a CPU,
   * stopped.
   */
  readonly times: readonly number[];
  /** Minor and major faults, swaps, blocks read and written, messages sent and received, signals, context switches of both kinds, calls, characters. */
  readonly counts: readonly number[];
}

/** All records of the file; an incomplete one at its end is left out. */
export async function readUsage(source: ByteSource, word: 4 | 8, littleEndian: boolean): Promise<UsageRecord[]> {
  const record = new Uint8Array(LENGTH[word]);
  const view = new DataView(record.buffer);
  const wide = (at: number): number =>
    word === 4 ? view.getUint32(at, littleEndian) : Number(view.getBigUint64(at, littleEndian));
  const timeOf = (which: number): number => {
    const at = FIRST_TIME + which * 2 * word;
    return wide(at) * 1e9 + wide(at + word);
  };
  const countAt = (which: number): number => wide(FIRST_TIME + ALL_TIMES * 2 * word + which * word);
  const records: UsageRecord[] = [];
  const stream = await source.open();
  try {
    while (records.length < MOST_RECORDS && (await stream.read(record)) === record.length)
      records.push({
        times: Array.from({ length: TIMES }, (_, i) => timeOf(i)),
        counts: Array.from({ length: COUNTS }, (_, i) => countAt(i)),
      });
  } finally {
    await stream.close();
  }
  return records;
}

/** CPU time of the process in nanoseconds between the first and the last record; undefined without two records. */
export function cpuTimeOf(records: readonly UsageRecord[]): number | undefined {
  const used = ({ times }: UsageRecord): number => (times[USER] ?? 0) + (times[SYSTEM] ?? 0);
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const spent = used(last) - used(first);
  return spent > 0 ? spent : undefined;
}
