/**
 * Source of native code with the recording's values: a file, or the lines of one function. Sources come from the source path, else from the copies
 * that the recording has. The lines that a function has are those of its debug information.
 */
import { functionsOfHandle } from '../../analysis/identity/named-functions.js';
import { type ErrorDetails, MissingError, UsageError } from '../../base/errors.js';
import type { Note } from '../../base/note.js';
import { closestName } from '../../base/parsing/closest-name.js';
import { type Phrase, phrase, theInput } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { formatValue } from '../../base/units.js';
import { addressOf } from '../../code/native/object.js';
import { readWhole } from '../../code/read-whole.js';
import { decodeSource, linesOf } from '../../code/sources/source-text.js';
import type { OpenRecording, Stage } from '../../models/open-recording.js';
import type { SourceFinder, SourceText } from '../../models/program/code.js';
import { fileName, functionName, functionSignature } from '../../models/program/names.js';
import { readPartName } from '../../models/program/part-names.js';
import { lineOf } from '../../models/program/places.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { choiceLines } from './choose.js';
import { NativeObjects } from './native-objects.js';
import type { PlaceValues } from './place-values.js';
import { beyondEnd, type CodeRow, lineRow, measured, sourceLine, unknownLines, valueNotes } from './rows.js';

const NATIVE = FUNCTION_KINDS.indexOf('native');
/** Larger source files are not read. */
const LARGEST_SOURCE = 16 << 20;

/** What is meant: all functions of a file, or the bodies of one function. */
export interface NativeTarget {
  /** Path of the source file; undefined if the recording does not know it. */
  readonly file: string | undefined;
  readonly functions: readonly FunctionId[];
  readonly isFunction: boolean;
}

/**
 * The native function or source file of a name: a handle, the name as listed, with or without the part in parentheses, or a path or its end. Undefined if the
 * recording has none; a usage error that lists the candidates if functions of several files have the name.
 */
export function nativeTarget(program: Program, text: string): NativeTarget | undefined {
  const { functions } = program;
  const namedFunctions: FunctionId[] = [];
  const alike: FunctionId[] = [];
  const inFile = new Map<string, FunctionId[]>();
  const handleFunctions = functionsOfHandle(program, text);
  for (let id = 0; id < functions.length; id++) {
    if (functions.kind[id] !== NATIVE || functions.class[id] >= 0) continue;
    if (handleFunctions !== undefined) {
      if (handleFunctions.includes(id)) namedFunctions.push(id);
      continue;
    }
    const name = functionName(program, id);
    const part = readPartName(name);
    // A function of the source stands for all that the compiler made of it.
    const isMeant = name === text || part?.symbol === text || part?.origin === text;
    if (isMeant || functionSignature(program, id) === text) namedFunctions.push(id);
    else if (bareNames(name).includes(text)) alike.push(id);
    const file = fileOf(program, id);
    if (file === undefined || !(file === text || file.endsWith(`/${text}`))) continue;
    inFile.set(file, [...(inFile.get(file) ?? []), id]);
  }
  // Without parameters, a name means all of its overloads.
  if (namedFunctions.length === 0) namedFunctions.push(...alike);
  const files =
    namedFunctions.length === 0 ? [...inFile.keys()] : [...new Set(namedFunctions.map((id) => fileOf(program, id)))];
  const [file] = files;
  if (files.length === 0) return undefined;
  if (files.length > 1) throw severalMeant(program, text, namedFunctions, files);
  return namedFunctions.length > 0
    ? { file, functions: namedFunctions, isFunction: true }
    : { file, functions: inFile.get(file ?? '') ?? [], isFunction: false };
}

/** A name of C++ without its parameters, and without the arguments of its template, too. */
function bareNames(name: string): readonly string[] {
  if (!name.includes('(')) return [];
  let [bare, depth] = ['', 0];
  // Operators have brackets in their names.
  for (const [part] of name.matchAll(/operator ?(?:\(\)|<=>|->\*?|<<=?|>>=?|[<>]=?)|[\s\S]/g)) {
    if (part === '(' && depth === 0) break;
    bare += part;
    if (part === '<') depth++;
    else if (part === '>') depth--;
  }
  return [bare, bare.replace(/<.*>$/s, '')];
}

