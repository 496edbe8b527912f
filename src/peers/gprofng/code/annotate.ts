/** The commands `source` and `disasm`: code with the values of its lines or instructions, hot ones marked with `##`. */
import { capstoneDisassembler } from '../../../code/native/capstone.node.js';
import { bytesAt } from '../../../code/native/elf.js';
import { addressOf, type NativeObject, offsetOf } from '../../../code/native/object.js';
import { plainPath } from '../../../session/together/marked-path.js';
import { nameIn } from '../functions.js';
import type { ShownMetric } from '../metrics.js';
import { addressText } from '../numbers.js';
import { copyOfFile } from '../peer/copies.js';
import type { Experiment } from '../peer/experiment.js';
import { TOTAL } from '../peer/peer-program.js';
import type { PrintState } from '../state.js';
import { cellsOf, headLines, type Row, shapeOf } from '../table.js';
import { type Asked, type Grouping, type RowValues, shownValue } from '../values.js';
import { findCode, type NamedCode } from './find.js';
import { gnuText } from './gnu-syntax.js';
import { bytecodeTexts } from './java-units.js';
import {
  type CodeLine,
  disassemblyLines,
  lineKey,
  lineText,
  ownLineKey,
  type PlacedInstruction,
  placeKey,
  sourceLines,
  type ValueKey,
  withSizes,
} from './listing.js';
import { locate } from './locate.js';
import type { CodeFunction } from './model.js';
import { functionOf } from './named.js';
import { readInlined } from './places.js';
import { headText, shortName, sourceText } from './source-file.js';

/** Text for standard output, or what went wrong. */
export type Annotated = { readonly text: string } | { readonly error: string };

const MARK = '## ';
const NO_MARK = '   ';
/** Annotated source, or disassembly, of a function or a source file. `number`: which of several with the name. */
export async function annotated(
  asked: Asked,
  state: PrintState,
  {
    name,
    number,
    disassembly,
  }: { readonly name: string; readonly number: string | undefined; readonly disassembly: boolean },
): Promise<Annotated> {
  if (name === TOTAL.name)
    return { error: `Error: ${name} is not a real function; no source or disassembly available.\n` };
  const found = await findCode(asked.experiment, name, number);
  if ('error' in found) return methodError(asked.experiment, name, disassembly) ?? found;
  const { unit, function: of } = found;
  if (unit !== undefined) readInlined(state, unit);
  const object = asked.experiment.objects.find(({ path }) => path === found.object);
  if (object !== undefined && state.objects.get(object.index) === 'hide')
    return { error: `Error: No source or disassembly available for hidden object ${object.name}.\n` };
  if (!disassembly && unit?.source === undefined)
    return { error: 'Error: Source location not recorded in experiment\n' };
  if (disassembly && of === undefined) return { error: `Error: ${name} is a file: name a function of it.\n` };
  const file = of?.file ?? unit?.source;
  const source = file === undefined ? undefined : await sourceText(asked, state, file, found.object);
  if (!disassembly && source?.lines === undefined)
    return { error: `Error: Source file \`${shortName(file ?? '')}' not readable\n` };
  const values = await CodeValues.of(asked, state, found, file, disassembly);
  const rows = disassembly
    ? await instructionRows(asked, state, found, { file, text: state.code.showsSource ? source?.lines : undefined })
    : sourceRows(asked, state, found, { file: file ?? '', text: source?.lines ?? [], values });
  if ('error' in rows) return rows;
  const shown = found.function === undefined ? rows : rows.map((row) => withInner(row, found.function, values));
  const head = await headText(asked, { file, source: source?.found, object: found.object });
  const threshold = disassembly ? state.code.disassemblyThreshold : state.code.sourceThreshold;
  return { text: head + tableText(shown, values, threshold) };
}

