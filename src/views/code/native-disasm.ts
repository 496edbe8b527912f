/**
 * Disassembly of native functions with the recording's values of each instruction: the code of all bodies of a function, from the copies that the
 * recording has of its load objects, with the lines of the source where debug information and sources are there.
 */
import { addToList } from '../../base/columns/lists.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput, theView } from '../../base/phrase.js';
import { formatValue, plural } from '../../base/units.js';
import { bytesAt, type ElfFile } from '../../code/native/elf.js';
import { addressOf, framesAt, type NativeObject, offsetOf } from '../../code/native/object.js';
import type { OpenRecording, Stage } from '../../models/open-recording.js';
import {
  type CodeInstruction,
  type Disassembler,
  lineIn,
  type SourceFinder,
  type SourceText,
} from '../../models/program/code.js';
import { functionName, functionSignature } from '../../models/program/names.js';
import { nativePlace } from '../../models/program/places.js';
import {
  type FunctionId,
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  NO_LINE,
  type Program,
} from '../../models/program/program.js';
import { NativeObjects } from './native-objects.js';
import { findSource, type NativeTarget, nativeTarget } from './native-source.js';
import type { PlaceValues } from './place-values.js';
import { type CodeRow, lineRow, measured, sourceLine, valueNotes } from './rows.js';

/** By `e_machine`, as ELF tools name it. */
const ARCHITECTURES: Readonly<Record<number, string>> = { 3: 'i386', 62: 'x86_64', 183: 'aarch64' };

/** The code of one body of a function. */
interface Body {
  readonly function: FunctionId;
  readonly loadObject: LoadObjectId;
  /** Subtracted from an address it gives the offset in the load object. */
  readonly shift: number;
  /** With lines of the function's own file. */
  readonly listing: readonly CodeInstruction[];
}

export interface NativeListing {
  readonly bodies: readonly Body[];
  readonly source: SourceText | undefined;
}

interface ListingWanted {
  readonly sources: SourceFinder | undefined;
  readonly disassembler: Disassembler;
  readonly name: string;
  /** Whether the name may be that of a source file: then all of its functions are listed. */
  readonly files?: boolean;
}

export const nativeListingStage: Stage<NativeListing, ListingWanted> = {
  name: 'native code of a function',
  version: 2,
  key: ({ sources, disassembler, name, files }) => JSON.stringify([sources?.id, disassembler.id, name, files]),
  run: async ([{ snapshot, source: opened }], { sources, disassembler, name, files }) => {
    const { program } = snapshot.recording;
    const target = nativeTarget(program, name);
    if (target === undefined || !(target.isFunction || files === true))
      throw new UsageError(`${name} is a file: name a function of it`, { code: 'needs-function' });
    const bodies: Body[] = [];
    const objects = new NativeObjects(opened, program);
    try {
      for (const id of target.functions) {
        const body = await bodyOf(objects, id, target, disassembler);
        if (body !== undefined) bodies.push(body);
      }
      bodies.push(...(await generatedBodies(opened, program, target, disassembler)));
    } finally {
      await objects.close();
    }
    if (bodies.length === 0) throw withoutCode(name, program, target);
    const source = target.file === undefined ? undefined : await findSource(opened, sources, target.file);
    return { bodies, source };
  },
  bytes: ({ bodies }) => bodies.reduce((sum, { listing }) => sum + 120 * listing.length, 0),
};

/** Why no function of a name has instructions to list. */
function withoutCode(name: string, program: Program, target: NativeTarget): MissingError {
  if (!target.functions.some((id) => generatedIn(program, id) >= 0))
    return new MissingError(`${name} has no code of its own: it was only inlined`, {
      code: 'no-code',
      advice: 'Name a function that calls it.',
    });
  return new MissingError(`${name} was made at run time: its instructions were not recorded`, {
    code: 'no-instructions',
    advice: phrase`${theView('source')} shows its lines if its source file is found (${theInput('sources', { choose: 'PATH' })}), ${theView('functions', { options: { by: 'line' } })} those with samples.`,
    action: { ask: theView('functions', { options: { by: 'line' } }) },
  });
}

