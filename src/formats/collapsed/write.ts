/**
 * Writes collapsed stacks (docs/formats/collapsed.md): one line for each stack of each thread, in order of first
 * occurrence. Cost: one pass over the rows, 24 bytes per distinct stack; a chunk of about 1 MiB.
 */
import { ByteBuilder, doubled } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { Phrase } from '../../base/phrase.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { THREADS } from '../../models/profile/tables.js';
import { FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { WriteOptions, Written } from '../capabilities/writer.js';
import { functionText, NO_STACK, writeFrame } from '../shared/frame-text.js';
import { bytesAlongStacks, decimalText, notHeld, type WrittenValues, writtenValues } from '../shared/written-values.js';
import { isComment, isDifferential, ONE_COUNT } from './line.js';
import { DECIDED_WITHIN } from './read.js';
import { BASE_METRIC, COLLAPSED_SAMPLES, SAMPLES_METRIC } from './vocabulary.js';

const CHUNK = 1 << 20;
const SEMICOLON = 0x3b;
const COLON = 0x3a;
const LINE_FEED = 10;
const BLANK = 0x20;
/** A number of usual length and its line feed; the space before it replaces the semicolon that the last frame lacks. */
const NUMBER_BYTES = 4;

/**
 * Writes the values of one metric. A recording that was read from a differential file keeps both numbers, unless a
 * metric is named. Throws `UsageError` if there are no stacks with values.
 */
export function writeCollapsed(recording: Recording, options: WriteOptions = {}): Written {
  const values = writtenValues(recording, options.metric);
  const base = options.metric === undefined ? baseValues(recording, values) : undefined;
  const dropped: Phrase[] = [];
  return {
    dropped,
    estimate: () => new LineWriter(recording, values, base).estimate(),
    chunks: {
      *[Symbol.iterator]() {
        const writer = new LineWriter(recording, values, base);
        let written = 0;
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          written += chunk.length;
          options.work?.progress?.({ phase: 'writing', done: written, total: undefined, unit: 'bytes' });
          yield chunk;
        }
        dropped.splice(0, dropped.length, ...lost(recording, values, base !== undefined), ...writer.replaced());
      },
    },
  };
}

function baseValues(recording: Recording, { metric, table }: WrittenValues): ((row: number) => number) | undefined {
  const paired = recording.format === 'collapsed' && metric.id === SAMPLES_METRIC.id;
  const before = paired ? COLLAPSED_SAMPLES.rows(table).base : undefined;
  return before && ((row) => before[row]);
}

function lost(recording: Recording, values: WrittenValues, paired: boolean): Phrase[] {
  const { threads } = values.profile;
  const named = threads === undefined || THREADS.rows(threads).tid !== undefined;
  const lines = notHeld(recording, values, {
    threads: named,
    times: false,
    units: ['count', 'samples', 'none'],
    beside: paired ? [BASE_METRIC.id] : [],
  });
  const files = recording.program.functions.file;
  const java = FUNCTION_KINDS.indexOf('java');
  const ofClasses = recording.program.functions.kind.some((kind, id) => kind === java && (files?.[id] ?? -1) >= 0);
  if (ofClasses) lines.push('source files of Java methods');
  const { residue } = recording;
  const comments = recording.format === 'collapsed' && isResidue(residue) ? residue.comments : 0;
  if (comments > 0) lines.push(plural(comments, 'comment'));
  return lines;
}

function isResidue(residue: unknown): residue is { comments: number } {
  return (
    typeof residue === 'object' && residue !== null && 'comments' in residue && typeof residue.comments === 'number'
  );
}

class LineWriter {
  readonly #program: Program;
  readonly #values: WrittenValues;
  readonly #base: ((row: number) => number) | undefined;
  readonly #out = new ByteBuilder(CHUNK + (1 << 16));
  /** Frames as they are written, by location. */
  readonly #frames: (Uint8Array | undefined)[] = [];
  readonly #threads: (Uint8Array | undefined)[] = [];
  #path = new Int32Array(64);
  #changedFrames = 0;
  #changedLines = 0;

  constructor(recording: Recording, values: WrittenValues, base: ((row: number) => number) | undefined) {
    this.#program = recording.program;
    this.#values = values;
    this.#base = base;
    this.#threads = threadFrames(recording, values);
  }

  /** Bytes of the lines: their frames, each with a separator, and a few for each number. */
  estimate(): number {
    const { rows, stack } = this.#values;
    const frames = bytesAlongStacks(this.#values, (location) => this.#frame(location).length + 1);
    const groups = new IntTable();
    let sum = 0;
    for (const row of rows) {
      const thread = this.#threadOf(row);
      const lines = groups.length;
      if (groups.add(stack[row], thread) < lines) continue;
      const named = thread < 0 ? undefined : this.#threads[thread];
      sum += (named === undefined ? 0 : named.length + 1) + frames[stack[row]] + NUMBER_BYTES;
    }
    return sum;
  }

  /** The thread that the line of a row names, -1 for none. */
  #threadOf(row: number): number {
    const { thread } = this.#values;
    return thread === undefined || this.#threads[thread[row]] === undefined ? -1 : thread[row];
  }

