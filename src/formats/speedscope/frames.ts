/** The frames that the profiles of a speedscope file share: names, files, lines and columns as places of a program. */
import { Int32Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import { type LocationId, NO_LINE } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { FrameReader } from '../shared/frame-text.js';

export interface FrameKeys {
  name: string | undefined;
  file: string | undefined;
  line: number | undefined;
  col: number | undefined;
}

const NO_COLUMN = 0;

export class FrameTable {
  readonly #program: ProgramBuilder;
  readonly #reader: FrameReader;
  /** Place of each frame of the file. */
  readonly #locations = new Int32Builder();
  /** By location: the column, 0 if unknown. */
  readonly columns = new Int32Builder();
  /** Frames whose column differs from that of an earlier one at the same line. */
  otherColumns = 0;

  constructor(program: ProgramBuilder) {
    this.#program = program;
    this.#reader = new FrameReader(program);
  }

  get length(): number {
    return this.#locations.length;
  }

  /** Adds the next frame; one without a name keeps its number, so that later ones keep theirs. */
  add({ name, file, line, col }: FrameKeys): void {
    if (name === undefined) {
      this.#locations.push(this.#unnamed(this.length));
      return;
    }
    const source = file === undefined ? NONE : this.#program.name(file);
    const location = this.#reader.named(name, source, isPosition(line) ? line : NO_LINE);
    this.#locations.push(location);
    this.#setColumn(location, isPosition(col) ? col : NO_COLUMN);
  }

  /** The place of a frame; an undefined frame is `<frame 17>`. */
  location(frame: number): LocationId {
    return frame < this.length ? this.#locations.values[frame] : this.#unnamed(frame);
  }

  #unnamed(frame: number): LocationId {
    return this.#program.location(this.#program.pseudo(`<frame ${frame}>`));
  }

  #setColumn(location: LocationId, column: number): void {
    if (location < this.columns.length) {
      const known = this.columns.values[location];
      if (known !== column) this.otherColumns++;
      return;
    }
    while (this.columns.length < location) this.columns.push(NO_COLUMN);
    this.columns.push(column);
  }
}

/** Lines and columns count from 1; other numbers mean "unknown". */
function isPosition(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value > 0 && value < 2 ** 31;
}
