/**
 * Frames of text formats: a name as a tool printed it ⇄ a place in a program.
 *
 *   java/util/HashMap.get:556_[j]        class, method, line, how it ran
 *   collatz (tracer_demo.py:6)           function, file, line
 *   do_syscall_64_[k]                    a function of the kernel
 *
 * A name is split into class and method only if it is certainly Java; other parts stay in the name, so that
 * `writeFrame` returns exactly the bytes that `FrameReader.location` got. Spellings of the suffixes: async-profiler's
 * annotated frames (`FrameName` and `Frame` in its sources), stackcollapse-perf.pl for `_[k]` and `_[i]`. Cost: a few
 * µs for each distinct frame, none for further occurrences (callers intern frames).
 */
import { sameBytes } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import { decodeUtf8, encodeUtf8, type StringId, stringAt } from '../../base/text.js';
import { className, functionName } from '../../models/program/names.js';
import {
  CLASS_KINDS,
  FRAME_MODES,
  type FrameMode,
  FUNCTION_KINDS,
  type FunctionId,
  type LocationId,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';

/** A frame without a name, as in `a;;b`. */
export const EMPTY_FRAME = '<empty>';
/** Stands for the stack of an event without one. */
export const NO_STACK = '<no stack>';

const SUFFIX_LENGTH = 4;
/** Longest frame that is analysed; longer ones are plain names. */
const LONGEST_PARSED = 4096;
const MODE_OF: Readonly<Record<string, FrameMode>> = { 0: 'interpreted', 1: 'c1', j: 'jit', i: 'inlined' };
const SUFFIX_OF: Readonly<Record<FrameMode, string>> = {
  unknown: '',
  interpreted: '_[0]',
  c1: '_[1]',
  jit: '_[j]',
  inlined: '_[i]',
};

/** Java methods as frames spell them. */
interface JavaNames {
  /** In a package, with a class name in upper case. */
  readonly packaged: RegExp;
  /** Of any class, for frames with a suffix of the JVM. */
  readonly anyClass: RegExp;
  /** For inlined frames, which may be native ones too (perf). */
  readonly namedClass: RegExp;
}

let javaNames: JavaNames | undefined;

/** Made when first needed: classes of Unicode take 2 ms to compile. */
function patterns(): JavaNames {
  javaNames ??= patternsOfJava();
  return javaNames;
}

function patternsOfJava(): JavaNames {
  const name = String.raw`[\p{L}\p{Nl}_$][\p{L}\p{N}\p{M}_$-]*`;
  // Identifiers followed by a number or an address: classes that a JVM creates at run time.
  const type = `${name}(?:[./+](?:0x)?[0-9a-f]+)*`;
  const method = `(?:${name}|<init>|<clinit>)`;
  const inFolders = String.raw`(?:${name}/)+|(?:[\p{Ll}_][\p{L}\p{N}_$]*\.)+`;
  return {
    packaged: new RegExp(String.raw`^(?:${inFolders})(?=\p{Lu})${type}\.${method}$`, 'u'),
    anyClass: new RegExp(String.raw`^(?:(?:${name}/)+|(?:${name}\.)+)?${type}\.${method}$`, 'u'),
    namedClass: new RegExp(String.raw`^(?=\p{Lu})${type}\.${method}$`, 'u'),
  };
}

/** What can precede a line number, so that `kworker/0:1` and `a::b` keep theirs. */
const LINED = /^(?:[\p{L}\p{N}_$.<>~-]|::)+$/u;
const LINE = /^(.*[^:]):([1-9]\d{0,8})$/su;
const FILE_AND_LINE = /^(.*\S) \(([^()]*[^():]):([1-9]\d{0,8})\)$/su;

/** Converts the frames of one recording to places. */
export class FrameReader {
  readonly #program: ProgramBuilder;

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  /** The place that the frame `bytes[from .. to)` names. */
  location(bytes: Uint8Array, from: number, to: number): LocationId {
    const program = this.#program;
    if (from === to) return program.location(program.pseudo(EMPTY_FRAME));
    const text = to - from > LONGEST_PARSED ? '' : decodeUtf8(bytes, from, to);
    // Bytes that are not UTF-8 have no other spelling: the name is these bytes.
    const encoded = encodeUtf8(text);
    if (!sameBytes(encoded, 0, encoded.length, bytes, from, to))
      return program.location(program.function(NONE, program.names.add(bytes, from, to)));
    const { plain, kernel, mode } = withoutSuffix(text);
    const { name, file, line } = split(plain);
    if (file === undefined) return this.#place(name, NONE, line, kernel, mode);
    // No tool prints Java frames so; as a method, the frame would be written without its file.
    const of = program.native(program.name(name), { file: program.name(file), kernel });
    return program.location(of, line, UNKNOWN_BCI, mode);
  }

  /** The place of a frame whose file (NONE) and line (NO_LINE) are given beside its name. */
  named(text: string, file: StringId, line: number): LocationId {
    if (text === '') return this.#program.location(this.#program.pseudo(EMPTY_FRAME, NONE, file), line);
    const { plain, kernel, mode } = withoutSuffix(text);
    return this.#place(plain, file, line, kernel, mode);
  }

  #place(name: string, file: StringId, line: number, kernel: boolean, mode: FrameMode): LocationId {
    const program = this.#program;
    const of = kernel ? program.native(program.name(name), { file, kernel: true }) : this.#function(name, file, mode);
    return program.location(of, line, UNKNOWN_BCI, mode);
  }

  /** The function of this name, with its class if that is certain. */
  #function(name: string, file: StringId, mode: FrameMode): FunctionId {
    const program = this.#program;
    if (name.length > LONGEST_PARSED || !isJava(name, mode)) return program.function(NONE, program.name(name), file);
    const dot = name.lastIndexOf('.');
    const declaring = program.class(program.name(name.slice(0, dot)));
    return program.function(declaring, program.name(name.slice(dot + 1)), file);
  }
}

