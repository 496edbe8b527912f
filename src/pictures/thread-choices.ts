/**
 * What threads of a picture can be chosen by: pools, then single names, each with the pattern that means just its threads on the command
 * line, too.
 *
 *   http-worker-1  http-worker-2  main       http-worker-* (2 threads)   http-worker-*
 *                                            http-worker-1               ^http-worker-1$ if there is an http-worker-10, else the name
 */

import { unknownNameError } from '../analysis/identity/unknown-name.js';
import { poolName } from '../analysis/threads/groups.js';
import { exactPattern } from '../base/parsing/exact-pattern.js';
import { usingPattern } from '../base/parsing/pattern.js';
import { plural } from '../base/units.js';
import { matchNames } from '../models/program/names.js';

/** Threads that are chosen together: those of a pool, or of one name. */
export interface ThreadChoice {
  readonly title: string;
  /** Different ones. */
  readonly names: readonly string[];
}

/** The pools of at least two names, the largest first, then each name. `names`: one a thread; several threads may have the same. */
export function threadChoices(names: readonly string[]): ThreadChoice[] {
  const ofName = new Map<string, number>();
  for (const name of names) ofName.set(name, (ofName.get(name) ?? 0) + 1);
  const pools = new Map<string, string[]>();
  for (const name of ofName.keys()) {
    const pool = poolName(name);
    pools.set(pool, [...(pools.get(pool) ?? []), name]);
  }
  const choice = (title: string, members: readonly string[]): ThreadChoice & { threads: number } => {
    const threads = members.reduce((sum, name) => sum + (ofName.get(name) ?? 0), 0);
    return { title: threads === 1 ? title : `${title} (${plural(threads, 'thread')})`, names: members, threads };
  };
  const several = [...pools]
    .filter(([, members]) => members.length > 1)
    .map(([pool, members]) => choice(pool, members));
  several.sort((a, b) => b.threads - a.threads);
  return [...several, ...[...ofName.keys()].map((name) => choice(name, [name]))].map(({ title, names: members }) => ({
    title,
    names: members,
  }));
}

/** The shortest pattern that matches the names of a choice and no other of `names`, which may have more of a pool. */
export function patternOf({ names: [first = '', ...others] }: ThreadChoice, names: readonly string[]): string {
  const isPool = others.length > 0;
  const label = isPool ? poolName(first) : first;
  const members = new Set(names.filter((name) => (isPool ? poolName(name) : name) === label));
  const isExact = (pattern: string): boolean => {
    const marks = marksOf(names, pattern);
    return marks !== undefined && names.every((name, i) => (marks[i] === 1) === members.has(name));
  };
  const exact = exactPattern(label);
  const numbered = isPool ? exact.replace(/\\\*(?=[^*]*$)/, '\\d+') : exact;
  const each = Array.from(members, (name) => exactPattern(name).slice(1, -1)).join('|');
  return [label, numbered].find(isExact) ?? `^(${each})$`;
}

/** The choice that has all threads of a pattern and no other; undefined if there is none. */
export function choiceOf(
  choices: readonly ThreadChoice[],
  names: readonly string[],
  pattern: string,
): ThreadChoice | undefined {
  const marks = marksOf(names, pattern);
  const matched = new Set(names.filter((_, i) => marks?.[i] === 1));
  return choices.find(
    ({ names: members }) => members.length === matched.size && members.every((name) => matched.has(name)),
  );
}

/** 1 for each of the names that a pattern means, as `--thread` takes it. Throws `UsageError` if it is neither an expression nor a name, or means none. */
export function threadsMatching(names: readonly string[], pattern: string): Uint8Array {
  const marks = usingPattern(`not a regular expression: ${pattern}`, () =>
    matchNames(pattern, names.length, (id) => names[id] ?? ''),
  );
  if (!marks.includes(1)) throw unknownNameError(pattern, { noun: 'thread', text: pattern, names });
  return marks;
}

function marksOf(names: readonly string[], pattern: string): Uint8Array | undefined {
  try {
    return threadsMatching(names, pattern);
  } catch {
    return undefined;
  }
}