/** What to do where the code that a name belongs to is not given. */
type Hint = ErrorDetails & { readonly advice: Phrase };

/**
 * The error for a name that is not among the native functions and source files, where no path to Java code is given: names
 * the closest one if the recording has native functions, and how to pass the path.
 */
export function unknownName(program: Program, text: string, path: string, hint: Hint): UsageError {
  const { functions } = program;
  const names = new Set<string>();
  for (let id = 0; id < functions.length; id++)
    if (functions.kind[id] === NATIVE && functions.class[id] < 0) names.add(functionName(program, id));
  if (names.size === 0) return new UsageError(`no ${path} given`, hint);
  const closest = closestName(text, names);
  return new UsageError(
    `${text} is no native function or source file of the recording, and no ${path} for Java is given`,
    closest === undefined ? hint : { ...hint, advice: phrase`Did you mean ${closest}? ${hint.advice}` },
  );
}

function severalMeant(
  program: Program,
  text: string,
  namedFunctions: readonly FunctionId[],
  files: readonly (string | undefined)[],
): UsageError {
  const candidates =
    namedFunctions.length > 0 ? namedFunctions.map((id) => functionSignature(program, id)) : files.map(String);
  const candidateNames = [...new Set(candidates)].sort();
  return new UsageError(`ambiguous: functions of ${files.length} source files match ${text}`, {
    code: 'ambiguous-name',
    advice: 'Name one of them:',
    lines: choiceLines(candidateNames),
  });
}

export function fileOf({ functions, names }: Program, id: FunctionId): string | undefined {
  const file = functions.file?.[id] ?? -1;
  return file < 0 ? undefined : stringAt(names, file);
}

/** A source file, and the lines of the functions that are meant. */
export interface NativeSource {
  readonly source: SourceText;
  /** Empty for a whole file, and if the debug information is not there. */
  readonly lines: readonly number[];
}

interface NativeWanted {
  readonly sources: SourceFinder | undefined;
  readonly name: string;
}

export const nativeSourceStage: Stage<NativeSource, NativeWanted> = {
  name: 'native source file',
  version: 1,
  key: ({ sources, name }) => JSON.stringify([sources?.id, name]),
  run: async ([{ snapshot, source: opened }], { sources, name }) => {
    const { program } = snapshot.recording;
    const target = nativeTarget(program, name);
    if (target?.file === undefined)
      throw new MissingError(`${snapshot.recording.name} does not know the source file of ${name}`, {
        code: 'no-source',
        advice: 'Compile the program with -g, and record it with a copy of the program.',
      });
    const source = await findSource(opened, sources, target.file);
    if (source === undefined)
      throw new MissingError(`there is no source file ${target.file}`, {
        code: 'no-source',
        advice: phrase`Pass the folder of the sources with ${theInput('sources', { choose: 'PATH' })}: the end of the recorded path is looked up in it.`,
        action: { give: ['sources'] },
      });
    return { source, lines: target.isFunction ? await linesOfFunctions(opened, program, target) : [] };
  },
  bytes: ({ source, lines }) => source.lines.reduce((sum, line) => sum + 2 * line.length, 8 * lines.length),
};

/** A source file by its recorded path: from the source path, else the copy that the recording has. */
export async function findSource(
  opened: OpenRecording,
  sources: SourceFinder | undefined,
  path: string,
): Promise<SourceText | undefined> {
  return (await inSourcePath(sources, path)) ?? (await inRecording(opened, path));
}

/** Sources may have moved: the whole recorded path is looked up first, then shorter and shorter ends of it. */
async function inSourcePath(sources: SourceFinder | undefined, path: string): Promise<SourceText | undefined> {
  if (sources === undefined) return undefined;
  const folders = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = folders.pop() ?? '';
  for (let depth = 0; depth <= folders.length; depth++) {
    const sourceFile = await sources.find({ folder: folders.slice(depth).join('/'), file });
    if (sourceFile !== undefined) return sourceFile;
  }
  return undefined;
}