/** The load object of a function that was made at run time; -1 for others. */
function generatedIn({ functions, units, loadObjects }: Program, id: FunctionId): LoadObjectId {
  const loadObject = units?.loadObject[functions.unit?.[id] ?? -1] ?? -1;
  return LOAD_OBJECT_KINDS[loadObjects?.kind[loadObject] ?? 0] === 'jit' ? loadObject : -1;
}

/** The bodies of functions that were made at run time, as far as the recording has them. */
async function generatedBodies(
  opened: OpenRecording,
  program: Program,
  { functions, file }: NativeTarget,
  disassembler: Disassembler,
): Promise<Body[]> {
  const generated = functions.filter((id) => generatedIn(program, id) >= 0);
  if (generated.length === 0) return [];
  const byName = new Map(generated.map((id) => [functionName(program, id), id]));
  const bodies: Body[] = [];
  for (const generatedCode of (await opened.files?.generatedCode?.(new Set(byName.keys()))) ?? []) {
    const id = byName.get(generatedCode.name);
    if (id === undefined || generatedCode.file !== file) continue;
    const { address, offset } = generatedCode;
    const listing = await disassembler.disassemble(generatedCode.code, address, generatedCode.architecture);
    if ('reason' in listing) throw new MissingError(listing.text, { code: 'no-code' });
    bodies.push({
      function: id,
      loadObject: generatedIn(program, id),
      shift: address - offset,
      listing: listing.map((one) => ({ ...one, line: lineIn(generatedCode, one.offset - address) ?? NO_LINE })),
    });
  }
  return bodies;
}

async function bodyOf(
  objects: NativeObjects,
  id: FunctionId,
  { file }: NativeTarget,
  disassembler: Disassembler,
): Promise<Body | undefined> {
  const place = objects.startOf(id);
  if (place === undefined) return undefined;
  const { loadObject, start } = place;
  const object = await objects.get(loadObject);
  const address = addressOf(object.elf, start);
  const end = object.functions.at(start)?.end ?? start;
  if (address === undefined || end <= start) return undefined;
  const listing = await listingOf(object, start, end, address, disassembler);
  return { function: id, loadObject, shift: address - start, listing: await withLines(object, listing, file) };
}

async function listingOf(
  { elf, functions }: NativeObject,
  start: number,
  end: number,
  address: number,
  disassembler: Disassembler,
): Promise<readonly CodeInstruction[]> {
  const code = await bytesAt(elf.source, start, end - start);
  const architecture = ARCHITECTURES[elf.machine] ?? `machine ${elf.machine} of ELF`;
  const listing = await disassembler.disassemble(code, address, architecture);
  if ('reason' in listing) throw new MissingError(listing.text, { code: 'no-code' });
  return listing.map((one) => ({ ...one, text: withTarget(one.text, elf, functions) }));
}

/** Names the function that a call or jump leads to, as `objdump` does. */
function withTarget(text: string, elf: ElfFile, functions: NativeObject['functions']): string {
  const [, target] = /^(?:call|j|b|cb|tb)\S* (?:.*[ ,])?#?0x([\da-f]+)$/.exec(text) ?? [];
  const offset = target === undefined ? undefined : offsetOf(elf, Number.parseInt(target, 16));
  const targetFunction = offset === undefined ? undefined : functions.at(offset);
  if (targetFunction === undefined || offset === undefined) return text;
  const within = offset - targetFunction.start;
  return `${text} <${targetFunction.name}${within === 0 ? '' : `+0x${within.toString(16)}`}>`;
}

/** Each instruction with its line: that of the innermost code which is in the file of the function. */
async function withLines(
  object: NativeObject,
  listing: readonly CodeInstruction[],
  file: string | undefined,
): Promise<CodeInstruction[]> {
  const instructions: CodeInstruction[] = [];
  for (const one of listing) {
    const frames = await framesAt(object, offsetOf(object.elf, one.offset) ?? -1);
    instructions.push({ ...one, line: frames.findLast((frame) => frame.file === file)?.line ?? 0 });
  }
  return instructions;
}

