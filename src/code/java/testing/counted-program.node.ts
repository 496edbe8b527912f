/**
 * The truth about line counts: a program compiled as it is, its twin that counts itself as it runs, and a profile with
 * the twin's counts at the places where `javap` shows the branches. Nothing here uses the code under test.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../testing/shared-data.js';

const TEMPLATE = join(ROOT, 'src', 'analysis', 'coverage', 'fixtures', 'Counted.java.txt');

const COUNTER = `package demo;
import java.util.*;
public class H {
  static final Map<String, Integer> COUNTS = new TreeMap<>();
  static { Runtime.getRuntime().addShutdownHook(new Thread(() -> COUNTS.forEach((k, v) -> System.out.println(k + " " + v)))); }
  static void m(String name) { COUNTS.merge("M " + name, 1, Integer::sum); }
  static void s(int line) { COUNTS.merge("S " + line, 1, Integer::sum); }
  static boolean c(int line, boolean value) { s(line); COUNTS.merge((value ? "T " : "F ") + line, 1, Integer::sum); return value; }
}
`;

/** Counts of one run of the twin. */
export interface Run {
  readonly calls: ReadonlyMap<string, number>;
  readonly lines: ReadonlyMap<number, number>;
  readonly whenTrue: ReadonlyMap<number, number>;
  readonly whenFalse: ReadonlyMap<number, number>;
}

export interface CountedProgram {
  /** Folder of the class files, and of the sources. */
  readonly classes: string;
  readonly sources: string;
  /** Lines with counts from the twin; those of `open` cannot be derived from a profile. */
  readonly marked: ReadonlySet<number>;
  readonly open: ReadonlySet<number>;
  readonly run: (argument: string) => Run;
  /** A profile in which the n-th run is a context of its own: the first not inlined, the others into one another. */
  readonly profile: (runs: readonly Run[]) => string;
}

/** Compiles the program and its twin in a folder. */
export function countedProgram(folder: string): CountedProgram {
  const template = readFileSync(TEMPLATE, 'utf8').split('\n');
  const plain = template.map((line) => line.replace(/@C\((.*?)\)@/g, '$1').replace(/@(?:[STU]|M\([\w$]+\))@ ?/g, ''));
  const twin = template.map((line, i) =>
    line
      .replace(/@C\((.*?)\)@/g, `H.c(${i + 1}, $1)`)
      .replace(/@M\(([\w$]+)\)@/g, 'H.m("$1");')
      .replace(/@S@/g, `H.s(${i + 1});`)
      .replace(/@[TU]@/g, ''),
  );
  const paths = { plain: join(folder, 'plain'), twin: join(folder, 'twin') };
  compile(paths.plain, { 'Counted.java': plain.join('\n') });
  compile(paths.twin, { 'Counted.java': twin.join('\n'), 'H.java': COUNTER });
  const places = branchPlaces(join(paths.plain, 'classes'));
  const numbered = (pattern: RegExp): Set<number> =>
    new Set(template.flatMap((line, i) => (pattern.test(line) ? [i + 1] : [])));
  return {
    classes: join(paths.plain, 'classes'),
    sources: join(paths.plain, 'sources'),
    marked: numbered(/^(?!\s*\*).*@[SC][@(]/),
    open: numbered(/^(?!\s*\*).*@U@/),
    run: (argument) => parsed(execFileSync('java', ['-cp', join(paths.twin, 'classes'), 'demo.Counted', argument])),
    profile: (runs) => profileOf(runs, places),
  };
}

function compile(folder: string, files: Readonly<Record<string, string>>): void {
  const sources = join(folder, 'sources', 'demo');
  mkdirSync(sources, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(sources, name), text);
  const names = Object.keys(files).map((name) => join(sources, name));
  execFileSync('javac', ['-g', '-d', join(folder, 'classes'), ...names]);
}

function parsed(output: Buffer): Run {
  const rows = output
    .toString()
    .trim()
    .split('\n')
    .map((row) => row.split(' '));
  const of = (letter: string) => rows.filter(([first]) => first === letter);
  const byLine = (letter: string) => new Map(of(letter).map(([, line, count]) => [Number(line), Number(count)]));
  return {
    calls: new Map(of('M').map(([, name, count]) => [name ?? '', Number(count)])),
    lines: byLine('S'),
    whenTrue: byLine('T'),
    whenFalse: byLine('F'),
  };
}

interface Jump {
  readonly method: string;
  readonly bci: number;
  readonly line: number;
  readonly jump: number;
  readonly next: number;
}

interface Switch {
  readonly method: string;
  readonly bci: number;
  /** Of each case and the default: where it goes to, and the line there. */
  readonly ways: readonly { readonly target: number; readonly line: number }[];
}

interface Places {
  readonly jumps: readonly Jump[];
  readonly switches: readonly Switch[];
  /** Descriptors by name. */
  readonly methods: ReadonlyMap<string, string>;
}

/** Where the program forks, and its methods, from what `javap -c -l -s` prints. */
function branchPlaces(classes: string): Places {
  const text = execFileSync('javap', ['-c', '-l', '-s', '-p', '-cp', classes, 'demo.Counted']).toString();
  const jumps: Jump[] = [];
  const switches: Switch[] = [];
  const methods = new Map<string, string>();
  for (const part of text.split(/\n\n/)) {
    const method = /([\w$.]+)\([^)]*\);\n/.exec(part)?.[1]?.replace('demo.Counted', '<init>');
    const descriptor = /descriptor: (\S+)/.exec(part)?.[1];
    if (method === undefined || descriptor === undefined) continue;
    methods.set(method, descriptor);
    const table = [...part.matchAll(/^ +line (\d+): (\d+)$/gm)].map((row) => [Number(row[1]), Number(row[2])] as const);
    const lineAt = (bci: number) => table.filter(([, start]) => start <= bci).sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1;
    for (const [, bci, jump] of part.matchAll(/^ +(\d+): if\S* +(\d+)$/gm))
      jumps.push({ method, bci: Number(bci), line: lineAt(Number(bci)), jump: Number(jump), next: Number(bci) + 3 });
    for (const [, bci, body = ''] of part.matchAll(/^ +(\d+): \w+switch +\{.*\n([^}]*)\}/gm)) {
      const targets = [...body.matchAll(/: (\d+)$/gm)].map((row) => Number(row[1]));
      switches.push({ method, bci: Number(bci), ways: targets.map((target) => ({ target, line: lineAt(target) })) });
    }
  }
  return { jumps, switches, methods };
}