async function inRecording({ files }: OpenRecording, path: string): Promise<SourceText | undefined> {
  const copy = await files?.copyOf(path);
  if (copy === undefined) return undefined;
  const bytes = await readWhole(() => Promise.resolve(copy), LARGEST_SOURCE, 'source-unreadable');
  if ('code' in bytes) throw new MissingError(bytes.message, { code: 'no-source' });
  return { name: path, lines: linesOf(decodeSource(bytes).text) };
}

/** The lines of the bodies of functions, from the debug information of their load objects. */
async function linesOfFunctions(source: OpenRecording, program: Program, target: NativeTarget): Promise<number[]> {
  const lines = new Set<number>();
  const objects = new NativeObjects(source, program);
  try {
    for (const id of target.functions) {
      const place = objects.startOf(id);
      const object = place && (await objects.find(place.loadObject));
      const address = object && addressOf(object.elf, place.start);
      const lineTable = address === undefined ? undefined : await object?.debug?.linesAround(address);
      if (lineTable?.file === target.file) for (const line of lineTable?.lines ?? []) lines.add(line);
    }
  } finally {
    await objects.close();
  }
  return [...lines].sort((a, b) => a - b);
}

/** The lines of a native source file. Place `n` is line `n`, place 0 is for unknown lines, the last one for lines that the file does not have. */
export class NativeLines {
  readonly target: NativeTarget;
  readonly beyond: number;
  readonly #program: Program;
  readonly #found: NativeSource;
  readonly #inFile: ReadonlySet<FunctionId>;

  constructor(program: Program, target: NativeTarget, source: NativeSource) {
    this.#program = program;
    this.#found = source;
    this.target = target;
    this.beyond = source.source.lines.length + 1;
    const ids = Array.from({ length: program.functions.length }, (_, id) => id);
    this.#inFile = new Set(ids.filter((id) => fileOf(program, id) === target.file));
  }

  placeOf(location: number): number {
    if (!this.#inFile.has(this.#program.locations.function[location])) return -1;
    return Math.min(Math.max(0, lineOf(this.#program, location)), this.beyond);
  }

  /** The lines, with the instructions that `codeOf` has for the first to the last one. */
  rows(
    values: PlaceValues | undefined,
    codeOf?: (from: number, to: number) => ReadonlyMap<number, readonly CodeRow[]>,
  ): CodeRow[] {
    const [from, to] = this.#range();
    const code = codeOf?.(from, to);
    const rows: CodeRow[] = [];
    for (let line = from; line <= to; line++)
      rows.push(
        lineRow(line, sourceLine(this.#found.source, line), measured(values, line)),
        ...(code?.get(line) ?? []),
      );
    return rows;
  }

  /** The first and last line to show. */
  #range(): readonly [number, number] {
    const { source, lines } = this.#found;
    const last = source.lines.length;
    if (!this.target.isFunction) return [1, last];
    const functionLines = (lines.length > 0 ? lines : this.#recorded()).filter((line) => line > 0 && line <= last);
    if (functionLines.length === 0) return [1, last];
    return [Math.min(...functionLines), Math.max(...functionLines)];
  }

  #recorded(): number[] {
    const { locations } = this.#program;
    const meant = new Set(this.target.functions);
    return Array.from(locations.function, (functionId, id) => (meant.has(functionId) ? this.placeOf(id) : 0));
  }

  notes(values: PlaceValues | undefined, error: boolean): Note[] {
    const notes = valueNotes(values, error);
    if (values === undefined) return notes;
    const text = (place: number): string =>
      formatValue(values.self[place], values.metric.unit, values.metric.resolution);
    const file = fileName(this.#found.source.name);
    if (values.self[0] > 0) notes.push(unknownLines(text(0), file));
    if (values.self[this.beyond] > 0) notes.push(beyondEnd(text(this.beyond), file));
    return notes;
  }
}
