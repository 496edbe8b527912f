/** Which test files a run takes: by word, by what changed, by whether a seed changes them, by shard. */
import { execFileSync } from 'node:child_process';
import { isTest } from '../source-files.js';
import type { SourceGraph } from '../source-graph.js';

/** What every test depends on. */
const FOR_ALL = /^(package(-lock)?[.]json|(web\/)?tsconfig[.]json)$/;
/** How a test takes the seed of src/testing/amount.ts. */
const TAKES_SEED = /\bruns\(|\bSEED\b/;

export function allTests(graph: SourceGraph): string[] {
  return graph.modules.filter(isTest);
}

/**
 * The tests of a word: those whose path contains it; and if it is the name of a room (a folder of a layer), those that
 * import from that folder or name a file below one of that name.
 */
export function testsOf(graph: SourceGraph, tests: readonly string[], word: string): string[] {
  const isInside = (path: string): boolean => path.split('/').slice(2, -1).includes(word);
  const isBelow = (path: string): boolean => path.split('/').slice(0, -1).includes(word);
  const isRoom = graph.modules.some(isInside);
  const belongs = (test: string): boolean => graph.uses(test).some(isInside) || graph.quotedPaths(test).some(isBelow);
  return tests.filter((test) => test.includes(word) || (isRoom && belongs(test)));
}

/** Files that differ from a revision (HEAD: what is not committed), and untracked ones. */
export function changedFiles(root: string, since: string): string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  return [
    ...git('diff', '--name-only', '--no-renames', since, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/** The tests that need one of these files: by imports, or because a source that they need names it. */
export function testsReaching(graph: SourceGraph, tests: readonly string[], files: readonly string[]): string[] {
  if (files.some((file) => FOR_ALL.test(file))) return [...tests];
  const changed = new Set(files);
  const data = files.filter((file) => !graph.modules.includes(file));
  for (const module of graph.modules) if (data.some((file) => graph.names(module, file))) changed.add(module);
  return tests.filter((test) => [...graph.reach(test)].some((module) => changed.has(module)));
}

/** The tests that another seed changes. */
export function testsWithSeed(graph: SourceGraph, tests: readonly string[]): string[] {
  const takesSeed = (module: string): boolean =>
    TAKES_SEED.test(graph.text(module)) && graph.uses(module).some((used) => used.endsWith('/amount.ts'));
  return tests.filter((test) => [...graph.testReach(test)].some(takesSeed));
}

/** One of so many parts, counted from 1. */
export interface Shard {
  readonly part: number;
  readonly of: number;
}

/** Every test is in one part; neighbours, which cost alike, are in different ones. */
export function shardOf(tests: readonly string[], { part, of }: Shard): string[] {
  return tests.filter((_, i) => i % of === part - 1);
}
