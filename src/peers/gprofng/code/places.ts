/** Lines and places of code: what gprofng calls them, and which of them each location is. */
import { NONE } from '../../../base/flavor.js';
import { LEAF_BCI } from '../../../formats/experiment/index.js';
import { nativeName } from '../../../models/program/names.js';
import { bciOf, lineOf } from '../../../models/program/places.js';
import { LOAD_OBJECT_KINDS, refusalOf, UNKNOWN_BCI } from '../../../models/program/program.js';
import { nameIn } from '../functions.js';
import { type Listing, listing, namedInSorting, type RowFacts } from '../list.js';
import type { Experiment } from '../peer/experiment.js';
import { type PeerFunction, TOTAL } from '../peer/peer-program.js';
import type { PrintState } from '../state.js';
import type { Asked, Grouping } from '../values.js';
import { INLINED_AT, lineText } from './listing.js';
import { locate } from './locate.js';
import { type CodeSource, type CodeUnit, type LineCode, lineOfFile } from './model.js';

/** Where a location is in the source. */
export interface CodePlace extends CodeSource {
  /** Path of the file that declares its function. */
  readonly own: string | undefined;
  /** The code of its line in its function; undefined if it is unknown. */
  readonly code: LineCode | undefined;
  readonly unit: CodeUnit | undefined;
}

/** Bytecode index of native methods, as the JVM writes it, and what is behind their names. */
const NATIVE_METHOD = -3;
const NATIVE = ' <Java native method>';
/** Why the JVM refused a stack, in the words of gprofng. */
const REFUSALS: Readonly<Record<number, string>> = {
  '-1': 'agent error',
  '-2': 'GC active',
  '-3': 'unknown non-Java frame',
  '-4': 'unwalkable non-Java frame',
  '-5': 'unknown Java frame',
  '-6': 'unwalkable Java frame',
  '-7': 'unknown thread state',
  '-8': 'thread in exit',
  '-9': 'deopt in process ticks',
  '-10': 'safepoint synchronizing ticks',
};

const UNKNOWN: CodePlace = {
  line: 0,
  file: undefined,
  innermost: { line: 0, file: undefined },
  inlined: undefined,
  own: undefined,
  code: undefined,
  unit: undefined,
};
const known = new WeakMap<Experiment, Promise<readonly CodePlace[]>>();

/** The place of each location; reads the debug information of the load objects once. */
export function codePlaces(experiment: Experiment): Promise<readonly CodePlace[]> {
  const made = known.get(experiment) ?? readPlaces(experiment);
  known.set(experiment, made);
  return made;
}

async function readPlaces(experiment: Experiment): Promise<readonly CodePlace[]> {
  const { program, code, functions } = experiment;
  const { locations } = program;
  const places: CodePlace[] = [];
  for (let id = 0; id < locations.length; id++) {
    const found = await locate(experiment, id);
    const source = functions[locations.function[id]]?.source;
    if (found?.unit !== undefined) {
      const at = await code.sourceOf(found.function, found.offset);
      const { file: own, lines } = found.function;
      places.push({ ...at, own, code: lines.get(lineOfFile(at.file, at.line)), unit: found.unit });
    } else if (found !== undefined) places.push(UNKNOWN);
    else places.push({ ...UNKNOWN, file: source, own: source, line: Math.max(0, lineOf(program, id)) });
  }
  return places;
}

/** Rows of lines or places, each with one of its locations. */
export interface CodeRows {
  readonly grouping: Grouping;
  readonly facts: (row: number) => RowFacts;
  /** By row. */
  readonly location: readonly number[];
}

