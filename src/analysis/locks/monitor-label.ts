/** How the locks of a dump are called where they are shown, and their handles. */
import { stringAt } from '../../base/text.js';
import { handleOf, rowOfHandle } from '../../models/handle.js';
import { LOCK_WAITS, type Locks, MONITOR_KINDS, MONITORS } from '../../models/locks/locks.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';

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

/** The handle of a monitor at the moment of its dump. */
export function monitorHandle(program: Program, monitors: Table, row: number): string {
  return handleOf('monitor', row, nameInDump(program, monitors, row));
}

/** The monitor of a handle; -1 if none, or several, may be meant; undefined for all other texts. */
export function monitorOfHandle(program: Program, monitors: Table, text: string): number | undefined {
  return rowOfHandle('monitor', text, monitors.length, (row) => nameInDump(program, monitors, row));
}

function nameInDump(program: Program, monitors: Table, row: number): string {
  return `${MONITORS.rows(monitors).dump[row]} ${monitorLabel(program, monitors, row)}`;
}

/** The thread that holds a monitor, and those that wait for it. */
export function threadsAround({ monitors, waits }: Locks, row: number): ReadonlySet<number> {
  const owner = MONITORS.rows(monitors).owner[row];
  const { monitor, thread } = LOCK_WAITS.rows(waits);
  const threads = new Set(owner < 0 ? [] : [owner]);
  for (let wait = 0; wait < waits.length; wait++) if (monitor[wait] === row) threads.add(thread[wait]);
  return threads;
}
