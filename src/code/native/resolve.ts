/**
 * Names the native places of a recording: function, line and inlined calls, from the files that the recording has copies of, load object by load
 * object. Only files with places are read, and of these only the build id, the symbols and the units of these places. Row ids stay as they are.
 */
import { addToList } from '../../base/columns/lists.js';
import { NONE } from '../../base/flavor.js';
import { type Problem, withProblems } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { stringAt } from '../../base/text.js';
import type { Profile } from '../../models/profile/profile.js';
import { OUTLINE, partName, partOf } from '../../models/program/part-names.js';
import {
  FUNCTION_KINDS,
  type FunctionId,
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type LocationId,
  type LocationTable,
  type Program,
} from '../../models/program/program.js';
import type { NativeNaming } from '../../models/program/program-files.js';
import type { Recording } from '../../models/recording.js';
import type { NativeFiles } from './debug-parts.js';
import type { DwarfFrame, DwarfFunction } from './dwarf/debug-info.js';
import { type FunctionAt, STUBS } from './functions.js';
import { withInlinedFrames, withoutStubs } from './inlined-frames.js';
import { Naming } from './naming.js';
import { framesAt, type NativeObject, openNative } from './object.js';

const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');
const FILES: ReadonlySet<number> = new Set([
  LOAD_OBJECT_KINDS.indexOf('executable'),
  LOAD_OBJECT_KINDS.indexOf('library'),
]);

export interface ResolveOptions extends NativeNaming {
  readonly work?: Work;
}

/** Names of the Itanium ABI for C++, of Java compiled by GCJ, and of Rust. */
export const MANGLED = /^_(?:Z|R[A-Z])/;

/** The recording with names of its native places; files that are missing or invalid are problems. */
export async function resolveNative(
  recording: Recording,
  files: NativeFiles,
  options: ResolveOptions,
): Promise<Recording> {
  const { program, profile } = recording;
  const { loadObjects } = program;
  if (loadObjects === undefined) return recording;
  const places = placesWithout(program);
  if (places.size === 0) return recording;
  const naming = new Naming(program);
  const problems: Problem[] = [];
  const { signal, progress } = options.work ?? {};
  let done = 0;
  for (const [object, locations] of places) {
    signal?.throwIfAborted();
    progress?.({ phase: 'naming functions', done: done++, total: places.size, unit: 'files' });
    const path = stringAt(program.names, loadObjects.path[object]);
    const file = await openNative(path, files);
    if (typeof file === 'string') {
      const message = `${path}: functions have no names: ${file}`;
      problems.push({ code: 'native-symbols-missing', severity: 'info', message });
      continue;
    }
    try {
      naming.identify(object, file.buildId);
      await new ObjectNaming(program, naming, file, options).name(locations);
      problems.push(...debugProblems(path, file));
    } finally {
      await file.close();
    }
  }
  const named = naming.finish();
  return {
    ...recording,
    program: named,
    ...(profile && { profile: framed(profile, named.locations, naming) }),
    problems: withProblems(recording.problems, problems),
  };
}

/** The profile with frames that no recorder wrote, and without those of stubs. */
function framed(profile: Profile, locations: LocationTable, naming: Naming): Profile {
  const whole = withInlinedFrames(profile, locations, { innermost: naming.innermost, origins: naming.origins() });
  return withoutStubs(whole, naming.stubs);
}

function debugProblems(path: string, { problems, missing, debug }: NativeObject): Problem[] {
  const damaged = [...problems, ...(debug?.problems ?? [])].map(
    (text): Problem => ({ code: 'native-debug-damaged', severity: 'warning', message: `${path}: ${text}` }),
  );
  const split = (debug?.missing ?? []).map(
    (name) => `inlined calls are unknown where ${name} is needed: the recording has no copy of it`,
  );
  const unknown = [...missing, ...split].map(
    (text): Problem => ({ code: 'native-debug-missing', severity: 'info', message: `${path}: ${text}` }),
  );
  return [...damaged, ...unknown];
}

/** By load object, the places in files whose function is the pseudo function of the whole file. */
function placesWithout(program: Program): Map<LoadObjectId, LocationId[]> {
  const { locations, functions, loadObjects } = program;
  const places = new Map<LoadObjectId, LocationId[]>();
  for (let id = 0; id < locations.length; id++) {
    const object = locations.loadObject?.[id] ?? NONE;
    if (object < 0 || !FILES.has(loadObjects?.kind[object] ?? NONE)) continue;
    if (functions.kind[locations.function[id]] === PSEUDO) addToList(places, object, id);
  }
  return places;
}

/** Names the places of one load object. */
class ObjectNaming {
  readonly #program: Program;
  readonly #naming: Naming;
  readonly #object: NativeObject;
  readonly #options: ResolveOptions;
  readonly #byStart = new Map<number, FunctionId>();
  /** Functions that were only inlined, by what the compiler says of them. */
  readonly #byOrigin = new Map<string, FunctionId>();
  #unit = NONE;

  constructor(program: Program, naming: Naming, object: NativeObject, options: ResolveOptions) {
    this.#program = program;
    this.#naming = naming;
    this.#object = object;
    this.#options = options;
  }

