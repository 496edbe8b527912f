/**
 * Shows that two built checkouts give the same answers: every command with every example, fixture and, with
 * KANSOKU_DATA, recording of the collection, some with the classes of the JDK at JAVA_HOME. Standard output, standard
 * error, exit code and written files are compared byte for byte.
 *
 * `node dist/scripts/same-results.js OLD_CHECKOUT [NEW_CHECKOUT] [--only PATTERN] [--report FILE] [--large]`:
 * NEW_CHECKOUT is this one if not given; PATTERN is a regular expression for a command and its input, such as `^pgo hot
 * src/`; with --large, files of more than 64 MiB, too. scripts/same-results.allowed.json lists what may differ
 * (--allowed FILE for another list), same-results/templates.ts what is run. Inputs are read from the old checkout. Exit
 * code 1 if anything differs or is undecided, 2 if nothing could be compared.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Checkout } from './same-results/checkout.js';
import { Comparison, type Counts, type Difference, readAllowed } from './same-results/compare.js';
import { listInputs } from './same-results/inputs.js';
import { gaps, runPlan } from './same-results/plan.js';

const ROOT = dirname(dirname(import.meta.dirname));
/** Milliseconds for one job: far more than the slowest takes on a busy machine. */
const LIMIT = 180_000;
/** Differences printed; the report has all. */
const PRINTED = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    report: { type: 'string' },
    large: { type: 'boolean', default: false },
    allowed: { type: 'string', default: join(ROOT, 'scripts', 'same-results.allowed.json') },
  },
});

async function main(): Promise<number> {
  const [oldRoot, newRoot = ROOT] = positionals.map((path) => resolve(path));
  if (oldRoot === undefined) {
    process.stderr.write('Give the built checkout to compare with: same-results.js OLD_CHECKOUT\n');
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'same-results-'));
  const checkout = (root: string, name: string): Checkout =>
    new Checkout({ root, folder: join(folder, name), limit: LIMIT, examplesRoot: oldRoot });
  const [old, now] = [checkout(oldRoot, 'old'), checkout(newRoot, 'new')];
  try {
    return await compare(old, now, join(folder, 'made'));
  } finally {
    await Promise.all([old.stop(), now.stop()]);
    rmSync(folder, { recursive: true });
  }
}

async function compare(old: Checkout, now: Checkout, made: string): Promise<number> {
  const started = Date.now();
  const [commands, newCommands] = await Promise.all([old.describe(), now.describe()]);
  const missing = gaps(newCommands);
  if (missing.length > 0) {
    process.stdout.write(
      `scripts/same-results/templates.ts is incomplete:\n${missing.map((line) => `  ${line}\n`).join('')}`,
    );
    return 2;
  }
  const data = process.env.KANSOKU_DATA || undefined;
  const { inputs, skipped } = await listInputs({ root: old.root, data, made, large: values.large });
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  const comparison = new Comparison({
    old,
    now,
    allowed: readAllowed(readFileSync(values.allowed, 'utf8')),
    shorten: (words) =>
      words
        .replaceAll(`${made}/`, 'made/')
        .replaceAll(`${old.root}/`, '')
        .replaceAll(data === undefined ? '\0' : `${data}/`, 'data/'),
  });
  const formats = await runPlan({
    comparison,
    commands,
    inputs,
    made,
    places: { examples: join(old.root, 'examples'), jdk: process.env.JAVA_HOME },
    wanted: (command, about) => only === undefined || only.test(`${command} ${about}`),
    progress: (message) => process.stderr.write(`${seconds(started)}: ${message}\n`),
  });
  const fresh = newCommands.filter(({ path }) => !commands.some((command) => command.path === path));
  process.stdout.write(
    [
      ...(process.env.JAVA_HOME === undefined ? ['skipped because JAVA_HOME is not set: runs with a JDK'] : []),
      ...(data === undefined ? ['skipped because KANSOKU_DATA is not set: the collection of real recordings'] : []),
      ...skipped.map((label) => `skipped, over 64 MiB (--large): ${label}`),
      ...fresh.map(({ path }) => `only in the new checkout: ${path}`),
      ...report(comparison, only === undefined),
      `exit codes: ${countsInWords(comparison.exitCodes)}`,
      `${inputs.length} inputs in ${seconds(started)}: ${countsInWords(formats)}`,
      totals(comparison),
    ]
      .map((line) => `${line}\n`)
      .join(''),
  );
  if (values.report !== undefined) writeReport(values.report, comparison);
  return comparison.differences.length + comparison.undecided.length > 0 ? 1 : 0;
}

function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}

function report(comparison: Comparison, whole: boolean): string[] {
  const { differences, faults, undecided } = comparison;
  const more = differences.length - PRINTED;
  const stale = whole ? comparison.stale() : [];
  return [
    ...[...comparison.counts].map(([command, counts]) => `${command === '' ? 'kansoku' : command}: ${inWords(counts)}`),
    ...differences.slice(0, PRINTED).flatMap(differenceLines),
    ...(more > 0 ? [`and ${more} more differences (--report FILE has all)`] : []),
    ...(faults.length > 0 ? [`${faults.length} faults with the old checkout, the first: ${faults[0] ?? ''}`] : []),
    ...undecided.map((line) => `not decided: ${line}`),
    ...stale.map(({ command, why }) => `allowed, but no such difference: ${command}: ${why}`),
  ];
}

function differenceLines({ command, words, parts }: Difference): string[] {
  return [
    `different: ${command} ${words}`,
    ...parts.flatMap(({ part, line, old, new: now }) => [`  ${part}, line ${line}`, `  - ${old}`, `  + ${now}`]),
  ];
}

function inWords({ equal, allowed, different, undecided }: Counts): string {
  const rest = [
    ...(allowed > 0 ? [`${allowed} allowed`] : []),
    ...(different > 0 ? [`${different} different`] : []),
    ...(undecided > 0 ? [`${undecided} not decided`] : []),
  ];
  return [`${equal} equal`, ...rest].join(', ');
}

/** `12 × a, 3 × b`, the most frequent first. */
function countsInWords(counts: ReadonlyMap<string, number>): string {
  const ordered = [...counts].sort(([, a], [, b]) => b - a);
  return ordered.map(([name, count]) => `${count} × ${name}`).join(', ');
}

function totals({ counts }: Comparison): string {
  const sum: Counts = { equal: 0, allowed: 0, different: 0, undecided: 0 };
  for (const each of counts.values()) {
    sum.equal += each.equal;
    sum.allowed += each.allowed;
    sum.different += each.different;
    sum.undecided += each.undecided;
  }
  const runs = sum.equal + sum.allowed + sum.different + sum.undecided;
  return `${runs} runs: ${sum.equal} equal, ${sum.allowed} allowed, ${sum.different} different, ${sum.undecided} not decided`;
}

function writeReport(path: string, { counts, differences, faults, undecided }: Comparison): void {
  writeFileSync(
    path,
    `${JSON.stringify({ counts: Object.fromEntries(counts), differences, faults, undecided }, null, 2)}\n`,
  );
}

process.exitCode = await main();
