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

/** The quick tier tries one example a command on each of the largest files. */
function tried(examples: readonly string[]): readonly string[] {
  const others = LARGEST.flatMap((file) => examples.filter((example) => example.includes(file)).slice(1));
  return amount(
    examples,
    examples.filter((example) => !others.includes(example)),
  );
}

describe('help', () => {
  for (const command of allCommands(program)) {
    for (const example of tried(examplesOf(command))) {
      it(`the example runs: ${example}`, async (t) => {
        // Those that run a program need a JDK, and write to the streams of this process.
        const runsJava = example.includes(' -- java ');
        if (runsJava && !(hasProgram(t, 'javac') && hasProgram(t, 'gcc'))) return;
        const words = example.replaceAll('/tmp/', `${folder}/`).split(' ');
        const { status, stdout, stderr } = await runCommand(words, {
          cwd: ROOT,
          env: runsJava ? { PATH: process.env.PATH ?? '' } : {},
        });
        equal(status, 0, stderr);
        // Agents write to the streams of this process, too.
        ok(stdout.length > 0 || runsJava || /-o |convert|jvmpi replay/.test(example), 'nothing was printed');
      });
    }
  }

  it('every command has an example, shown in its help', async () => {
    for (const command of allCommands(program)) {
      // Examples with the number of a process could not be tried.
      const isOther = /^(complet|attach$|capabilities$)/.test(command.name());
      if (command.commands.length > 0 || command.registeredArguments.length === 0 || isOther) continue;
      ok(examplesOf(command).length > 0, command.name());
    }
    match((await runCommand(['pgo', 'hot', '--help'])).stdout, /Examples:\n {2}kansoku pgo hot/);
  });
});
