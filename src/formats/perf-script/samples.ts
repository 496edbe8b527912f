/** Events of `perf script` as rows: one table, with the samples and the sum of periods of each type of event as metrics. */
import { doubled, Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ProblemLog } from '../../base/problems.js';
import { encodeUtf8 } from '../../base/text.js';
import { formatCount } from '../../base/units.js';
import { PROCESSOR } from '../../models/events/shared-fields.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Field } from '../../models/table.js';
import { type SampleType, typedValues, valueTable } from '../shared/sampled-values/sample-types.js';
import type { EventLine } from './event-line.js';
import { PerfFrames } from './frames.js';

/** Types of events that have metrics of their own; each costs 16 bytes an event. */
const MOST_TYPES = 16;
const CLOCKS = /^(?:cpu-clock|task-clock)\b/;
const LOST = /^PERF_RECORD_LOST(?:_SAMPLES)? lost (\d{1,15})/;
const BRANCHES = /0x[0-9a-f]+\/0x[0-9a-f]+\/[A-Z-]/;
/** An address and a symbol behind the event, where no stacks were recorded. */
const ON_LINE = /^\s*[0-9a-f]{1,16}\s+(\S.*)$/s;

const EVENT: Field = {
  ...{ key: 'event', title: 'Event', holds: 'string', unit: 'none' },
  ...{ meaning: 'type of the event, as perf names it', extension: true },
};

