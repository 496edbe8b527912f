/**
 * Pairs of versions of small programs, each with one known edit and its expected verdict, written by hand from the edit
 * before the code under test.
 */
import { OTHER_CONDITIONS } from './other-conditions.js';
import type { VersionPair } from './version-pair.js';

const BASE = `class A {
  static int f(int a, int b) {
    if (a < b) //@less
      return 1;
    return b;
  }
  static int g(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) //@loop
      s += f(i, n); //@call
    return s;
  }
}
`;

function edited(text: string, ...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`the program has no ${from}`);
    return now.replace(from, to);
  }, text);
}

function edit(name: string, rest: Omit<VersionPair, 'name' | 'old' | 'now'>, ...edits: (readonly [string, string])[]) {
  return { name, old: { 'A.java': BASE }, now: { 'A.java': edited(BASE, ...edits) }, ...rest };
}

const F = 'A.f(int, int)';
const G = 'A.g(int)';

const SWITCH = `class S {
  static int s(int k, int n) {
    int r = 0;
    switch (k) { //@switch
      case 1: r = 10; break;
      case 2: r = 20; break;
      case 3: r = 30; break;
      default: r = 1;
    }
    if (n > r) //@after
      r++;
    return r;
  }
}
`;

const SHAPES = `interface Shape { int area(); }
class Square implements Shape { public int area() { return 4; } }
class Circle implements Shape { public int area() { return 3; } }
class D {
  static int sum(Shape shape, Object other) {
    int s = shape.area(); //@area
    if (other instanceof Square) //@check
      s++;
    return s;
  }
}
`;

const LAMBDAS = `import java.util.function.IntUnaryOperator;
class L {
  static int run(IntUnaryOperator op, int n) {
    return n > 0 ? op.applyAsInt(n) : 0; //@run
  }
  static int all(int n) {
    int s = run(x -> x > 3 ? x + 1 : x, n); //@first
    s += run(x -> { for (int i = 0; i < 4; i++) x += i; return x; }, n); //@second
    return s;
  }
}
`;

const FINALLY = `class T {
  static int n;
  static void hit() { n++; }
  static void miss() { n--; }
  static int t(int a) {
    try {
      if (a > 3) //@try
        hit(); //@hit
      return a;
    } finally {
      if (n > 9) //@finally
        miss(); //@miss
    }
  }
}
`;

const CONSTANTS = `class C {
  static int c(String s, int n) {
    if (s.equals("a constant")) //@equals
      return 1;
    for (int i = 0; i < n; i++) //@loop
      if (s.startsWith("another one")) //@starts
        n--;
    return n;
  }
}
`;

const LOCALS = `class V {
  static int v(int a) {
    int s = 0;
    int t = a * 2;
    while (s < t) { //@while
      s += t > 5 ? 2 : 1; //@ternary
    }
    return s;
  }
}
`;

const MEMBERS = `class M {
  private int x;
  static class N { int get(M m) { return m.x > 0 ? m.x : 1; } } //@nested
  static String say(int a, String b) {
    if (a > 2) //@say
      return b + a;
    return b;
  }
  static int plain(int a) {
    return a > 2 ? 1 : 0; //@plain
  }
}
`;

const CALLED = `package p;
public class B {
  public static int b(int a) {
    return a > 2 ? 1 : 0; //@b
  }
}
`;
const CALLING = `package p;
public class A {
  public static int a(int n) {
    return B.b(n) + 1; //@calls
  }
}
`;

