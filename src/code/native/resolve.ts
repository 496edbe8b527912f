/**
 * Names the functions of native places: from the files that a recording has copies of, load object by load object. Only files with places are read,
 * and of these only the tables of symbols. Row ids stay as they are, so stacks and events are the same columns.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { KansokuError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Problem, withProblems } from '../../base/problems.js';
import { encodeUtf8, type StringTable, stringAt } from '../../base/text.js';
import { type ByteSource, isRandom, memorySource, type RandomSource } from '../../bytes/byte-source.js';
import {
  FUNCTION_KINDS,
  type FunctionId,
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type Program,
} from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { readWhole } from '../read-whole.js';
import { readElf } from './elf.js';
import { type ElfFunctions, elfFunctions } from './functions.js';

/** Opens the file of a load object by its path; undefined if there is none. */
export type OpenObject = (path: string) => Promise<ByteSource | undefined>;

/** Larger files that cannot be read at any place are not read. */
const MOST_BYTES = 1 << 28;
const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');
const NATIVE = FUNCTION_KINDS.indexOf('native');
const FILES: ReadonlySet<number> = new Set([
  LOAD_OBJECT_KINDS.indexOf('executable'),
  LOAD_OBJECT_KINDS.indexOf('library'),
]);

/** The recording with names of the functions in its load objects; files that are missing or invalid are problems. */
export async function resolveNative(recording: Recording, open: OpenObject): Promise<Recording> {
  const { program } = recording;
  const { loadObjects } = program;
  if (loadObjects === undefined) return recording;
  const places = placesWithout(program);
  if (places.size === 0) return recording;
  const naming = new Naming(program);
  const problems: Problem[] = [];
  for (const [object, locations] of places) {
    const path = stringAt(program.names, loadObjects.path[object]);
    const functions = await functionsOf(path, open);
    if (typeof functions === 'string') {
      const message = `${path}: functions have no names: ${functions}`;
      problems.push({ code: 'native-symbols-missing', severity: 'info', message });
    } else naming.name(locations, functions);
  }
  return { ...recording, program: naming.finish(), problems: withProblems(recording.problems, problems) };
}

/** By load object, the places in files whose function is the pseudo function of the whole file. */
function placesWithout(program: Program): Map<LoadObjectId, number[]> {
  const { locations, functions, loadObjects } = program;
  const places = new Map<LoadObjectId, number[]>();
  for (let id = 0; id < locations.length; id++) {
    const object = locations.loadObject?.[id] ?? NONE;
    if (object < 0 || !FILES.has(loadObjects?.kind[object] ?? NONE)) continue;
    if (functions.kind[locations.function[id]] !== PSEUDO) continue;
    const known = places.get(object);
    if (known === undefined) places.set(object, [id]);
    else known.push(id);
  }
  return places;
}

/** The functions of a file, or why there are none. */
async function functionsOf(path: string, open: OpenObject): Promise<ElfFunctions | string> {
  let source: ByteSource | undefined;
  try {
    source = await open(path);
    if (source === undefined) return 'the recording has no copy of the file';
    const random = await atAnyPlace(source);
    if (typeof random === 'string') return random;
    const elf = await readElf(random);
    return typeof elf === 'string' ? elf : await elfFunctions(elf);
  } catch (error) {
    if (error instanceof KansokuError) return error.message;
    throw error;
  } finally {
    await source?.close?.();
  }
}

async function atAnyPlace(source: ByteSource): Promise<RandomSource | string> {
  if (isRandom(source)) return source;
  const { close: _, ...open } = source;
  const whole = await readWhole(() => Promise.resolve(open), MOST_BYTES, 'native-symbols-missing');
  return whole instanceof Uint8Array ? memorySource(source.name, whole) : whole.message;
}

/** The tables of a program that change: names, functions, and the functions of places. */
class Naming {
  readonly #program: Program;
  readonly #names = new ByteInterner();
  readonly #function: Int32Array;
  readonly #name = new Int32Builder();
  readonly #kind = new Int32Builder();
  readonly #unit = new Int32Builder();
  readonly #start = new Float64Builder();
  /** The pseudo functions of files all of whose places have names: their rows are used again. */
  readonly #unused: FunctionId[] = [];

  constructor(program: Program) {
    this.#program = program;
    copyNames(program.names, this.#names);
    this.#function = program.locations.function.slice();
    const { length, name, kind, unit, start } = program.functions;
    for (let id = 0; id < length; id++) {
      this.#name.push(name[id]);
      this.#kind.push(kind[id]);
      this.#unit.push(unit?.[id] ?? NONE);
      this.#start.push(start?.[id] ?? NONE);
    }
  }

  name(locations: readonly number[], functions: ElfFunctions): void {
    const { offset } = this.#program.locations;
    const whole = this.#program.locations.function[locations[0] ?? NONE] ?? NONE;
    const unit = this.#unit.values[whole];
    const known = new Map<number, FunctionId>();
    const found = locations.map((id) => functions.at(offset?.[id] ?? NONE));
    if (found.every((one) => one !== undefined)) this.#unused.push(whole);
    for (const [i, at] of found.entries()) {
      if (at === undefined) continue;
      const id = known.get(at.start) ?? this.#add(at.name, unit, at.start);
      known.set(at.start, id);
      this.#function[locations[i] ?? 0] = id;
    }
  }

  #add(name: string, unit: number, start: number): FunctionId {
    const bytes = encodeUtf8(name);
    const text = this.#names.add(bytes, 0, bytes.length);
    const free = this.#unused.pop();
    if (free === undefined) {
      this.#kind.push(NATIVE);
      this.#unit.push(unit);
      this.#start.push(start);
      return this.#name.push(text);
    }
    this.#name.values[free] = text;
    this.#kind.values[free] = NATIVE;
    this.#unit.values[free] = unit;
    this.#start.values[free] = start;
    return free;
  }

  finish(): Program {
    const { functions, locations } = this.#program;
    const { length } = this.#name;
    const grown = (values: Int32Array): Int32Array => {
      const column = new Int32Array(length).fill(NONE);
      column.set(values);
      return column;
    };
    const signatureStart = new Int32Array(length + 1).fill(functions.signature.length);
    signatureStart.set(functions.signatureStart);
    return {
      ...this.#program,
      names: { bytes: this.#names.bytes.finish(), offsets: this.#names.offsets.finish() },
      functions: {
        ...functions,
        length,
        name: this.#name.finish(),
        kind: Uint8Array.from(this.#kind.finish()),
        class: grown(functions.class),
        fileId: grown(functions.fileId),
        ...(functions.file && { file: grown(functions.file) }),
        unit: this.#unit.finish(),
        start: this.#start.finish(),
        signatureStart,
      },
      locations: { ...locations, function: this.#function },
    };
  }
}

/** Names keep their ids. */
function copyNames({ bytes, offsets }: StringTable, into: ByteInterner): void {
  for (let id = 0; id + 1 < offsets.length; id++) into.add(bytes, offsets[id], offsets[id + 1]);
}
