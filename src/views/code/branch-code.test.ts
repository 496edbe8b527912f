/**
 * Branches on bytecode against programs that count themselves: `Branches.java` is compiled and run here, `javap` says where
 * its branches are, and a profile is made of the counts with every target named by its BCI, as recorders do.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { memorySource } from '../../bytes/byte-source.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { type JavapInstruction, type JavapMethod, javapMethods } from '../../code/java/testing/javap-code.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const SOURCE = join(ROOT, 'src', 'views', 'code', 'fixtures', 'Branches.java');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-branches-'));
after(() => rmSync(folder, { recursive: true }));

function run(program: string, words: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: 'utf8' });
  equal(status, 0, stderr);
  return stdout;
}

/** The branches of each source line, in the order of the code. */
function marks(source: string): Map<number, { letters: string[]; body?: number; entry?: number }> {
  const lineMarks = new Map<number, { letters: string[]; body?: number; entry?: number }>();
  for (const [index, text] of source.split('\n').entries()) {
    const match = /\/\/ ([csLX]) ?(?:([+-]\d+)\/(\d+))?$/.exec(text);
    if (match === null) continue;
    const line = index + 1;
    const [, letter = '', body, entry] = match;
    const loop = body === undefined ? {} : { body: line + Number(body), entry: line + Number(entry) };
    lineMarks.set(line, { letters: [letter], ...loop });
  }
  return lineMarks;
}

const ROLES: Readonly<Record<string, string>> = { c: 'condition', s: 'switch', L: 'loop condition', X: 'loop exit' };

function lineAt(method: JavapMethod, bci: number): number {
  const rows = method.lines.filter((row) => row.bci <= bci);
  return rows.reduce((best, row) => (row.bci >= best.bci ? row : best), { line: 0, bci: -1 }).line;
}

interface Site {
  readonly method: JavapMethod;
  readonly instruction: JavapInstruction;
  readonly line: number;
  /** Target BCIs with their counts. */
  readonly targets: readonly (readonly [bci: number, count: number])[];
}

/** The last branch of each marked line (those before it make the boolean that it decides by), with its counts. */
function sitesOf(
  methods: readonly JavapMethod[],
  hits: ReadonlyMap<number, number>,
  marked: ReadonlySet<number>,
): Site[] {
  const sites = new Map<string, Site>();
  for (const method of methods) {
    for (const [place, instruction] of method.instructions.entries()) {
      const line = lineAt(method, instruction.bci);
      if (!marked.has(line) || !/^(if|tableswitch|lookupswitch)/.test(instruction.text)) continue;
      const count = (bci: number): number => hits.get(lineAt(method, bci)) ?? 0;
      const next = method.instructions[place + 1]?.bci ?? 0;
      const jump = Number(/^if\S* (\d+)/.exec(instruction.text)?.[1]);
      // One outcome of each `if` begins on a line of its own; the others go the other way.
      const through =
        lineAt(method, next) !== line && hits.has(lineAt(method, next)) ? count(next) : count(line) - count(jump);
      const ways: readonly (readonly [number, number])[] = instruction.text.startsWith('if')
        ? [
            [jump, (hits.get(line) ?? 0) - through],
            [next, through],
          ]
        : [...new Set(instruction.cases.map(([, bci]) => bci))].map((bci) => [bci, count(bci)] as const);
      sites.set(`${method.name}:${line}`, { method, instruction, line, targets: ways });
    }
  }
  return [...sites.values()];
}

interface Naming {
  readonly swapped: boolean;
  /** The way that falls through is named by its second instruction, as where the first one was compiled away. */
  readonly late: boolean;
}

