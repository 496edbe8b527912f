/**
 * Lines of Java methods whose class files a recording has copies of, for recorders that wrote bytecode indexes only. Cost: the class files with places that
 * have no line, each read once.
 */
import { NONE } from '../../../base/flavor.js';
import type { Work } from '../../../base/progress.js';
import { loadClasses } from '../../../code/java/class-path/class-set.js';
import { copiedClasses } from '../../../code/java/class-path/copied-classes.js';
import { methodKey } from '../../../models/program/method-key.js';
import { className } from '../../../models/program/names.js';
import { bciOf } from '../../../models/program/places.js';
import { type FunctionId, type LocationId, NO_LINE, type Program } from '../../../models/program/program.js';
import type { ProgramFiles } from '../../../models/program/program-files.js';
import type { Recording } from '../../../models/recording.js';

/** The recording with these lines; the same one if no place gets any. */
export async function withJavaLines(recording: Recording, files: ProgramFiles, work: Work): Promise<Recording> {
  const { program, name } = recording;
  const path = await copiedClasses(name, program, files);
  if (path === undefined) return recording;
  const places = placesWithoutLine(program);
  const nameOf = (id: FunctionId): string => className(program, program.functions.class[id]);
  const names = [...places.keys()].map(nameOf).filter((each) => path.has(each));
  if (names.length === 0) return recording;
  const classes = await loadClasses(path, names, work, { supers: false });
  const lines = program.locations.line?.slice() ?? new Int32Array(program.locations.length).fill(NO_LINE);
  for (const [id, locations] of places) {
    const key = methodKey(program, id);
    const method = key && classes.method(nameOf(id), key.name, key.parameters, key.returns);
    const code = method === undefined || method === 'ambiguous' ? undefined : method.code();
    for (const location of locations) lines[location] = code?.lineAt(bciOf(program, location)) ?? NO_LINE;
  }
  return { ...recording, program: { ...program, locations: { ...program.locations, line: lines } } };
}

/** Places in bytecode that have no line, by method. */
function placesWithoutLine(program: Program): ReadonlyMap<FunctionId, readonly LocationId[]> {
  const { locations, functions } = program;
  const places = new Map<FunctionId, LocationId[]>();
  for (let id = 0; id < locations.length; id++) {
    const method = locations.function[id];
    const isKnown = (locations.line?.[id] ?? NO_LINE) !== NO_LINE || bciOf(program, id) < 0;
    if (isKnown || (functions.class[method] ?? NONE) < 0) continue;
    const row = places.get(method) ?? [];
    row.push(id);
    places.set(method, row);
  }
  return places;
}
