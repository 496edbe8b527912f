/** Suggestions lead to commands that exist, and to none that a command of that name hides. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { buildProgram } from './program.js';
import { SYNONYMS } from './suggest.js';
import { memoryHost, runCommand } from './testing/run-command.js';

test('each suggestion is a command with its options, each word none, and of one sense', async () => {
  const program = await buildProgram({ host: memoryHost(), exitCode: EXIT.done });
  const names = new Set(program.commands.map((command) => command.name()));
  for (const path of Object.keys(SYNONYMS)) {
    let at = program;
    for (const word of path.split(' ')) {
      if (word.startsWith('--'))
        ok(
          at.options.some(({ long }) => long === word),
          path,
        );
      else at = at.commands.find((command) => command.name() === word) ?? program;
      ok(at !== program, path);
    }
  }
  const words = Object.values(SYNONYMS).flat();
  deepStrictEqual(words, [...new Set(words)]);
  for (const word of words) ok(!names.has(word), word);
});

for (const [words, meant] of [
  [['deadlocks', 'x'], 'monitors'],
  [['locks'], 'monitors'],
  [['top', 'x'], 'functions'],
  [['hot', 'x'], 'functions or pgo hot'],
  [['histo', 'x'], 'heap histogram'],
  [['branches', 'x'], 'pgo branches'],
  [['GC.class_histogram', 'x'], 'heap histogram'],
  [['convert-to', 'x'], 'convert'],
  [['pgo', 'locks', 'x'], 'monitors'],
  [['sumary', 'x'], 'summary'],
  [['pgo', 'brnches', 'x'], 'branches'],
] as const)
  test(`${words.join(' ')}: did you mean ${meant}?`, async () => {
    const { status, stderr } = await runCommand([...words]);
    equal(status, EXIT.usage);
    match(stderr, /^error: unknown command '/);
    ok(stderr.endsWith(`\n(Did you mean ${meant}?)\n`), stderr);
  });

test('an option of other commands leads to these, though the command knows none of them', async () => {
  const stderr = async (...words: string[]) => (await runCommand(words)).stderr;
  match(
    await stderr('heap', 'dominators', 'x', '--state', 'y'),
    /\n\(Commands with --state: functions, .* and \d+ more\)\n$/,
  );
  equal(await stderr('gc', 'x', '--nothing'), "error: unknown option '--nothing'\n");
});

test('a file without a command leads to its summary', async () => {
  const file = join(ROOT, 'examples/loops/loops.iprof');
  const { status, stderr } = await runCommand([file]);
  equal(status, EXIT.usage);
  ok(stderr.endsWith(`\n(Did you mean \`kansoku summary ${file}\`?)\n`), stderr);
});

test('a process without a file leads to a dump of its threads', async () => {
  const { status, stderr } = await runCommand(['threads', String(process.pid)]);
  equal(status, EXIT.unreadable);
  match(stderr, /: no such file\nThere is a process \d+\. .*jcmd \d+ Thread\.print \| kansoku threads -\n$/);
});

test('next steps name the class paths that were given, else a placeholder', async () => {
  const stderr = async (...words: string[]) => (await runCommand([...words, '--notes', '--limit', '1'])).stderr;
  const loops = ['pgo', 'branches', join(ROOT, 'examples/loops/loops.iprof')];
  match(await stderr(...loops), /--classes CLASSPATH$/m);
  const path = join(ROOT, 'examples/loops');
  ok((await stderr(...loops, '--classes', path)).includes(`Loops.find --classes ${path}\n`));
  const [shop, old, now] = ['shop.iprof', 'shop-1.jar', 'shop-2.jar'].map((name) => join(ROOT, 'examples/stale', name));
  const stale = ['pgo', 'stale', shop ?? '', '--classes', now ?? ''];
  ok((await stderr(...stale)).includes(`--old-classes OLD_CLASSPATH --classes ${now} --repair`));
  ok((await stderr(...stale, '--old-classes', old ?? '')).includes(`--old-classes ${old} --classes ${now} --repair`));
});
