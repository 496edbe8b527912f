/** Frames of a profile as places of a program, and its stacks; each table of them is converted once, whoever shares it. */
import { NONE } from '../../base/flavor.js';
import { rootOf, type StackBuilder } from '../../models/profile/stack-builder.js';
import { fileName } from '../../models/program/names.js';
import { type FunctionId, type LocationId, NO_LINE } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { callFrameName, scriptStart } from '../shared/scripts/call-frames.js';
import type { FirefoxTableName, FirefoxTables } from './tables.js';

/** The kind of resources that are libraries. */
const LIBRARY = 1;

/** A table's own, or the shared one. */
export function tablesWith(table: FirefoxTableName, thread: FirefoxTables, shared: FirefoxTables): FirefoxTables {
  return thread.has(table) ? thread : shared;
}

export class FirefoxPlaces {
  /** Stacks, frames and functions that name rows that there are not. */
  dangling = 0;
  readonly #program: ProgramBuilder;
  readonly #stacks: StackBuilder;
  readonly #shared: FirefoxTables;
  readonly #kernelCategories: ReadonlySet<number>;
  readonly #ofTables = new Map<FirefoxTables, Int32Array>();

  constructor(program: ProgramBuilder, stacks: StackBuilder, shared: FirefoxTables, categories: readonly string[]) {
    this.#program = program;
    this.#stacks = stacks;
    this.#shared = shared;
    this.#kernelCategories = new Set([...categories.keys()].filter((i) => categories[i] === 'Kernel'));
  }

  /** By row of the thread's table of stacks. */
  stacksOf(thread: FirefoxTables): Int32Array {
    const tables = tablesWith('stackTable', thread, this.#shared);
    const before = this.#ofTables.get(tables);
    if (before !== undefined) return before;
    const places = this.#framesOf(thread);
    const frame = tables.cells('stackTable', 'frame');
    const prefix = tables.cells('stackTable', 'prefix');
    const offset = tables.cells('stackTable', 'prefixOffset');
    const stacks = new Int32Array(frame.length).fill(NONE);
    for (let row = 0; row < frame.length; row++) {
      const above = offset.length > 0 ? (offset[row] === 0 ? NONE : row - offset[row]) : knownRow(prefix[row]);
      const place = places[frame[row]];
      if (place === undefined || !(above < row) || (above >= 0 && !(stacks[above] >= 0)) || above < NONE)
        this.dangling++;
      else stacks[row] = this.#stacks.add(above < 0 ? rootOf('whole') : stacks[above], place);
    }
    this.#ofTables.set(tables, stacks);
    return stacks;
  }

  #framesOf(thread: FirefoxTables): LocationId[] {
    const tables = tablesWith('frameTable', thread, this.#shared);
    const functions = tablesWith('funcTable', thread, this.#shared);
    const strings = thread.hasStrings ? thread : this.#shared;
    const [func, line] = [tables.cells('frameTable', 'func'), tables.cells('frameTable', 'line')];
    const category = tables.cells('frameTable', 'category');
    const kinds = new Map<string, FunctionId>();
    return Array.from(func, (row, i) => {
      const isKernel = this.#kernelCategories.has(category[i]);
      const key = `${row} ${isKernel}`;
      const id = kinds.get(key) ?? this.#function(row, isKernel, { functions, strings, thread });
      kinds.set(key, id);
      const at = line[i] > 0 && line[i] < 2 ** 31 ? line[i] : functions.cells('funcTable', 'lineNumber')[row];
      return this.#program.location(id, at > 0 && at < 2 ** 31 ? Math.floor(at) : NO_LINE);
    });
  }

  #function(
    row: number,
    isKernel: boolean,
    { functions, strings, thread }: Readonly<Record<'functions' | 'strings' | 'thread', FirefoxTables>>,
  ): FunctionId {
    const column = (
      name: 'name' | 'isJS' | 'resource' | 'fileName' | 'source' | 'lineNumber' | 'columnNumber',
    ): number => functions.cells('funcTable', name)[row] ?? Number.NaN;
    const program = this.#program;
    if (!(column('name') >= 0)) this.dangling++;
    const name = strings.text(column('name'));
    const url = this.#file(column('fileName'), column('source'), strings, thread);
    const file = url === '' ? NONE : program.name(url);
    if (column('isJS') === 1) {
      const position = { line: column('lineNumber') - 1, column: column('columnNumber') - 1 };
      const isPlaced = position.line >= 0 && position.line < 2 ** 31;
      const line = isPlaced ? position.line : -1;
      return program.script(
        program.name(callFrameName({ name: name === '(anonymous)' ? '' : name, url, line })),
        file,
        scriptStart({ line, column: position.column >= 0 ? position.column : -1 }),
      );
    }
    if (/^\(.+\)$/.test(name) && url === '') return program.pseudo(name);
    return program.native(program.name(name), {
      file,
      unit: this.#unit(column('resource'), strings, thread),
      kernel: isKernel,
    });
  }

  #file(name: number, source: number, strings: FirefoxTables, thread: FirefoxTables): string {
    if (name >= 0) return strings.text(name);
    if (!(source >= 0)) return '';
    const sources = tablesWith('sources', thread, this.#shared);
    return strings.text(sources.cells('sources', 'filename')[source]);
  }

  #unit(resource: number, strings: FirefoxTables, thread: FirefoxTables): number {
    if (!(resource >= 0)) return NONE;
    const tables = tablesWith('resourceTable', thread, this.#shared);
    if (tables.cells('resourceTable', 'type')[resource] !== LIBRARY) return NONE;
    const library = strings.text(tables.cells('resourceTable', 'name')[resource]);
    if (library === '') return NONE;
    const kind = /\.(?:so|dylib|dll)\b/.test(fileName(library)) ? 'library' : 'executable';
    return this.#program.unit(NONE, this.#program.loadObject(this.#program.name(library), kind));
  }
}

/** NaN stands for none. */
function knownRow(row: number | undefined): number {
  return row === undefined || Number.isNaN(row) ? NONE : row;
}
