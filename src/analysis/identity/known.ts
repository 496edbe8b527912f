/**
 * What is known of the functions and classes of several programs, as numbers: equal texts have equal numbers, so rows
 * are compared without making their texts. Cost: each name of a class and of a function is made once a program, if it is
 * asked for; 4 bytes a class and a name, a few look-ups of integers a row.
 */
import { NONE } from '../../base/flavor.js';
import { IntRuns, IntTable } from '../../base/hash.js';
import { type StringId, stringAt } from '../../base/text.js';
import { cachedTypes, keyText, methodKey } from '../../models/program/method-key.js';
import { className, fileName, functionName } from '../../models/program/names.js';
import {
  CLASS_KINDS,
  type ClassId,
  FUNCTION_KINDS,
  type FunctionId,
  type Program,
} from '../../models/program/program.js';
import { hasShortHashes, identityOf, withoutHashes } from './spelling.js';

/** The known details of a row. */
export interface Known {
  /** Only rows with the same name can be joined. Dense, in the order of first appearance. */
  readonly name: number;
  /** The other details, each -1 if unknown. */
  readonly details: readonly number[];
}

/** What is known of the rows of several programs. */
export interface KnownRows {
  /** Undefined if the recording has only a number for a row. */
  readonly known: (program: number, row: number) => Known | undefined;
  /** Equal for rows that differ only in hashes or folders of the build; -1 for those without either. */
  readonly loose: (program: number, row: number) => number;
  /** The text of a row without run-time numbers. */
  readonly text: (program: number, row: number) => string;
}

const MISSING_CLASS = CLASS_KINDS.indexOf('missing');
const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');
const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');
const UNSEEN = -2;

/**
 * `complete`: whether all functions have a class and types. If not, a name with its class is compared as one text, since a
 * recording that knows no classes has it as such.
 */
export function knownFunctions(programs: readonly Program[], complete: boolean): KnownRows {
  const texts = new Texts();
  const functions = programs.map((program) => new FunctionTexts(program, texts, complete));
  const types = programs.map(() => cachedTypes());
  const names = new IntTable();
  const lists = new IntRuns();
  const loose = new IntRuns();
  return {
    known: (program, row) => functions[program].known(row, names, lists),
    loose: (program, row) => functions[program].loose(row, loose),
    text: (program, row) => {
      const key = methodKey(programs[program], row, types[program]);
      return key === undefined ? functionName(programs[program], row) : identityOf(keyText(key));
    },
  };
}

export function knownClasses(programs: readonly Program[]): KnownRows {
  const texts = new Texts();
  const classes = programs.map((program) => new ProgramTexts(program, texts));
  const names = new IntTable();
  const loose = new IntTable();
  const loader = (program: number, row: number): number =>
    classes[program].loader(programs[program].classes.module?.[row] ?? NONE);
  return {
    known: (program, row) => {
      const name = classes[program].class(row);
      return name < 0 ? undefined : { name: names.add(name), details: [loader(program, row)] };
    },
    loose: (program, row) => {
      const parts = [classes[program].class(row), loader(program, row)];
      const [name, module] = parts.map((part) => texts.loose(part, texts.hasShort(part)));
      return name === parts[0] && module === parts[1] ? NONE : loose.add(name, module);
    },
    text: (program, row) => identityOf(className(programs[program], row)),
  };
}