export const VERSION_PAIRS: readonly VersionPair[] = [
  edit('a line above', { exact: {}, alone: {} }, ['class A {', '// a remark\nclass A {']),
  edit('a statement before a branch', { exact: { [F]: 'changed' }, alone: { [F]: 'moved' } }, [
    '    if (a',
    '    System.nanoTime();\n    if (a',
  ]),
  edit('a statement at the start of a loop', { exact: { [G]: 'changed' }, alone: { [G]: 'moved' } }, [
    '      s += f(i, n); //@call',
    '    { System.nanoTime();\n      s += f(i, n); //@call\n }',
  ]),
  edit('another comparison', { exact: { [F]: 'changed' }, alone: {}, lost: ['less'] }, ['a < b', 'a <= b']),
  edit('another operand', { exact: { [F]: 'changed' }, alone: {}, lost: ['less'] }, ['a < b', 'b < a']),
  edit('another number in what is computed behind a branch', { exact: { [F]: 'changed' }, alone: {} }, [
    'return 1',
    'return 2',
  ]),
  edit(
    'a method renamed',
    {
      exact: { [F]: 'gone ?A.less(int, int)', [G]: 'changed', 'A.less(int, int)': 'new' },
      alone: { [F]: 'gone ?A.less(int, int)', [G]: 'changed' },
      lost: ['call'],
    },
    ['int f(', 'int less('],
    ['+= f(', '+= less('],
  ),
  edit('an overload added', { exact: { 'A.f(long, long)': 'new' }, alone: {} }, [
    '  static int g',
    '  static long f(long a, long b) { return a; }\n  static int g',
  ]),
  edit(
    'a parameter added',
    {
      exact: { [F]: 'gone ?A.f(int, int, int)', [G]: 'changed', 'A.f(int, int, int)': 'new' },
      alone: { [F]: 'gone ?A.f(int, int, int)', [G]: 'changed' },
      lost: ['call'],
    },
    ['f(int a, int b)', 'f(int a, int b, int c)'],
    ['f(i, n)', 'f(i, n, 0)'],
  ),
  edit(
    'a method removed',
    { exact: { [F]: 'gone', [G]: 'changed' }, alone: { [F]: 'gone', [G]: 'changed' }, lost: ['call'] },
    ['  static int f(int a, int b) {\n    if (a < b) //@less\n      return 1;\n    return b;\n  }\n', ''],
    ['s += f(i, n); //@call', 's += i; //@call'],
  ),
  edit('a method added', { exact: { 'A.h()': 'new' }, alone: {} }, [
    '  static int g',
    '  static int h() { return 0; }\n  static int g',
  ]),
  edit('without debug information', { newFlags: ['-g:none'], exact: {}, alone: {} }),
  {
    name: 'a case added',
    old: { 'S.java': SWITCH },
    now: { 'S.java': edited(SWITCH, ['      default', '      case 4: r = 40; break;\n      default']) },
    exact: { 'S.s(int, int)': 'changed' },
    alone: { 'S.s(int, int)': 'changed' },
    lost: ['switch'],
  },
  {
    name: 'a class that implements no more',
    old: { 'D.java': SHAPES },
    now: { 'D.java': edited(SHAPES, ['class Square implements', 'class Square {}\nclass Other implements']) },
    exact: { 'Square.area()': 'gone' },
    alone: { 'Square.area()': 'gone' },
    receivers: { Shape: ['Square', 'Circle'] },
    lostClasses: ['Square'],
  },
  {
    name: 'a lambda added before another',
    old: { 'L.java': LAMBDAS },
    now: { 'L.java': edited(LAMBDAS, ['    int s = run(', '    run(x -> -x, n);\n    int s = run(']) },
    exact: {
      'L.all(int)': 'changed',
      'L.lambda$all$0(int)': 'moved',
      'L.lambda$all$1(int)': 'moved',
      'L.lambda$all$0(int) ': 'new',
    },
    alone: { 'L.all(int)': 'changed', 'L.lambda$all$0(int)': 'changed', 'L.lambda$all$1(int)': 'changed' },
  },
  {
    name: 'a statement added to a finally block',
    old: { 'T.java': FINALLY },
    now: {
      'T.java': edited(FINALLY, ['        miss(); //@miss', '        miss(); //@miss\n      System.nanoTime();']),
    },
    exact: { 'T.t(int)': 'changed' },
    alone: { 'T.t(int)': 'changed' },
  },
  {
    name: 'constants pushed behind the 255th',
    old: { 'C.java': CONSTANTS },
    now: {
      'C.java': edited(CONSTANTS, [
        'class C {',
        `class C {\n  static String[] many() { return new String[] { ${Array.from({ length: 300 }, (_, i) => `"c${i}"`).join(', ')} }; }`,
      ]),
    },
    exact: { 'C.c(java.lang.String, int)': 'moved', 'C.many()': 'new' },
    alone: { 'C.c(java.lang.String, int)': 'changed' },
  },
  {
    name: 'a variable added before others',
    old: { 'V.java': LOCALS },
    now: { 'V.java': edited(LOCALS, ['    int s = 0;', '    long start = System.nanoTime();\n    int s = 0;']) },
    exact: { 'V.v(int)': 'changed' },
    alone: { 'V.v(int)': 'changed' },
  },
  {
    name: 'another release of Java',
    old: { 'M.java': MEMBERS },
    now: { 'M.java': MEMBERS },
    oldFlags: ['--release', '8'],
    newFlags: ['--release', '17'],
    exact: {
      'M$N.get(M)': 'changed',
      'M.say(int, java.lang.String)': 'changed',
      'M.access$000(M)': 'gone',
    },
    alone: { 'M.access$000(M)': 'gone', 'M$N.get(M)': 'changed' },
    lost: ['nested'],
  },
  {
    name: 'a class renamed',
    old: { 'p/A.java': CALLING, 'p/B.java': CALLED },
    now: { 'p/A.java': CALLING.replace('B.b', 'Better.b'), 'p/Better.java': CALLED.replace('class B', 'class Better') },
    exact: {
      'p.A.a(int)': 'changed',
      'p.B.b(int)': 'gone ?p.Better.b(int)',
      'p.B.<init>()': 'gone ?p.Better.<init>()',
    },
    alone: { 'p.A.a(int)': 'changed', 'p.B.b(int)': 'gone', 'p.B.<init>()': 'gone' },
    lost: ['calls'],
  },
  {
    name: 'a class moved',
    old: { 'p/A.java': CALLING, 'p/B.java': CALLED },
    now: { 'p/A.java': CALLING.replace('B.b', 'q.B.b'), 'q/B.java': CALLED.replace('package p', 'package q') },
    exact: {
      'p.A.a(int)': 'changed',
      'p.B.b(int)': 'gone ?q.B.b(int)',
      'p.B.<init>()': 'gone ?q.B.<init>()',
    },
    alone: { 'p.A.a(int)': 'changed', 'p.B.b(int)': 'gone ?q.B', 'p.B.<init>()': 'gone ?q.B' },
    lost: ['calls'],
  },
  ...OTHER_CONDITIONS,
];