/** The text without the suffix of the frame mode. */
function withoutSuffix(text: string): { readonly plain: string; readonly kernel: boolean; readonly mode: FrameMode } {
  const suffix = text.length > SUFFIX_LENGTH ? text.slice(-SUFFIX_LENGTH) : '';
  const kernel = suffix === '_[k]';
  const mode = /^_\[[01ji]\]$/.test(suffix) ? (MODE_OF[suffix[2] ?? ''] ?? 'unknown') : 'unknown';
  return { plain: kernel || mode !== 'unknown' ? text.slice(0, -SUFFIX_LENGTH) : text, kernel, mode };
}

function isJava(name: string, mode: FrameMode): boolean {
  const { packaged, anyClass, namedClass } = patterns();
  if (mode === 'unknown') return packaged.test(name);
  return mode === 'inlined' ? packaged.test(name) || namedClass.test(name) : anyClass.test(name);
}

interface Parts {
  readonly name: string;
  readonly file: string | undefined;
  readonly line: number;
}

function split(text: string): Parts {
  const placed = FILE_AND_LINE.exec(text);
  if (placed !== null) return { name: placed[1] ?? '', file: placed[2], line: Number(placed[3]) };
  const lined = LINE.exec(text);
  const name = lined?.[1] ?? '';
  if (lined !== null && (LINED.test(name) || patterns().packaged.test(name) || patterns().anyClass.test(name)))
    return { name, file: undefined, line: Number(lined[2]) };
  return { name: text, file: undefined, line: NO_LINE };
}

/** The name of a function as text formats spell it: `java/util/HashMap.get`, `depot::fib`; without types. */
export function functionText(program: Program, id: FunctionId): string {
  const { functions, classes, names } = program;
  const declaring = functions.class[id];
  if (FUNCTION_KINDS[functions.kind[id]] !== 'java' || declaring < 0) return functionName(program, id);
  const spelled = stringAt(names, classes.name[declaring]);
  // Descriptors of arrays, and classes without a name, are written as in Java source.
  const readable = spelled.startsWith('[') || CLASS_KINDS[classes.kind[declaring]] === 'missing';
  const written = readable ? className(program, declaring) : spelled;
  return `${written}.${stringAt(names, functions.name[id])}`;
}

/**
 * The name of a place's function with the suffix of its frame mode: `java/util/HashMap.get_[j]`; empty for an empty
 * frame.
 */
export function frameName(program: Program, id: LocationId): string {
  const of = program.locations.function[id];
  const name = functionText(program, of);
  const kind = FUNCTION_KINDS[program.functions.kind[of]];
  return kind === 'pseudo' && name === EMPTY_FRAME ? '' : name + suffixOf(program, id);
}

function suffixOf({ functions, locations }: Program, id: LocationId): string {
  if (FUNCTION_KINDS[functions.kind[locations.function[id]]] === 'kernel') return '_[k]';
  return SUFFIX_OF[FRAME_MODES[locations.mode?.[id] ?? 0] ?? 'unknown'];
}

/** The frame of a place: the bytes that `FrameReader.location` makes it from. */
export function writeFrame(program: Program, id: LocationId): Uint8Array {
  const { functions, locations, names } = program;
  const of = locations.function[id];
  const kind = FUNCTION_KINDS[functions.kind[of]];
  const name = functionText(program, of);
  if (kind === 'pseudo' && name === EMPTY_FRAME) return new Uint8Array(0);
  const line = locations.line?.[id] ?? NO_LINE;
  const file = functions.file?.[of] ?? NONE;
  const beside = file >= 0 && kind !== 'java';
  const place = line <= 0 ? '' : beside ? ` (${stringAt(names, file)}:${line})` : `:${line}`;
  const rest = place + suffixOf(program, id);
  // Names are written as the bytes read, even if those are not UTF-8.
  if (kind === 'native' || kind === 'kernel') {
    const raw = names.bytes.subarray(names.offsets[functions.name[of]], names.offsets[functions.name[of] + 1]);
    const tail = encodeUtf8(rest);
    const joined = new Uint8Array(raw.length + tail.length);
    joined.set(raw);
    joined.set(tail, raw.length);
    return joined;
  }
  return encodeUtf8(name + rest);
}
