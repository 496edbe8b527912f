/** A source file and the functions of a recording with code in it. */
import { isFinding, MethodCode, ProgramCode } from '../../analysis/places/method-code.js';
import { addToList } from '../../base/columns/lists.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { stringAt } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { SourceText } from '../../models/program/code.js';
import { className } from '../../models/program/names.js';
import { bciOf } from '../../models/program/places.js';
import { bciName, type FunctionId, type LocationId, type Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { choiceLines, classesEnding, classPart, methodNamed, type NamedMethod } from './choose.js';
import type { Observed } from './observed.js';
import { lineInCode, lineOfPlace, type PlaceValues } from './place-values.js';
import {
  beyondEnd,
  type CodeRow,
  lineRow,
  measured,
  observedCells,
  sourceLine,
  unknownLines,
  valueNotes,
} from './rows.js';
import { strangeMethods } from './same-build.js';

export interface CodeTarget {
  readonly className: string;
  /** Rows of the method in the recording; for a class, those of all its methods. */
  readonly functions: readonly FunctionId[];
  readonly isMethod: boolean;
  /** Its name, if it is a method. */
  readonly method?: string;
}

/** The class or method that is meant. A class must be in the recording or have code. */
export function targetOf(program: Program, text: string, others: () => Iterable<string>): CodeTarget {
  const recorded = new Map<string, FunctionId[]>();
  for (let id = 0; id < program.functions.length; id++) {
    const owner = program.functions.class[id];
    if (owner < 0) continue;
    addToList(recorded, className(program, owner), id);
  }
  const classNames = classesEnding(recorded.keys(), text);
  if (classNames.length === 0) classNames.push(...classesEnding(others(), text));
  const [only] = classNames;
  if (classNames.length > 1)
    throw new UsageError(`ambiguous: ${classNames.length} classes are named ${text}`, {
      code: 'ambiguous-name',
      advice: 'Name one of them:',
      lines: choiceLines(classNames),
    });
  if (only !== undefined) return { className: only, functions: recorded.get(only) ?? [], isMethod: false };
  const method = methodNamed(program, text, true) ?? unmentioned(text, others) ?? methodNamed(program, text);
  if (method?.key.class === undefined)
    throw new MissingError(`neither the recording nor the class path has a method or class ${text}`, {
      code: 'no-method',
    });
  return { className: method.key.class.name, functions: method.functions, isMethod: true, method: method.key.name };
}

/** A method that the recording does not mention, of a class with code. */
function unmentioned(text: string, others: () => Iterable<string>): NamedMethod | undefined {
  const [owner] = classesEnding(others(), classPart(text));
  const name = text.replace(/\(.*/, '');
  return owner === undefined
    ? undefined
    : { key: { class: { name: owner }, name: name.slice(name.lastIndexOf('.') + 1) }, functions: [] };
}

/** The classes of the file of a class, by their names: the outermost one and all within it. */
export async function classesBeside(
  classes: ClassPath | undefined,
  name: string,
  work: Work,
): Promise<ClassSet | undefined> {
  if (classes === undefined) return undefined;
  const outer = outermost(name);
  const names = [...classes.names()].filter((one) => outermost(one) === outer);
  return loadClasses(classes, names, work, { supers: false });
}

function outermost(name: string): string {
  const simpleStart = name.lastIndexOf('.') + 1;
  const end = name.indexOf('$', simpleStart + 1);
  return end < 0 ? name : name.slice(0, end);
}

export function usualFile(name: string): string {
  const outer = outermost(name);
  return `${outer.slice(outer.lastIndexOf('.') + 1)}.java`;
}

/** The source file that the recording names for the functions. */
export function fileOf({ functions, names }: Program, ids: readonly FunctionId[]): string | undefined {
  const fileName = ids.map((id) => functions.file?.[id] ?? -1).find((file) => file >= 0);
  return fileName === undefined ? undefined : stringAt(names, fileName);
}

/** Lines above the first line with code in which the head of a method is searched. */
const HEAD_LINES = 20;

/**
 * The lines of a source file, and the line of each location of a recording. Place `n` is line `n`, place 0 is for
 * locations without a line, and the last one for lines that the file does not have.
 */
export class FileLines {
  readonly target: CodeTarget;
  /** All functions of the file, by the names of their classes. */
  readonly functions: ReadonlySet<FunctionId>;
  readonly beyond: number;
  readonly #program: Program;
  readonly #classes: ClassSet | undefined;
  readonly #code: ProgramCode | undefined;
  readonly #source: SourceText;

  constructor({ program }: Recording, classes: ClassSet | undefined, source: SourceText, name: string) {
    this.#program = program;
    this.#classes = classes;
    this.#code = classes && new ProgramCode(classes, program);
    this.#source = source;
    this.beyond = source.lines.length + 1;
    this.target = targetOf(program, name, () => classes?.names() ?? []);
    const outer = outermost(this.target.className);
    const owners = Array.from(
      { length: program.classes.length },
      (_, id) => outermost(className(program, id)) === outer,
    );
    const ids = Array.from({ length: program.functions.length }, (_, id) => id);
    this.functions = new Set(ids.filter((id) => owners[program.functions.class[id]]));
  }

  placeOf(location: LocationId): number {
    if (!this.functions.has(this.#program.locations.function[location])) return -1;
    return Math.min(lineOfPlace(this.#program, this.#code, location), this.beyond);
  }

  /** Throws an error with the reason if no location of the file has a line. */
  refuseWithoutPlaces(recording: string): void {
    const { locations } = this.#program;
    let bcis = false;
    let some = false;
    for (let id = 0; id < locations.length; id++) {
      if (!this.functions.has(locations.function[id])) continue;
      if (this.placeOf(id) > 0) return;
      some = true;
      bcis ||= bciOf(this.#program, id) >= 0;
    }
    if (!some) return;
    const name = this.target.className;
    if (!bcis)
      throw new MissingError(`${recording} has neither lines nor bytecode indexes of ${name}`, {
        code: 'no-line-numbers',
      });
    if (this.#classes === undefined)
      throw new UsageError(`${recording} has bytecode indexes of ${name}, but no lines`, {
        code: 'needs-classes',
        advice: phrase`Pass its classes with ${theInput('classes', { choose: 'PATH' })}: they have the line numbers.`,
        action: { give: ['classes'] },
      });
    throw new MissingError(`the classes have no line numbers of ${name}`, {
      code: 'no-line-numbers',
      advice: 'Compile them with javac -g:lines.',
    });
  }

  rows(values: PlaceValues | undefined, observed: readonly Observed[], disasm: boolean): CodeRow[] {
    const observedByLine = new Map<number, Observed[]>();
    for (const one of observed) {
      const line = lineInCode(this.#code, one.location, one.bci);
      observedByLine.set(line, [...(observedByLine.get(line) ?? []), one]);
    }
    const instructions = disasm ? this.#instructions(observed) : undefined;
    const rows: CodeRow[] = [];
    const [from, to] = this.#range();
    for (let line = from; line <= to; line++) {
      const { executed, observed: parts } = observedCells((observedByLine.get(line) ?? []).map(withPlace));
      const row = lineRow(line, sourceLine(this.#source, line), measured(values, line));
      rows.push({ ...row, executed, observed: disasm ? [] : parts }, ...(instructions?.get(line) ?? []));
    }
    return rows;
  }

  /** Throws an error with the reason if neither the classes nor the recording have a line of the method. */
  refuseWithoutCode(): void {
    const { className: owner, method = '', functions, isMethod } = this.target;
    const classes = this.#classes;
    if (!isMethod || classes === undefined || this.#linesOfCode().length > 0) return;
    if (functions.some((id) => this.#recordedLines(id).some((line) => line > 0))) return;
    const [firstCode] = functions.map((id) => this.#code?.of(id));
    const reason =
      firstCode !== undefined && isFinding(firstCode)
        ? firstCode.text
        : firstCode === undefined && this.#methodsOfName().length === 0
          ? `${owner} has no ${method}`
          : `it has no line numbers of ${owner}.${method}`;
    throw new MissingError(`the class path does not have the code of ${owner}.${method}: ${reason}`, {
      code: 'no-code',
    });
  }

  /** The first and last line to show. */
  #range(): readonly [number, number] {
    const last = this.#source.lines.length;
    const { isMethod, functions } = this.target;
    if (!isMethod) return [1, last];
    const lines = [...this.#linesOfCode(), ...functions.flatMap((id) => this.#recordedLines(id))].filter(
      (line) => line > 0 && line <= last,
    );
    if (lines.length === 0) return [1, last];
    const [least, most] = lines.reduce(([low, high], line) => [Math.min(low, line), Math.max(high, line)], [last, 1]);
    const closing = this.#source.lines[most]?.trim() === '}' ? 1 : 0;
    return [this.#headOf(least), most + closing];
  }

  /** The lines of the method's code; if the recording does not mention it, of all methods of its name. */
  #linesOfCode(): number[] {
    const { functions } = this.target;
    const codes = functions
      .map((id) => this.#code?.of(id))
      .map((code) => (code && !isFinding(code) ? code.code : undefined));
    const namedMethods = functions.length > 0 ? [] : this.#methodsOfName();
    return [...codes, ...namedMethods.map((one) => one.code())].flatMap(
      (code) => code?.lineTable.map(({ line }) => line) ?? [],
    );
  }

  #recordedLines(id: FunctionId): number[] {
    const { locations } = this.#program;
    const places = Array.from(locations.function.keys()).filter((one) => locations.function[one] === id);
    return places.map((place) => this.placeOf(place));
  }

  /** The line above `first` where the method begins, if it is found near; else `first`. */
  #headOf(first: number): number {
    const { className: owner, method } = this.target;
    const simple = owner.slice(Math.max(owner.lastIndexOf('.'), owner.lastIndexOf('$')) + 1);
    const name = method === '<init>' ? simple : method;
    if (name === undefined || name.startsWith('<')) return first;
    for (let line = first; line > Math.max(0, first - HEAD_LINES); line--) {
      const text = this.#source.lines[line - 1] ?? '';
      if (text.includes(`${name}(`) && !text.trimEnd().endsWith(';')) return line;
    }
    return first;
  }

  /**
   * The instructions of each line, in the order of the code. If several methods share a line, each instruction names
   * its method.
   */
  #instructions(observed: readonly Observed[]): Map<number, CodeRow[]> {
    const rows = new Map<number, CodeRow[]>();
    const owner = new Map<number, MethodCode>();
    const ids = new Map([...this.functions].map((id) => [this.#code?.of(id), id]));
    for (const method of this.#methods()) {
      const id = [...ids].find(
        ([code]) => code !== undefined && !isFinding(code) && code.method === method.method,
      )?.[1];
      const here = observed.filter((one) => one.function === id);
      for (const { offset, line, text } of method.listing) {
        const lineRows = rows.get(line) ?? [];
        const first = owner.get(line) ?? method;
        const whose = first === method ? '' : `${method.method.name}: `;
        owner.set(line, first);
        rows.set(line, lineRows);
        lineRows.push({
          ...measured(undefined, 0),
          ...observedCells(here.filter(({ bci }) => bci === offset)),
          kind: 'instruction',
          line,
          bci: offset,
          address: null,
          code: `    ${whose}${text}`,
        });
      }
    }
    return rows;
  }

  /** Whether a Java source looks like that of the classes. */
  #strangeNotes(): Note[] {
    const classes = this.#classes;
    if (classes === undefined || !this.#source.name.endsWith('.java')) return [];
    const { isMethod, functions } = this.target;
    const meant = new Set(
      functions.map((id) => this.#code?.of(id)).map((code) => (code && !isFinding(code) ? code.method : undefined)),
    );
    const namedMethods = functions.length > 0 ? meant : new Set(this.#methodsOfName());
    const methods = [...classes.names()].flatMap((name) => classes.get(name)?.methods ?? []);
    const strange = strangeMethods(this.#source.lines, methods, (method) => !isMethod || namedMethods.has(method));
    const [first] = strange;
    if (first === undefined) return [];
    const more = strange.length === 1 ? '' : ` (nor like ${plural(strange.length - 1, 'other method')})`;
    return [
      note(
        'other-source',
        `The source at lines ${first.from}–${first.to} does not look like ${first.name}${more}: check that it is from the same build.`,
        { action: { give: ['sources'] } },
      ),
    ];
  }

  #methodsOfName() {
    const { className: owner, method = '' } = this.target;
    return this.#classes?.methodsNamed(owner, method) ?? [];
  }

  #methods(): MethodCode[] {
    const classes = this.#classes;
    if (classes === undefined) return [];
    return [...classes.names()].flatMap((name) =>
      (classes.get(name)?.methods ?? []).flatMap((method) => {
        const code = method.code();
        return code === undefined ? [] : [new MethodCode({ class: { name }, name: method.name }, method, code)];
      }),
    );
  }

  notes(values: PlaceValues | undefined, error: boolean): Note[] {
    const notes = [...valueNotes(values, error), ...this.#strangeNotes()];
    if (this.functions.size === 0)
      notes.push(note('not-recorded', `The recording does not mention ${this.target.className}.`));
    if (values === undefined) return notes;
    const text = (place: number): string =>
      formatValue(values.self[place], values.metric.unit, values.metric.resolution);
    if (values.self[0] > 0) notes.push(unknownLines(text(0), 'this file'));
    if (values.self[this.beyond] > 0) notes.push(beyondEnd(text(this.beyond), 'this file'));
    return notes;
  }
}

/** The parts with the place of the instruction of their counts. */
function withPlace(one: Observed): Observed {
  return { ...one, parts: one.parts.map((part) => ({ ...part, name: `${bciName(one.bci)}: ${part.name}` })) };
}
