/**
 * Reads callgrind's and cachegrind's text (docs/formats/callgrind.md) of any size in one pass. Costs belong to lines or instructions, calls to pairs
 * of functions: there are no stacks. Code that was inlined is a function of its own file, inlined into the one around. Memory: 16 bytes and 8 an
 * event for each line with costs.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { FormatError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import { formatCount } from '../../base/units.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ARCS } from '../../models/profile/tables.js';
import { type FunctionId, type LocationId, NO_LINE } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Field } from '../../models/table.js';
import { typedValues, valueTable } from '../shared/sampled-values/sample-types.js';
import { eachTextLine, type TextVisitor } from '../shared/text-lines.js';
import { type CalledFunction, type CallgrindContent, CallgrindLines, type CostPlace } from './lines.js';

const LONGEST_LINE = 16 << 20;
/** Headers that say something of the recording. */
const METADATA: ReadonlySet<string> = new Set(['creator', 'pid', 'cmd', 'part', 'thread', 'desc']);
const MOST_METADATA = 100;

/** Throws `FormatError` if no function has a cost. */
export async function readCallgrind(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const contents = new CallgrindContents(problems);
  const visit: TextVisitor = (bytes, start, end, offset) => contents.line(decodeUtf8(bytes, start, end), offset);
  const tooLong = (offset: number): void => contents.lose(offset, 'a line is too long');
  const damage = await eachTextLine(source, visit, { work, longest: LONGEST_LINE, tooLong });
  if (damage !== undefined) problems.add(damage);
  if (contents.rows === 0)
    throw new FormatError({
      format: 'callgrind',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'lines with costs of functions',
      found: problems.finish().list[0]?.message ?? 'no such line',
    });
  return contents.finish(source.name, damage?.severity !== 'error');
}

