/**
 * Symbols of C++ templates as `c++filt` spells them. The Itanium ABI encodes return types of templates only, between the name and the parameters; those of
 * constructors, destructors and conversions have none. The demangler leaves return types out, and takes the first parameter of constructors for one.
 * Here it is asked for parts of a symbol: for its name alone, then for that name with the return type as its only parameter.
 *
 *   _Z  N1A5applyIiEE  PT_  S1_      whole    A::apply<int>(int*)
 *       name           ret  params   asked    _Z N1A5applyIiEE v PT_  →  A::apply<int>(int*)  →  int* A::apply<int>(int*)
 */
import type { Demangle } from '../../models/program/program-files.js';

/** Longer symbols, and those with more places where the name may end, are left alone: each costs a question. */
const LONGEST = 4096;
const MOST_ENDS = 64;
const LONGEST_TYPE = 1024;
/** A list of template arguments follows: the type does not end here. */
const ARGUMENTS = 'I';
/** A return type that is not shown. */
const VOID = 'v';
const CONSTRUCTOR = /[CD][1-5]I/;

/** The name of a symbol with its return type, where the symbol has one. */
export function withReturnType(symbol: string, demangle: Demangle): string {
  const whole = demangle(symbol);
  const [encoded = ''] = symbol.split('.', 1);
  const name = templateName(encoded, encoded === symbol ? whole : demangle(encoded), demangle);
  const type = name?.kind === 'function' ? returnType(name, encoded.slice(name.symbol.length), demangle) : undefined;
  if (type === undefined) return whole;
  const at = starOf(type);
  return at < 0 ? `${type} ${whole}` : `${type.slice(0, at)}${whole}${type.slice(at)}`;
}

/** Where the name of a function stands that returns a function or an array: behind the star of `void (*)(int)`; -1 for other types. */
function starOf(type: string): number {
  let depth = 0;
  for (const { 0: token, index } of type.matchAll(/[<>{}]|\([^()<>]*[*&]\)/g)) {
    if (token === '<' || token === '{') depth++;
    else if (token === '>' || token === '}') depth--;
    else if (depth === 0) return index + token.length - 1;
  }
  return -1;
}

/** A demangler that keeps the first parameter of constructors that are templates. */
export function withConstructors(demangle: Demangle): Demangle {
  return (symbol) => {
    const whole = demangle(symbol);
    if (whole === symbol || !CONSTRUCTOR.test(symbol)) return whole;
    const [encoded = '', ...suffixes] = symbol.split(/(?=\.)/);
    const name = templateName(encoded, demangle(encoded), demangle);
    if (name?.kind !== 'constructor') return whole;
    const complete = `${name.symbol}${VOID}${encoded.slice(name.symbol.length)}`;
    return demangle([complete, ...suffixes].join(''));
  };
}

