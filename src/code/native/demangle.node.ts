/**
 * Names of C++ and Rust as their sources spell them, by the demanglers of the Firefox Profiler in WebAssembly: the Itanium ABI for C++, Rust's legacy
 * and v0 names. Parts that a compiler split off and clones are named with their origin, `f(int) [clone .isra.0]`. Rust names lose their hashes. About
 * 30,000 names a second.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from '../../base/package.node.js';
import type { Demangle } from '../../models/program/program-files.js';
import { withReferences } from './references.js';
import { withConstructors, withEmptyPacks, withMemberReferences, withThunks } from './templates.js';

/** As far as it is used: the types of Node do not have it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, object>>,
  ): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

/** What the module exports; a text is passed as address and number of bytes. */
const Exports = z.object({
  // Its buffer is another one when it has grown.
  memory: z.custom<{ readonly buffer: ArrayBuffer }>((value) => typeof value === 'object'),
  demangle_any: z.custom<(at: number, length: number) => readonly [at: number, length: number]>(isFunction),
  __wbindgen_malloc: z.custom<(bytes: number, align: number) => number>(isFunction),
  __wbindgen_free: z.custom<(at: number, bytes: number, align: number) => void>(isFunction),
});

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** Longer names are cut by no tool, but cost the demangler memory. */
const LONGEST = 1 << 16;

let loaded: Promise<Demangle> | undefined;

/** The demangler of this machine, loaded once. */
export function demangler(): Promise<Demangle> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Demangle> {
  const bytes = readFileSync(packageFile('dist/bundle/native/demangle.wasm'));
  const nothing = (): void => undefined;
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(bytes), {
    './index_bg.js': { __wbindgen_init_externref_table: nothing },
  });
  const { memory, demangle_any, __wbindgen_malloc, __wbindgen_free } = Exports.parse(instance.exports);
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const demangle = withConstructors((name) => {
    const text = encoder.encode(name);
    if (text.length > LONGEST) return name;
    const at = __wbindgen_malloc(text.length, 1);
    new Uint8Array(memory.buffer, at, text.length).set(text);
    // The module frees what it was given.
    const [from, length] = demangle_any(at, text.length);
    const found = decoder.decode(new Uint8Array(memory.buffer, from, length));
    __wbindgen_free(from, length, 1);
    // Names that it does not know lose their first underscore.
    return found === '' || found === name.slice(1) ? name : withStandardNames(mended(found), name);
  });
  const whole = withEmptyPacks(withReferences(withMemberReferences(withThunks(demangle))), 'left out');
  return (name) => whole(name).replaceAll('<()...>', '<>');
}

/** Suffixes of integers, by their types. */
const SUFFIXES: Readonly<Record<string, string>> = {
  'unsigned int': 'u',
  long: 'l',
  'unsigned long': 'ul',
  'long long': 'll',
  'unsigned long long': 'ull',
};

/** `(unsigned int)131072` among the arguments of a template. */
const NUMBER = /(?<=[<,]\s?)\(((?:unsigned )?(?:int|long|long long))\)(-?\d+)/g;
/** An empty list among the arguments of a template. */
const EMPTY = /, (?=[,>])/g;
/** A reference to, or a pointer to, a member of a type that a substitution names. */
const MEMBER = /([\w>])([&*]+)((?:::\w+)+)/g;

/** Streams that the demangler never gives the short name of their codes. */
const STREAMS = [
  [
    'Si',
    '13basic_istream',
    /\bstd::basic_istream<char, std::char_traits<char> >(?!::~?basic_istream[<(])/g,
    'std::istream',
  ],
  [
    'Sd',
    '14basic_iostream',
    /\bstd::basic_iostream<char, std::char_traits<char> >(?!::~?basic_iostream[<(])/g,
    'std::iostream',
  ],
] as const;
/** A constructor or destructor of a class with a code: the class has its long name there. */
const STANDARD = /^_ZN(S[so])[CD]\d/;
const SHORT_OWNER = /^std::(string|ostream)::(~?)\1(?=[<(])/;
const LONG_ARGUMENTS = {
  string: '<char, std::char_traits<char>, std::allocator<char> >',
  ostream: '<char, std::char_traits<char> >',
} as const;

/** Classes of the standard library that have codes of their own in the ABI, as binutils name them: short, but in names of constructors. */
function withStandardNames(name: string, symbol: string): string {
  let text = name;
  for (const [code, spelled, long, short] of STREAMS)
    if (symbol.includes(code) && !symbol.includes(spelled)) text = text.replace(long, short);
  if (!STANDARD.test(symbol)) return text;
  return text.replace(SHORT_OWNER, (_, short: keyof typeof LONG_ARGUMENTS, tilde: string) => {
    return `std::basic_${short}${LONG_ARGUMENTS[short]}::${tilde}basic_${short}`;
  });
}

/** A table of virtual methods. */
const TABLE = /^\{(vtable|vtt)\((.*)\)\}$/;
/** A function that is called in the type of an expression. */
const CALLED = /(decltype \()\((\w+)\)\(/g;
/** The numbers of a pack among the arguments of a template: `<((unsigned long)0, 1ul)...>`, `<()...>`. */
const INDEXES = /<\((?:\(([a-z ]+)\)(-?\d+)((?:, -?\d+[ul]*)*))?\)\.\.\.>/g;

/** What the demangler writes in a way of its own, or wrongly, as sources and `c++filt` spell it. */
function mended(name: string): string {
  return name
    .replace(NUMBER, (whole, type: string, number: string) => {
      const suffix = SUFFIXES[type];
      return suffix === undefined ? whole : `${number}${suffix}`;
    })
    .replace(EMPTY, '')
    .replace(MEMBER, '$1$3$2')
    .replace(TABLE, (_, kind: string, owner: string) => `${kind === 'vtt' ? 'VTT' : kind} for ${owner}`)
    .replaceAll('std::nullptr_t', 'decltype(nullptr)')
    .replace(CALLED, '$1$2(')
    .replace(INDEXES, (whole, type: string | undefined, first: string, others: string) => {
      if (type === undefined) return '<>';
      const suffix = type === 'int' ? '' : SUFFIXES[type];
      return suffix === undefined ? whole : `<${first}${suffix}${others}>`;
    });
}
