/**
 * Writes speedscope's own JSON (docs/formats/speedscope.md): a sampled profile for each thread, its rows in their
 * order. Cost: three passes over the rows of the metric; 8 bytes per row and 8 per location; a chunk of about 1 MiB.
 */
import { doubled } from '../../base/columns.js';
import { UsageError } from '../../base/errors.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { TIME } from '../../models/events/shared-fields.js';
import { THREADS } from '../../models/profile/tables.js';
import { NO_LINE } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { columnOf } from '../../models/table.js';
import type { WriteOptions, Written } from '../format.js';
import { frameName } from '../shared/frame-text.js';
import { CLOSE_LIST, OPEN_LIST } from '../shared/json-bytes.js';
import { fragment, JsonWriter } from '../shared/json-writer.js';
import { bytesAlongStacks, notHeld, type WrittenValues, writtenValues } from '../shared/written-values.js';
import type { SpeedscopeResidue } from './model.js';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';
const UNITS: Readonly<Record<string, string>> = { ns: 'nanoseconds', bytes: 'bytes' };
/** Times converted from seconds are only nearly multiples of a nanosecond. */
const LEAST_GAP = 1e-3;
const LONGEST_NAME = 200;
/** Of a frame as names are long, and of a sample without its frames. */
const FRAME_BYTES = 60;
const SAMPLE_BYTES = 6;

/** Writes the values of one metric. Throws `UsageError` if there are no stacks with values. */
export function writeSpeedscope(recording: Recording, options: WriteOptions = {}): Written {
  if (options.version !== undefined) throw new UsageError('speedscope files have no versions');
  const values = writtenValues(recording, options.metric);
  const dropped: string[] = [];
  return {
    dropped,
    estimate: () => new ProfileWriter(recording, values).estimate(),
    chunks: {
      *[Symbol.iterator]() {
        const writer = new ProfileWriter(recording, values);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          options.work?.progress?.({ phase: 'writing', done: writer.written, total: undefined, unit: 'bytes' });
          yield chunk;
        }
        dropped.splice(0, dropped.length, ...lost(recording, values), ...writer.replaced());
      },
    },
  };
}

function lost(recording: Recording, values: WrittenValues): string[] {
  const units = ['count', 'samples', 'none', ...Object.keys(UNITS)];
  const lines = notHeld(recording, values, { threads: true, times: isTimeline(recording, values), units });
  if (residueOf(recording)?.evented === true)
    lines.push('returns: when a function returns and is called again at once, one call is written');
  return lines;
}

function residueOf({ format, residue }: Recording): SpeedscopeResidue | undefined {
  return format === 'speedscope' && isResidue(residue) ? residue : undefined;
}

function isResidue(residue: unknown): residue is SpeedscopeResidue {
  return typeof residue === 'object' && residue !== null && 'columns' in residue && 'evented' in residue;
}

/** Whether a value is the duration from the time of its row; only then gaps between rows are idle time. */
function isTimeline(recording: Recording, { metric, table }: WrittenValues): boolean {
  return recording.format === 'speedscope' && metric.id === 'time' && columnOf(table, TIME) !== undefined;
}

class ProfileWriter {
  readonly #recording: Recording;
  readonly #values: WrittenValues;
  readonly #times: ArrayLike<number> | undefined;
  readonly #out = new JsonWriter();
  /** Number in the file of each used location, -1 for others. */
  readonly #frameOf: Int32Array;
  #path = new Int32Array(64);
  #illegible = 0;

  constructor(recording: Recording, values: WrittenValues) {
    this.#recording = recording;
    this.#values = values;
    this.#times = isTimeline(recording, values) ? columnOf(values.table, TIME) : undefined;
    this.#frameOf = new Int32Array(recording.program.locations.length).fill(-1);
  }

  get written(): number {
    return this.#out.written;
  }

  replaced(): string[] {
    return this.#illegible === 0
      ? []
      : [`invalid UTF-8 in ${plural(this.#illegible, 'name')}: written as replacement characters`];
  }