/** What is missing of a method of Java whose class the experiment has no copy of; undefined if the name is no method's. */
function methodError({ functions }: Experiment, name: string, disassembly: boolean): Annotated | undefined {
  const { java } =
    functions.find((each) => each.java !== undefined && (each.name === name || each.short === name)) ?? {};
  if (java === undefined) return undefined;
  const object = `${java.className.replaceAll('.', '/')}.class`;
  const missing = disassembly ? `Object file \`${object}'` : `Source file \`${java.source}'`;
  return { error: `Error: ${missing} not readable\n` };
}

/** A row with the values of a place within its instruction, where none are at its begin: the code is not that which ran. */
function withInner(row: CodeLine, of: CodeFunction | undefined, { keys }: CodeValues): CodeLine {
  if (of === undefined || row.kind !== 'instruction' || row.key === undefined || keys.has(row.key)) return row;
  const offset = row.start - of.start;
  for (let at = 1; at < row.size; at++)
    if (keys.has(placeKey(of, offset + at))) return { ...row, key: placeKey(of, offset + at) };
  return row;
}

/** Values of lines or instructions. */
class CodeValues {
  /** By key with events, its line and name. */
  readonly keys = new Map<ValueKey, { readonly line: number; readonly name: string }>();
  readonly metrics: readonly ShownMetric[];
  readonly #rows = new Map<ValueKey, number>();
  readonly #values: readonly (RowValues | undefined)[];
  readonly wholes: readonly number[];

  static async of(
    asked: Asked,
    state: PrintState,
    found: NamedCode,
    file: string | undefined,
    disassembly: boolean,
  ): Promise<CodeValues> {
    const { experiment } = asked;
    const { program } = experiment;
    const keys = new Map<ValueKey, { line: number; name: string }>();
    const rows = new Map<ValueKey, number>();
    const ofLocation = new Int32Array(program.locations.length).fill(-1);
    for (let id = 0; id < program.locations.length; id++) {
      const at = await locate(experiment, id);
      if (at === undefined || (found.unit === undefined ? at.function !== found.function : at.unit !== found.unit))
        continue;
      const { function: of, offset } = at;
      const name = nameIn(
        state,
        experiment.functions[program.locations.function[id]] ?? { name: of.name, short: of.name, objectName: '' },
      );
      const source = await experiment.code.sourceOf(of, offset);
      const isInFile = source.file === file;
      const key = disassembly
        ? placeKey(of, offset)
        : source.inlined !== undefined
          ? ownLineKey(of, source.line)
          : isInFile
            ? lineKey(source.line)
            : ownLineKey(of, 0);
      const row = rows.get(key) ?? rows.size;
      rows.set(key, row);
      if (!keys.has(key)) keys.set(key, { line: isInFile ? source.line : 0, name: lineText(name, source, of.file) });
      ofLocation[id] = row;
    }
    const others = rows.size;
    const grouping: Grouping = { ofLocation: ofLocation.map((each) => (each < 0 ? others : each)), count: others + 1 };
    const used = await asked.usedRows(grouping);
    for (const [key, row] of rows) if (used[row] === 0) keys.delete(key);
    const columns = state.metrics.filter(({ base }) => base.id !== 'name');
    const values: (RowValues | undefined)[] = [];
    for (const { base } of columns) values.push(base.kind === 'static' ? undefined : await asked.byRow(base, grouping));
    return new CodeValues(columns, keys, rows, values, experiment.strict);
  }

  private constructor(
    metrics: readonly ShownMetric[],
    keys: Map<ValueKey, { readonly line: number; readonly name: string }>,
    rows: Map<ValueKey, number>,
    values: readonly (RowValues | undefined)[],
    strict: boolean,
  ) {
    this.metrics = metrics;
    this.keys = keys;
    this.#rows = rows;
    this.#values = values;
    // gprofng divides by nothing here, so that all shares are 0.
    this.wholes = values.map((each) => (strict ? 0 : (each?.sum ?? 0)));
  }