export class PerfSamples {
  readonly #program = new ProgramBuilder();
  readonly #frames = new PerfFrames(this.#program);
  readonly #stacks = new StackBuilder();
  readonly #types = new ByteInterner();
  readonly #typeNames: string[] = [];
  readonly #commands = new ByteInterner();
  /** (command, process, thread). */
  readonly #threads = new IntTable(16);
  readonly #rows = {
    stack: new Int32Builder(),
    thread: new Int32Builder(),
    type: new Int32Builder(),
    processor: new Int32Builder(),
    time: new Float64Builder(),
    period: new Float64Builder(),
  };
  /** Frames of the open event, leaf first, with the line below each. */
  #texts = new Int32Array(64);
  #lines = new Int32Array(64);
  #count = 0;
  #isOpen = false;
  #first = Number.POSITIVE_INFINITY;
  #lost = 0;
  #records = 0;
  #branches = 0;

  get length(): number {
    return this.#rows.stack.length;
  }

  begin(line: EventLine): void {
    this.close();
    const { event, rest } = line;
    if (`${event} ${rest}`.startsWith('PERF_RECORD_')) {
      this.#lost += Number(LOST.exec(`${event} ${rest}`)?.[1] ?? 0);
      this.#records++;
      return;
    }
    const { time, period } = line;
    this.#isOpen = true;
    this.#first = Math.min(this.#first, time);
    this.#rows.thread.push(this.#threads.add(this.#commands.add(...text(line.command)), line.process, line.thread));
    this.#rows.type.push(this.#typeOf(event));
    this.#rows.processor.push(line.processor);
    this.#rows.time.push(time);
    this.#rows.period.push(period);
    if (BRANCHES.test(rest)) this.#branches++;
    const [, symbol] = ON_LINE.exec(rest) ?? [];
    if (symbol !== undefined) this.#push(this.#frames.text(...text(symbol)));
  }

  /** Takes a line of the open event; false if it is no frame. */
  frame(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.#isOpen) return false;
    let at = start;
    while (at < end && isHex(bytes[at])) at++;
    const digits = at - start;
    while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
    if (digits === 0 || digits > 16 || at === start + digits || at === end) return false;
    this.#push(this.#frames.text(bytes, at, end));
    return true;
  }

  /** Takes a line below a frame: its place in the source, or branches. False where no event is open. */
  sourceLine(bytes: Uint8Array, start: number, end: number): boolean {
    let first = start;
    while (first < end && (bytes[first] === 0x20 || bytes[first] === 0x09)) first++;
    if (!this.#isOpen || this.#count === 0 || first === start) return false;
    this.#lines[this.#count - 1] = this.#frames.line(bytes, first, end);
    return true;
  }

  /** Ends the open event. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    let stack = rootOf('whole');
    for (let i = this.#count - 1; i >= 0; i--) stack = this.#stacks.add(stack, this.#texts[i], this.#lines[i]);
    this.#rows.stack.push(this.#count === 0 ? NONE : stack);
    this.#count = 0;
  }

  /** What was recorded and has no place. */
  report(problems: ProblemLog): void {
    const add = (code: string, severity: 'warning' | 'info', count: number, message: string): void => {
      if (count > 0) problems.add({ code, severity, message: `${formatCount(count)} ${message}` });
    };
    add('perf-script-lost', 'warning', this.#lost, 'events were lost, perf says');
    add('perf-script-record', 'info', this.#records, 'records of maps, processes and the like are not read');
    add('perf-script-branches', 'info', this.#branches, 'events have branches, which are not read');
    const more = this.#typeNames.length - MOST_TYPES;
    add('perf-script-types', 'warning', more, `types of events have no metric; the first ${MOST_TYPES} have`);
  }

  finish(): Pick<Recording, 'program' | 'profile'> {
    const { stack, thread, type, processor, time } = this.#rows;
    const types = this.#typeNames.slice(0, MOST_TYPES);
    const hasPeriods = types.map((_, id) => this.#hasPeriod(id));
    const isSingle = types.length === 1;
    const chosen = [
      { type: 'samples', unit: 'count' },
      ...types.flatMap((name, id) => metricTypes(name, hasPeriods[id] === true, isSingle)),
    ];
    const firstPeriod = hasPeriods[0] === true ? 1 : isSingle ? 0 : 1;
    const typed = typedValues(chosen, { usual: firstPeriod, more: [EVENT, { ...PROCESSOR, extension: true }] });
    const names = Int32Array.from(this.#typeNames, (name) => this.#program.name(name));
    const columns = [
      new Float64Array(stack.length).fill(1),
      ...types.flatMap((_, id) => this.#columnsOf(id, hasPeriods[id] === true, isSingle)),
    ];
    const stacks = this.#stacks.finish((frame, line) => this.#frames.location(frame, line));
    const hasProcessors = processor.finish().some((cpu) => cpu >= 0);
    const table = valueTable(typed, columns, {
      stack: stack.finish(),
      thread: thread.finish(),
      time: time.finish().map((each) => each - this.#first),
      [EVENT.key]: type.finish().map((id) => names[id]),
      ...(hasProcessors ? { [PROCESSOR.key]: processor.finish() } : {}),
    });
    const threads = this.#threadTable();
    return { program: this.#program.finish(), profile: { stacks, events: [table], metrics: typed.metrics, threads } };

    function metricTypes(name: string, isWeighted: boolean, single: boolean): SampleType[] {
      const unit = CLOCKS.test(name) ? 'nanoseconds' : 'count';
      return [
        ...(isWeighted ? [{ type: name, unit }] : []),
        ...(single ? [] : [{ type: `${name}-samples`, unit: 'count' }]),
      ];
    }
  }

  #hasPeriod(type: number): boolean {
    const { type: types, period } = this.#rows;
    for (let row = 0; row < types.length; row++) if (types.values[row] === type && period.values[row] >= 0) return true;
    return false;
  }

  #columnsOf(id: number, isWeighted: boolean, isSingle: boolean): Float64Array[] {
    const { type, period } = this.#rows;
    const types = type.finish();
    const weights = Float64Array.from(types, (each, row) => (each === id ? Math.max(0, period.values[row]) : 0));
    const counts = Float64Array.from(types, (each) => (each === id ? 1 : 0));
    return [...(isWeighted ? [weights] : []), ...(isSingle ? [] : [counts])];
  }

  #threadTable() {
    const { length } = this.#threads;
    const commands = this.#commands;
    const { bytes } = commands.bytes;
    const offsets = commands.offsets.values;
    const processes = this.#threads.column(1);
    const process = new IntTable(16);
    const hasProcesses = new Set(processes).size > 1;
    return THREADS.table({
      name: Int32Array.from({ length }, (_, id) => {
        const command = this.#threads.key(id, 0);
        return this.#program.names.add(bytes, offsets[command], offsets[command + 1]);
      }),
      native: Float64Array.from(this.#threads.column(2)),
      ...(hasProcesses ? { process: processes.map((pid) => process.add(pid)) } : {}),
    });
  }

  #typeOf(event: string): number {
    const id = this.#types.add(...text(event));
    if (id === this.#typeNames.length) this.#typeNames.push(event);
    return id;
  }

  #push(frame: number): void {
    if (this.#count === this.#texts.length) {
      this.#texts = doubled(this.#texts);
      this.#lines = doubled(this.#lines);
    }
    this.#texts[this.#count] = frame;
    this.#lines[this.#count++] = 0;
  }
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
}

/** The bytes of a text, as interners take them. */
function text(value: string): [bytes: Uint8Array, start: number, end: number] {
  const bytes = encodeUtf8(value);
  return [bytes, 0, bytes.length];
}
