/** Names of threads and monitors to show. */
import { stringAt } from '../../base/text.js';
import { MONITOR_KINDS, MONITORS } from '../../models/locks/locks.js';
import { type Profile, threadName } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';

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

/** `java.lang.Object@fe0b3780`, `Main.class@fe0b3790`, the name of a raw monitor, or only the class. */
export function monitorLabel(program: Program, monitors: Table, row: number): string {
  const rows = MONITORS.rows(monitors);
  const kind = MONITOR_KINDS[rows.kind[row]];
  const name = rows.name[row];
  const type = rows.class[row];
  const typeName = type < 0 && name >= 0 ? stringAt(program.names, name) : className(program, type);
  const address = rows.address[row];
  const text = kind === 'class' ? `${typeName}.class` : typeName;
  return address < 0 ? text : `${text}@${address.toString(16)}`;
}
