/**
 * The constants of a chunk as rows of the recording: classes, methods, threads, stacks, texts. Each is looked up once, when an
 * event first refers to it.
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import { lookUp } from '../../../base/columns/packed-block.js';
import { dictionary } from '../../../base/dictionary.js';
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, type StringId } from '../../../base/text.js';
import type { StackId } from '../../../models/profile/profile.js';
import { rootOf } from '../../../models/profile/stack-builder.js';
import type { ClassId, FrameMode, FunctionId, LocationId } from '../../../models/program/program.js';
import { NO_LINE, UNKNOWN_BCI } from '../../../models/program/program.js';
import type { ChunkColumn, ChunkRows, ChunkTable } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import { className } from './class-names.js';
import { Constants, type ConstantValues, UNKNOWN, withRoom } from './constant-rows.js';
import { Frames } from './frames.js';
import { OLD_OBJECT, OldObjects } from './old-objects.js';
import type { RecordingTables } from './recording-tables.js';

/** Types of constants that the models have tables for. */
export const STACK_TRACE = 'jdk.types.StackTrace';
export const METHOD = 'jdk.types.Method';
export const CLASS = 'java.lang.Class';
export const THREAD = 'java.lang.Thread';
const SYMBOL = 'jdk.types.Symbol';
const FRAME_TYPE = 'jdk.types.FrameType';
const THREAD_GROUP = 'jdk.types.ThreadGroup';

