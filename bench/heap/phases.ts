/**
 * Where the time and the memory of a heap's dominators go: each phase that is reported with its seconds of CPU and wall time,
 * the memory at its end, and the most so far.
 *
 *   node dist/bench/heap/phases.js FILE
 *
 * Nothing is cached. `run.ts` runs it in a process of its own.
 */
import { ask, openInputs } from '../../src/library/index.node.js';

const [, , file = ''] = process.argv;

interface Reading {
  readonly wall: number;
  readonly cpu: number;
}

function reading(): Reading {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now() / 1e3, cpu: (user + system) / 1e6 };
}

function mebibytes(bytes: number): string {
  return String(Math.round(bytes / 2 ** 20)).padStart(6);
}

let phase = 'start';
let before: Reading = { wall: 0, cpu: 0 };

function end(next: string): void {
  const now = reading();
  const seconds = [now.wall - before.wall, now.cpu - before.cpu].map((value) => value.toFixed(2).padStart(6));
  const memory = [process.memoryUsage.rss(), process.resourceUsage().maxRSS * 1024].map(mebibytes);
  process.stdout.write(`${phase.padEnd(26)} ${[...seconds, ...memory].join(' ')}\n`);
  phase = next;
  before = now;
}

process.stdout.write(`${'phase'.padEnd(26)}   wall    CPU    MiB   most\n`);
const work = {
  progress: (progress: { readonly phase: string }) => {
    if (progress.phase !== phase) end(progress.phase);
  },
};
const session = await openInputs([file], { cache: false, announce: () => undefined, work });
end('after reading');
await ask(session, { view: 'heap-dominators' }, work);
end('');
await session.close();
