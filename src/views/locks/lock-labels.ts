/** Names of threads to show. */
import { type Profile, threadName } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';

/** Names of threads by row: with the number if several have the name, the number alone if there is no name. */
export function threadLabels(profile: Profile | undefined, program: Program): (id: number) => string {
  const table = profile?.threads;
  if (profile === undefined || table === undefined) return () => '<unknown thread>';
  const { number: numbers } = THREADS.rows(table);
  const times = new Map<string, number>();
  const nameOf = (id: number): string => threadName(profile, program, id) ?? '<unknown thread>';
  for (let id = 0; id < table.length; id++) times.set(nameOf(id), (times.get(nameOf(id)) ?? 0) + 1);
  return (id) => {
    const name = nameOf(id);
    const number = numbers?.[id] ?? -1;
    if (number < 0) return name === '' ? '<unnamed>' : name;
    return name === '' ? `#${number}` : times.get(name) === 1 ? name : `${name} #${number}`;
  };
}