class CallgrindContents implements CallgrindContent {
  readonly #program = new ProgramBuilder();
  readonly #stacks = new StackBuilder();
  readonly #lines = new CallgrindLines(this);
  readonly #problems: ProblemLog;
  readonly #metadata: { key: string; value: string }[] = [];
  /** Events by name, in the order in which they first occur; of the part that is read, the column of each. */
  readonly #events: string[] = [];
  #columns: readonly number[] = [];
  readonly #stack = new Int32Builder();
  /** By event. */
  readonly #costs: Float64Builder[] = [];
  readonly #arcs = new IntTable();
  readonly #calls = new Float64Builder();
  readonly #called: Float64Builder[] = [];
  /** By event, what the file says that all costs are. */
  readonly #totals: number[] = [];
  readonly #functions = new Map<string, FunctionId>();
  #offset = 0;
  #isLost = false;
  #callLines = 0;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
  }

  get rows(): number {
    return this.#stack.length;
  }

  line(text: string, offset: number): void {
    this.#offset = offset;
    this.#lines.line(text);
  }

  lose(offset: number, message: string): void {
    this.#isLost = true;
    this.#problems.add({ code: 'callgrind-line', severity: 'error', offset, message: `${message}; it is left out` });
  }

  readonly unknown = (line: string): void => {
    this.lose(this.#offset, `no line of the format: ${line.slice(0, 60)}`);
  };

  readonly header = (key: string, value: string): void => {
    if (key === 'events')
      this.#columns = value
        .split(/\s+/)
        .filter((name) => name !== '')
        .map((name) => this.#event(name));
    else if (key === 'summary' || key === 'totals') this.#total(key, value);
    else if (METADATA.has(key) && value !== '' && this.#metadata.length < MOST_METADATA)
      this.#metadata.push({ key, value });
  };

  #event(name: string): number {
    const column = this.#events.indexOf(name);
    if (column >= 0) return column;
    const fresh = (length: number): Float64Builder => {
      const builder = new Float64Builder();
      for (let i = 0; i < length; i++) builder.push(0);
      return builder;
    };
    this.#costs.push(fresh(this.#stack.length));
    this.#called.push(fresh(this.#arcs.length));
    return this.#events.push(name) - 1;
  }

  /** Each part has a summary or, at its end, totals; callgrind writes both in some versions. */
  #total(key: string, value: string): void {
    if (key === 'totals' && this.#hasSummary) return;
    this.#hasSummary ||= key === 'summary';
    for (const [i, word] of value.split(/\s+/).entries()) {
      const column = this.#columns[i];
      if (column !== undefined) this.#totals[column] = (this.#totals[column] ?? 0) + Number(word);
    }
  }

  #hasSummary = false;

  readonly cost = (place: CostPlace, costs: readonly number[]): void => {
    if (!this.#fits(costs)) return;
    if (costs.every((cost) => cost === 0)) return;
    this.#stack.push(this.#stackOf(place));
    for (const builder of this.#costs) builder.push(0);
    const row = this.#stack.length - 1;
    for (const [i, cost] of costs.entries()) {
      const column = this.#costs[this.#columns[i] ?? 0];
      if (column !== undefined) column.values[row] = cost;
    }
  };

  readonly call = (place: CostPlace, called: CalledFunction, count: number, costs: readonly number[]): void => {
    if (!this.#fits(costs)) return;
    this.#callLines++;
    const caller = this.#function(place.object, place.outerFile, place.function);
    const arc = this.#arcs.add(caller, this.#function(called.object, called.file, called.function), 0);
    if (arc === this.#calls.length) {
      this.#calls.push(0);
      for (const builder of this.#called) builder.push(0);
    }
    this.#calls.values[arc] += count;
    for (const [i, cost] of costs.entries()) {
      const column = this.#called[this.#columns[i] ?? 0];
      if (column !== undefined) column.values[arc] += cost;
    }
  };

  #fits(costs: readonly number[]): boolean {
    if (costs.length <= this.#columns.length) return true;
    this.lose(this.#offset, `a line has ${costs.length} costs of ${this.#columns.length} events`);
    return false;
  }

  #function(object: string, file: string, name: string): FunctionId {
    const key = `${object}\n${file}\n${name}`;
    const before = this.#functions.get(key);
    if (before !== undefined) return before;
    const program = this.#program;
    const unit = object === '' ? NONE : program.unit(NONE, this.#loadObject(object));
    const id = program.native(program.name(name), { file: file === '' ? NONE : program.name(file), unit });
    this.#functions.set(key, id);
    return id;
  }

  #loadObject(object: string): number {
    return this.#program.loadObject(this.#program.name(object), /\.so\b/.test(object) ? 'library' : 'executable');
  }

  #stackOf(place: CostPlace): number {
    const outer = this.#function(place.object, place.outerFile, place.function);
    if (place.file === place.outerFile) return this.#stacks.add(rootOf('whole'), this.#place(outer, place, place.line));
    const around = this.#place(outer, place, NO_LINE);
    const inner = this.#function(place.object, place.file, place.function);
    return this.#stacks.add(this.#stacks.add(rootOf('whole'), around), this.#place(inner, place, place.line, around));
  }

  #place(id: FunctionId, { object, instruction }: CostPlace, line: number, inlinedInto: LocationId = NONE): LocationId {
    const program = this.#program;
    const knownLine = line > 0 && line < 2 ** 31 ? line : NO_LINE;
    if (instruction < 0 || object === '' || !Number.isSafeInteger(instruction))
      return program.location(id, knownLine, undefined, inlinedInto < 0 ? 'unknown' : 'inlined');
    const at = { loadObject: this.#loadObject(object), offset: instruction };
    return program.nativeLocation(id, at, { line: knownLine, ...(inlinedInto < 0 ? {} : { inlinedInto }) });
  }

  finish(name: string, isWhole: boolean): Recording {
    this.#compareTotals();
    const types = this.#events.map((type) => ({ type, unit: '' }));
    const typed = typedValues(types, { usual: 0 });
    const table = valueTable(
      typed,
      this.#costs.map((builder) => builder.finish()),
      { stack: this.#stack.finish() },
    );
    const { arcs, fields } = this.#arcTable();
    const metrics = typed.metrics.map((metric, i) => ({ ...metric, arcField: fields[i] ?? 'value' }));
    const calls = ARCS.metric('calls', { id: 'calls', title: 'Calls' });
    return {
      name,
      format: 'callgrind',
      metadata: this.#metadata,
      sections: [
        { name: 'lines with costs', entries: this.#stack.length },
        { name: 'calls', entries: this.#callLines },
        { name: 'jumps', entries: this.#lines.jumps },
      ],
      program: this.#program.finish(),
      profile: {
        stacks: this.#stacks.finish(),
        events: [table],
        metrics: [...metrics, ...(arcs.length > 0 ? [calls] : [])],
        arcs,
      },
      problems: this.#problems.finish(),
      complete: isWhole && !this.#isLost,
      residue: undefined,
    };
  }

  #arcTable() {
    const fields = this.#events.map((_, i) => (i === 0 ? 'value' : `value_${i + 1}`));
    const more = fields.slice(1).map(
      (key, i): Field => ({
        key,
        title: this.#events[i + 1] ?? '',
        holds: 'number',
        unit: 'none',
        meaning: 'spent in the callee and its callees in these calls',
        wide: true,
        nature: 'flow',
      }),
    );
    const columns = Object.fromEntries(fields.map((key, i) => [key, this.#called[i]?.finish()]));
    const arcs = ARCS.tableWith(
      {
        caller: this.#arcs.column(0),
        callee: this.#arcs.column(1),
        calls: this.#calls.finish(),
        ...columns,
      },
      more,
    );
    return { arcs, fields };
  }

  #compareTotals(): void {
    for (const [i, total] of this.#totals.entries()) {
      const sum = this.#costs[i]?.finish().reduce((all, cost) => all + cost, 0) ?? 0;
      if (total === undefined || !Number.isFinite(total) || sum === total) continue;
      // Valgrind's own cache counts may differ by one.
      const isClose = Math.abs(sum - total) <= Math.max(2, total / 1e4);
      this.#problems.add({
        code: 'callgrind-total',
        severity: isClose ? 'info' : 'error',
        offset: 0,
        message: `the costs of ${this.#events[i]} are ${formatCount(sum)}, but the file says ${formatCount(total)}`,
      });
      if (!isClose) this.#isLost = true;
    }
  }
}