  async name(locations: readonly LocationId[]): Promise<void> {
    const { offset } = this.#program.locations;
    const whole = this.#naming.functionOf(locations[0] ?? NONE);
    this.#unit = this.#naming.unitOf(whole);
    const at = (id: LocationId): number => offset?.[id] ?? NONE;
    const found = locations.map((id) => this.#object.functions.at(at(id)));
    if (found.every((one) => one !== undefined)) this.#naming.release(whole);
    for (const [i, symbol] of found.entries()) {
      const id = locations[i] ?? NONE;
      if (symbol !== undefined) await this.#place(id, symbol, await framesAt(this.#object, at(id)));
    }
  }

  async #place(id: LocationId, symbol: FunctionAt, frames: readonly DwarfFrame[]): Promise<void> {
    const [outer] = frames;
    const file = outer?.function?.file ?? outer?.file;
    const of = await this.#symbol(symbol, file);
    // A line of another file, of code that was included and not called, has no place in the function.
    this.#naming.place(id, of, outer !== undefined && outer.file === file ? outer.line : 0);
    if (this.#options.impliedCalls === true) await this.#imply(id, symbol);
    if (!this.#options.inlinedFrames) return;
    const calls = [];
    for (const frame of frames.slice(1)) {
      const { function: of, line } = frame;
      if (of?.name === undefined) continue;
      calls.push({
        function: await this.#inlined(of, of.name),
        line: frame.file === (of.file ?? frame.file) ? line : 0,
      });
    }
    this.#naming.inline(id, calls);
  }

  /** A stub is a part of the call; outlined code is called from its origin, at the line that its name has. */
  async #imply(id: LocationId, { name, section }: FunctionAt): Promise<void> {
    // gprofng knows the stubs of one section only.
    if (name === STUBS && (section === '.plt' || this.#options.inlinedFrames)) this.#naming.stub(id);
    const part = partOf(name);
    const { origin } = part ?? {};
    if (part?.isEncoded !== true || part.what !== OUTLINE || origin === undefined) return;
    const start = this.#object.functions.startOf(origin);
    if (start === undefined) return;
    const [outer] = await framesAt(this.#object, start);
    const caller = await this.#symbol({ name: origin, start }, outer?.function?.file ?? outer?.file);
    this.#naming.originate(id, { function: caller, line: part.line ?? NONE });
  }

  async #symbol({ name, start }: Pick<FunctionAt, 'name' | 'start'>, file: string | undefined): Promise<FunctionId> {
    const known = this.#byStart.get(start) ?? (await this.#add(name, start, file));
    this.#byStart.set(start, known);
    return known;
  }

  async #add(symbol: string, start: number, file: string | undefined): Promise<FunctionId> {
    const name = await this.#nameOf(symbol, start);
    const aliases = this.#object.functions.namesAt(start).filter((each) => each !== symbol);
    return this.#naming.add({ name, unit: this.#unit, start, file, aliases });
  }

  /** The readable name of a symbol. It depends on the program only, not on the places that are asked for. */
  async #nameOf(symbol: string, start: number): Promise<string> {
    const part = partOf(symbol);
    if (part === undefined || !(part.isEncoded || this.#options.inlinedFrames)) return this.#readable(symbol);
    const { origin, isEncoded } = part;
    // As gprofng: an encoded name counts if the program has its origin.
    const isKnown = origin !== undefined && this.#object.functions.has(origin);
    if (isEncoded) return isKnown || part.what === OUTLINE ? partName(part, symbol, origin) : symbol;
    const [outer] = await framesAt(this.#object, start);
    return partName(part, symbol, origin && (await this.#readable(origin)), outer?.line || undefined);
  }

  async #readable(symbol: string): Promise<string> {
    // The version of a symbol is no part of the function's name; pseudo functions have an address there.
    const name = symbol.startsWith('<') ? symbol : symbol.replace(/(?<=.)@@?[\w.]+$/, '');
    return MANGLED.test(name) ? ((await this.#options.demangler?.())?.(name) ?? name) : name;
  }

  /** The function of an inlined call: that of its body, if it also has one of its own. */
  async #inlined(of: DwarfFunction, name: string): Promise<FunctionId> {
    const key = JSON.stringify([name, of.file, of.line]);
    const known = this.#byOrigin.get(key);
    if (known !== undefined) return known;
    const { file } = of;
    const body = await this.#bodyOf(of, name);
    const id =
      body === undefined
        ? this.#naming.add({ name: await this.#readable(name), unit: this.#unit, start: NONE, file })
        : await this.#symbol({ name, start: body }, file);
    this.#byOrigin.set(key, id);
    return id;
  }

  /** The offset of the function's own body. Functions of one name are the same if they are declared at one place. */
  async #bodyOf(of: DwarfFunction, name: string): Promise<number | undefined> {
    const start = this.#object.functions.startOf(name);
    if (start === undefined) return undefined;
    const [outer] = await framesAt(this.#object, start);
    const isSame = outer?.function?.file === of.file && outer?.function?.line === of.line;
    return isSame ? start : undefined;
  }
}
