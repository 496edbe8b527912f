/** CPU seconds: what child processes used, and how fast this machine is just now. */
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/**
 * CPU seconds of all children of this process that have ended, theirs included; undefined if there is no /proc (Node
 * itself reports only its own process).
 */
export function childSeconds(): number | undefined {
  let stat: string;
  try {
    stat = readFileSync('/proc/self/stat', 'latin1');
  } catch {
    return undefined;
  }
  // After the name, which may contain anything, the third field follows: cutime is the 16th, cstime the 17th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Milliseconds of CPU that `yardstick` takes on the machine that the limits were measured on, while it runs tests. */
const REFERENCE = 10;

/** Time of one round of a fixed piece of work on this machine now, relative to the machine of the limits. */
export function yardstick(): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000 / REFERENCE;
}

/** Half of it numbers, half of it small objects and text, as in most tests. */
function work(): number {
  const column = new Int32Array(1 << 16);
  for (let round = 0; round < 100; round++)
    for (let i = 0; i < column.length; i++) column[i] = Math.imul(column[i] ^ i, 0x9e3779b1) + round;
  const rows = new Map<string, { count: number }>();
  for (let i = 0; i < 100_000; i++) {
    const key = `row ${column[i & 0xffff] & 0xfff}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { count: 1 });
    else row.count++;
  }
  return rows.size;
}
