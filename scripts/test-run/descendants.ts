/** Ends everything that a test run started: its processes, theirs, and those that left their parents. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds that programs have to remove what they made, as JVMs do, before they are killed. */
const GRACE_MS = 500;

interface Process {
  readonly pid: number;
  readonly parent: number;
}

function processes(): Process[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => {
      const stat = textIfPresent(`/proc/${pid}/stat`);
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return parent === undefined ? [] : [{ pid: Number(pid), parent: Number(parent) }];
    });
  } catch {
    const lines = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '';
    return [...lines.matchAll(/(\d+) +(\d+)/g)].map(([, pid, parent]) => ({
      pid: Number(pid),
      parent: Number(parent),
    }));
  }
}

function textIfPresent(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** A process with all below it, and those with this text in their environment; never the one that asks. */
function descendants(root: number, mark: string | undefined): number[] {
  const all = processes();
  const found = new Set([root]);
  // A child may have a smaller id than its parent.
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  if (mark !== undefined)
    for (const { pid } of all) if (textIfPresent(`/proc/${pid}/environ`).includes(mark)) found.add(pid);
  found.delete(process.pid);
  return [...found];
}

function signal(pids: readonly number[], name: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

/** Ends the processes below `root` (and `root`, unless it is this process) and all that have `mark` in their environment. */
export async function endProcesses(root: number, mark?: string): Promise<void> {
  const first = descendants(root, mark);
  if (first.length === 0) return;
  signal(first, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  signal([...new Set([...first, ...descendants(root, mark)])], 'SIGKILL');
}