const LETTERS: Readonly<Record<string, string>> = { I: 'int', V: 'void', J: 'long', Z: 'boolean' };

function profileOf(runs: readonly Run[], { jumps, switches, methods }: Places): string {
  const types = ['demo.Counted'];
  const typeId = (name: string): number => {
    if (!types.includes(name)) types.push(name);
    return types.indexOf(name);
  };
  const typeName = (text: string): string =>
    LETTERS[text] ?? (text.startsWith('[') ? text : text.slice(1, -1)).replaceAll('/', '.');
  const table = [...methods].map(([name, descriptor], id) => {
    const [, parameters = '', returns = 'V'] = /^\((.*)\)(.*)$/.exec(descriptor) ?? [];
    const names = parameters.match(/\[*(?:L[^;]+;|\w)/g) ?? [];
    return { id, name, signature: [0, typeId(typeName(returns)), ...names.map((each) => typeId(typeName(each)))] };
  });
  const idOf = (name: string): number => table.find((method) => method.name === name)?.id ?? -1;
  /** The n-th run is inlined into `main` n times, so that each is a context of its own. */
  const context = (name: string, bci: number, run: number): string =>
    [`${idOf(name)}:${bci}`, ...new Array<string>(run).fill(`${idOf('main')}:1`)].join('<');
  const calls = runs.flatMap((run, i) =>
    [...run.calls].map(([name, count]) => ({ ctx: context(name, 0, i), records: [count] })),
  );
  const conditionals = runs.flatMap((run, i) =>
    jumps.flatMap(({ method, bci, line, jump, next }) => {
      const yes = run.whenTrue.get(line) ?? 0;
      const no = run.whenFalse.get(line) ?? 0;
      // javac jumps where the condition of `if`, `for` and `while` does not hold.
      return yes + no === 0 ? [] : [{ ctx: context(method, bci, i), records: [jump, 0, no, next, 1, yes] }];
    }),
  );
  // Cases that share a target have one index; all but the first of them have no target, and counts may be anywhere.
  const cases = runs.flatMap((run, i) =>
    switches.flatMap(({ method, bci, ways }) => {
      const targets = [...new Set(ways.map(({ target }) => target))];
      const records = ways.flatMap(({ target, line }, way) => {
        const count = run.lines.get(line) ?? 0;
        const first = ways.findIndex((other) => other.target === target) === way;
        return [first ? target : -5, targets.indexOf(target), first ? count - Math.min(count, 1) : 0];
      });
      const rest = targets.flatMap((target, index) => {
        const line = ways.find((way) => way.target === target)?.line ?? -1;
        return (run.lines.get(line) ?? 0) > 0 ? [-5, index, 1] : [];
      });
      return [{ ctx: context(method, bci, i), records: [...records, ...rest] }];
    }),
  );
  return JSON.stringify({
    version: '1.0.0',
    types: types.map((name, id) => ({ id, name })),
    methods: table,
    callCountProfiles: calls,
    conditionalProfiles: [...conditionals, ...cases],
  });
}
