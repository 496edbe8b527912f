/**
 * Writes pprof profiles (docs/formats/pprof.md): all values of the table that the metric is of, labels, threads, places with their addresses.
 * Cost: a pass over the rows, and over the frames of each distinct stack.
 */
import { IntRuns } from '../../base/columns/hash.js';
import type { Phrase } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { plural, type Unit } from '../../base/units.js';
import { STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { type Metric, metricColumn } from '../../models/profile/profile.js';
import { threadLabel } from '../../models/profile/thread-label.js';
import type { Recording } from '../../models/recording.js';
import { type Column, columnOf, type Field } from '../../models/table.js';
import type { WriteOptions, Written } from '../capabilities/writer.js';
import { WireWriter } from '../shared/protobuf/writer.js';
import { notHeld, type WrittenValues, writtenValues } from '../shared/written-values.js';
import type { PprofResidue } from './model.js';
import { StringNumbers, WrittenPlaces } from './written-places.js';

const CHUNK = 1 << 20;
const UNITS: Partial<Record<Unit, string>> = { ns: 'nanoseconds', bytes: 'bytes', count: 'count', samples: 'count' };

/** Writes the values of one table of events. Throws `UsageError` if there are no stacks with values. */
export function writePprof(recording: Recording, options: WriteOptions = {}): Written {
  const values = writtenValues(recording, options.metric);
  const dropped: Phrase[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new ProfileWriter(recording, values);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          yield chunk;
        }
        dropped.push(...lost(recording, values, writer));
      },
    },
  };
}

function lost(recording: Recording, values: WrittenValues, writer: ProfileWriter): Phrase[] {
  const beside = writer.metrics.map(({ id }) => id);
  const units = [...Object.keys(UNITS), 'none'];
  const fields = writer.labels.map(({ field }) => field.key);
  const lines = notHeld(recording, values, { threads: true, times: false, beside, units, fields, places: true });
  if (writer.rounded > 0) lines.push(`fractions of ${plural(writer.rounded, 'value')}: the format has whole numbers`);
  if (writer.joined > 0)
    lines.push(`${plural(writer.joined, 'event')} with the stack and labels of another one: their values are added up`);
  return lines;
}

function residueOf({ format, residue }: Recording): PprofResidue | undefined {
  return format === 'pprof' && isResidue(residue) ? residue : undefined;
}

function isResidue(residue: unknown): residue is PprofResidue {
  return typeof residue === 'object' && residue !== null && 'periodType' in residue && 'labels' in residue;
}

interface WrittenLabel {
  readonly field: Field;
  readonly name: string;
  readonly unit: string;
  readonly column: Column;
}

class ProfileWriter {
  rounded = 0;
  joined = 0;
  readonly metrics: readonly Metric[];
  readonly labels: readonly WrittenLabel[];
  readonly #recording: Recording;
  readonly #values: WrittenValues;
  readonly #residue: PprofResidue | undefined;
  readonly #strings = new StringNumbers();
  readonly #places: WrittenPlaces;
  readonly #out = new WireWriter();
  readonly #message = new WireWriter();
  readonly #inner = new WireWriter();
  /** Threads as labels, where no label of the recording names them. */
  readonly #thread: Column | undefined;

  constructor(recording: Recording, values: WrittenValues) {
    const { profile, table, metric } = values;
    this.#recording = recording;
    this.#values = values;
    this.#residue = residueOf(recording);
    this.metrics = profile.metrics.filter((each) => each.table === metric.table);
    this.labels = this.#labelsOf();
    const isLabelled = this.labels.some(({ name }) => name.startsWith('thread'));
    this.#thread = isLabelled ? undefined : columnOf(table, THREAD);
    this.#places = new WrittenPlaces(recording.program, profile.stacks, this.#strings);
  }

