/** The command language: scripts, settings, files, shortened names, the prompt, beside gprofng. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../../../cli/testing/run-command.js';
import { MadeExperiment, type Moment } from '../../../formats/experiment/testing/made-experiment.js';
import { baseMetrics, specOf, usualMetrics } from '../metrics.js';
import { HAS_PEER, writeMade } from '../testing/made.js';
import { NAMES, resolvedName } from './names.js';
import { settingMetrics } from './settings.js';
import { lineWords } from './words.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-language-'));
after(() => rmSync(folder, { recursive: true }));

function made(ticks: Readonly<Record<string, number>>): MadeExperiment {
  const experiment = new MadeExperiment();
  let time = 0;
  for (const [stack, count] of Object.entries(ticks))
    for (let i = 0; i < count; i++) {
      time += 1e7;
      const moment: Moment = { stack: { native: stack.split(' ') }, thread: 1 + (i % 3), time };
      experiment.clock(moment, 1);
    }
  return experiment;
}

before(() => {
  writeMade(made({ '_start main work': 30, '_start main': 5, '_start main work inner': 8 }), join(folder, 'a.er'));
  writeMade(made({ '_start main work': 12, '_start main new': 9 }), join(folder, 'b.er'));
  mkdirSync(join(folder, 'home'));
});

/** Thirty commands, some shortened, some wrong. */
const SCRIPT = `# thirty commands
functions
limit 3
FUNC
metrics i.%totalcpu:e.totalcpu:name
lines
gprof
ctree
sort name
functions
sort e.totalcpu
filters "THRID==2"
functions
filters 'THRID==2 || THRID == 3'
pcs # a comment
filters 1
thread_list
thread_select 1-2
functions
thread_select all
exp_list
metric
nonsense
fsingle work
indxobj_define half (TSTAMP/50000000)
half
printmode :
functions
printmode text
outfile list.txt
functions
metrics e.totalcpu:name
outfile -
add_exp b.er
experiment_list
functions
compare delta extra
functions
cpus
quit
functions
`;

function peer(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr } = spawnSync('gprofng', ['display', 'text', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: join(folder, 'home'), ...env },
  });
  // It calls itself by its path.
  return { stdout, stderr: stderr.replace(/^\S*gp-display-text: /gm, '') };
}

const printed = (words: readonly string[], input?: string) =>
  runCommand(['print', ...words], {
    cwd: folder,
    env: { HOME: join(folder, 'home') },
    ...(input !== undefined && { input }),
  });