/** A reference to a pointer to a member function among the parameters that a pack stands for, as the demangler writes it. */
const MISPLACED = /\(([^()]*?)&&::\*\)(?=\()/;

/** A demangler that writes `void (A::*&&)(), A*&&` for the parameters of a pack, not `void (A&&::*)(), A*`. */
export function withMemberReferences(demangle: Demangle): Demangle {
  return (symbol) => {
    const text = demangle(symbol);
    if (!symbol.includes('DpOT') || !MISPLACED.test(text)) return text;
    const mended = text.replace(MISPLACED, (_, owner: string) => `(${owner}::*&&)`);
    const at = mended.indexOf('::*&&)(') + '::*&&)'.length;
    let rest = edgeOf(mended, at + 1, 1) + 1;
    // The other arguments of the pack lost their references.
    let head = mended.slice(0, rest);
    while (mended[rest] === ',') {
      const end = edgeOf(mended, rest + 1, 1);
      const argument = mended.slice(rest, end);
      head += argument.endsWith('&') ? argument : `${argument}&&`;
      rest = end;
    }
    return head + mended.slice(rest);
  };
}

/** A pack of no arguments; in its place, a type that has a letter of its own. */
const EMPTY_PACK = /JE/;
const MARK = 'JgE';
const MARKED = '__float128';

/**
 * A demangler for symbols with packs of no arguments, which others lose together with the parameters that they count. `kept`: the place of the pack
 * stays if others follow, `thread<f, , void>`, as tools of GNU have it.
 */
export function withEmptyPacks(demangle: Demangle, how: 'kept' | 'left out'): Demangle {
  return (symbol) => {
    if (!symbol.startsWith('_Z') || !EMPTY_PACK.test(symbol)) return demangle(symbol);
    const plain = demangle(symbol);
    const marked = demangle(symbol.replaceAll('JE', MARK));
    // The letters may be part of a name.
    return plain.includes(MARKED) || !marked.includes(MARKED) ? plain : withoutMarked(marked, how);
  };
}

/** A name without the arguments that have the mark: those of functions are gone, those of templates are empty or gone. */
function withoutMarked(name: string, how: 'kept' | 'left out'): string {
  let text = name;
  for (let at = text.indexOf(MARKED); at >= 0; at = text.indexOf(MARKED)) {
    const [first, end] = [edgeOf(text, at, -1), edgeOf(text, at, 1)];
    const isKept = how === 'kept' && text[end] === ',' && openedBy(text, first) === '<';
    if (isKept) text = text.slice(0, first) + (text[first - 1] === ',' ? ' ' : '') + text.slice(end);
    else if (text[first - 1] === ',') text = text.slice(0, first - 1) + text.slice(end);
    else text = text.slice(0, first) + text.slice(text[end] === ',' ? end + 2 : end);
  }
  return text;
}

/** Where the argument around a place begins, or ends: behind the comma or bracket before it, or at the one behind it. */
function edgeOf(text: string, place: number, step: 1 | -1): number {
  const [opening, closing] = step > 0 ? ['<({', '>)}'] : ['>)}', '<({'];
  let depth = 0;
  let at = place;
  for (; at >= 0 && at < text.length; at += step) {
    const letter = text[at] ?? '';
    if (opening.includes(letter)) depth++;
    else if (depth > 0 && closing.includes(letter)) depth--;
    else if (depth === 0 && (letter === ',' || closing.includes(letter))) break;
  }
  return step > 0 ? at : at + 1;
}

/** The bracket that a list of arguments begins with. */
function openedBy(text: string, place: number): string | undefined {
  let depth = 0;
  for (let at = place - 1; at >= 0; at--) {
    const letter = text[at] ?? '';
    if ('>)}'.includes(letter)) depth++;
    else if (depth > 0 && '<({'.includes(letter)) depth--;
    else if (depth === 0 && '<({'.includes(letter)) return letter;
  }
  return undefined;
}

/** Code that moves `this` to where another class has it, and goes on to a virtual method: the kind, and the symbol of the method without `_Z`. */
const THUNK = /^_ZT(?:(h)n?\d+|(v)n?\d+_n?\d+)_(.+)$/;

/** A demangler that names thunks as linkers and debuggers do: `virtual thunk to A::f()`. */
export function withThunks(demangle: Demangle): Demangle {
  return (symbol) => {
    const [, fixed, , method] = THUNK.exec(symbol) ?? [];
    if (method === undefined) return demangle(symbol);
    const target = `_Z${method}`;
    const name = demangle(target);
    return name === target ? symbol : `${fixed === undefined ? '' : 'non-'}virtual thunk to ${name}`;
  };
}

interface TemplateName {
  /** The part of the symbol that encodes it. */
  readonly symbol: string;
  readonly text: string;
  /** Whether a return type follows. */
  readonly kind: 'function' | 'constructor' | 'conversion';
}

/** The name of a function template; undefined for other functions. */
function templateName(encoded: string, whole: string, demangle: Demangle): TemplateName | undefined {
  if (!encoded.startsWith('_Z') || encoded.startsWith('_ZZ') || encoded.length > LONGEST) return undefined;
  const isNested = encoded.startsWith('_ZN');
  let asked = 0;
  for (let end = encoded.indexOf('E') + 1; end > 0 && asked < MOST_ENDS; end = encoded.indexOf('E', end) + 1) {
    const symbol = encoded.slice(0, end);
    if (end === encoded.length || (isNested && symbol.at(-2) !== 'E')) continue;
    asked++;
    // As a function without parameters: constructors have no name alone.
    const [text, empty] = demangle(`${symbol}${VOID}${VOID}`).split(/(?=\(\)(?: const| volatile| &{1,2})*$)/);
    if (text === undefined || empty === undefined || !text.endsWith('>') || !whole.startsWith(`${text}(`)) continue;
    const [own = '', scope = ''] = scopes(text).reverse().map(withoutArguments);
    const isConversion = /^operator (?!new|delete|"")/.test(own);
    const isConstructor = own.replace(/^~/, '') === scope;
    return { symbol, text, kind: isConversion ? 'conversion' : isConstructor ? 'constructor' : 'function' };
  }
  return undefined;
}

function returnType({ symbol, text }: TemplateName, rest: string, demangle: Demangle): string | undefined {
  if (rest.startsWith(VOID) && rest.length > 1) return 'void';
  for (let end = 1; end < Math.min(rest.length, LONGEST_TYPE); end++) {
    if (rest[end] === ARGUMENTS) continue;
    const asked = `${symbol}${VOID}${rest.slice(0, end)}`;
    const found = demangle(asked);
    if (found === asked || !found.startsWith(`${text}(`)) continue;
    const type = found.slice(text.length + 1, found.lastIndexOf(')'));
    // The name of a type in it follows.
    if (!/\bstd(?![:\w])/.test(type)) return type;
  }
  return undefined;
}

/** `a<b::c>::d` is `a<b::c>` and `d`. */
function scopes(name: string): string[] {
  const parts: string[] = [];
  let [from, depth] = [0, 0];
  for (let at = 0; at < name.length; at++) {
    const letter = name[at];
    if (letter === '<' || letter === '(' || letter === '{') depth++;
    else if (letter === '>' || letter === ')' || letter === '}') depth--;
    else if (depth === 0 && letter === ':' && name[at + 1] === ':') {
      parts.push(name.slice(from, at));
      from = at + 2;
    }
  }
  return [...parts, name.slice(from)];
}

function withoutArguments(part: string): string {
  return part.replace(/<.*>$/, '');
}
