/** `disasm`: the bytecode of a method or a native function, instruction by instruction, with the recording's values of each. */
import { z } from 'zod';
import { methodText } from '../../analysis/places/call-code.js';
import { exclusiveUse } from '../../analysis/stacks/stages.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput } from '../../base/phrase.js';
import { formatValue } from '../../base/units.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type Stage, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { FunctionCode, SourceFinder, SourceText } from '../../models/program/code.js';
import { keyText } from '../../models/program/method-key.js';
import { bciOf, lineOf } from '../../models/program/places.js';
import { bciName, type FunctionId, type Program } from '../../models/program/program.js';
import { DISASM_OPTIONS } from '../../questions/options/recording.js';
import { common, listingShape } from '../listing.js';
import { METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { strayNotes } from '../pgo/fit.js';
import { defineView, type ViewInput } from '../question.js';
import { type ChosenMethod, chooseMethod, classesNamed } from './choose.js';
import { NativeInstructions, type NativeListing, nativeListingStage } from './native-disasm.js';
import { nativeTarget, unknownName } from './native-source.js';
import { NOTHING_OBSERVED, type Observed, type ObservedCounts, observedIn } from './observed.js';
import { metricBesideCode, type PlaceValues, valuesByPlace } from './place-values.js';
import {
  type CodeRow,
  codeColumns,
  codeRow,
  lineRow,
  measured,
  observedCells,
  pageRows,
  sourceLine,
  valueNotes,
} from './rows.js';

const WHERE = 'the class path';

export const disasmView = defineView({
  name: 'disasm',
  version: 1,
  title: 'Disassembly',
  options: DISASM_OPTIONS,
  shape: {
    ...listingShape(codeRow),
    method: z.string().describe('the selected method'),
    source: z.string().nullable().describe('the source file that was found'),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }).nullable(),
  },
  refuses: ['sort'],
  needs: (input, { method, metric: id }) => {
    const { classes, sources, disassembler } = input.library;
    const metric = metricBesideCode(input, id);
    const exclusive = metric && exclusiveUse(input.subject, metric);
    if (nativeTarget(input.recording.program, method) !== undefined) {
      if (disassembler === undefined)
        throw new UsageError('native code needs a disassembler, and this session was opened without one', {
          code: 'needs-disassembler',
        });
      return { native: use(nativeListingStage, [input.subject], { sources, disassembler, name: method }), exclusive };
    }
    if (classes === undefined)
      throw unknownName(input.recording.program, method, 'class path', {
        code: 'needs-classes',
        advice: phrase`Bytecode is in class files: pass them with ${theInput('classes', { choose: 'PATH' })}.`,
        action: { give: ['classes'] },
      });
    return { code: use(methodStage, [input.subject], { classes, sources, method }), exclusive };
  },
  answer: (input, options, { code, native, exclusive }) => {
    if (native !== undefined) return nativeAnswer(input, options, native, exclusive);
    if (code === undefined) throw new Error('disasm: neither bytecode nor native code');
    const { classes, source } = code;
    const { profile, recording } = input;
    const chosen = chooseMethod(recording.program, classes, options.method, WHERE);
    const places = new MethodPlaces(chosen.code, chosen.functions);
    const metric = metricBesideCode(input, options.metric);
    const values =
      profile &&
      metric &&
      exclusive &&
      valuesByPlace(profile, metric, exclusive, places.of(recording.program), places.count);
    const observed = profile
      ? observedIn(profile, recording.program, new Set(chosen.functions), classes)
      : NOTHING_OBSERVED;
    const rows = rowsOf(source, chosen.code, places, values, observed);
    return {
      ...common(input, notesOf(chosen, values, places, observed, options.error)),
      method: methodText(chosen.code.method),
      source: source?.name ?? null,
      metric: values === undefined ? null : { ...metricOf(values.metric), sum: values.sum },
      columns: codeColumns(rows, values, options.error),
      total: rows.length,
      offset: input.page.offset,
      rows: pageRows(rows, input.page),
    };
  },
});

/** The answer for native code. */
function nativeAnswer(
  input: ViewInput,
  { metric: id, error }: { readonly metric?: string | undefined; readonly error: boolean },
  listing: NativeListing,
  exclusive: Float64Array | undefined,
) {
  const { profile, recording } = input;
  const code = new NativeInstructions(recording.program, listing);
  const metric = metricBesideCode(input, id);
  const values =
    profile && metric && exclusive && valuesByPlace(profile, metric, exclusive, (at) => code.placeOf(at), code.count);
  const rows = code.rows(values);
  return {
    ...common(input, code.notes(values, error)),
    method: code.name,
    source: code.source,
    metric: values === undefined ? null : { ...metricOf(values.metric), sum: values.sum },
    columns: codeColumns(rows, values, error),
    total: rows.length,
    offset: input.page.offset,
    rows: pageRows(rows, input.page),
  };
}

/** A method's class and, if found, its source. */
interface MethodFiles {
  readonly classes: ClassSet;
  readonly source: SourceText | undefined;
}

