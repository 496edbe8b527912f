/**
 * References to rvalues where the demangler loses them, as `c++filt` spells them. It adds `&&` once to the text of a whole pack, if at all, and takes a lambda for
 * a reference where a parameter of it is one. Here it is asked again with a qualifier, of which it keeps every place, and a type that shows where a pack begins:
 *
 *   …IJRivlE…DpOT_      whole    f<int&, long>(int&, long)
 *   …IJRivlE…DeDpU4markT_  asked    f<int&, long>(decimal128, int&, long mark)   →   f<int&, long>(int&, long&&)
 */
import type { Demangle } from '../../models/program/program-files.js';

const PACK = /DpO(?=[TS][\dA-Z]*_)/g;
/** A type with a lambda. */
const LAMBDA = /Z\w+U[lt]/;
/** A reference to a parameter of a template, or to a local or earlier type; those of packs are changed before. */
const SINGLE = /O(?=Z|[TS][\dA-Z]*_)/g;
const QUALIFIER = 'U4mark';
const BEGIN = 'De';

/** A demangler that keeps these references. A symbol with packs or lambdas costs a second question. */
export function withReferences(demangle: Demangle): Demangle {
  return (symbol) => {
    const plain = demangle(symbol);
    const packs = symbol.replace(PACK, `${BEGIN}Dp${QUALIFIER}`);
    const qualifiedSymbol = LAMBDA.test(symbol) ? packs.replace(SINGLE, QUALIFIER) : packs;
    if (plain === symbol || qualifiedSymbol === symbol || MARKS.test(plain)) return plain;
    const marked = demangle(qualifiedSymbol);
    if (marked === qualifiedSymbol) return plain;
    const text = withPacks(marked).replace(/(&?) mark\b/g, (_, sign: string) => (sign === '' ? '&&' : sign));
    return MARKS.test(text) ? plain : text;
  };
}

const MARKS = /\bmark\b|decimal128/;
const MARK = ' mark';
const START = /decimal128(?:, )?/;

/** The text with a reference at each type of a pack. */
function withPacks(marked: string): string {
  let text = marked;
  for (let start = START.exec(text); start !== null; start = START.exec(text)) {
    const firstType = start.index + start[0].length;
    const types: string[] = [];
    let at = firstType;
    for (;;) {
      const end = endOfType(text, at);
      const type = text.slice(at, end).trim();
      const isLast = type.endsWith(MARK);
      types.push(referenceTo(isLast ? type.slice(0, -MARK.length) : type));
      at = end;
      if (isLast) break;
      if (text[end] !== ',') return text;
      at++;
    }
    text = text.slice(0, start.index) + types.join(', ') + text.slice(at);
  }
  return text;
}

/** Where the type at a place ends: at a comma or a bracket. */
function endOfType(text: string, place: number): number {
  let depth = 0;
  for (let at = place; at < text.length; at++) {
    const letter = text[at] ?? '';
    if ('<({['.includes(letter)) depth++;
    else if ('>)}]'.includes(letter)) {
      if (depth === 0) return at;
      depth--;
    } else if (letter === ',' && depth === 0) return at;
  }
  return text.length;
}

/** The stars of a pointer to a function, or the sign of a reference to one: `(*)(` `(A::*)(` `(&)(`. */
const OF_FUNCTION = /\(([^()]*[*&])\)(?=[ ([])/;

/** A reference to an rvalue of a type; a reference stays. */
function referenceTo(type: string): string {
  const [, sign] = OF_FUNCTION.exec(type) ?? [];
  if (sign === undefined) return type.endsWith('&') ? type : `${type}&&`;
  return sign.endsWith('&') ? type : type.replace(OF_FUNCTION, `(${sign}&&)`);
}
