/** overview: what the operating system counted of the process, a record at each sample point. */
import type { ByteSource } from '../../bytes/byte-source.js';

/** Bytes of a record: process and count, 16 pairs of seconds and nanoseconds, 22 counts. */
const LENGTH: Readonly<Record<4 | 8, number>> = { 8: 504, 4: 224 };
const USER = 4;
const SYSTEM = 5;
const FIRST_TIME = 8;

/** CPU time of the process in nanoseconds between the first and the last record; undefined without two records. */
export async function cpuTimeOf(source: ByteSource, word: 4 | 8, littleEndian: boolean): Promise<number | undefined> {
  const length = LENGTH[word];
  const stream = await source.open();
  try {
    const record = new Uint8Array(length);
    const view = new DataView(record.buffer);
    const wide = (at: number): number =>
      word === 4 ? view.getUint32(at, littleEndian) : Number(view.getBigUint64(at, littleEndian));
    const timeOf = (which: number): number => {
      const at = FIRST_TIME + which * 2 * word;
      return wide(at) * 1e9 + wide(at + word);
    };
    let first: number | undefined;
    let last: number | undefined;
    while ((await stream.read(record)) === length) {
      last = timeOf(USER) + timeOf(SYSTEM);
      first ??= last;
    }
    return first === undefined || last === undefined || last <= first ? undefined : last - first;
  } finally {
    await stream.close();
  }
}
