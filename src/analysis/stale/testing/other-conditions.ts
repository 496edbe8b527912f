/**
 * Pairs of versions in which a branch looks the same but has another condition: its count must be dropped, never
 * assigned to the other condition. Written by hand from the edits; javac's numbering of cases makes the switches look
 * alike.
 */
import type { VersionPair } from './version-pair.js';

const FRAME = `class R {
  enum E { P, Q, S }
  static int n;
  static int g() { return n; }
  static int h() { return n + 1; }
  static boolean is(boolean b) { return b; }
`;

/** `edits` are made in the body of `R.m`. */
function pair(
  name: string,
  head: string,
  body: string,
  lost: readonly string[],
  alone: 'changed' | 'fits' | 'moved',
  ...edits: readonly (readonly [string, string])[]
): VersionPair {
  const source = (text: string): string => `${FRAME}  ${head} {\n${text}\n  }\n}\n`;
  const now = edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the program has no ${from}`);
    return text.replace(from, to);
  }, body);
  const types = [...head.matchAll(/(\w+(?:\[\])?) \w+(?=[,)])/g)].map(([, type = '']) =>
    type === 'String' ? 'java.lang.String' : type === 'E' ? 'R$E' : type,
  );
  const method = `R.m(${types.join(', ')})`;
  return {
    name,
    old: { 'R.java': source(body) },
    now: { 'R.java': source(now) },
    exact: { [method]: 'changed', ...(types[0] === 'R$E' ? { 'R$1.<clinit>()': 'changed' } : {}) },
    alone: alone === 'fits' ? {} : { [method]: alone },
    lost,
  };
}

const ENUM = `    int r = 0;
    switch (e) { //@switch
      case P: r = g(); break;
      case Q: r = h(); break;
      default: r = 1;
    }
    if (r > 3) //@after
      n++;
    return r;`;

const STRING = `    int r = 0;
    switch (s) { //@switch
      case "a": r = 10; break;
      case "b": r = 20; break;
      case "cc": r = 30; break;
      default: r = 1;
    }
    if (r > 3) //@after
      n++;
    return r;`;

const SHARED = `    int r = 0;
    switch (k) { //@switch
      case 1: case 2: r = g();
      case 3: n = 20; break;
      default: r = 1;
    }
    if (r > 3) //@after
      n++;
    return r;`;

const TWO = `    if (a > 0) //@first
      n++;
    if (b > 0) //@second
      n++;
    if (n > 9) //@third
      n--;`;

export const OTHER_CONDITIONS: readonly VersionPair[] = [
  pair(
    'two constants of an enum change places',
    'static int m(E e)',
    ENUM,
    ['switch/branch', 'R$1.<clinit> ()V switch/receiver'],
    'fits',
    ['case P', 'case X'],
    ['case Q', 'case P'],
    ['case X', 'case Q'],
  ),
  pair(
    'two cases of a switch on an enum change places',
    'static int m(E e)',
    ENUM,
    ['switch/branch', 'R$1.<clinit> ()V switch/receiver'],
    'fits',
    ['case P: r = g()', 'case Q: r = h( )'],
    ['case Q: r = h()', 'case P: r = g()'],
  ),
  pair(
    'two strings of a switch change places',
    'static int m(String s)',
    STRING,
    // The check that finds the third string is unchanged; the switch on its result has two other cases.
    [
      'switch/branch/0',
      'switch/branch/1',
      'switch/branch/2',
      'switch/branch/4',
      'switch/receiver/1',
      'switch/receiver/2',
    ],
    'fits',
    ['"a"', '"x"'],
    ['"b"', '"a"'],
    ['"x"', '"b"'],
  ),
  pair(
    'a case goes to what another one does',
    'static int m(int k)',
    SHARED,
    ['switch'],
    'changed',
    ['case 1: case 2: r = g();', 'case 1: n = h(); is(true);'],
    ['case 3:', 'case 2: case 3:'],
  ),
  pair(
    'another condition within the operand of a branch',
    'static void m(boolean a, boolean b, boolean c)',
    `    if (is(a && b)) //@is
      n++;`,
    ['is/branch/1', 'is/branch/2', 'is/call'],
    'fits',
    ['&& b', '&& c'],
  ),
  pair(
    'another condition of a value that is compared',
    'static void m(int a, int b)',
    `    if ((a < b ? g() : h()) > 3) //@is
      n++;`,
    ['is/branch'],
    'fits',
    ['a < b', 'a >= b'],
  ),
  pair(
    'another parameter in each condition',
    'static void m(int a, int b)',
    TWO.replace('b > 0', 'a > 5'),
    ['first', 'second'],
    'fits',
    ['a > 0', 'b > 0'],
    ['a > 5', 'b > 5'],
  ),
  pair(
    'two conditions with the same body change places',
    'static void m(int a, int b)',
    TWO,
    ['first', 'second'],
    'fits',
    ['if (a > 0) //@first', 'if (x > 0) //@second'],
    ['if (b > 0) //@second', 'if (a > 0) //@first'],
    ['x > 0', 'b > 0'],
  ),
  pair(
    'a variable of another value in each condition',
    'static void m()',
    `    int a = g();
${TWO.replace('b > 0', 'a > 5')}`,
    ['first', 'second'],
    'moved',
    ['int a = g();', 'int a = g(), b = h();'],
    ['a > 0', 'b > 0'],
    ['a > 5', 'b > 5'],
  ),
  pair(
    'two blocks with a variable each change places',
    'static void m()',
    `    { int a = g(); if (a > 3) n++; } //@first
    { int b = h(); if (b > 3) n++; } //@second`,
    ['first', 'second'],
    'changed',
    ['a = g()', 'x = h()'],
    ['b = h()', 'a = g()'],
    ['(a > 3) n++; } //@first', '(x > 3) n++; } //@second'],
    ['(b > 3) n++; } //@second', '(a > 3) n++; } //@first'],
  ),
  pair(
    'a loop over another array',
    'static void m(int[] a, int[] b)',
    `    for (int x : a) //@loop
      n++;
    if (n > 9) //@after
      n--;`,
    ['loop'],
    'fits',
    [': a)', ': b)'],
  ),
  pair(
    'another condition that a variable keeps',
    'static void m(int a)',
    `    boolean is = a > 0; //@kept
    if (is) //@is
      n++;`,
    ['kept', 'is'],
    'fits',
    ['a > 0', 'a < 0'],
  ),
  {
    name: 'a lambda added that does the same',
    old: { 'R.java': lambdas('return') },
    now: { 'R.java': lambdas('all(x -> x > 3); //@other\n    return') },
    exact: {
      'R.m()': 'changed',
      'R.lambda$m$0(int)': 'gone ?R.lambda$m$1(int) or R.lambda$m$0(int)',
      'R.lambda$m$0(int) ': 'new',
      'R.lambda$m$1(int)': 'new',
    },
    alone: {},
    lost: ['lambda R first'],
  },
];

/** Two lambdas with the same code: which one is the old one is unknown. */
function lambdas(statement: string): string {
  return `class R {
  static boolean all(java.util.function.IntPredicate of) { return of.test(3); }
  static boolean m() {
    ${statement} all(x -> x > 3); //@first
  }
}
`;
}
