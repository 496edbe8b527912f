/** Lines and places of code: what gprofng calls them, and which of them each location is. */
import { lineOf } from '../../models/program/places.js';
import { INLINED_AT, lineText } from './code/listing.js';
import { type CodeSource, objectPath } from './code/units.js';
import { nameIn } from './functions.js';
import { type Listing, listing, type RowFacts } from './list.js';
import type { Experiment } from './peer/experiment.js';
import { TOTAL } from './peer/peer-program.js';
import type { PrintState } from './state.js';
import type { Asked, Grouping } from './values.js';

/** Where a location is in the source. */
export interface CodePlace extends CodeSource {
  /** Path of the file that declares its function. */
  readonly own: string | undefined;
}

const UNKNOWN: CodePlace = { line: 0, file: undefined, inlined: undefined, own: undefined };
const known = new WeakMap<Experiment, Promise<readonly CodePlace[]>>();

/** The place of each location; reads the debug information of the load objects once. */
export function codePlaces(experiment: Experiment): Promise<readonly CodePlace[]> {
  const made = known.get(experiment) ?? readPlaces(experiment);
  known.set(experiment, made);
  return made;
}

async function readPlaces({ program, code, functions }: Experiment): Promise<readonly CodePlace[]> {
  const { locations } = program;
  const places: CodePlace[] = [];
  for (let id = 0; id < locations.length; id++) {
    const path = objectPath(program, id);
    const offset = locations.offset?.[id] ?? -1;
    const found = path === undefined ? undefined : await code.at(path, offset);
    const source = functions[locations.function[id]]?.source;
    if (found?.unit !== undefined)
      places.push({ ...code.sourceOf(found.function, offset - found.function.start), own: found.function.file });
    else places.push({ ...UNKNOWN, file: source, own: source, line: Math.max(0, lineOf(program, id)) });
  }
  return places;
}

/** A row for each line of a function; those without lines are one row a function. */
export async function lineList(asked: Asked, state: PrintState): Promise<Listing> {
  const { experiment } = asked;
  const { program, functions } = experiment;
  const places = await codePlaces(experiment);
  const rows = new Map<string, number>();
  const facts: RowFacts[] = [];
  const ofLocation = Int32Array.from(program.locations.function, (of, id) => {
    const line = places[id]?.line ?? 0;
    const key = `${of} ${line}`;
    const row = rows.get(key) ?? facts.push({ ...factsOf(asked, of), name: lineName(asked, state, id, places) }) - 1;
    rows.set(key, row);
    return row;
  });
  return listing(asked, { ofLocation, count: facts.length }, (row) => facts[row] ?? factsOf(asked, functions.length), {
    ...state,
    total: totalFacts(state),
  });
}

/** A row for each place. */
export async function placeList(asked: Asked, state: PrintState): Promise<Listing> {
  const { experiment } = asked;
  const places = await codePlaces(experiment);
  const { locations } = experiment.program;
  const grouping: Grouping = {
    ofLocation: Int32Array.from({ length: locations.length }, (_, id) => id),
    count: locations.length,
  };
  const row = (id: number): RowFacts => {
    const own = factsOf(asked, locations.function[id]);
    return { ...own, name: placeName(asked, state, id, places), start: locations.offset?.[id] ?? 0 };
  };
  return listing(asked, grouping, row, { ...state, total: totalFacts(state) });
}

function totalFacts(state: PrintState): RowFacts {
  return { name: nameIn(state, TOTAL), object: TOTAL.object, start: 0, size: 0 };
}

function factsOf({ experiment }: Asked, of: number): Omit<RowFacts, 'name'> {
  const { object, start, size } = experiment.functions[of] ?? TOTAL;
  return { object, start, size };
}

/** `matmul, line 22 in "cpuwork.c"`. */
export function lineName({ experiment }: Asked, state: PrintState, id: number, places: readonly CodePlace[]): string {
  const of = experiment.functions[experiment.program.locations.function[id]] ?? TOTAL;
  const name = nameIn(state, of);
  const { line, file, own } = places[id] ?? UNKNOWN;
  if (line > 0 && file !== undefined) return lineText(name, { line, file }, own);
  const isPseudo = of.path === undefined || of.object === 0 || of.object === TOTAL.object;
  return isPseudo ? name : lineText(name, { line: 0, file: undefined }, own);
}

/** `matmul + 0x00000040, line 22 in "cpuwork.c"`, with what was inlined there. */
export function placeName({ experiment }: Asked, state: PrintState, id: number, places: readonly CodePlace[]): string {
  const { locations } = experiment.program;
  const of = experiment.functions[locations.function[id]] ?? TOTAL;
  const name = nameIn(state, of);
  const offset = locations.offset?.[id] ?? -1;
  if (offset < 0 || of.path === undefined) return name;
  const at = `${name} + 0x${(offset - of.start).toString(16).toUpperCase().padStart(8, '0')}`;
  const { line, file, inlined, own } = places[id] ?? UNKNOWN;
  if (line <= 0 || file === undefined) return at;
  const text = `${at}${lineText('', { line, file }, own)}`;
  return inlined === undefined ? text : `${`${text} `.padEnd(INLINED_AT)}<-- ${inlined} `;
}