/** A row for each line of a function; those without lines are one row a function. */
export async function lineRows(asked: Asked, state: PrintState): Promise<CodeRows> {
  const { experiment } = asked;
  const { program, functions } = experiment;
  const places = await codePlaces(experiment);
  const rows = new Map<string, number>();
  const location: number[] = [];
  const ofLocation = Int32Array.from(program.locations.function, (of, id) => {
    const { line, file } = places[id] ?? UNKNOWN;
    const key = `${of} ${line} ${line > 0 ? file : ''}`;
    const row = rows.get(key) ?? location.push(id) - 1;
    rows.set(key, row);
    return row;
  });
  const facts = (row: number): RowFacts => {
    const id = location[row] ?? -1;
    const own = factsOf(asked, program.locations.function[id] ?? functions.length);
    const code = places[id]?.code;
    const start = own.start + (code?.offset ?? 0);
    // gprofng knows no size of code without lines.
    return {
      ...own,
      start,
      size: code?.size ?? (experiment.strict ? 0 : own.size),
      name: lineName(asked, state, id, places),
    };
  };
  return { grouping: { ofLocation, count: location.length }, facts, location };
}

export async function lineList(asked: Asked, state: PrintState): Promise<Listing> {
  await readAllInlined(asked, state);
  const { grouping, facts } = await lineRows(asked, state);
  return listing(asked, grouping, facts, { ...state, total: totalFacts(state) });
}

/** A row for each place. `plain`: locations that are shown without inlined calls. */
export async function placeRows(asked: Asked, state: PrintState, plain?: ReadonlySet<number>): Promise<CodeRows> {
  if (asked.hasLines) return lineRows(asked, state);
  const { experiment } = asked;
  const places = await codePlaces(experiment);
  const { locations } = experiment.program;
  const location = Array.from({ length: locations.length }, (_, id) => id);
  const facts = (id: number): RowFacts => {
    const own = factsOf(asked, ownFunction(experiment, id));
    const name = placeName(asked, state, id, places, plain?.has(id));
    const offset = locations.offset?.[id] ?? -1;
    return { ...own, size: 0, name, start: offset < 0 ? own.start + codeIndex(experiment, id) : offset };
  };
  return { grouping: { ofLocation: Int32Array.from(location), count: locations.length }, facts, location };
}

export async function placeList(asked: Asked, state: PrintState): Promise<Listing> {
  const { experiment } = asked;
  const listed = async (plain?: ReadonlySet<number>): Promise<Listing> => {
    const { grouping, facts } = await placeRows(asked, state, plain);
    return listing(asked, grouping, facts, { ...state, total: totalFacts(state) });
  };
  const list = await listed();
  if (!experiment.strict || asked.hasLines) return list;
  const places = await codePlaces(experiment);
  // Rows whose order their values tell are named when they are printed.
  const order = [...namedInSorting(list), ...list.rows.map(({ row }) => row)];
  const plain = new Set(order.filter((id) => id >= 0 && isNamedPlain(asked, state, id, places)));
  return plain.size === 0 ? list : listed(plain);
}

/** The same for all units. */
export async function readAllInlined({ experiment }: Asked, state: Pick<PrintState, 'code'>): Promise<void> {
  if (!experiment.strict) return;
  for (const { unit } of await codePlaces(experiment)) if (unit !== undefined) readInlined(state, unit);
}

/** Called where gprofng reads the inlined calls of a unit, whose places have them from then on. */
export function readInlined({ code }: Pick<PrintState, 'code'>, unit: CodeUnit): void {
  if (!code.named.has(unit)) code.named.set(unit, NONE);
}

/** Whether a place is the first of its unit that gprofng names, which it shows without inlined calls. */
export function isNamedPlain(
  { experiment }: Asked,
  { code }: PrintState,
  id: number,
  places: readonly CodePlace[],
): boolean {
  const { unit, inlined } = places[id] ?? UNKNOWN;
  if (!experiment.strict || unit === undefined) return false;
  const first = code.named.get(unit) ?? id;
  code.named.set(unit, first);
  return first === id && inlined !== undefined;
}

function totalFacts(state: PrintState): RowFacts {
  return { name: nameIn(state, TOTAL), object: TOTAL.object, start: 0, size: 0 };
}

function factsOf({ experiment }: Asked, of: number): Omit<RowFacts, 'name'> {
  const { object, start, size } = experiment.functions[of] ?? TOTAL;
  return { object, start, size };
}

/** The function of a location, also where another one stands for it in a comparison. */
function ownFunction({ program, compared }: Experiment, id: number): number {
  return (compared?.functionOf ?? program.locations.function)[id];
}