/** Texts → numbers, and the numbers of the same texts without hashes. */
class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  /** By text, -2 until needed: its number without hashes, without the short ones, too, and whether it may have those. */
  readonly #long: number[] = [];
  readonly #short: number[] = [];

  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const id = this.#texts.push(text) - 1;
    this.#numbers.set(text, id);
    this.#long.push(UNSEEN);
    this.#short.push(UNSEEN);
    return id;
  }

  /** Whether a text may have short hashes; not if it is unknown. */
  hasShort(id: number): boolean {
    return id >= 0 && hasShortHashes(this.#texts[id]);
  }

  /** The number of a text without hashes, and without short ones if `short`; -1 stays. */
  loose(id: number, short: boolean): number {
    if (id < 0) return id;
    const known = short ? this.#short : this.#long;
    if (known[id] === UNSEEN) known[id] = this.add(withoutHashes(this.#texts[id], short));
    return known[id];
  }
}

/** The classes and names of one program as numbers of their texts. */
class ProgramTexts {
  readonly texts: Texts;
  readonly program: Program;
  readonly #classes: Int32Array;
  readonly #names: Int32Array;
  readonly #loaders = new Map<StringId, number>();

  constructor(program: Program, texts: Texts) {
    this.program = program;
    this.texts = texts;
    this.#classes = new Int32Array(program.classes.length).fill(UNSEEN);
    this.#names = new Int32Array(program.names.offsets.length).fill(UNSEEN);
  }

  /** The name of a class without run-time numbers; -1 if the recording has only a number for it. */
  class(id: ClassId): number {
    if (id < 0 || this.program.classes.kind[id] === MISSING_CLASS) return NONE;
    if (this.#classes[id] === UNSEEN) this.#classes[id] = this.texts.add(identityOf(className(this.program, id)));
    return this.#classes[id];
  }

  /** A name without run-time numbers. */
  name(id: StringId): number {
    if (this.#names[id] === UNSEEN) this.#names[id] = this.texts.add(identityOf(stringAt(this.program.names, id)));
    return this.#names[id];
  }

  /** A module is the same in all its versions: `java.base@17.0.15` and `java.base`. */
  loader(id: StringId): number {
    if (id < 0) return NONE;
    const known = this.#loaders.get(id) ?? this.texts.add(this.plain(id).replace(/@[\d.+\w-]*$/, ''));
    this.#loaders.set(id, known);
    return known;
  }

  plain(id: StringId): string {
    return stringAt(this.program.names, id);
  }
}

/** Indexes into the details of a function, all of them texts but the parameters, which are a list. */
const [PARAMETERS, RETURNS, LOADER, FILE, UNIT, LOAD_OBJECT] = [0, 1, 2, 3, 4, 5];

class FunctionTexts extends ProgramTexts {
  readonly #complete: boolean;

  constructor(program: Program, texts: Texts, complete: boolean) {
    super(program, texts);
    this.#complete = complete;
  }

  known(id: FunctionId, names: IntTable, lists: IntRuns): Known | undefined {
    const { functions } = this.program;
    if (!this.#isDefined(id)) return undefined;
    const [owner, name] = this.#name(id);
    const details = this.#details(id);
    const [from, to] = [functions.signatureStart[id], functions.signatureStart[id + 1]];
    if (details[RETURNS] >= 0) {
      for (let i = from + 1; i < to; i++) lists.push(this.class(functions.signature[i]));
      details[PARAMETERS] = lists.add();
    }
    return { name: names.add(owner, name), details };
  }

  /** Whether the recording defines a function, its class and its types. */
  #isDefined(id: FunctionId): boolean {
    const { kind, class: owner, signature, signatureStart } = this.program.functions;
    if (kind[id] === MISSING_FUNCTION) return false;
    if (owner[id] < 0) return true;
    if (this.class(owner[id]) < 0) return false;
    for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++) if (this.class(signature[i]) < 0) return false;
    return true;
  }

  /** Class and name; -1 and both as one text unless all programs are complete. */
  #name(id: FunctionId): readonly [number, number] {
    const { class: owner, name } = this.program.functions;
    if (this.#complete) return [this.class(owner[id]), this.name(name[id])];
    if (owner[id] < 0) return [NONE, this.name(name[id])];
    return [NONE, this.texts.add(identityOf(`${className(this.program, owner[id])}.${this.plain(name[id])}`))];
  }

  /** All but the parameters. */
  #details(id: FunctionId): number[] {
    const { functions, classes, units, loadObjects } = this.program;
    const details = [NONE, NONE, NONE, NONE, NONE, NONE];
    const owner = functions.class[id];
    if (owner >= 0) {
      const from = functions.signatureStart[id];
      details[LOADER] = this.loader(classes.module?.[owner] ?? NONE);
      if (from < functions.signatureStart[id + 1]) details[RETURNS] = this.class(functions.signature[from]);
      return details;
    }
    const text = (name: StringId): number => (name < 0 ? NONE : this.texts.add(this.plain(name)));
    details[FILE] = text(functions.file?.[id] ?? NONE);
    // The pseudo function of a load object is identified by its name.
    const unit = functions.kind[id] === PSEUDO ? NONE : (functions.unit?.[id] ?? NONE);
    if (unit < 0 || units === undefined) return details;
    details[UNIT] = text(units.name[unit]);
    if (units.loadObject[unit] >= 0) details[LOAD_OBJECT] = text(loadObjects?.path[units.loadObject[unit]] ?? NONE);
    return details;
  }

  loose(id: FunctionId, keys: IntRuns): number {
    const details = this.#details(id);
    if (details[UNIT] >= 0 || details[LOAD_OBJECT] >= 0) {
      keys.push(this.texts.add(this.#withoutFolders(id)));
      return keys.add();
    }
    const { signature, signatureStart } = this.program.functions;
    const [owner, name] = this.#name(id);
    let changed = false;
    const push = (part: number, short: boolean): void => {
      const loose = this.texts.loose(part, short);
      if (loose !== part) changed = true;
      keys.push(loose);
    };
    const short = this.texts.hasShort(owner < 0 ? name : owner);
    push(owner, short);
    push(name, short);
    for (const part of [RETURNS, LOADER]) push(details[part], this.texts.hasShort(details[part]));
    push(details[FILE], short && this.texts.hasShort(details[FILE]));
    const from = signatureStart[id] + 1;
    const shortTypes = short && from < signatureStart[id + 1] && this.texts.hasShort(this.class(signature[from]));
    for (let i = from; i < signatureStart[id + 1]; i++) push(this.class(signature[i]), shortTypes);
    const key = keys.add();
    return changed ? key : NONE;
  }

  /** A native function without the folders of its build and installation. */
  #withoutFolders(id: FunctionId): string {
    const { name, file, unit, loadObject } = methodKey(this.program, id) ?? { name: '' };
    const files = [file, unit, loadObject].map((path) => (path === undefined ? null : withoutHashes(fileName(path))));
    return JSON.stringify([withoutHashes(name), ...files]);
  }
}