  /** Bytes of samples, each a list of frame numbers, with their weights. Frames are written once, whatever uses them. */
  estimate(): number {
    const used = this.#usedLocations();
    const frames = bytesAlongStacks(this.#values, (location) => String(this.#frameOf[location]).length + 1);
    let sum = used.length * FRAME_BYTES;
    for (const { rows } of profilesOf(this.#recording, this.#values))
      for (const { stack } of this.#samples(rows)) sum += SAMPLE_BYTES + (stack < 0 ? 0 : frames[stack]);
    return sum;
  }

  *chunks(): Generator<Uint8Array> {
    const out = this.#out;
    out.text(fragment(`{"$schema":"${SCHEMA}","shared":{"frames":`));
    yield* this.#frames();
    out.text(fragment('},"profiles":['));
    const profiles = profilesOf(this.#recording, this.#values);
    for (const [index, { name, rows }] of profiles.entries()) {
      if (index > 0) out.text(fragment(','));
      yield* this.#profile(name, rows);
    }
    out.text(fragment('],"name":'));
    this.#string(baseName(this.#recording.name));
    out.text(fragment(',"activeProfileIndex":0,"exporter":"kansoku"}\n'));
    yield out.take();
  }

  *#frames(): Generator<Uint8Array> {
    const { program } = this.#recording;
    const columns = residueOf(this.#recording)?.columns;
    const out = this.#out;
    out.open(OPEN_LIST);
    for (const location of this.#usedLocations()) {
      out.separate();
      out.text(fragment('{"name":'));
      const name = frameName(program, location);
      if (name.includes('\ufffd')) this.#illegible++;
      this.#string(name);
      const file = program.functions.file?.[program.locations.function[location]] ?? -1;
      if (file >= 0) {
        out.text(fragment(',"file":'));
        this.#string(stringAt(program.names, file));
      }
      const line = program.locations.line?.[location] ?? NO_LINE;
      if (line > 0) out.text(fragment(`,"line":${line}`));
      const col = columns?.[location] ?? 0;
      if (col > 0) out.text(fragment(`,"col":${col}`));
      out.text(fragment('}'));
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
  }

  /** The locations of the written stacks, in the order of their numbers. */
  #usedLocations(): number[] {
    const { stacks } = this.#values.profile;
    const seen = new Uint8Array(stacks.length);
    const used: number[] = [];
    for (const row of this.#values.rows) {
      for (let id = this.#values.stack[row]; id >= 0 && seen[id] === 0; id = stacks.parent[id]) {
        seen[id] = 1;
        const location = stacks.location[id];
        if (this.#frameOf[location] >= 0) continue;
        this.#frameOf[location] = used.length;
        used.push(location);
      }
    }
    return used;
  }

  *#profile(name: string, rows: Int32Array): Generator<Uint8Array> {
    const out = this.#out;
    const unit = UNITS[this.#values.metric.unit] ?? 'none';
    out.text(fragment('{"type":"sampled","name":'));
    this.#string(name);
    const start = this.#times === undefined || rows.length === 0 ? 0 : this.#times[rows[0]];
    out.text(fragment(`,"unit":"${unit}","startValue":`));
    out.number(start);
    out.text(fragment(',"samples":'));
    out.open(OPEN_LIST);
    for (const { stack } of this.#samples(rows)) {
      this.#sample(stack);
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
    out.text(fragment(',"weights":'));
    out.open(OPEN_LIST);
    let end = start;
    for (const { weight } of this.#samples(rows)) {
      out.separate();
      out.number(weight);
      end += weight;
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
    out.text(fragment(',"endValue":'));
    out.number(end);
    out.text(fragment('}'));
  }

  /** Stacks with their weights; consecutive rows of one stack are combined. -1: idle. */
  *#samples(rows: Int32Array): Generator<{ readonly stack: number; readonly weight: number }> {
    const { stack, value } = this.#values;
    let current = -1;
    let weight = 0;
    let held = false;
    let now = 0;
    for (const [index, row] of rows.entries()) {
      const gap = this.#times === undefined || index === 0 ? 0 : this.#times[row] - now;
      if (this.#times !== undefined) now = this.#times[row] + value(row);
      if (held && (stack[row] !== current || gap > LEAST_GAP)) {
        yield { stack: current, weight };
        held = false;
      }
      if (gap > LEAST_GAP) yield { stack: -1, weight: gap };
      weight = held ? weight + value(row) : value(row);
      current = stack[row];
      held = true;
    }
    if (held) yield { stack: current, weight };
  }

  #sample(stack: number): void {
    const { parent, location } = this.#values.profile.stacks;
    const out = this.#out;
    let depth = 0;
    for (let id = stack; id >= 0; id = parent[id]) {
      if (depth === this.#path.length) this.#path = doubled(this.#path);
      this.#path[depth++] = this.#frameOf[location[id]];
    }
    out.separate();
    out.open(OPEN_LIST);
    for (let i = depth - 1; i >= 0; i--) {
      out.separate();
      out.integer(this.#path[i]);
    }
    out.close(CLOSE_LIST);
  }

  #string(text: string): void {
    const bytes = encodeUtf8(text);
    this.#out.string(bytes, 0, bytes.length);
  }
}

interface PlannedProfile {
  readonly name: string;
  readonly rows: Int32Array;
}

/** One profile per thread, in the order of the threads; rows without a thread come last. */
function profilesOf(recording: Recording, values: WrittenValues): PlannedProfile[] {
  const { rows, thread, profile } = values;
  const { threads } = profile;
  const whole = [{ name: baseName(recording.name), rows: inTime(recording, values, rows) }];
  if (thread === undefined || threads === undefined) return whole;
  const counts = new Int32Array(threads.length + 1);
  const slot = (row: number): number => (thread[row] < 0 ? threads.length : thread[row]);
  for (const row of rows) counts[slot(row)]++;
  const lists = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (const row of rows) {
    const at = slot(row);
    lists[at][counts[at]++] = row;
  }
  const names = threadNames(recording, values);
  const planned = lists.map((list, at) => ({ name: names[at] ?? baseName(recording.name), list }));
  const used = planned.filter(({ list }) => list.length > 0);
  return used.length === 0 ? whole : used.map(({ name, list }) => ({ name, rows: inTime(recording, values, list) }));
}

/** Rows of a timeline by their times: profiles with the same name were read one after the other. */
function inTime(recording: Recording, values: WrittenValues, rows: Int32Array): Int32Array {
  const times = isTimeline(recording, values) ? columnOf(values.table, TIME) : undefined;
  if (times === undefined) return rows;
  return rows.sort((a, b) => times[a] - times[b] || a - b);
}

/** Unique names of profiles: threads with equal names get their numbers. */
function threadNames({ program }: Recording, { profile }: WrittenValues): string[] {
  const { threads } = profile;
  if (threads === undefined) return [];
  const { name: names, tid } = THREADS.rows(threads);
  const taken = new Map<string, number>();
  const plain = Array.from(names, (id) => (id < 0 ? '' : stringAt(program.names, id)));
  for (const name of plain) taken.set(name, (taken.get(name) ?? 0) + 1);
  return plain.map((name, row) =>
    (taken.get(name) ?? 0) > 1 ? `${name} ${tid === undefined ? `(${row + 1})` : `tid=${tid[row]}`}`.trimStart() : name,
  );
}

/** The name of an input without its folders. */
function baseName(name: string): string {
  return name.slice(name.search(/[^/\\]*$/)).slice(0, LONGEST_NAME);
}
