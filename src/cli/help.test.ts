/** Help, and the examples in it: each of them runs. */
import { equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { amount } from '../testing/amount.js';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { examplesOf } from './invocation/options.js';
import { allCommands, buildProgram } from './program.js';
import { memoryHost, runCommand } from './testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-cli-'));
after(() => rmSync(folder, { recursive: true }));

const LARGEST = ['krisfoster-binary-tree.iprof', 'call_tree_hello.txt.gz'] as const;

const program = await buildProgram({ host: memoryHost(), exitCode: EXIT.done });

/** The quick tier tries one of 16 examples on the largest files, and one that starts a program. */
function tried(examples: readonly string[]): ReadonlySet<string> {
  const others = (word: string, step: number): readonly string[] =>
    examples.filter((example) => example.includes(word)).filter((_, i) => i % step > 0);
  const left = [...LARGEST.flatMap((file) => others(file, 16)), ...others(' -- java ', Number.POSITIVE_INFINITY)];
  return new Set(
    amount(
      examples,
      examples.filter((example) => !left.includes(example)),
    ),
  );
}

const TRIED = tried(allCommands(program).flatMap(examplesOf));

describe('help', () => {
  for (const command of allCommands(program)) {
    for (const example of examplesOf(command).filter((each) => TRIED.has(each))) {
      it(`the example runs: ${example}`, async (t) => {
        // Those that run a program need a JDK, and write to the streams of this process.
        const runsJava = example.includes(' -- java ');
        if (runsJava && !(hasProgram(t, 'javac') && hasProgram(t, 'gcc'))) return;
        // What `record` writes is archived by the examples behind it.
        const records = /^(?:record native|archive) /.test(example);
        if (records && !hasProgram(t, 'gprofng')) return;
        const readsJdk = example.startsWith('analyze ');
        if (readsJdk && !hasProgram(t, 'javac')) return;
        const words = example.replaceAll('/tmp/', `${folder}/`).split(' ');
        const { status, stdout, stderr } = await runCommand(words, {
          cwd: ROOT,
          env: runsJava || readsJdk || records ? { PATH: process.env.PATH ?? '' } : {},
        });
        equal(status, 0, stderr);
        // Agents write to the streams of this process, too.
        ok(stdout.length > 0 || runsJava || /-o |^archive |convert|jvmpi replay/.test(example), 'nothing was printed');
      });
    }
  }

  it('every command has an example, shown in its help', async () => {
    for (const command of allCommands(program)) {
      // Examples with the number of a process could not be tried, and one that waits for an agent would not end.
      const isOther = /^(complet|attach$|capabilities$|listen$)/.test(command.name());
      if (command.commands.length > 0 || command.registeredArguments.length === 0 || isOther) continue;
      ok(examplesOf(command).length > 0, command.name());
    }
    match((await runCommand(['pgo', 'hot', '--help'])).stdout, /Examples:\n {2}kansoku pgo hot/);
  });
});