/** The instructions of all bodies as places, one after the other; the last place is for values between instructions. */
export class NativeInstructions {
  readonly count: number;
  readonly #program: Program;
  readonly #found: NativeListing;
  readonly #place = new Map<string, number>();
  readonly #functions: ReadonlySet<FunctionId>;

  constructor(program: Program, nativeListing: NativeListing) {
    this.#program = program;
    this.#found = nativeListing;
    this.#functions = new Set(nativeListing.bodies.map((body) => body.function));
    let count = 0;
    for (const { loadObject, shift, listing } of nativeListing.bodies)
      for (const { offset } of listing) this.#place.set(`${loadObject} ${offset - shift}`, count++);
    this.count = count + 1;
  }

  /** Calls that were inlined are part of the code that they are in. */
  placeOf(location: number): number {
    const { locations } = this.#program;
    let at = location;
    while ((locations.inlinedInto?.[at] ?? -1) >= 0) at = locations.inlinedInto?.[at] ?? -1;
    if (!this.#functions.has(locations.function[at])) return -1;
    const place = nativePlace(this.#program, at);
    return place === undefined
      ? this.count - 1
      : (this.#place.get(`${place.loadObject} ${place.offset}`) ?? this.count - 1);
  }

  rows(values: PlaceValues | undefined): CodeRow[] {
    const { source } = this.#found;
    const rows: CodeRow[] = [];
    for (const body of this.#bodies(values)) {
      let current: number | null = null;
      for (const row of body) {
        if (source !== undefined && row.line !== null && row.line !== current)
          rows.push(lineRow(row.line, sourceLine(source, row.line), measured(undefined, 0)));
        current = row.line;
        rows.push(row);
      }
    }
    return rows;
  }

  /**
   * The instructions by the line of the source below which they stand, in the order of the code. Those of other lines than `from` to `to`, and of
   * none, stand where the instruction before them does.
   */
  byLine(values: PlaceValues | undefined, from: number, to: number): ReadonlyMap<number, readonly CodeRow[]> {
    const lines = new Map<number, CodeRow[]>();
    for (const body of this.#bodies(values)) {
      const isShown = ({ line }: CodeRow): boolean => line !== null && line >= from && line <= to;
      let current = body.find(isShown)?.line ?? to;
      for (const row of body) {
        if (isShown(row)) current = row.line ?? current;
        addToList(lines, current, row);
      }
    }
    return lines;
  }

  /** The rows of the instructions of each body. */
  #bodies(values: PlaceValues | undefined): CodeRow[][] {
    const { bodies, source } = this.#found;
    let place = 0;
    return bodies.map(({ listing }) =>
      listing.map(({ offset, text, line }) => ({
        ...measured(values, place++),
        executed: null,
        observed: [],
        kind: 'instruction',
        line: line > 0 ? line : null,
        bci: null,
        address: offset,
        code: (source === undefined ? '' : '    ') + text,
      })),
    );
  }

  get source(): string | null {
    return this.#found.source?.name ?? null;
  }

  get name(): string {
    return [...new Set(this.#found.bodies.map((body) => functionSignature(this.#program, body.function)))].join(', ');
  }

  notes(values: PlaceValues | undefined, error: boolean): Note[] {
    const notes = valueNotes(values, error);
    const { bodies } = this.#found;
    if (bodies.length > 1)
      notes.push(
        note(
          'several-bodies',
          `The function has ${plural(bodies.length, 'body', 'bodies')}, listed one after the other.`,
        ),
      );
    const lost = values?.self[this.count - 1] ?? 0;
    if (values !== undefined && lost > 0)
      notes.push(
        note(
          'places-beside-code',
          `${formatValue(lost, values.metric.unit, values.metric.resolution)} are at places where no instruction begins.`,
        ),
      );
    return notes;
  }
}
