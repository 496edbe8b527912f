import { deepStrictEqual, equal, match, throws } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Comparison, type Counts, type Runner, readAllowed } from './same-results/compare.js';
import { gaps } from './same-results/plan.js';
import type { CommandDefinition, Outcome } from './same-results/protocol.js';
import { TEMPLATES, WITHOUT_INPUT } from './same-results/templates.js';

const ROOT = dirname(dirname(import.meta.dirname));
const folder = mkdtempSync(join(tmpdir(), 'same-results-test-'));
after(() => rmSync(folder, { recursive: true }));

/** This checkout again, with another heading of the man page. */
function changedCheckout(): string {
  const root = join(folder, 'changed');
  const source = join(root, 'dist', 'src');
  mkdirSync(source, { recursive: true });
  for (const name of ['node_modules', 'package.json', 'examples']) symlinkSync(join(ROOT, name), join(root, name));
  for (const name of readdirSync(join(ROOT, 'dist', 'src')))
    if (name !== 'cli') symlinkSync(join(ROOT, 'dist', 'src', name), join(source, name));
  cpSync(join(ROOT, 'dist', 'src', 'cli'), join(source, 'cli'), { recursive: true });
  const page = join(source, 'cli', 'man.js');
  writeFileSync(page, readFileSync(page, 'utf8').replace('User Commands', 'Other Commands'));
  return root;
}

function sameResults(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { KANSOKU_DATA: _, ...env } = process.env;
  const script = join(ROOT, 'dist', 'scripts', 'same-results.js');
  return spawnSync(process.execPath, [script, ROOT, ...words], { encoding: 'utf8', env });
}

describe('same-results', () => {
  it('finds no difference of a build from itself', () => {
    const { status, stdout, stderr } = sameResults('--only', '^(man|summary examples/deadlock-jstack.txt)');
    equal(status, 0, stdout + stderr);
    match(stdout, /^man: 4 equal$/m);
    match(stdout, /^summary: 1\d equal$/m);
    match(stdout, / equal, 0 allowed, 0 different, 0 not decided\n$/);
  });

  it('shows the changed output of another build', () => {
    const { status, stdout, stderr } = sameResults(changedCheckout(), '--only', '^(man|demo) $');
    equal(status, 1, stdout + stderr);
    match(stdout, /^demo: 1 equal$/m);
    match(stdout, /^different: man \n {2}stdout, line 1\n {2}- .*User Commands.*\n {2}\+ .*Other Commands/m);
    match(stdout, /^2 runs: 1 equal, 0 allowed, 1 different, 0 not decided\n$/m);
  });
});

/** A checkout with jobs that all end as in `parts`; a part that is a hash is its own text. */
function runner(parts: Outcome): Runner {
  return {
    run: () => Promise.resolve(parts),
    part: (name) => Promise.resolve(parts[name] === undefined ? undefined : Buffer.from(parts[name])),
  };
}

async function compared(
  before: Outcome,
  after: Outcome,
  allowed: object[],
): Promise<{ comparison: Comparison } & Counts> {
  const comparison = new Comparison({
    old: runner(before),
    now: runner(after),
    allowed: readAllowed(JSON.stringify(allowed)),
    shorten: (words) => words,
  });
  await comparison.run('pgo hot', { words: ['pgo', 'hot', 'a.iprof'] });
  const counts = comparison.counts.get('pgo hot');
  return { comparison, ...(counts ?? { equal: 0, allowed: 0, different: 0, undecided: 0 }) };
}

const OLD = { 'exit code': '0', stdout: 'one\ntwo told\n', 'file out': 'x' };
const NEW = { ...OLD, stdout: 'one\ntwo said\n' };
const REASON = { why: 'the word of the field' };