interface MethodWanted {
  readonly classes: ClassPath;
  readonly sources: SourceFinder | undefined;
  readonly method: string;
}

const methodStage: Stage<MethodFiles, MethodWanted> = {
  name: 'code of a method',
  version: 1,
  key: ({ classes, sources, method }) => JSON.stringify([classes.id, sources?.id, method]),
  run: async ([{ snapshot }], { classes: path, sources, method }, _, work) => {
    const { program } = snapshot.recording;
    const classes = await classesNamed(program, path, method, work);
    const { code } = chooseMethod(program, classes, method, WHERE);
    return { classes, source: code.source && (await sources?.find(code.source)) };
  },
  bytes: ({ classes, source }) => classes.bytes + sourceBytes(source),
};

/** Bytes of the lines of a source. */
export function sourceBytes(source: SourceText | undefined): number {
  return source?.lines.reduce((sum, line) => sum + 2 * line.length, 0) ?? 0;
}

/** Places of a method: its instructions, then its lines for values known by line only. */
class MethodPlaces {
  readonly bcis: readonly number[];
  readonly lines: readonly number[];
  readonly #place = new Map<string, number>();
  readonly #functions: ReadonlySet<FunctionId>;

  constructor(code: FunctionCode, functions: readonly FunctionId[]) {
    this.#functions = new Set(functions);
    this.bcis = code.listing.map(({ offset }) => offset);
    this.lines = code.lines;
    for (const [place, bci] of this.bcis.entries()) this.#place.set(`bci ${bci}`, place);
    for (const [place, line] of this.lines.entries()) this.#place.set(`line ${line}`, this.bcis.length + place);
  }

  /** The last place is for values in the method at an unknown position. */
  get count(): number {
    return this.bcis.length + this.lines.length + 1;
  }

  has(bci: number): boolean {
    return this.#place.has(`bci ${bci}`);
  }

  ofBci(bci: number): number {
    return this.#place.get(`bci ${bci}`) ?? this.count - 1;
  }

  ofLine(line: number): number {
    return this.#place.get(`line ${line}`) ?? this.count - 1;
  }

  of(program: Program): (location: number) => number {
    return (location) => {
      if (!this.#functions.has(program.locations.function[location])) return -1;
      const bci = bciOf(program, location);
      const line = lineOf(program, location);
      return bci >= 0 ? this.ofBci(bci) : line > 0 ? this.ofLine(line) : this.count - 1;
    };
  }
}

function rowsOf(
  source: SourceText | undefined,
  code: FunctionCode,
  places: MethodPlaces,
  values: PlaceValues | undefined,
  observed: ObservedCounts,
): CodeRow[] {
  const byLine = places.lines.some(
    (line) => (values?.self[places.ofLine(line)] ?? 0) + (values?.total?.[places.ofLine(line)] ?? 0) > 0,
  );
  const rows: CodeRow[] = [];
  const shownLines = new Set<number>();
  let current = -1;
  for (const { offset, line, text } of code.listing) {
    if (line > 0 && line !== current && (source !== undefined || byLine)) {
      // A line that occurs several times in the code has its values at its first occurrence.
      const lineValues = shownLines.has(line) ? undefined : values;
      rows.push(lineRow(line, sourceLine(source, line), measured(lineValues, places.ofLine(line))));
      shownLines.add(line);
    }
    current = line;
    const here = (one: Observed): boolean => one.bci === offset;
    rows.push({
      ...measured(values, places.ofBci(offset)),
      ...observedCells(observed.placed.filter(here), observed.strays.filter(here)),
      kind: 'instruction',
      line: line > 0 ? line : null,
      bci: offset,
      address: null,
      code: (source === undefined ? '' : '    ') + text,
    });
  }
  return rows;
}

function notesOf(
  chosen: ChosenMethod,
  values: PlaceValues | undefined,
  places: MethodPlaces,
  observed: ObservedCounts,
  error: boolean,
): Note[] {
  const notes = valueNotes(values, error);
  if (chosen.functions.length === 0)
    notes.push(note('not-recorded', `The recording does not mention ${keyText(chosen.key)}.`));
  const lost = values?.self[places.count - 1] ?? 0;
  if (lost > 0)
    notes.push(
      note(
        'places-beside-code',
        `${formatValue(lost, values?.metric.unit ?? 'count', values?.metric.resolution)} are in the method, at places that the code does not have.`,
      ),
    );
  const nowhere = observed.strays.map(({ bci }) => bci).filter((bci) => !places.has(bci));
  const where = [...new Set(nowhere)].map((bci) => (bci < 0 ? bciName(bci) : `BCI ${bci}`));
  if (where.length > 0)
    notes.push(
      note('places-beside-code', `The recording has counts at ${where.join(', ')}, where no instruction begins.`),
    );
  notes.push(...strayNotes(observed.fit(new Set(chosen.functions)), 'are marked in their rows, if any'));
  if (places.lines.length === 0) notes.push(note('no-line-numbers', 'The class was compiled without line numbers.'));
  return notes;
}