  *chunks(): Generator<Uint8Array> {
    const { rows, stack, value } = this.#values;
    const groups = new IntTable();
    const after = new Float64Array(rows.length);
    const before = new Float64Array(this.#base === undefined ? 0 : rows.length);
    for (const row of rows) {
      const group = groups.add(stack[row], this.#threadOf(row));
      after[group] += value(row);
      if (this.#base !== undefined) before[group] += this.#base(row);
    }
    const stacks = groups.column(0);
    const threads = groups.column(1);
    let first = true;
    for (let group = 0; group < groups.length; group++) {
      this.#line(stacks[group], threads[group]);
      if (this.#base !== undefined) this.#number(before[group]);
      this.#number(after[group]);
      this.#out.push(LINE_FEED);
      if (this.#out.length < CHUNK) continue;
      yield* this.#take(first);
      first = false;
    }
    if (this.#out.length > 0) yield* this.#take(first);
  }

  /** Notes on characters replaced in names. */
  replaced(): string[] {
    const frames = this.#changedFrames;
    const lines = this.#changedLines;
    return [
      ...(frames === 0 ? [] : [`semicolons and line feeds in ${plural(frames, 'name')}: written as colons and spaces`]),
      ...(lines === 0
        ? []
        : [`the start of ${plural(lines, 'stack')} that would read as a comment: a space is put before it`]),
    ];
  }

  /**
   * The first chunk gets a comment if its start could be misread: as a byte order mark, or names that end in numbers.
   */
  *#take(first: boolean): Generator<Uint8Array> {
    const chunk = this.#out.finish();
    this.#out.length = 0;
    if (first) {
      const marked = chunk[0] >= 0xef;
      const mistaken = isDifferential(chunk.subarray(0, DECIDED_WITHIN), chunk.length < DECIDED_WITHIN);
      if (this.#base === undefined && (mistaken || marked)) yield encodeUtf8(`${ONE_COUNT}\n`);
      else if (marked) yield encodeUtf8('# two counts a line\n');
    }
    yield chunk;
  }

  #line(stack: number, thread: number): void {
    const { parent, location } = this.#values.profile.stacks;
    const out = this.#out;
    const start = out.length;
    const named = thread < 0 ? undefined : this.#threads[thread];
    if (named !== undefined) out.append(named, 0, named.length);
    let depth = 0;
    for (let id = stack; id >= 0; id = parent[id]) {
      if (depth === this.#path.length) this.#path = doubled(this.#path);
      this.#path[depth++] = location[id];
    }
    if (named !== undefined && depth === 1 && this.#isNoStack(this.#path[0])) return;
    for (let i = depth - 1; i >= 0; i--) {
      if (out.length > start || i < depth - 1) out.push(SEMICOLON);
      const frame = this.#frame(this.#path[i]);
      if (out.length === start && isComment(frame, 0, frame.length)) {
        out.push(BLANK);
        this.#changedLines++;
      }
      out.append(frame, 0, frame.length);
    }
  }

  #number(value: number): void {
    this.#out.push(BLANK);
    const text = decimalText(value);
    for (let i = 0; i < text.length; i++) this.#out.push(text.charCodeAt(i));
  }

  #isNoStack(location: number): boolean {
    const of = this.#program.locations.function[location];
    const pseudo = FUNCTION_KINDS[this.#program.functions.kind[of]] === 'pseudo';
    return pseudo && functionText(this.#program, of) === NO_STACK;
  }

  #frame(location: number): Uint8Array {
    const known = this.#frames[location];
    if (known !== undefined) return known;
    const frame = writeFrame(this.#program, location);
    if (frame.includes(SEMICOLON) || frame.includes(LINE_FEED)) this.#changedFrames++;
    const clean = plainFrame(frame);
    this.#frames[location] = clean;
    return clean;
  }
}

/** Without the characters that end frames and lines. */
function plainFrame(frame: Uint8Array): Uint8Array {
  return frame.map((byte) => (byte === SEMICOLON ? COLON : byte === LINE_FEED ? BLANK : byte));
}

/** The frames of threads with a number, as async-profiler writes them; undefined for others. */
function threadFrames(recording: Recording, values: WrittenValues): (Uint8Array | undefined)[] {
  const { threads } = values.profile;
  if (threads === undefined) return [];
  const { name: names, tid } = THREADS.rows(threads);
  if (tid === undefined) return [];
  return Array.from(names, (id, row) => {
    if (tid[row] < 0) return undefined;
    const number = `tid=${tid[row]}`;
    const name = id < 0 ? number : stringAt(recording.program.names, id);
    return plainFrame(encodeUtf8(name === number ? `[${number}]` : `[${name} ${number}]`));
  });
}