/** How the code of a frame ran, by the words of the recorders. */
const MODES = dictionary<FrameMode>({
  Interpreted: 'interpreted',
  'JIT compiled': 'jit',
  Inlined: 'inlined',
  'C1 compiled': 'c1',
});
/** Frames of native code, as async-profiler records them. */
const NATIVE_TYPES = new Set(['Native', 'C++', 'Kernel']);
const DESCRIPTOR = /^\((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*\)\[*(?:[BCDFIJSZV]|L[^;]+;)$/;

/** What is read of constants that become rows of the recording. */
const FIELDS = dictionary<readonly string[]>({
  [STACK_TRACE]: ['truncated', 'frames'],
  [METHOD]: ['type', 'name', 'descriptor'],
  [CLASS]: ['name'],
  [THREAD]: ['javaName', 'osName', 'javaThreadId', 'osThreadId', 'virtual', 'group'],
});

/** The fields of constants of a type that this room reads; undefined for all. */
export function fieldsOfConstants(type: string): readonly string[] | undefined {
  return FIELDS[type];
}

interface Traces {
  readonly truncated: ConstantValues;
  readonly frames: Frames | undefined;
}

/** The trace that became a stack last, and its stacks from the outermost frame on: the next one mostly shares some. */
interface LastStack {
  row: number;
  root: StackId;
  readonly stacks: StackId[];
}

export class ChunkConstantsReader {
  #data: ChunkData;
  readonly #tables: RecordingTables;
  readonly #byName = new Map<string, ChunkRows>();
  /** By name of the type. */
  readonly #constants = new Map<string, Constants>();
  /** By id of a string of the chunk. */
  #names: Int32Array;
  #symbols: ConstantValues;
  readonly #classes: Constants;
  readonly #methods: Constants;
  #native: Int32Array;
  readonly #threads: Constants;
  /** Functions that async-profiler puts in place of those that it records. */
  readonly #hooks = new Set<FunctionId>();
  readonly #stacks: Constants;
  #objects: OldObjects;
  #frames: Frames | undefined;
  #traces: Traces | undefined;
  readonly #last: LastStack = { row: 0, root: 0, stacks: [] };
  readonly #frameTypes: string[] = [];
  /** Labels of enumerations: by type, by row. */
  readonly #labels = new Map<number, Int32Builder>();

  constructor(data: ChunkData, tables: RecordingTables) {
    this.#data = data;
    this.#tables = tables;
    for (const constants of data.constants.values()) this.#byName.set(constants.type.name, constants);
    this.#names = new Int32Array(data.texts.offsets.length).fill(UNKNOWN);
    this.#classes = this.#of(CLASS);
    this.#methods = this.#of(METHOD);
    this.#native = new Int32Array(this.#methods.length).fill(UNKNOWN);
    this.#threads = this.#of(THREAD);
    this.#stacks = this.#of(STACK_TRACE);
    this.#symbols = this.#of(SYMBOL).strings('string');
    this.#objects = new OldObjects((name) => this.#of(name), this, tables.references);
    this.#addFrameTypes();
  }

  /** Goes on with the next part of the chunk, which has the same constants and strings, and maybe more. */
  next(data: ChunkData): void {
    const isSame = data.constants === this.#data.constants;
    this.#data = data;
    this.#names = withRoom(this.#names, data.texts.offsets.length);
    if (isSame) return;
    for (const constants of data.constants.values()) this.#byName.set(constants.type.name, constants);
    for (const [name, constants] of this.#constants) constants.next(this.#byName.get(name)?.table, data.constants);
    this.#symbols = this.#of(SYMBOL).strings('string');
    this.#native = withRoom(this.#native, this.#methods.length);
    this.#traces = undefined;
    this.#objects = new OldObjects((name) => this.#of(name), this, this.#tables.references);
    this.#addFrameTypes();
  }

  #of(name: string): Constants {
    const constants = this.#constants.get(name) ?? new Constants(this.#byName.get(name)?.table, this.#data.constants);
    this.#constants.set(name, constants);
    return constants;
  }

  #addFrameTypes(): void {
    const words = this.#of(FRAME_TYPE).strings('description');
    for (let row = this.#frameTypes.length; row < words.length; row++) this.#frameTypes.push(this.text(words[row]));
  }

  /** The text of a string of the chunk; empty for none. */
  text(id: number): string {
    const { bytes, offsets } = this.#data.texts;
    return id < 0 ? '' : decodeUtf8(bytes, offsets[id], offsets[id + 1]);
  }

  /** A string of the chunk as a name of the recording. */
  name(id: number): StringId {
    if (!(id >= 0)) return NONE;
    const known = this.#names[id];
    if (known !== UNKNOWN) return known;
    const { bytes, offsets } = this.#data.texts;
    this.#names[id] = this.#tables.program.names.add(bytes, offsets[id], offsets[id + 1]);
    return this.#names[id];
  }

  /** Writes the rows of the recording for rows of a pool; -1 where there is none. */
  write(type: string, pool: number, rows: ConstantValues, target: Int32Array): void {
    switch (type) {
      case STACK_TRACE:
        writeRows(this.#stacks.known, rows, target, (row) => this.stack(row));
        break;
      case METHOD:
        writeRows(this.#methods.known, rows, target, (row) => this.method(row));
        break;
      case CLASS:
        writeRows(this.#classes.known, rows, target, (row) => this.class(row));
        break;
      case THREAD:
        writeRows(this.#threads.known, rows, target, (row) => this.thread(row));
        break;
      case OLD_OBJECT:
        for (let i = 0; i < rows.length; i++) target[i] = this.#objects.row(rows[i]);
        break;
      default:
        writeRows(this.#labelsIn(pool), rows, target, () => NONE);
    }
  }

  class(row: number): ClassId {
    if (row < 0 || row >= this.#classes.length) return NONE;
    const { known } = this.#classes;
    if (known[row] === UNKNOWN) {
      const { program } = this.#tables;
      known[row] = program.class(program.name(className(this.#symbol(this.#classes.rows('name', SYMBOL)[row]))));
    }
    return known[row];
  }

  method(row: number): FunctionId {
    if (row < 0 || row >= this.#methods.length) return NONE;
    const { known } = this.#methods;
    if (known[row] === UNKNOWN) {
      const { program } = this.#tables;
      const methods = this.#methods;
      const declaring = this.class(methods.rows('type', CLASS)[row] ?? NONE);
      const name = this.name(this.#symbols[methods.rows('name', SYMBOL)[row]] ?? NONE);
      const descriptor = this.name(this.#symbols[methods.rows('descriptor', SYMBOL)[row]] ?? NONE);
      known[row] = program.function(declaring, name < 0 ? program.name('<unknown>') : name, NONE, descriptor);
    }
    return known[row];
  }

  thread(row: number): number {
    if (row < 0 || row >= this.#threads.length) return NONE;
    const { known } = this.#threads;
    if (known[row] === UNKNOWN) {
      const threads = this.#threads;
      const java = this.name(threads.strings('javaName')[row] ?? NONE);
      const group = threads.rows('group', THREAD_GROUP)[row] ?? NONE;
      known[row] = this.#tables.threads.add({
        name: java >= 0 ? java : this.name(threads.strings('osName')[row] ?? NONE),
        number: threads.numbers('javaThreadId')[row] ?? NONE,
        native: threads.numbers('osThreadId')[row] ?? NONE,
        virtual: threads.numbers('virtual')[row] ?? NONE,
        group: this.label(this.#byName.get(THREAD_GROUP)?.type.id ?? NONE, group),
      });
    }
    return known[row];
  }

  /** The stack of a function of the recording alone; -1 of none. */
  stackOfMethod(id: FunctionId): StackId {
    const { program, stacks } = this.#tables;
    return id < 0 ? NONE : stacks.add(rootOf('partial'), program.location(id, NO_LINE));
  }

  /** The stack of a trace; -1 if it is unknown or empty. */
  stack(row: number): StackId {
    if (row < 0 || row >= this.#stacks.length) return NONE;
    const { known } = this.#stacks;
    if (known[row] === UNKNOWN) known[row] = this.#stackOf(row);
    return known[row];
  }

  #stackOf(row: number): StackId {
    const { stacks } = this.#tables;
    this.#traces ??= this.#tracesOf();
    const { truncated, frames } = this.#traces;
    if (frames === undefined) return NONE;
    const root = rootOf(truncated[row] === 1 ? 'cut' : 'whole');
    const last = this.#last;
    let depth = root === last.root ? frames.shared(row, last.row) : 0;
    let stack = depth === 0 ? root : last.stacks[depth - 1];
    // The innermost frame is the first.
    const first = frames.first[row];
    for (let at = first + frames.count[row] - 1 - depth; at >= first; at--) {
      stack = stacks.add(stack, frames.location(at));
      last.stacks[depth++] = stack;
    }
    last.row = row;
    last.root = root;
    return Math.max(stack, NONE);
  }

  #tracesOf(): Traces {
    const truncated = this.#stacks.numbers('truncated');
    const frames = this.#stacks.array('frames');
    if (frames === undefined) return { truncated, frames };
    const of = new Constants(frames.elements, this.#data.constants);
    const columns = {
      method: of.rows('method', METHOD),
      line: of.numbers('lineNumber'),
      bci: of.numbers('bytecodeIndex'),
      type: of.rows('type', FRAME_TYPE),
    };
    this.#frames ??= new Frames(frames, columns, (...frame) => this.#location(...frame));
    this.#frames.next(frames, columns);
    return { truncated, frames: this.#frames };
  }

  #location(method: number, line: number, bci: number, type: number): LocationId {
    const { program } = this.#tables;
    const word = this.#frameTypes[type] ?? '';
    const native = NATIVE_TYPES.has(word) ? this.#nativeOf(method, word) : NONE;
    if (native >= 0) {
      const location = program.location(native, line > 0 ? line : NO_LINE);
      if (this.#hooks.has(native)) this.#tables.hooks.add(location);
      return location;
    }
    const of = method < 0 ? program.pseudo('<unknown>') : this.method(method);
    return program.location(of, line > 0 ? line : NO_LINE, bci >= 0 ? bci : UNKNOWN_BCI, MODES[word] ?? 'unknown');
  }

  /** The function of a frame of native code; -1 for native methods of Java, whose descriptor is one. */
  #nativeOf(method: number, word: string): FunctionId {
    if (method < 0 || method >= this.#methods.length) return NONE;
    const known = this.#native[method];
    if (known !== UNKNOWN) return known;
    const methods = this.#methods;
    if (DESCRIPTOR.test(this.#symbol(methods.rows('descriptor', SYMBOL)[method]))) this.#native[method] = NONE;
    else {
      const { program } = this.#tables;
      const name = this.name(this.#symbols[methods.rows('name', SYMBOL)[method]] ?? NONE);
      const library = this.#symbol(this.#classes.rows('name', SYMBOL)[methods.rows('type', CLASS)[method]]);
      const unit = library === '' ? NONE : program.unit(NONE, program.loadObject(program.name(library), 'library'));
      this.#native[method] = program.native(name < 0 ? program.name('<unknown>') : name, {
        unit,
        kernel: word === 'Kernel',
      });
      if (HOOK.test(`${library} ${this.#symbol(methods.rows('name', SYMBOL)[method])}`))
        this.#hooks.add(this.#native[method]);
    }
    return this.#native[method];
  }

  #symbol(row: number | undefined): string {
    return row === undefined || row < 0 ? '' : this.text(this.#symbols[row] ?? NONE);
  }

  /** The text of a constant with one, such as a cause or a state; for others that of their field `name`; -1 if there is none. */
  label(type: number, row: number): StringId {
    const labels = this.#labelsIn(type);
    return row < 0 || row >= labels.length ? NONE : labels[row];
  }

  /** The labels of all constants of a type. */
  #labelsIn(type: number): Int32Array {
    const constants = this.#data.constants.get(type);
    const labels = this.#labels.get(type) ?? new Int32Builder(constants?.table.length ?? 0);
    this.#labels.set(type, labels);
    if (constants !== undefined && labels.length < constants.table.length) this.#addLabels(constants.table, labels);
    return labels.finish();
  }

  /** Adds the labels of constants that have none yet. */
  #addLabels({ columns, length }: ChunkTable, labels: Int32Builder): void {
    const column = labelColumn(columns);
    labels.reserve(length - labels.length);
    if (column === undefined) {
      while (labels.length < length) labels.push(NONE);
      return;
    }
    const { values, holds, pool } = column;
    const isSymbol = holds === 'constant' && this.#data.constants.get(pool)?.type.name === SYMBOL;
    for (let row = labels.length; row < length; row++)
      labels.push(this.name(isSymbol ? (this.#symbols[values[row]] ?? NONE) : holds === 'string' ? values[row] : NONE));
  }
}

/** Library and function: `malloc_hook`, `pthread_mutex_lock_hook`. */
const HOOK = /async-?profiler\S* \w+_hook$/i;

function writeRows(known: Int32Array, rows: ConstantValues, target: Int32Array, find: (row: number) => number): void {
  lookUp(rows instanceof Int32Array ? rows : Int32Array.from(rows), known, find, target);
}

/** The column that names a constant: its only one, or `name`. */
export function labelColumn(columns: readonly ChunkColumn[]): ChunkColumn | undefined {
  return columns.length === 1 ? columns[0] : columns.find(({ key }) => key === 'name');
}
