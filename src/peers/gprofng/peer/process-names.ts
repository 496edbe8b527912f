/** What processes are called. */
import type { PrintedProcess } from './experiment.js';

/** The number of a process on its machine. */
export function pidOf({ log }: Pick<PrintedProcess, 'log'>): string {
  return log.process.get('pid') ?? '0';
}

/** The name of the program; `(unknown)` of forked processes. */
export function programOf({ log }: Pick<PrintedProcess, 'log'>): string {
  const [word = ''] = (log.command ?? '').split(' ');
  return word === '' || word === '(fork)' ? '(unknown)' : word.slice(word.lastIndexOf('/') + 1);
}
