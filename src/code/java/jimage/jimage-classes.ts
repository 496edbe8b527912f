/**
 * The classes of a jimage as an entry of a class path, with the modules of the image.
 *
 * Cost: a name and 20 bytes of columns per class; class files are read in windows, compressed ones are expanded one by
 * one.
 */
import type { Problem, Problems } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { formatBytes } from '../../../base/units.js';
import type { RandomSource } from '../../../bytes/byte-source.js';
import { readPieces } from '../../../bytes/pieces.js';
import { type ClassContainer, LARGEST_CLASS, MODULE_INFO, type RowVisitor } from '../class-path/class-container.js';
import { JImage } from './jimage.js';
import { type Inflate, JImageUnpacker } from './jimage-unpack.js';

/** Pseudo modules of an image, besides the unnamed one: the tree of the run-time file system. */
const PSEUDO_MODULES = ['modules', 'packages'];

/** Lists the classes of an image. Throws `FormatError` if its index is missing or damaged. */
export async function jimageClasses(source: RandomSource, inflate: Inflate): Promise<ClassContainer> {
  return new ImageClasses(await JImage.open(source), inflate);
}

class ImageClasses implements ClassContainer {
  readonly name: string;
  readonly problems: Problems;
  readonly names: string[] = [];
  readonly moduleInfos: number[] = [];
  readonly #image: JImage;
  readonly #unpacker: JImageUnpacker;
  /** The image's row of each class. */
  readonly #rows: Int32Array;

  constructor(image: JImage, inflate: Inflate) {
    this.name = image.source.name;
    this.problems = image.problems;
    this.#image = image;
    this.#unpacker = new JImageUnpacker(image, inflate);
    const { length, module, parent, base, extension } = image.resources;
    const isClass = memoized((offset) => image.string(offset) === 'class');
    const isReal = memoized((offset) => offset !== 0 && !PSEUDO_MODULES.includes(image.string(offset)));
    const packageOf = memoized((offset) => (offset === 0 ? '' : `${image.string(offset).replaceAll('/', '.')}.`));
    const rows = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      if (!isClass(extension[row]) || !isReal(module[row])) continue;
      const simple = image.string(base[row]);
      rows[this.names.length] = row;
      if (simple === MODULE_INFO && parent[row] === 0) {
        this.moduleInfos.push(this.names.length);
        this.names.push(this.origin(this.names.length, row));
      } else this.names.push(packageOf(parent[row]) + simple);
    }
    this.#rows = rows.slice(0, this.names.length);
  }

  origin(row: number, imageRow: number = this.#rows[row]): string {
    return `${this.name}!${this.#image.path(imageRow)}`;
  }

  module(row: number): string {
    return this.#image.string(this.#image.resources.module[this.#rows[row]]);
  }

  async load(rows: Int32Array, visit: RowVisitor, problem: (problem: Problem) => void, work: Work): Promise<void> {
    const { start, stored, size, compressed } = this.#image.resources;
    const imageRow = (row: number): number => this.#rows[row];
    const fail = (row: number, message: string): void =>
      problem({
        code: 'jimage-content',
        severity: 'error',
        message: `${this.origin(row)}: ${message}; skipped`,
        offset: start[imageRow(row)],
      });
    const small = rows.filter((row) => {
      const isSmall = Math.max(stored[imageRow(row)], size[imageRow(row)]) <= LARGEST_CLASS;
      if (!isSmall) fail(row, `class is larger than the limit of ${formatBytes(LARGEST_CLASS)}`);
      return isSmall;
    });
    const pieces = {
      starts: Float64Array.from(small, (row) => start[imageRow(row)]),
      lengths: Float64Array.from(small, (row) => stored[imageRow(row)]),
    };
    await readPieces(
      this.#image.source,
      pieces,
      (piece, bytes) => {
        const row = small[piece];
        const content =
          bytes.length < pieces.lengths[piece]
            ? `truncated: the last ${pieces.lengths[piece] - bytes.length} bytes of its content are missing`
            : compressed[imageRow(row)] === 0
              ? bytes
              : this.#unpacker.unpack(bytes, size[imageRow(row)]);
        if (typeof content === 'string') fail(row, content);
        else visit(row, content);
      },
      work,
    );
  }

  async close(): Promise<void> {
    await this.#image.source.close?.();
  }
}

/** Caches a function of string offsets, since few offsets occur many times. */
function memoized<T>(make: (offset: number) => T): (offset: number) => T {
  const known = new Map<number, T>();
  return (offset) => {
    const value = known.get(offset);
    if (value !== undefined) return value;
    const made = make(offset);
    known.set(offset, made);
    return made;
  };
}