  #labelsOf(): WrittenLabel[] {
    const { table } = this.#values;
    const used = new Set([STACK.key, THREAD.key, TIME.key, ...this.metrics.map(({ field }) => field)]);
    return table.fields.flatMap((field) => {
      const column = columnOf(table, field);
      const isLabel = field.extension === true && (field.holds === 'string' || field.holds === 'number');
      if (column === undefined || !isLabel || used.has(field.key) || field.names !== undefined) return [];
      const { name = field.key, unit = UNITS[field.unit] ?? '' } = this.#residue?.labels[field.key] ?? {};
      return [{ field, column, name, unit: unit === '' ? '' : (UNITS[field.unit] ?? unit) }];
    });
  }

  *chunks(): Generator<Uint8Array> {
    const out = this.#out;
    for (const [index, metric] of this.metrics.entries()) this.#valueType(1, ...this.#typeOf(metric, index));
    yield* this.#samples();
    this.#places.write(out, this.#message, this.#inner);
    const { clock } = this.#recording;
    const residue = this.#residue;
    const ends = this.#ends();
    for (const text of this.#strings.texts) {
      out.text(6, text);
      if (out.length > CHUNK) yield out.take();
    }
    out.number(7, ends.drop);
    out.number(8, ends.keep);
    if (clock !== undefined) {
      out.number(9, Math.round(clock.start * 1e6));
      out.number(10, Math.round(clock.length));
    }
    if (ends.period !== undefined) {
      this.#message.number(1, ends.period.type);
      this.#message.number(2, ends.period.unit);
      out.message(11, this.#message);
      out.number(12, ends.period.value);
    }
    out.packed(13, ends.comments);
    out.number(14, ends.usual);
    out.number(15, residue === undefined ? 0 : ends.docUrl);
    yield out.take();
  }

  /** What stands behind the strings: its texts must be among them. */
  #ends() {
    const residue = this.#residue;
    const strings = this.#strings;
    const { metric } = this.#values;
    const type = residue?.periodType;
    const { period } = metric;
    const ownPeriod =
      period === undefined
        ? undefined
        : { type: strings.of('cpu'), unit: strings.of('nanoseconds'), value: Math.round(period.value) };
    const index = this.metrics.indexOf(metric);
    return {
      drop: strings.of(residue?.dropFrames ?? ''),
      keep: strings.of(residue?.keepFrames ?? ''),
      period:
        type === undefined
          ? ownPeriod
          : { type: strings.of(type.type), unit: strings.of(type.unit), value: residue?.period ?? 0 },
      comments: (residue?.comments ?? []).map((comment) => strings.of(comment)),
      docUrl: strings.of(residue?.docUrl ?? ''),
      usual: strings.of(residue === undefined ? this.#typeOf(metric, index)[0] : residue.defaultType),
    };
  }

  #typeOf({ id, unit }: Metric, index: number): [type: string, unit: string] {
    const type = this.#residue?.types[index];
    return [type?.type ?? id, UNITS[unit] ?? type?.unit ?? ''];
  }

  #valueType(field: number, type: string, unit: string): void {
    this.#message.number(1, this.#strings.of(type));
    this.#message.number(2, this.#strings.of(unit));
    this.#out.message(field, this.#message);
  }

  *#samples(): Generator<Uint8Array> {
    const { table, rows, stack } = this.#values;
    const columns = this.metrics.map((metric) => metricColumn(metric, table));
    const groups = this.#groups();
    const sums = columns.map(() => new Float64Array(groups.count));
    for (const [i, row] of rows.entries())
      for (const [type, column] of columns.entries()) {
        const sum = sums[type];
        if (sum !== undefined) sum[groups.groupOf[i]] += column === undefined ? 1 : column[row];
      }
    const message = this.#message;
    const numbers = new Float64Array(columns.length);
    for (let group = 0; group < groups.count; group++) {
      const row = groups.first[group];
      message.packed(1, this.#places.locationsOf(stack[row]));
      for (const [type, sum] of sums.entries()) {
        const value = sum[group];
        numbers[type] = Math.round(value);
        if (numbers[type] !== value) this.rounded++;
      }
      message.packed(2, numbers);
      this.#labels(row);
      this.#out.message(2, message);
      if (this.#out.length > CHUNK) yield this.#out.take();
    }
  }

  /** Rows with equal stacks and labels, as one sample; each row of pprof profiles is one, as it was. */
  #groups(): { readonly groupOf: Int32Array; readonly first: number[]; readonly count: number } {
    const { rows, stack } = this.#values;
    const groupOf = new Int32Array(rows.length);
    const first: number[] = [];
    const keys = new IntRuns(Math.min(rows.length, 1 << 16));
    for (const [i, row] of rows.entries()) {
      if (this.#residue !== undefined) groupOf[i] = i;
      else {
        keys.push(stack[row]);
        keys.push(this.#thread?.[row] ?? -1);
        for (const { column } of this.labels) {
          const value = column[row];
          keys.push(Number.isNaN(value) ? -1 : Math.floor(value / 2 ** 32));
          keys.push(Number.isNaN(value) ? -1 : value | 0);
        }
        groupOf[i] = keys.add();
      }
      if (groupOf[i] === first.length) first.push(row);
    }
    this.joined = rows.length - first.length;
    return { groupOf, first, count: first.length };
  }

  #labels(row: number): void {
    const { program, profile } = this.#recording;
    for (const { field, name, unit, column } of this.labels) {
      const value = column[row];
      if (field.holds === 'string' ? value < 0 : Number.isNaN(value) || value === field.unknown) continue;
      const isText = field.holds === 'string';
      this.#label(name, isText ? stringAt(program.names, value) : '', isText ? 0 : Math.round(value), unit);
    }
    const thread = this.#thread?.[row] ?? -1;
    if (thread >= 0 && profile !== undefined) this.#label('thread', threadLabel(profile, program, thread) ?? '', 0, '');
  }

  #label(name: string, text: string, value: number, unit: string): void {
    this.#inner.number(1, this.#strings.of(name));
    this.#inner.number(2, this.#strings.of(text));
    this.#inner.number(3, value);
    this.#inner.number(4, this.#strings.of(unit));
    this.#message.message(3, this.#inner);
  }
}
