/** Code as `javap -c -l -s -p` prints it, for tests to compare with: a reader of its text, by regular expressions. */
import { spawnSync } from 'node:child_process';

export interface JavapInstruction {
  readonly bci: number;
  /** Mnemonic, operands and comment as printed, blanks joined. */
  readonly text: string;
  /** BCIs behind the case labels of a switch, with the labels; `default` is the last. */
  readonly cases: readonly (readonly [label: string, bci: number])[];
}

export interface JavapMethod {
  readonly name: string;
  readonly descriptor: string;
  readonly instructions: readonly JavapInstruction[];
  /** Rows of the line table. */
  readonly lines: readonly { readonly line: number; readonly bci: number }[];
}

/** What javap prints of classes; `where` are its options that say where they are. */
export function javapMethods(where: readonly string[], classes: readonly string[]): Map<string, JavapMethod[]> {
  const words = ['-c', '-l', '-s', '-p', ...where, ...classes];
  const { stdout, stderr, status } = spawnSync('javap', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`javap: ${stderr}`);
  const found = new Map<string, JavapMethod[]>();
  let methods: JavapMethod[] = [];
  for (const part of stdout.split(/^(?=\S.*\b(?:class|interface) .*\{$)/m)) {
    const [, name] = /(?:class|interface) ([\w.$]+)/.exec(part) ?? [];
    if (name === undefined) continue;
    methods = part.split(/\n\n/).flatMap((text) => methodOf(text, name) ?? []);
    found.set(name, methods);
  }
  return found;
}

function methodOf(text: string, owner: string): JavapMethod | undefined {
  const [, head, descriptor] = /^ {2}(\S.*);\n {4}descriptor: (\(\S+)$/m.exec(text) ?? [];
  if (head === undefined || descriptor === undefined) return undefined;
  const [, written] = /([\w.$]+)\(/.exec(head) ?? [];
  const name = head.includes('static {}') ? '<clinit>' : written === owner ? '<init>' : written;
  if (name === undefined) return undefined;
  const lines = [...text.matchAll(/^ +line (\d+): (\d+)$/gm)].map(([, line, bci]) => ({
    line: Number(line),
    bci: Number(bci),
  }));
  const [, code = ''] = /^ {4}Code:\n(.*?)(?=^ {4}\w)/ms.exec(`${text}\n    end`) ?? [];
  const instructions = [...code.matchAll(/^ +(\d+): ([a-z].*)$((?:\n {10,}\S+: \d+$)*)/gm)].map(
    ([, bci, rest = '', cases = '']) => ({
      bci: Number(bci),
      text: rest.replace(/\s+/g, ' ').trim(),
      cases: [...cases.matchAll(/(\S+): (\d+)/g)].map(([, label = '', target]) => [label, Number(target)] as const),
    }),
  );
  return { name, descriptor, instructions, lines };
}