function isJava({ java }: PeerFunction): boolean {
  return java !== undefined;
}

/** `matmul, line 22 in "cpuwork.c"`. */
export function lineName({ experiment }: Asked, state: PrintState, id: number, places: readonly CodePlace[]): string {
  const of = experiment.functions[experiment.program.locations.function[id]] ?? TOTAL;
  const name = nameIn(state, of);
  const { line, file, own } = places[id] ?? UNKNOWN;
  if (line > 0 && file !== undefined) return lineText(name, { line, file }, own);
  if (isJava(of)) return lineText(name, { line: 0, file }, own);
  const isPseudo = of.path === undefined || of.object === TOTAL.object;
  return isPseudo ? name : lineText(name, { line: 0, file: undefined }, own);
}

/** `matmul + 0x00000040, line 22 in "cpuwork.c"`, with what was inlined there, or the `plain` line of the code. */
export function placeName(
  asked: Asked,
  state: PrintState,
  id: number,
  places: readonly CodePlace[],
  plain = false,
): string {
  const { experiment } = asked;
  if (asked.hasLines && (places[id]?.line ?? 0) > 0) return lineName(asked, state, id, places);
  const { locations } = experiment.program;
  const of = experiment.functions[ownFunction(experiment, id)] ?? TOTAL;
  const name = nameIn(state, of);
  const isMethod = isJava(of);
  const offset = isMethod ? bciOf(experiment.program, id) : (locations.offset?.[id] ?? -1);
  if (isMethod && offset === LEAF_BCI) return `<Function ${name}: HotSpot-compiled leaf instructions>`;
  if (isMethod && offset < 0) return offset === UNKNOWN_BCI ? name + NATIVE : name;
  const unmapped = offset < 0 ? undefined : unmappedAddress(experiment, id);
  if (unmapped !== undefined) return `${name} + 0x${unmapped}`;
  if (offset < 0 || (of.path === undefined && !isMethod))
    return name + refusalText(bciOf(experiment.program, id), experiment.strict);
  const at = `${name} + 0x${(isMethod ? offset : offset - of.start).toString(16).toUpperCase().padStart(8, '0')}`;
  const { innermost, inlined, own, ...outermost } = places[id] ?? UNKNOWN;
  const { line, file } = plain ? innermost : outermost;
  if (line <= 0 || file === undefined) return at;
  const text = `${at}${lineText('', { line, file }, own)}`;
  return inlined === undefined || plain ? text : `${`${text} `.padEnd(INLINED_AT)}<-- ${inlined} `;
}

/** Behind `<no Java callstack recorded>`: why. gprofng takes one of the reasons for a native method. */
function refusalText(bci: number, strict: boolean): string {
  const refusal = refusalOf(bci);
  if (refusal?.code === NATIVE_METHOD && strict) return NATIVE;
  if (refusal === undefined) return '';
  return `<${strict ? (REFUSALS[refusal.code] ?? 'unexpected error') : refusal.why} (${refusal.code})>`;
}

/** The bytecode index of a place without an offset in a load object, as the JVM wrote it. */
function codeIndex({ program, functions }: Experiment, id: number): number {
  const bci = bciOf(program, id);
  if (bci === LEAF_BCI) return -1;
  if (bci !== UNKNOWN_BCI) return refusalOf(bci)?.code ?? bci;
  return isJava(functions[program.locations.function[id]] ?? TOTAL) ? NATIVE_METHOD : 0;
}

/** The address of a place where nothing was mapped: 16 digits; undefined of others. */
export function unmappedAddress({ program }: Experiment, id: number): string | undefined {
  const { loadObject, offset } = program.locations;
  const kind = LOAD_OBJECT_KINDS[program.loadObjects?.kind[loadObject?.[id] ?? -1] ?? 0];
  if (kind !== 'unmapped') return undefined;
  const place = { loadObject: loadObject?.[id] ?? -1, offset: offset?.[id] ?? 0 };
  return nativeName(program, place).slice('0x'.length).toUpperCase();
}
