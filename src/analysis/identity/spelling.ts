/**
 * Which names of two recordings mean the same class or function. Names that a VM makes at run time contain numbers and
 * addresses that differ from run to run; these are replaced by `*`. The rest of the name must be equal.
 *
 *   A$$Lambda$38.0x00000007c00c0c00   A$$Lambda$14/1234   A$$Lambda/0x…   A$$Lambda.0x…   A$$Lambda+0x…   → A$$Lambda/*
 *   java.lang.invoke.LambdaForm$MH/0x…   any other hidden class                                              → …/*
 *   jdk.internal.reflect.GeneratedMethodAccessor12   $Proxy12   jdk.proxy2.$Proxy7        → …Accessor*   $Proxy*
 *   com.oracle.svm.core.code.FactoryMethodHolder.$Proxy12_constructor_<40 hex>: a hash of the number   → …$Proxy*_constructor_*
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\$\$Lambda(?:\$\d+(?:[./+](?:0x[0-9a-f]+|\d+))?|[./+](?:0x[0-9a-f]+|\d+))(?![\w$])/gi, '$$$$Lambda/*'],
  [/(?<=[\w$])[./+]0x[0-9a-f]+(?![\w$])/gi, '/*'],
  [/\b(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+\b/g, '$1*'],
  [/(?:\bjdk\.proxy\d+\.|\bcom\.sun\.proxy\.)?(?<![\w$])\$Proxy\d+(?![\w$])/g, '$$Proxy*'],
  [/(?<![\w$])\$Proxy\d+_constructor_[0-9a-f]{40}(?![\w$])/g, '$$Proxy*_constructor_*'],
];

/**
 * Names that native-image makes at build time contain a hash of their origin: the hash stays the same until the origin
 * changes.
 *
 *   CEntryPointBuiltins_detachThread_9fedd389…c4   A$$Lambda$7ed593…1d   …_1
 *   com.oracle.svm.core.code.FactoryMethodHolder.Simple_<22 base62>: in its own classes only, since
 *   `test_parseIso8601DateFormat` looks the same
 *
 * Lengths and alphabets as seen in `.iprof` files of 0.2.0 to 1.0.0 and reports of 23.0.6 and 25.0.2.
 */
const HASHES: readonly (readonly [RegExp, string])[] = [
  [/\$\$Lambda[$/](?:0x)?[0-9a-f]{32,40}(?:_\d+)?(?![\w$])/g, '$$$$Lambda/*'],
  [/_[0-9a-f]{40}(?![\w$])/g, '_*'],
  [/(\$Proxy)\/s[0-9a-f]{6,8}(?![\w$])/g, '$1*'],
];

const OWN_CLASS = 'com.oracle.svm.';
const SHORT_HASH = /_(?=[A-Za-z]*\d)[0-9A-Za-z]{22}(?![\w$])/g;

/** Matches every name that a rule changes. Most names do not match, and one test costs less than one for each rule. */
const NUMBERED = /0x|\$\$lambda|accessor\d|\$proxy\d/i;
const HASHED = /_[0-9A-Za-z]{22}|\$\$Lambda[$/]|\$Proxy\/s/;

/** Kinds of bytes that `mayVary` tells apart, by byte. */
const [OTHER, DIGIT, LETTER, LOW_LINE, DOLLAR] = [0, 1, 2, 3, 4];
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[0-9]/.test(character)) return DIGIT;
  return /[A-Za-z]/.test(character) ? LETTER : character === '_' ? LOW_LINE : character === '$' ? DOLLAR : OTHER;
});
/** Letters and digits of the shortest hash after `_`. */
const SHORTEST_HASH = 22;
const [ZERO, X, R, P, LOWER_CASE] = [0x30, 0x78, 0x72, 0x70, 0x20];

/**
 * Whether a rule may change a name, given as bytes; most names stay as they are and need no decoding. It finds the ends
 * of the fixed parts of the patterns: `0x`, `$$`, `$p`, `r` before a digit (`Accessor1`), `_` before a long word.
 */
export function mayVary(bytes: Uint8Array, from: number, to: number): boolean {
  let before = 0;
  let word = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    const lower = byte | LOWER_CASE;
    const kind = KINDS[byte];
    if (kind === LOW_LINE) word = 1;
    else if (kind !== DIGIT && kind !== LETTER) word = 0;
    else if (word > 0 && ++word > SHORTEST_HASH) return true;
    if (kind === DIGIT && (before | LOWER_CASE) === R) return true;
    if (kind === DOLLAR && KINDS[before] === DOLLAR) return true;
    if (kind === LETTER && ((lower === X && before === ZERO) || (lower === P && KINDS[before] === DOLLAR))) return true;
    before = byte;
  }
  return false;
}

/** Whether no rule changes the name, or a longer name that contains it. Time: linear in its length. */
export function isSteady(name: string): boolean {
  return !NUMBERED.test(name) && !HASHED.test(name);
}

/** The spelling of a name without the parts that change with the build; `short`: also the short hashes. Time as `identityOf`. */
export function withoutHashes(name: string, short: boolean = hasShortHashes(name)): string {
  if (!HASHED.test(name)) return name;
  const without = HASHES.reduce((spelling, [pattern, replacement]) => spelling.replace(pattern, replacement), name);
  return short ? without.replace(SHORT_HASH, '_*') : without;
}

/** Whether a name is that of a class, or of a function with its class, that may have short hashes. */
export function hasShortHashes(name: string): boolean {
  return name.startsWith(OWN_CLASS);
}

/** Whether a method name (without class) may contain the name of its origin and a hash. */
export function mayHaveHash(method: string): boolean {
  return withoutHashes(OWN_CLASS + method) !== OWN_CLASS + method;
}

/** The one spelling of a name of a class, or of a function with its parameters. Time: linear in its length. */
export function identityOf(name: string): string {
  if (!NUMBERED.test(name)) return name;
  return RULES.reduce((spelling, [pattern, replacement]) => spelling.replace(pattern, replacement), name);
}