/** A profile of the sites. */
function profileOf(sites: readonly Site[], calls: number, { swapped, late }: Naming): string {
  const names = [...new Set(sites.map(({ method }) => method.name))];
  const records = ({ method, targets }: Site): number[] => {
    const targetBcis = targets.map(([bci, count], place) => {
      const at = method.instructions.findIndex((one) => one.bci === bci);
      const second = method.instructions[at + 1]?.bci ?? bci;
      const isLate = late && targets.length === 2 && place === 1 && lineAt(method, second) === lineAt(method, bci);
      return [isLate ? second : bci, count] as const;
    });
    if (swapped) targetBcis.reverse();
    return targetBcis.flatMap(([bci, count], index) => [bci, index, count]);
  };
  return JSON.stringify({
    version: '1.0.0',
    types: [
      { id: 0, name: 'Branches' },
      { id: 1, name: 'void' },
    ],
    methods: names.map((name, id) => ({ id, name, signature: [0, 1] })),
    callCountProfiles: names.map((_, id) => ({ ctx: `${id}:0`, records: [calls] })),
    conditionalProfiles: sites.map((site) => ({
      ctx: `${names.indexOf(site.method.name)}:${site.instruction.bci}`,
      records: records(site),
    })),
  });
}

async function branchesOf(profile: string, classes: readonly string[]) {
  const session = await openSession([memorySource('own.iprof', new TextEncoder().encode(profile))]);
  const path = await openClassPath(classes);
  try {
    return await ask({ ...session, library: { classes: path } }, { view: 'pgo-branches', page: { limit: 0 } });
  } finally {
    await path.close();
  }
}

/** The expected name of each outcome, from the output of javap. */
function expectedWays({ instruction, targets }: Site) {
  if (instruction.text.startsWith('if'))
    return targets.map(([bci, count], place) => ({ kind: place === 0 ? 'taken' : 'through', bci, keys: [], count }));
  const last = instruction.cases.at(-1)?.[1];
  const isTable = instruction.text.startsWith('tableswitch');
  return targets.map(([bci, count]) => {
    const labels = instruction.cases.filter(([label, target]) => target === bci && label !== 'default');
    const keys = isTable && bci === last ? [] : labels.map(([label]) => Number(label));
    return { kind: bci === last ? 'default' : 'case', bci, keys, count };
  });
}

describe('branches of a program that counts itself', () => {
  const source = readFileSync(SOURCE, 'utf8');
  const marked = marks(source);

  it('every outcome has its meaning and count, every loop its iterations', async (t) => {
    if (!hasProgram(t, 'jstack')) return;
    run('javac', ['-g', '-d', folder, SOURCE]);
    const outputLines = run('java', ['-cp', folder, 'Branches']).trim().split('\n');
    const hits = new Map(
      outputLines.map((text) => text.split('=').map(Number)).map(([line = 0, count = 0]) => [line, count]),
    );
    const methods = javapMethods(['-cp', folder], ['Branches']).get('Branches') ?? [];
    const sites = sitesOf(methods, hits, new Set(marked.keys()));
    equal(sites.length, marked.size);
    for (const swapped of [false, true]) {
      for (const late of [false, true]) {
        const result = await branchesOf(profileOf(sites, 50, { swapped, late }), [folder]);
        deepStrictEqual(result.code?.findings, []);
        for (const site of sites) {
          const siteText = `${site.method.name}:${site.instruction.bci} (line ${site.line}, ${JSON.stringify({ swapped, late })})`;
          const row = result.rows.find((one) => one.site === `Branches.${site.method.name}:${site.instruction.bci}`);
          ok(row !== undefined, siteText);
          const mark = marked.get(site.line);
          deepStrictEqual([row.line, row.role], [site.line, ROLES[mark?.letters[0] ?? '']], siteText);
          equal(row.instruction, site.instruction.text.split(' ')[0], siteText);
          deepStrictEqual(
            row.ways
              ?.map(({ kind, bci, keys, count }) => ({ kind, bci, keys, count }))
              .sort((a, b) => (a.bci ?? 0) - (b.bci ?? 0)),
            expectedWays(site).sort((a, b) => a.bci - b.bci),
            siteText,
          );
          const { body, entry } = mark ?? {};
          const expected =
            body === undefined || entry === undefined ? null : (hits.get(body) ?? 0) / (hits.get(entry) ?? 0);
          equal(row.iterations, expected, siteText);
        }
      }
    }
  });
});