  rowOf({ key, size, start }: CodeLine, objectNumber: number): readonly (number | string)[] {
    const row = key === undefined ? undefined : this.#rows.get(key);
    return this.metrics.map((metric, i) => {
      const values = this.#values[i];
      if (metric.base.id === 'size') return String(size);
      if (values === undefined) return addressText(objectNumber, start);
      return row === undefined ? 0 : shownValue(metric, values, row);
    });
  }
}

function sourceRows(
  { experiment }: Asked,
  state: PrintState,
  { unit, function: of }: NamedCode,
  { file, text, values }: { readonly file: string; readonly text: readonly string[]; readonly values: CodeValues },
): CodeLine[] | { readonly error: string } {
  if (unit === undefined) return { error: 'Error: Source location not recorded in experiment\n' };
  return sourceLines({
    unit,
    file,
    text,
    valued: values.keys,
    only: state.code.onlyFunction ? of : undefined,
    isUsed: (each) => functionOf(experiment, unit.object, each) !== undefined,
    nameOf: (each) => nameOf(experiment, state, unit.object, each),
  });
}

async function instructionRows(
  { experiment }: Asked,
  state: PrintState,
  { object, function: of }: NamedCode,
  { file, text }: { readonly file: string | undefined; readonly text: readonly string[] | undefined },
): Promise<CodeLine[] | { readonly error: string }> {
  state.code.onlyFunction = true;
  const java = of && (await javaInstructions(experiment, of));
  if (of !== undefined && java !== undefined)
    return disassemblyLines({ function: of, name: of.name, instructions: java, text, file });
  const machine = of && (await machineCode(experiment, object, of));
  if (of === undefined || machine === undefined)
    return { error: `Error: Object file \`${plainPath(object)}' not readable\n` };
  const { bytes, address, architecture, native } = machine;
  const listing = await capstoneDisassembler().disassemble(bytes, address, architecture);
  if ('reason' in listing) return { error: `Error: ${listing.text}\n` };
  const instructions: PlacedInstruction[] = [];
  for (const { instruction, offset, size } of withSizes(listing, address, of.size)) {
    const part = bytes.subarray(offset, offset + size);
    const origin = experiment.strict ? instruction.offset : 0;
    const own = gnuText({ address: instruction.offset, origin, bytes: part, text: instruction.text });
    const spelled = experiment.strict || native === undefined ? own : withTargetName(own, native);
    const at = instruction.offset.toString(16).padStart(8);
    const source = await experiment.code.sourceOf(of, offset);
    instructions.push({ offset, size, text: `${at}:  ${spelled}`, source });
  }
  const named = experiment.strict ? await withCopies(experiment, instructions, file) : instructions;
  return disassemblyLines({
    function: of,
    name: nameOf(experiment, state, object, of),
    instructions: named,
    text,
    file,
  });
}

/** gprofng names other source files by their copies in the experiment. */
async function withCopies(
  experiment: Experiment,
  instructions: readonly PlacedInstruction[],
  own: string | undefined,
): Promise<readonly PlacedInstruction[]> {
  const names = new Map<string, string>();
  for (const { source } of instructions) {
    const { file } = source;
    if (file === undefined || file === own || names.has(file)) continue;
    names.set(file, (await copyOfFile(experiment, file)) ?? file);
  }
  return instructions.map((one) => ({
    ...one,
    source: { ...one.source, file: names.get(one.source.file ?? '') ?? one.source.file },
  }));
}

interface MachineCode {
  readonly bytes: Uint8Array;
  readonly address: number;
  readonly architecture: string;
  /** Undefined of code that was made at run time. */
  readonly native: NativeObject | undefined;
}

/** The machine code of a function; undefined if there is no copy of its load object. For gprofng, code that was made at run time begins at 0. */
async function machineCode(
  { code, strict }: Experiment,
  object: string,
  of: CodeFunction,
): Promise<MachineCode | undefined> {
  const made = code.generated.codeOf(of);
  if (made !== undefined)
    return {
      bytes: made.code,
      address: strict ? 0 : made.address,
      architecture: made.architecture,
      native: undefined,
    };
  const native = await code.object(object);
  const address = native && addressOf(native.elf, of.start);
  if (native === undefined || address === undefined) return undefined;
  const bytes = await bytesAt(native.elf.source, of.start, of.size);
  return { bytes, address, architecture: ARCHITECTURES[native.elf.machine] ?? '', native };
}

