/** Other programs that find what a Java program can reach, on the same classes: SootUp's rapid type analysis, WALA's, and its 0-CFA. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jdkTool } from '../../src/code/java/testing/jdks.js';

const HELLO = 'class Hello { public static void main(String[] args) { System.out.println("Hello " + args.length); } }';

export interface PeerCommand {
  readonly title: string;
  readonly program: string;
  /** The file for methods and calls is the last word. */
  readonly words: readonly string[];
}

/** What peers and `analyze` read: the classes of a program and of java.base, in folders. */
export interface Inputs {
  readonly folder: string;
  readonly classes: string;
  /** Takes the place of a home of a JDK. */
  readonly jdk: string;
}

/** Compiles a program that prints a line, and extracts java.base, in `folder`. */
export function prepareInputs(home: string, folder: string): Inputs {
  const [classes, jdk] = [join(folder, 'classes'), join(folder, 'jdk')];
  mkdirSync(classes, { recursive: true });
  const image = join(home, 'lib', 'modules');
  const include = ['--include', 'regex:/java.base/.*\\.class'];
  if (!existsSync(jdk)) jdkTool(home, 'jimage', ['extract', `--dir=${join(jdk, 'modules')}`, ...include, image]);
  compile(home, { name: 'Hello', source: HELLO, target: classes, jars: [] });
  return { folder, classes, jdk };
}

interface Compilation {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly jars: readonly string[];
}

function compile(home: string, { name, source, target, jars }: Compilation): void {
  const file = join(target, `${name}.java`);
  writeFileSync(file, source);
  jdkTool(home, 'javac', ['-nowarn', '-cp', [target, ...jars].join(delimiter), '-d', target, file]);
}

/** The commands of the peers whose jars are given. They write `M method` and `E caller callee` a line, in the form `java/lang/Object.equals:(Ljava/lang/Object;)Z`. */
export function peerCommands(
  home: string,
  { folder, classes, jdk }: Inputs,
  { sootup, wala }: { readonly sootup?: string | undefined; readonly wala?: string | undefined },
): PeerCommand[] {
  const java = join(home, 'bin', 'java');
  const base = join(jdk, 'modules', 'java.base');
  const path = (name: string, jars: string): string[] => {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    const source = fileURLToPath(new URL(`../../../bench/pointsto/${name}.java.txt`, import.meta.url));
    compile(home, { name, source: readFileSync(source, 'utf8'), target, jars: [join(jars, '*')] });
    return ['-Xmx6g', '-cp', [join(jars, '*'), target].join(delimiter), name];
  };
  const commands: PeerCommand[] = [];
  if (sootup !== undefined) {
    const words = [...path('Rta', sootup), [classes, base].join(':'), 'rta', 'Hello'];
    commands.push({ title: 'SootUp RTA', program: java, words: [...words, join(folder, 'sootup-rta.txt')] });
  }
  if (wala !== undefined) {
    const start = path('Wala', wala);
    for (const [title, algorithm] of [
      ['WALA RTA', 'rta'],
      ['WALA 0-CFA', '0cfa'],
    ] as const) {
      const words = [...start, classes, base, algorithm, 'Hello', join(folder, `wala-${algorithm}.txt`)];
      commands.push({ title, program: java, words });
    }
  }
  return commands;
}