describe('the command language', () => {
  test('has scripts', async (t) => {
    writeFileSync(join(folder, 'script'), SCRIPT);
    const { stdout, stderr, status } = await printed(['--strict', 'a.er', '--', '-script', 'script']);
    const file = readFileSync(join(folder, 'list.txt'), 'utf8');
    equal(status, 0);
    ok(!stdout.endsWith('functions'));
    match(file, /^Functions sorted[\s\S]*\nCurrent metrics: e\.totalcpu:name\n/);
    if (!HAS_PEER) return t.skip('gprofng is missing');
    const expected = peer(['-script', 'script', 'a.er']);
    equal(stdout, expected.stdout);
    equal(stderr, expected.stderr);
  });

  test('has settings, of which the nearest count', async (t) => {
    writeFileSync(
      join(folder, 'home', '.gprofng.rc'),
      'dmetrics i.totalcpu\nlimit 1\nname short:soname\nindxobj_define tenths (TSTAMP/100000000)\nbogus\n',
    );
    writeFileSync(join(folder, '.gprofng.rc'), '# near\nlimit 2\ndsort i.any\naddpath /near\n');
    const words = ['-functions', '-tenths', '-addpath', '/more'];
    const { stdout, stderr } = await printed(['--strict', 'a.er', '--', ...words]);
    const without = await printed(['--strict', '--no-settings', 'a.er', '--', '-functions']);
    const expected = HAS_PEER ? peer([...words, 'a.er']).stdout : undefined;
    for (const path of ['.gprofng.rc', 'home/.gprofng.rc']) rmSync(join(folder, path));
    match(stderr, /settings of .*\n.*bogus' is no setting/s);
    match(without.stdout, /sorted by metric: Exclusive Total CPU Time/);
    if (expected === undefined) return t.skip('gprofng is missing');
    equal(stdout, expected);
  });

  test('has settings of the machine that change nothing', async () => {
    const counters = baseMetrics(
      {
        stacks: { length: 0, parent: new Int32Array(), location: new Int32Array(), ending: new Uint8Array() },
        events: [],
        metrics: ['cpu', 'insts', 'cycles', 'sync'].map((id) => ({
          id,
          title: id,
          unit: 'none',
          nature: 'flow',
          table: 'sample',
          field: `counter_${id}`,
        })),
      },
      [],
    );
    // The part of gprofng's own file that these metrics are in.
    const text = 'ei%.totalcpu:i!hwc:e%.hwc:i.sync:e!sync:i!IPC:e!.IPC:i!CPI:e!.CPI';
    deepEqual(settingMetrics(text, counters).map(specOf).sort(), usualMetrics(counters).map(specOf).sort());
  });

  test('may leave descendants out', async () => {
    const all = await printed(['a.er', '--', '-en_desc', 'off', '-experiment_list']);
    match(all.stdout, / 1 yes .* a\.er /);
  });

  test('takes the lines of standard input', async () => {
    const { stdout, stderr } = await printed(['a.er'], 'experiment_list\nbogus\nquit\nfunctions\n');
    match(stdout, /a\.er/);
    ok(!stdout.includes('Functions'));
    match(stderr, /Error: Invalid command: bogus/);
  });

  test('says why commands have no answer', async () => {
    const { stderr } = await printed(['a.er', '--', '-deadlocks', '-r_accs', '-dsummary', 'all']);
    equal(stderr.match(/thread analyser/g)?.length, 3);
    const objects = await printed(['a.er', '--', '-data_objects']);
    match(objects.stderr, /data objects come with a later version/);
    equal(objects.status, 2);
  });

  test('opens and closes experiments in scripts only', async () => {
    const refused = await printed(['a.er', '--', '-add_exp', 'b.er']);
    equal(refused.status, 2);
    const { stdout, stderr } = await printed(
      ['a.er'],
      'open_exp b.er\nexperiment_list\ndrop_exp b.er\nadd_exp none.er\n',
    );
    match(stdout, /b\.er/);
    ok(!stdout.includes('a.er'));
    match(stderr, /b\.er is the only experiment/);
    match(stderr, /none\.er: \*\*\* Error:/);
  });

  test('takes the name src of the analyser, which gprofng does not know', async () => {
    const { stdout } = await printed(['a.er', '--', '-src', 'main']);
    equal(stdout, (await printed(['a.er', '--', '-source', 'main'])).stdout);
    match((await printed(['--strict', 'a.er', '--', '-src', 'main'])).stderr, /unknown command src/);
    match((await printed(['a.er', '--', '-dmpi_msgs'])).stderr, /records no messages/);
  });

  test('has names that may be shortened', () => {
    const names = ['func', 'GPROF', 'ctree', 'metric', 'metrics', 'dis', 'nothing', 'f'].map((word) => {
      const name = resolvedName(word);
      return typeof name === 'object' ? name.name : name;
    });
    deepEqual(names, [
      'functions',
      'callers-callees',
      'calltree',
      'ambiguous',
      'metrics',
      'disasm',
      undefined,
      'ambiguous',
    ]);
    equal(new Set(NAMES.map(({ name }) => name)).size, NAMES.length);
  });

  test('has words in quotation marks, and comments', () => {
    deepEqual(lineWords(`  filters "A == \\"x\\"" 'b c' d#e # rest`), ['filters', 'A == "x"', 'b c', 'd#e']);
    deepEqual(lineWords('# all'), []);
  });
});
