/** Garbage collections that the log of a JVM tells: JVMTI sends their begin and end while all threads stand still, so each is a pause. */
import { GC_EVENTS } from '../../../models/events/gc.js';
import type { ProcessSpan } from '../../../models/processes.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Table } from '../../../models/table.js';

/** The log says nothing else of them. */
const NAME = 'Garbage collection';

/** A table of the collections of all processes, numbered from 0 on; undefined if there were none. `shift`: nanoseconds from the start of the recording. */
export function collectionTable(
  processes: readonly { readonly collections: readonly ProcessSpan[]; readonly shift: number }[],
  program: ProgramBuilder,
): Table | undefined {
  const all = processes.flatMap(({ collections, shift }) =>
    collections.map((span) => ({ time: span.from + shift, duration: span.to - span.from })),
  );
  if (all.length === 0) return undefined;
  const duration = Float64Array.from(all, (each) => each.duration);
  return GC_EVENTS.table({
    time: Float64Array.from(all, ({ time }) => time),
    collection: Float64Array.from(all, (_, row) => row),
    name: new Int32Array(all.length).fill(program.name(NAME)),
    part: new Int32Array(all.length),
    duration,
    paused: duration.slice(),
    longest: duration.slice(),
  });
}
