/**
 * Checks who uses whom in the agent in C, as scripts/check-layers does in TypeScript: `node scripts/check-c.mjs` in the folder of the project.
 * A file uses another one if it includes it, or names a function or variable that the other one defines and an included header declares.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** By room: the rooms that it may use beside itself. The start of the agent may use all. */
const ROOMS = new Map([
  ['agent/include', []],
  ['agent', ['agent/include']],
  ['agent/bridge', ['agent', 'agent/include']],
  [
    'agent/hprof',
    [
      'agent',
      'agent/hprof/rewrite',
      'agent/hprof/heap',
      'agent/hprof/samples',
      'agent/hprof/counts',
      'agent/hprof/net',
    ],
  ],
  ['agent/hprof/net', ['agent', 'agent/hprof', 'agent/hprof/rewrite', 'agent/hprof/heap', 'agent/hprof/samples']],
  ['agent/hprof/counts', ['agent', 'agent/hprof', 'agent/hprof/rewrite']],
  ['agent/hprof/rewrite', ['agent']],
  ['agent/hprof/heap', ['agent', 'agent/hprof', 'agent/hprof/rewrite']],
  ['agent/hprof/samples', ['agent', 'agent/hprof', 'agent/hprof/heap', 'agent/hprof/rewrite']],
  ['agent/remote', ['agent', 'agent/include']],
]);
const START = 'agent/main.c';

const files = new Map([...ROOMS.keys()].flatMap(sourcesIn));
const uses = usesOf(files);
const errors = [...breachesOfRooms(), ...circles()];
for (const error of errors) process.stderr.write(`  error ${error}\n`);
process.exitCode = errors.length === 0 ? 0 : 1;

/** The sources of a folder, without comments and texts. */
function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replace(/\/\*.*?\*\//gs, ' ');
    const includes = [...text.matchAll(/^#include "(.*)"/gm)].map(([, path]) => normalize(join(folder, path)));
    return [join(folder, name), { includes, code: text.replace(/^#.*$/gm, '').replace(/"(?:\\.|[^"\\])*"/g, '""') }];
  });
}

/** By file: the files that it uses. */
function usesOf(sources) {
  const definers = new Map();
  for (const [path, { code }] of sources)
    if (path.endsWith('.c')) for (const name of definedIn(code)) definers.set(name, path);
  return new Map([...sources].map(([path, source]) => [path, usedBy(path, source, definers)]));
}

function usedBy(path, { code, includes }, definers) {
  const found = new Set(includes.filter((each) => files.has(each)));
  if (path.endsWith('.h')) return found;
  const declared = new Set(wordsOf([...headersOf(path)].map((header) => files.get(header).code).join()));
  for (const name of wordsOf(code)) {
    const definer = declared.has(name) ? definers.get(name) : undefined;
    if (definer !== undefined && definer !== path) found.add(definer);
  }
  return found;
}

/** The headers that a file includes, and those that these include. */
function headersOf(path, found = new Set()) {
  for (const header of files.get(path).includes)
    if (files.has(header) && !found.has(header)) headersOf(header, found.add(header));
  return found;
}

/** Names, but not those of members of structures: they may be names of functions, too. */
function wordsOf(code) {
  return code.match(/(?<![.\w]|->)[A-Za-z_]\w*/g) ?? [];
}

/** Functions and variables that a file defines for others: each begins a line. */
function definedIn(code) {
  const lines = code.match(/^(?!static\b|typedef\b|extern\b|struct\b|enum\b|#)[A-Za-z_].*$/gm) ?? [];
  return lines.flatMap((line) => {
    const called = /^[^=(]*?(\w+)\(/.exec(line);
    if (called !== null) return line.endsWith(';') ? [] : [called[1]];
    return [...line.matchAll(/(\w+)(?:\[\w*\])?(?= = |,|;)/g)].map(([, name]) => name);
  });
}

function breachesOfRooms() {
  return [...uses].flatMap(([path, used]) => {
    const room = dirname(path);
    const others = [...used].filter((each) => dirname(each) !== room && !ROOMS.get(room).includes(dirname(each)));
    return path === START ? [] : others.map((other) => `c-room: ${path} → ${other}`);
  });
}

function circles() {
  const found = [];
  const done = new Set();
  const walk = (path, above) => {
    const from = above.indexOf(path);
    if (from >= 0) found.push(`c-circle: ${[...above.slice(from), path].join(' → ')}`);
    if (from >= 0 || done.has(path)) return;
    for (const each of uses.get(path) ?? []) walk(each, [...above, path]);
    done.add(path);
  };
  for (const path of uses.keys()) walk(path, []);
  return found;
}
