/** A program whose methods say when they run, on each JDK of this machine: what ran was found, what nothing refers to was not. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { faultsOf } from '../../models/callgraph/call-graph.js';
import { amount, inFullTier } from '../../testing/amount.js';
import { keptFolder } from '../../testing/kept.js';
import { ROOT } from '../../testing/shared-data.js';
import { type Analysis, analyze } from './analyze.js';
import { analysedProgram } from './result.js';

const SOURCE = readFileSync(join(ROOT, 'src/analysis/pointsto/fixtures/Features.java.txt'), 'utf8');

interface Program {
  readonly classes: string;
  /** Of the methods that say that they ran. */
  readonly names: readonly string[];
}

/** The program, by the JDK that compiled it. */
const programs = new Map<string, Program>();

function runProgram(home: string): Program {
  const program = programs.get(home) ?? compiledAndRun(home);
  programs.set(home, program);
  return program;
}

function compiledAndRun(home: string): Program {
  const folder = keptFolder('kansoku-features-');
  mkdirSync(join(folder, 'demo'));
  writeFileSync(join(folder, 'demo/Features.java'), SOURCE);
  const classes = join(folder, 'classes');
  jdkTool(home, 'javac', ['-d', classes, join(folder, 'demo/Features.java')]);
  const output = jdkTool(home, 'java', ['-cp', classes, 'demo.Features']);
  return { classes, names: [...output.matchAll(/^ran (\S+)$/gm)].map(([, name = '']) => name) };
}

/** How many methods an analysis reached, by JDK and cut-off. */
const reachedCounts = new Map<string, number>();

async function analysed(classes: string, home: string, cutoff: number): Promise<Analysis> {
  const path = await openClassPath([classes, home]);
  try {
    const analysis = await analyze(path, { main: 'demo.Features', cutoff }, {});
    reachedCounts.set(`${home} ${cutoff}`, analysis.engine.reached.size);
    return analysis;
  } finally {
    await path.close();
  }
}

/** `Dog.speak` of the methods of the program; those of a lambda by what it is. */
function reachedNames({ engine }: Analysis): Set<string> {
  const names = new Set<string>();
  for (const method of engine.reached) {
    const owner = engine.types.name(engine.methods.entry(method).owner);
    if (!owner.startsWith('demo/')) continue;
    names.add(`${owner.replace(/^demo\/(?:Features\$)?/, '')}.${engine.methods.selectorOf(method).name}`);
  }
  return names;
}

/** How the program calls what javac names. */
const SAID: Readonly<Record<string, string>> = {
  'ONE.act': 'Kind$1.act',
  'TWO.act': 'Kind$2.act',
  lambda: 'Features.lambda$main$0',
  hook: 'Features.lambda$main$2',
};

test('what a program runs is reached; what nothing refers to is not', async (t) => {
  for (const home of jdkHomes(t).slice(0, amount(Number.POSITIVE_INFINITY, 1))) {
    const { classes, names } = runProgram(home);
    ok(names.length >= 30, names.join(' '));
    for (const cutoff of amount([0, 20, 1000], [20])) {
      const analysis = await analysed(classes, home, cutoff);
      const reached = reachedNames(analysis);
      const missing = [...new Set(names)].filter((name) => !reached.has(SAID[name] ?? name));
      deepStrictEqual(missing, [], `${home}, cut-off ${cutoff}`);
      for (const name of ['Features.neverReferenced', 'NeverUsed.<clinit>', 'NeverUsed.neverCalled'])
        ok(!reached.has(name), name);
      const { callGraph, program } = analysedProgram(analysis.engine);
      deepStrictEqual(faultsOf(callGraph, program.functions.length, program.classes.length), []);
    }
  }
});

test('a higher cut-off reaches no more', async (t) => {
  if (!inFullTier(t, 'pointsto')) return;
  const [home] = jdkHomes(t);
  if (home === undefined) return;
  const { classes } = runProgram(home);
  const sizes: number[] = [];
  for (const cutoff of [0, 5, 50])
    sizes.push(reachedCounts.get(`${home} ${cutoff}`) ?? (await analysed(classes, home, cutoff)).engine.reached.size);
  deepStrictEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  );
});
