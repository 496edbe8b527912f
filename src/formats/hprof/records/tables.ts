/** ALLOC SITES and CPU SAMPLES records, as the tables that the text format has. */
import { ByteBuilder, Float64Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { decodeUtf8, type StringId } from '../../../base/text.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { dumpAfter, type TextSection, type TextSectionKind } from '../../shared/hprof/sections.js';
import { TableColumns, type TableKind, WHOLE } from '../../shared/hprof/tables.js';
import type { FinishedTraces, TraceTable } from '../../shared/hprof/traces.js';
import { TYPE_NAMES, TYPE_OBJECT } from '../tags.js';
import type { ClassTable, FrameTable } from './symbols.js';

const SITE_BYTES = 25;
const SITES_HEAD = 34;
const SAMPLE_BYTES = 8;
const SAMPLES_HEAD = 8;
/** Flags of ALLOC SITES. */
const INCREMENTAL = 1;
const BY_ALLOCATION = 2;

/** Of a table: how many rows it announces, and how many its length has room for. */
export interface RowCount {
  readonly announced: number;
  readonly there: number;
}

export class RecordTables {
  readonly #traces: TraceTable;
  readonly tables: Readonly<Record<TableKind, TableColumns>> = {
    sites: new TableColumns('sites'),
    'cpu-samples': new TableColumns('cpu-samples'),
    'cpu-time': new TableColumns('cpu-time'),
    'call-counts': new TableColumns('call-counts'),
    'monitor-time': new TableColumns('monitor-time'),
  };
  readonly sections: TextSection[] = [];
  /** By row of the sites: serial of the class. */
  readonly #siteClass = new Float64Builder();
  /** By row: type of the array, 0 none. */
  readonly #siteType = new ByteBuilder();
  constructor(traces: TraceTable) {
    this.#traces = traces;
  }

  /** Begins a section; returns it, to be ended with its rows. */
  begin(kind: TextSectionKind, head: Pick<TextSection, 'offset' | 'date'> & Partial<TextSection>): TextSection {
    const dump = dumpAfter(this.sections.at(-1), kind);
    const from = kind === 'heap-dump' || kind === 'monitor-dump' ? 0 : this.tables[kind].length;
    const section: TextSection = {
      kind,
      named: kind,
      dump,
      total: NaN,
      bytes: NaN,
      orderedBy: 'live',
      from,
      to: from,
      ended: true,
      ...head,
    };
    this.sections.push(section);
    return section;
  }

  /** u2 flags, f4 cutoff (not a number in files of the JVMTI agent), u4 × 2, u8 × 2 totals, u4 n, n rows. */
  sites(view: DataView, at: number, length: number, offset: number, date: string): RowCount {
    const flags = view.getUint16(at);
    const totals: [number, number, number, number] = [
      view.getUint32(at + 6),
      view.getUint32(at + 10),
      wide(view, at + 14),
      wide(view, at + 22),
    ];
    const orderedBy = (flags & BY_ALLOCATION) === 0 ? 'live' : 'allocated';
    const section = this.begin('sites', { offset, date, orderedBy, totals });
    const rows = this.tables.sites;
    const there = (length - SITES_HEAD) / SITE_BYTES;
    const announced = view.getUint32(at + 30);
    const shares = new Shares(totals[0]);
    for (let i = 0; i < Math.min(there, announced); i++) {
      const row = at + SITES_HEAD + i * SITE_BYTES;
      this.#siteType.push(view.getUint8(row));
      this.#siteClass.push(view.getUint32(row + 1));
      const live = view.getUint32(row + 9);
      rows.liveObjects.push(view.getUint32(row + 13));
      rows.allocatedBytes.push(view.getUint32(row + 17));
      rows.allocatedObjects.push(view.getUint32(row + 21));
      this.#row(rows, section, live, view.getUint32(row + 5), row - at + offset, shares);
    }
    // The other sites did not change: they are no remainder.
    if ((flags & INCREMENTAL) !== 0) totals.splice(0, 4, ...this.#sums(section));
    return { announced, there };
  }

  #sums({ from, to }: TextSection): number[] {
    const { count, liveObjects, allocatedBytes, allocatedObjects } = this.tables.sites;
    return [count, liveObjects, allocatedBytes, allocatedObjects].map(({ values }) => {
      let sum = 0;
      for (let row = from; row < to; row++) sum += values[row];
      return sum;
    });
  }

  /** u4 total, u4 n, n × {u4 samples, u4 trace}. */
  samples(view: DataView, at: number, length: number, offset: number, date: string): RowCount {
    const total = view.getUint32(at);
    const section = this.begin('cpu-samples', { offset, date, total });
    const there = (length - SAMPLES_HEAD) / SAMPLE_BYTES;
    const announced = view.getUint32(at + 4);
    const shares = new Shares(total);
    for (let i = 0; i < Math.min(there, announced); i++) {
      const row = at + SAMPLES_HEAD + i * SAMPLE_BYTES;
      const trace = view.getUint32(row + 4);
      this.#row(this.tables['cpu-samples'], section, view.getUint32(row), trace, row - at + offset, shares);
    }
    return { announced, there };
  }

  #row(rows: TableColumns, section: TextSection, count: number, trace: number, offset: number, shares: Shares): void {
    rows.rank.push(section.to - section.from + 1);
    rows.count.push(count);
    rows.share.push(shares.of(count));
    rows.accumulated.push(shares.accumulated);
    rows.trace.push(this.#traces.reference(trace));
    rows.offset.push(offset);
    section.to++;
  }

  /** Names the rows as the text format does: sites by their class, samples by the innermost method. */
  finish(program: ProgramBuilder, classes: ClassTable, frames: FrameTable, traces: FinishedTraces): void {
    const samples = this.tables['cpu-samples'];
    for (let row = 0; row < samples.length; row++) {
      const trace = traces.rows[samples.trace.values[row]];
      const innermost = trace < traces.known ? this.#traces.innermost(trace) : NONE;
      samples.name.push(innermost < 0 ? NONE : program.name(frames.methodOf(innermost)));
    }
    const { sites } = this.tables;
    for (let row = 0; row < sites.length; row++)
      sites.name.push(siteClass(program, classes, this.#siteClass.values[row], this.#siteType.bytes[row]));
  }
}

/** Parts of a total in hundredths of a percent, and their sum so far, as the agent prints them. */
class Shares {
  readonly #total: number;
  #sum = 0;

  constructor(total: number) {
    this.#total = total;
  }

  of(count: number): number {
    this.#sum += count;
    return this.#part(count);
  }

  get accumulated(): number {
    return this.#part(this.#sum);
  }

  #part(count: number): number {
    return this.#total === 0 ? 0 : Math.min(2 ** 31 - 1, Math.round((count / this.#total) * WHOLE));
  }
}

/**
 * The class of a site. The JVMPI agent gives the class of the elements of an array, or none for primitive ones; the JVMTI
 * agent the array's own.
 */
function siteClass(program: ProgramBuilder, classes: ClassTable, serial: number, type: number): StringId {
  const primitive = TYPE_NAMES[type];
  const row = classes.ofSerial(serial);
  if (row < 0 && primitive !== undefined) return program.name(`${primitive}[]`);
  const name = classes.name(row);
  if (type !== TYPE_OBJECT) return name;
  const { bytes, offsets } = program.names;
  const text = decodeUtf8(bytes.bytes, offsets.values[name], offsets.values[name + 1]);
  return text.startsWith('[') || text.endsWith('[]') ? name : program.name(`${text}[]`);
}

function wide(view: DataView, at: number): number {
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
}
