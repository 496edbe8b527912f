/**
 * Two builds of a program, method by method: `node dist/bench/stale/run.js OLD NEW [SAMPLE]` for class paths OLD and NEW
 * prints how many methods are unchanged, moved, changed, gone and new, what that cost, and SAMPLE methods of each state
 * that `javap` can be asked about.
 */
import { type ClassChange, compareClasses } from '../../src/analysis/stale/class-change.js';
import { openClassPath } from '../../src/code/java/class-path/class-path.node.js';
import { type ClassSet, loadClasses } from '../../src/code/java/class-path/class-set.js';

const [oldPath, newPath, sample = '0'] = process.argv.slice(2);
if (oldPath === undefined || newPath === undefined) throw new Error('two class paths are expected');

const before = process.cpuUsage();
const old = await load(oldPath);
const now = await load(newPath);
const loaded = process.cpuUsage(before);

const counts: Record<string, number> = {};
const examples: Record<string, string[]> = {};
let kept = { instructions: 0, of: 0 };
let classes = 0;
for (const name of old.names()) {
  const [from, to] = [old.get(name), now.get(name)];
  if (from === undefined) continue;
  if (to === undefined) for (const method of from.methods) tell('gone with its class', name, method);
  else {
    classes++;
    countMethods(name, compareClasses(from, to, old, now));
  }
}
for (const name of now.names())
  if (!old.has(name)) for (const method of now.get(name)?.methods ?? []) tell('new with its class', name, method);
const all = process.cpuUsage(before);

process.stdout.write(`classes: ${old.size} and ${now.size}, ${classes} in both\n`);
for (const [state, count] of Object.entries(counts)) process.stdout.write(`${state.padEnd(24)} ${count}\n`);
process.stdout.write(`instructions of changed methods that are kept: ${kept.instructions} of ${kept.of}\n`);
process.stdout.write(
  `CPU s: load ${seconds(loaded)}, all ${seconds(all)}; RSS MB ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)}\n`,
);
for (const [state, list] of Object.entries(examples))
  for (const text of list) process.stdout.write(`${state}\t${text}\n`);

async function load(path: string): Promise<ClassSet> {
  const opened = await openClassPath([path]);
  const set = await loadClasses(opened, [...opened.names()], {}, { supers: false });
  await opened.close();
  return set;
}

function countMethods(name: string, { methods, added }: ClassChange): void {
  for (const { from, to, state, map, candidates } of methods.values()) {
    const renamed = to !== undefined && to.name !== from.name ? ', another number' : '';
    tell(state === 'gone' && candidates.length > 0 ? 'gone, with a candidate' : `${state}${renamed}`, name, from);
    if (state !== 'changed' || map === undefined) continue;
    kept = { instructions: kept.instructions + map.kept.instructions, of: kept.of + map.kept.of };
  }
  for (const method of added) tell('new', name, method);
}

function tell(state: string, name: string, method: { readonly name: string; readonly descriptor: string }): void {
  const count = (counts[state] ?? 0) + 1;
  counts[state] = count;
  // Every 997th, so that they are of all packages.
  if (count % 997 === 1 && (examples[state] ?? []).length < Number(sample)) {
    examples[state] ??= [];
    examples[state].push(`${name}\t${method.name}\t${method.descriptor}`);
  }
}

function seconds({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1e6).toFixed(2);
}
