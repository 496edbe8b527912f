/**
 * What `kansoku print --strict` prints beside `gprofng display text`, for every command of its guide and each experiment: which are equal byte for
 * byte, but for addresses of gprofng's own memory.
 *
 *   node dist/bench/print/run.js [--differences FOLDER] [--kept FOLDER] [--only NAME] EXPERIMENT.er...
 *
 * `--differences`: what both printed, for each command that differs. `--kept`: where the peer's answers are kept for another run. Experiments are read from the folder that they are in.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openExperiment } from '../../src/peers/gprofng/peer/experiment.js';
import { isSame, type Outcome, printedFor } from '../../src/peers/gprofng/testing/expected.js';
import { commandsFor, type NamedCommand } from './commands.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { differences: { type: 'string' }, only: { type: 'string' }, kept: { type: 'string' } },
});
/** Functions with sources that are asked for one by one: the first ones of the list. */
const MOST_FUNCTIONS = 4;
/** Functions that are asked for their source. */
const MOST_ASKED = 12;
/** Longer outputs are not compared. */
const MOST_OUTPUT = 1 << 28;

type Answer = Outcome & { readonly isLong?: boolean };

/** The peer's answer, from an earlier run where that kept it. */
function peer(path: string, words: readonly string[]): Answer {
  if (values.kept === undefined) return asked(path, words);
  mkdirSync(values.kept, { recursive: true });
  const name = createHash('sha256')
    .update(JSON.stringify([path, words]))
    .digest('hex');
  const file = join(values.kept, `${name}.json`);
  if (existsSync(file)) {
    const answer: Answer = JSON.parse(readFileSync(file, 'utf8'));
    return answer;
  }
  const answer = asked(path, words);
  writeFileSync(file, JSON.stringify(answer));
  return answer;
}

function asked(path: string, words: readonly string[]): Answer {
  const options = { cwd: dirname(path), encoding: 'utf8', maxBuffer: MOST_OUTPUT } as const;
  const { stdout, stderr, signal, error } = spawnSync(
    'gprofng',
    ['display', 'text', ...words, basename(path)],
    options,
  );
  return {
    out: withoutNodes(stdout),
    err: withoutProgram(stderr),
    ...(error && { isLong: true }),
    ...(signal && { refused: `ended by ${signal}` }),
  };
}

/** Addresses of objects in the memory of gprofng, at the ends of lines of dumps. */
function withoutNodes(text: string): string {
  return text.replace(/ \[0x[0-9a-f]{16}\]$/gm, '');
}

function withoutProgram(text: string): string {
  return text.replace(/^(?:\/\S*\/)?\S*gp-display-text/gm, 'gp-display-text');
}

/** Names of functions at the top of the list whose source gprofng knows. */
function functionsOf(path: string): string[] {
  const names = peer(path, ['-metrics', 'e.totalcpu:name', '-functions'])
    .out.split('\n')
    .flatMap((line) => {
      const [, name] = /^ *[\d.]+ +(\S.*)$/.exec(line) ?? [];
      return name === undefined || name.startsWith('<') ? [] : [name];
    });
  const sources = names
    .slice(0, MOST_ASKED)
    .filter((name) => /^\s+Source File: (?!\(unknown\))/m.test(peer(path, ['-fsingle', name, '1']).out));
  return sources.slice(0, MOST_FUNCTIONS);
}

const totals = new Map<string, { same: number; all: number }>();
const count = (name: string, same: boolean): void => {
  const total = totals.get(name) ?? { same: 0, all: 0 };
  totals.set(name, { same: total.same + (same ? 1 : 0), all: total.all + 1 });
};
const differing: string[] = [];
for (const each of positionals) {
  const path = resolve(each);
  const experiment = await openExperiment(path, { strict: true });
  const data = [...new Set(experiment.processes.flatMap(({ log }) => log.data.map(({ name }) => name)))];
  const commands: NamedCommand[] = commandsFor(data, functionsOf(path));
  for (const [name, ...words] of commands) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const theirs = peer(path, words);
    if (theirs.isLong === true) {
      process.stdout.write(`${basename(path)}: ${name} is too long\n`);
      continue;
    }
    let ours: Outcome;
    try {
      ours = await printedFor(experiment, words, dirname(path));
    } catch (error) {
      ours = { out: '', err: '', refused: String(error instanceof Error ? error.stack : error) };
    }
    const plain = { ...ours, out: withoutNodes(ours.out) };
    const expected = {
      experiment: '',
      output: name,
      words,
      out: theirs.out,
      err: isLimit(theirs.err) ? '' : theirs.err,
    };
    // What gprofng does not survive has no text to compare with.
    const same = theirs.refused === undefined && isSame(plain, expected);
    count(basename(path), same);
    count('all', same);
    if (same) continue;
    differing.push(`${basename(path)}: ${name}`);
    if (values.differences !== undefined) keep(values.differences, `${basename(path)} ${name}`, plain, theirs);
  }
  await experiment.close();
}

function isLimit(text: string): boolean {
  return /^(?:Print limit set to \d+\s*)+$/.test(text.trim());
}

function keep(folder: string, name: string, ours: Outcome, theirs: Outcome): void {
  mkdirSync(folder, { recursive: true });
  const text = ({ out, err, refused }: Outcome): string => `${out}--- messages\n${err}${refused ?? ''}\n`;
  const file = join(folder, name.replace(/[^\w.-]+/g, '_').slice(0, 100));
  writeFileSync(`${file}.ours`, text(ours));
  writeFileSync(`${file}.peer`, text(theirs));
}

for (const name of differing) process.stdout.write(`differs  ${name}\n`);
for (const [name, { same, all }] of totals)
  process.stdout.write(
    `${name.padEnd(30)} ${String(same).padStart(5)} of ${String(all).padStart(5)}  ${((100 * same) / all).toFixed(1)} %\n`,
  );
