/**
 * What is known of the functions and classes of several programs, as numbers: equal texts have equal numbers, so rows
 * are compared without making their texts. Cost: each name of a class and of a function is made once a program, if it is
 * asked for; 4 bytes a class and a name, a few look-ups of integers a row.
 */
import { IntRuns, IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
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
import { unknownType } from './settled.js';
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
/** Numbers of classes from here on are spellings, not texts. */
const SPELLED = 2 ** 30;

/** Classes that are identified by their spelling alone, so that no text is made of them. */
export interface SpelledClasses {
  /** For each program: its classes → spellings. */
  readonly rows: readonly Int32Array[];
  readonly isSettled: (program: number, id: ClassId) => boolean;
}

/**
 * `complete`: whether all functions have a class and types. If not, a name with its class is compared as one text, since a
 * recording that knows no classes has it as such.
 */
export function knownFunctions(
  programs: readonly Program[],
  complete: boolean,
  spelled: SpelledClasses | undefined,
): KnownRows {
  const texts = new Texts();
  const says = loadersOrModules(programs);
  const functions = programs.map((program, i) => {
    const of = new FunctionTexts(program, texts, complete);
    if (!says[i]) of.ignoreLoaders();
    if (complete && spelled !== undefined) of.useSpellings(spelled.rows[i], (id) => spelled.isSettled(i, id));
    return of;
  });
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
  const says = loadersOrModules(programs);
  const classes = programs.map((program, i) => {
    const of = new ProgramTexts(program, texts);
    if (!says[i]) of.ignoreLoaders();
    return of;
  });
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
      const [name, module] = [classes[program].class(row), loader(program, row)];
      const [looseName, looseModule] = [texts.looseAlone(name), texts.looseAlone(module)];
      return name === looseName && module === looseModule ? NONE : loose.add(looseName, looseModule);
    },
    text: (program, row) => identityOf(className(programs[program], row)),
  };
}

/**
 * For each program: whether its modules and loaders are compared. Reports of GraalVM name loaders, the boot loader `null`; recordings of the
 * VM name modules of the same classes, `java.base`. One says nothing of the other, so beside a report these are left out.
 */
function loadersOrModules(programs: readonly Program[]): boolean[] {
  const named = programs.map(({ classes: { module }, names }) =>
    [...new Set(module)].some((id) => id >= 0 && stringAt(names, id) === 'null'),
  );
  return named.includes(true) ? named : named.map(() => true);
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

  text(id: number): string {
    return this.#texts[id];
  }

  /** The number of a text without hashes. */
  looseAlone(id: number): number {
    return this.loose(id, id >= 0 && id < SPELLED && hasShortHashes(this.#texts[id]));
  }

  /** The number of a text without hashes, and without short ones if `short`; -1 stays. */
  loose(id: number, short: boolean): number {
    if (id < 0 || id >= SPELLED) return id;
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
  #hasLoaders = true;

  constructor(program: Program, texts: Texts) {
    this.program = program;
    this.texts = texts;
    this.#classes = new Int32Array(program.classes.length).fill(UNSEEN);
    this.#names = new Int32Array(program.names.offsets.length).fill(UNSEEN);
  }

  /** From now on, no loader or module is known. */
  ignoreLoaders(): void {
    this.#hasLoaders = false;
  }

  /** Numbers settled classes by their spelling, which must be equal for equal texts. */
  useSpellings(spellings: Int32Array, isSettled: (id: ClassId) => boolean): void {
    for (let id = 0; id < spellings.length; id++) if (isSettled(id)) this.#classes[id] = SPELLED + spellings[id];
  }

  /** Whether the name of a class may have short hashes; not if it is unknown. */
  hasShort(id: ClassId): boolean {
    return this.class(id) >= 0 && hasShortHashes(className(this.program, id));
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
    if (id < 0 || !this.#hasLoaders) return NONE;
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
  /** The class that stands for return types that are not recorded. */
  readonly #unknownType: ClassId;

  constructor(program: Program, texts: Texts, complete: boolean) {
    super(program, texts);
    this.#complete = complete;
    this.#unknownType = unknownType(program);
  }

  known(id: FunctionId, names: IntTable, lists: IntRuns): Known | undefined {
    const { functions } = this.program;
    if (!this.#isDefined(id)) return undefined;
    const [owner, name] = this.#name(id);
    const details = this.#details(id);
    const [from, to] = [functions.signatureStart[id], functions.signatureStart[id + 1]];
    if (from < to) {
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
      if (from < functions.signatureStart[id + 1] && functions.signature[from] !== this.#unknownType)
        details[RETURNS] = this.class(functions.signature[from]);
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
    const { class: classes, signature, signatureStart } = this.program.functions;
    const [owner, name] = this.#name(id);
    let changed = false;
    const push = (part: number, loose: number): void => {
      if (loose !== part) changed = true;
      keys.push(loose);
    };
    const short = classes[id] < 0 ? hasShortHashes(this.texts.text(name)) : this.hasShort(classes[id]);
    push(owner, this.texts.loose(owner, short));
    push(name, this.texts.loose(name, short));
    for (const part of [details[RETURNS], details[LOADER]]) push(part, this.texts.looseAlone(part));
    push(details[FILE], short ? this.texts.looseAlone(details[FILE]) : this.texts.loose(details[FILE], false));
    const from = signatureStart[id] + 1;
    const shortTypes = short && from < signatureStart[id + 1] && this.hasShort(signature[from]);
    for (let i = from; i < signatureStart[id + 1]; i++) {
      const type = this.class(signature[i]);
      push(type, this.texts.loose(type, shortTypes));
    }
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
