/**
 * The method filters of GraalVM's options, as the help text of its `MethodFilter` defines them:
 *
 *   filters   := filter { "," filter }
 *   filter    := ["~"] [class "."] method ["(" [type { ";" type }] ")"]
 *
 * `*` stands for any characters and `?` for one. A class without dots matches in any package, as a nested class too, and so does a type; an
 * empty one of several types matches any. A method matches if one of the filters does, and none with `~`; with these alone, all others match.
 */
import { markedRows, marksWhere, rowsWhere } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import { type StringTable, stringAt } from '../../base/text.js';
import { isPlain, NameGlob } from '../../models/program/name-glob.js';
import { className, functionName } from '../../models/program/names.js';
import { CLASS_KINDS, FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { functionsMeant, isFunctionHandle } from '../identity/named-functions.js';

/**
 * The methods that a text names: a handle; a filter or glob over `class.method` where it has their signs and matches; else a name, the end of one, or
 * a regular expression, as everywhere. Throws `SyntaxError` if it is none of them.
 */
export function methodsNamed(program: Program, text: string): readonly FunctionId[] {
  if (!isFunctionHandle(text) && /[*?;~,]/.test(text)) {
    const methods = methodsSelected(program, text);
    if (methods.length > 0) return [...methods];
  }
  return functionsMeant(program, text);
}

/** The methods that a text matches as a filter; where it matches none, as a glob over `class.method`. */
export function methodsSelected(program: Program, text: string): Int32Array {
  const filtered = markedRows(filteredMethods(program, text));
  return filtered.length > 0 ? filtered : globbed(program, text);
}

function globbed(program: Program, text: string): Int32Array {
  const { functions, classes, names } = program;
  const { bytes, offsets } = names;
  const expression = regular(text);
  const glob = new NameGlob(text);
  const isName = marksWhere(offsets.length - 1, (id) => isPlain(names, id));
  const joined = new Uint8Array(longest(names) * 2 + 1);
  let known = NONE;
  let dot = 0;
  // Whether all methods of the class match, by its name alone.
  let isAll = false;
  return rowsWhere(functions.length, (id) => {
    const [name, type] = [functions.name[id], functions.class[id] < 0 ? NONE : classes.name[functions.class[id]]];
    const isShown = FUNCTION_KINDS[functions.kind[id]] === 'java' && name >= 0 && type >= 0;
    if (!isShown || isName[name] === 0 || isName[type] === 0) return expression.test(functionName(program, id));
    if (type !== known) {
      known = type;
      dot = 0;
      for (let at = offsets[type]; at < offsets[type + 1]; at++) joined[dot++] = bytes[at];
      joined[dot] = DOT;
      isAll = text.endsWith('*') && glob.matches(joined, 0, dot + 1);
    }
    if (isAll) return true;
    let end = dot + 1;
    for (let at = offsets[name]; at < offsets[name + 1]; at++) joined[end++] = bytes[at];
    return glob.matches(joined, 0, end);
  });
}

const DOT = 46;

function longest({ offsets }: StringTable): number {
  let most = 0;
  for (let id = 1; id < offsets.length; id++) most = Math.max(most, offsets[id] - offsets[id - 1]);
  return most;
}

/** The functions that the filters match: 1 for each; none if a parenthesis is missing. */
export function filteredMethods(program: Program, text: string): Uint8Array {
  const filters = text.split(',').map((filter) => new MethodFilter(program, filter.trim()));
  const matched = new Uint8Array(program.functions.length);
  if (!filters.every(({ isValid }) => isValid)) return matched;
  const included = filters.filter(({ excludes }) => !excludes);
  if (included.length === 0) matched.fill(1);
  for (const filter of included) filter.mark(matched, 1);
  for (const filter of filters) if (filter.excludes) filter.mark(matched, 0);
  return matched;
}

class MethodFilter {
  readonly excludes: boolean;
  readonly isValid: boolean;
  readonly #program: Program;
  /** By class: 1 if it matches; undefined if all do. */
  readonly #class: Uint8Array | undefined;
  /** Of names of methods; undefined matches all. */
  readonly #method: ((id: number) => boolean) | undefined;
  readonly #types: readonly (RegExp | undefined)[] | undefined;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.excludes = text.startsWith('~');
    const filter = (this.excludes ? text.slice(1) : text).trim();
    const open = filter.indexOf('(');
    this.isValid = open < 0 || filter.endsWith(')');
    const head = open < 0 ? filter : filter.slice(0, open);
    const dot = head.lastIndexOf('.');
    this.#class = dot < 0 ? undefined : this.#classMarks(head.slice(0, dot));
    this.#method = this.#methodTest(dot < 0 ? head : head.slice(dot + 1));
    const types = open < 0 ? undefined : filter.slice(open + 1, -1).trim();
    this.#types = types === undefined ? undefined : types === '' ? [] : types.split(';').map(typeGlob);
  }

  #methodTest(text: string): ((id: number) => boolean) | undefined {
    const { names } = this.#program;
    if (/^\*+$/.test(text)) return undefined;
    const [pattern, plain] = [regular(text), new NameGlob(text)];
    return once(names.offsets.length, (id) =>
      isPlain(names, id) ? plain.matchesName(names, id, false) : pattern.test(stringAt(names, id)),
    );
  }

  #classMarks(text: string): Uint8Array | undefined {
    const { classes, names } = this.#program;
    const pattern = typeGlob(text);
    if (pattern === undefined) return undefined;
    // With a star in front, the whole name decides.
    const [plain, nested] = [new NameGlob(text.trim()), !/[.]|^\s*\*/.test(text)];
    return marksWhere(classes.length, (id) => {
      const name = classes.name[id];
      return name >= 0 && CLASS_KINDS[classes.kind[id]] === 'class' && isPlain(names, name)
        ? plain.matchesName(names, name, nested)
        : pattern.test(className(this.#program, id));
    });
  }

  /** Sets the marks of the functions that match. */
  mark(marks: Uint8Array, value: number): void {
    const { name, class: holder } = this.#program.functions;
    const [ofClass, ofMethod] = [this.#class, this.#method];
    for (let id = 0; id < marks.length; id++) {
      if (marks[id] === value || (ofClass !== undefined && (holder[id] < 0 || ofClass[holder[id]] === 0))) continue;
      if (ofMethod !== undefined && !ofMethod(name[id])) continue;
      if (this.#types === undefined || this.#hasTypes(id, this.#types)) marks[id] = value;
    }
  }

  #hasTypes(id: FunctionId, types: readonly (RegExp | undefined)[]): boolean {
    const { signature, signatureStart } = this.#program.functions;
    const from = signatureStart[id] + 1;
    const count = Math.max(0, signatureStart[id + 1] - from);
    if (count !== types.length) return false;
    return types.every((type, i) => type === undefined || type.test(className(this.#program, signature[from + i])));
  }
}

/** A test that is made once for each id. */
function once(length: number, test: (id: number) => boolean): (id: number) => boolean {
  const answers = new Int8Array(length);
  return (id) => {
    answers[id] ||= test(id) ? 1 : -1;
    return answers[id] === 1;
  };
}

/** A class or type; undefined matches any. Without a dot it is the end of a name, behind a dot or `$`. */
function typeGlob(text: string): RegExp | undefined {
  const type = text.trim();
  return type === '' ? undefined : regular(type, type.includes('.') ? '' : '(?:[^.$]*[.$])*');
}

/** The glob as a regular expression, for names that are shown in another spelling than recorded. */
function regular(text: string, before = ''): RegExp {
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${before}${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}
