/** How a thread is called where it is shown, and where it is selected. */
import { handleOf, rowOfHandle } from '../handle.js';
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

/** The handle of a thread. */
export function threadHandle(profile: Profile, program: Program, id: number): string {
  return handleOf('thread', id, threadLabel(profile, program, id) ?? '');
}

/** The thread of a handle; -1 if none, or several, may be meant; undefined for all other texts. */
export function threadOfHandle(profile: Profile | undefined, program: Program, text: string): number | undefined {
  const nameOf = (id: number): string => (profile === undefined ? '' : (threadLabel(profile, program, id) ?? ''));
  return rowOfHandle('thread', text, profile?.threads?.length ?? 0, nameOf);
}