/** The bytecode of a method of Java; undefined of other functions. */
async function javaInstructions(
  { code, strict }: Experiment,
  of: CodeFunction,
): Promise<PlacedInstruction[] | undefined> {
  const bytecode = await code.java.codeOf(of);
  if (bytecode === undefined) return undefined;
  const instructions: PlacedInstruction[] = [];
  for (const { bci, length, text } of bytecodeTexts(bytecode, strict))
    instructions.push({ offset: bci, size: length, text, source: await code.sourceOf(of, bci) });
  return instructions;
}

function nameOf(experiment: Experiment, state: PrintState, object: string, of: CodeFunction): string {
  const known = functionOf(experiment, object, of);
  return known === undefined ? of.name : nameIn(state, known);
}

/** Names the function that a branch leads to, as `objdump` does. */
function withTargetName(text: string, { elf, functions }: NativeObject): string {
  const [, target] = /^(?:\w+ )*(?:j[a-z]+|call|loop\w*) +0x([\da-f]+)$/.exec(text) ?? [];
  const offset = target === undefined ? undefined : offsetOf(elf, Number.parseInt(target, 16));
  const found = offset === undefined ? undefined : functions.at(offset);
  if (found === undefined || offset === undefined) return text;
  return `${text} <${found.name}${offset === found.start ? '' : `+0x${(offset - found.start).toString(16)}`}>`;
}

/** By `e_machine`. */
const ARCHITECTURES: Readonly<Record<number, string>> = { 3: 'i386', 62: 'x86_64', 183: 'aarch64' };

function tableText(rows: readonly CodeLine[], values: CodeValues, threshold: number): string {
  const { metrics } = values;
  const cells = rows.map((row): Row => ({ name: '', values: values.rowOf(row, 0) }));
  const shape = shapeOf(metrics, cells, values.wholes);
  const limits = metrics.map((_, i) => limitOf(cells, i, threshold));
  const digits = String(
    rows.reduce((most, { kind, line }) => (kind === 'function' ? most : Math.max(most, line)), 0),
  ).length;
  const [first] = cells;
  const width = first === undefined ? 0 : cellsOf(shape, first).reduce((sum, cell) => sum + cell.length + 2, 0);
  const used = metrics.length === 0 ? 0 : NO_MARK.length + width;
  const space = Math.ceil((used + digits + 3) / 8) * 8 - digits - 3;
  const heads = metrics.length === 0 ? [] : headLines(shape, '').map((each) => `${NO_MARK}${each}`.trimEnd());
  const body = rows.map((row, i) => {
    const own = cells[i];
    const hasValues = row.key !== undefined && own !== undefined;
    const isHot =
      hasValues && own.values.some((value, column) => typeof value === 'number' && value > (limits[column] ?? 0));
    const shown = hasValues ? `${isHot ? MARK : NO_MARK}${cellsOf(shape, own).join('  ')}` : '';
    return `${shown.padEnd(space)}${labelOf(row, digits)}${row.text}`;
  });
  return `${[...heads, ...body].join('\n')}\n`;
}

/** Values above it are hot: whole numbers are cut. */
function limitOf(rows: readonly Row[], column: number, threshold: number): number {
  const most = rows.reduce((largest, { values }) => Math.max(largest, Number(values[column] ?? 0)), 0);
  return (most * threshold) / 100;
}

function labelOf({ kind, line }: CodeLine, digits: number): string {
  if (kind === 'source') return `${String(line).padStart(digits + 1)}. `;
  if (kind === 'instruction') return `${' '.repeat(digits + 3)}[${(line < 0 ? '?' : String(line)).padStart(digits)}] `;
  return ' '.repeat(digits + 3);
}