describe('allowed differences', () => {
  it('explain exactly the text that they turn into the new text', async () => {
    const entry = { command: 'pgo hot', words: '^a', part: 'stdout', from: 'told$', to: 'said', ...REASON };
    const { allowed, comparison } = await compared(OLD, NEW, [entry]);
    equal(allowed, 1);
    deepStrictEqual(comparison.stale(), []);
    equal((await compared(OLD, { ...NEW, stdout: 'ONE\ntwo said\n' }, [entry])).different, 1);
    equal((await compared(OLD, { ...NEW, 'exit code': '1' }, [entry])).different, 1);
    equal((await compared(OLD, { 'exit code': '0', stdout: NEW.stdout }, [entry])).different, 1);
  });

  it('explain a whole part if they have no text', async () => {
    const entry = { command: '*', part: 'file .*', ...REASON };
    equal((await compared(OLD, { ...OLD, 'file out': 'y' }, [entry])).allowed, 1);
    equal((await compared(OLD, NEW, [entry])).different, 1);
  });

  it('remove text that only the new output has', async () => {
    const entry = { command: 'man|pgo hot', part: 'stdout', side: 'new', from: '^sum\\n', to: '', ...REASON };
    equal((await compared(OLD, { ...OLD, stdout: `sum\n${OLD.stdout}` }, [entry])).allowed, 1);
    equal((await compared({ ...OLD, stdout: `sum\n${OLD.stdout}` }, OLD, [entry])).different, 1);
    const both = { ...entry, side: 'both', from: '^(one|ONE)$' };
    equal((await compared(OLD, { ...OLD, stdout: 'ONE\ntwo told\n' }, [both])).allowed, 1);
  });

  it('explain all effects of a new error, and no other failure', async () => {
    const entry = { command: 'pgo hot', part: '.*', refused: 'no times', ...REASON };
    const refused = { 'exit code': '2', stderr: 'kansoku: no times\n' };
    equal((await compared({ ...OLD, stderr: '' }, refused, [entry])).allowed, 1);
    equal((await compared({ ...OLD, stderr: '' }, { ...refused, stderr: 'gone\n' }, [entry])).different, 1);
  });

  it('are stale if no difference matches', async () => {
    const entries = [
      { command: 'pgo cold', part: 'stdout', ...REASON },
      { command: 'pgo hot', words: 'b.iprof', part: 'stdout', ...REASON },
      { command: 'pgo hot', part: 'stdout', from: 'three', to: 'four', ...REASON },
    ];
    const { different, comparison } = await compared(OLD, NEW, entries);
    equal(different, 1);
    equal(comparison.stale().length, 3);
  });

  it('have a reason', () => {
    throws(() => readAllowed('[{"command":"man","part":"stdout"}]'), /why/);
    throws(
      () => readAllowed(JSON.stringify([{ command: 'man', part: 'stdout', from: 'x', ...REASON }])),
      /only one of/,
    );
  });
});

describe('a job without an end', () => {
  it('proves nothing in both builds, and differs in one', async () => {
    const crashed = { 'exit code': 'crashed' };
    equal((await compared(crashed, crashed, [])).undecided, 1);
    equal((await compared(OLD, { 'exit code': 'timed out' }, [])).different, 1);
  });
});

describe('the templates', () => {
  const known: CommandDefinition[] = Object.keys({ ...TEMPLATES, ...WITHOUT_INPUT }).map((path) => ({
    path,
    hasCommands: false,
    options: [],
    examples: [],
  }));
  const command = { path: 'pgo cold', hasCommands: false, options: [], examples: [] };

  it('cover every command, option and choice', () => {
    deepStrictEqual(gaps(known), []);
    deepStrictEqual(gaps([...known, command]), ['pgo cold: no template']);
    deepStrictEqual(gaps(known.slice(1)), ['there is no command summary']);
    const options = [
      { flag: '--format', choices: ['csv', 'xml'] },
      { flag: '--upside-down', choices: [] },
    ];
    const wider = known.map((each) => (each.path === 'summary' ? { ...each, options } : each));
    deepStrictEqual(gaps(wider), ['summary: no line has --format xml', 'summary: no line has --upside-down']);
  });
});
