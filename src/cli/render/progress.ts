/**
 * Progress on standard error: one line that is removed at the end, only on a terminal and only for work of more than
 * half a second.
 */
import type { Progress, Work } from '../../base/progress.js';
import { printable } from '../../base/text.js';
import { formatBytes, formatCount } from '../../base/units.js';
import type { Host } from '../host.js';

const PATIENCE_MS = 500;

export interface ProgressLine {
  readonly report: (progress: Progress) => void;
  readonly stop: () => void;
}

/** A line for the work on `name`; does nothing if standard error is not a terminal. */
export async function progressLine({ stderr }: Host, name: string): Promise<ProgressLine> {
  if (!stderr.isTTY) return { report: () => undefined, stop: () => undefined };
  const { default: spinner } = await import('yocto-spinner');
  const started = Date.now();
  const line = spinner({ stream: stderr, handleSignals: false });
  /** Each phase has a rate of its own. */
  let phase = { name: '', began: started, from: 0 };
  return {
    report: (progress) => {
      const now = Date.now();
      if (progress.phase !== phase.name || progress.done < phase.from)
        phase = { name: progress.phase, began: now, from: progress.done };
      if (now - started < PATIENCE_MS) return;
      line.text = printable(describe(name, progress, now - phase.began, phase.from));
      if (!line.isSpinning) line.start();
    },
    stop: () => {
      if (line.isSpinning) line.stop();
    },
  };
}

/** Does work on `name` with a progress line, which is removed when the work ends or fails. */
export async function withProgress<Value>(
  host: Host,
  name: string,
  work: (work: Work) => Promise<Value>,
): Promise<Value> {
  const line = await progressLine(host, name);
  try {
    return await work({ signal: host.signal, progress: line.report });
  } finally {
    line.stop();
  }
}

/** `reading big.iprof: 45 % of 184.00 MB, 2 s left`. `doneBefore`: what was done `elapsedMs` ago. */
export function describe(name: string, progress: Progress, elapsedMs: number, doneBefore = 0): string {
  const amount = (value: number): string => (progress.unit === 'bytes' ? formatBytes(value) : formatCount(value));
  if (progress.total === undefined || progress.done === 0) return `${progress.phase} ${name}: ${amount(progress.done)}`;
  const percent = Math.floor((100 * progress.done) / progress.total);
  const text = `${progress.phase} ${name}: ${percent} % of ${amount(progress.total)}`;
  if (progress.done === doneBefore) return text;
  const left = Math.ceil((elapsedMs * (progress.total - progress.done)) / (progress.done - doneBefore) / 1000);
  return `${text}, ${left} s left`;
}
