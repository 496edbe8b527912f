/** CPU seconds of processes, from /proc: Node itself reports only its own. */
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds of all children of this process that have ended, theirs included; undefined if there is no /proc. */
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

/** CPU seconds of this process and of its children that have ended; undefined if there is no /proc. */
export function usedSeconds(): number | undefined {
  const children = childSeconds();
  const { user, system } = process.cpuUsage();
  return children === undefined ? undefined : (user + system) / 1e6 + children;
}
