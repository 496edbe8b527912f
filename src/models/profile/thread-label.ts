/** How a thread is called where it is shown, and where it is selected. */
import type { Program } from '../program/program.js';
import { type Profile, threadName } from './profile.js';
import { THREADS } from './tables.js';

/** The name of a thread; of one without a name, as virtual threads mostly are, its number: `#35`. Undefined if there is no such thread. */
export function threadLabel(profile: Profile, program: Program, id: number): string | undefined {
  const name = threadName(profile, program, id);
  if (name !== '' || profile.threads === undefined) return name;
  const number = THREADS.rows(profile.threads).number?.[id] ?? -1;
  return number < 0 ? '' : `#${number}`;
}
