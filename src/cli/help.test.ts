/** Help, and the examples in it: each of them runs. */
import { equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { amount } from '../testing/amount.js';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { examplesOf } from './invocation/options.js';
import { allCommands, buildProgram } from './program.js';
import { memoryHost, runCommand } from './testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-cli-'));
after(() => rmSync(folder, { recursive: true }));

const LARGEST = 'krisfoster-binary-tree.iprof';

const program = await buildProgram({ host: memoryHost(), exitCode: EXIT.done });

/** The quick tier tries one example a command on the largest file. */
function tried(examples: readonly string[]): readonly string[] {
  const first = examples.findIndex((example) => example.includes(LARGEST));
  return amount(
    examples,
    examples.filter((example, i) => i === first || !example.includes(LARGEST)),
  );
}

describe('help', () => {
  for (const command of allCommands(program)) {
    for (const example of tried(examplesOf(command))) {
      it(`the example runs: ${example}`, async () => {
        const words = example.replaceAll('/tmp/', `${folder}/`).split(' ');
        const { status, stdout, stderr } = await runCommand(words, { cwd: ROOT });
        equal(status, 0, stderr);
        ok(stdout.length > 0 || /-o |convert/.test(example), 'nothing was printed');
      });
    }
  }

  it('every command has an example, shown in its help', async () => {
    for (const command of allCommands(program)) {
      if (command.commands.length > 0 || command.registeredArguments.length === 0 || /^complet/.test(command.name()))
        continue;
      ok(examplesOf(command).length > 0, command.name());
    }
    match((await runCommand(['pgo', 'hot', '--help'])).stdout, /Examples:\n {2}kansoku pgo hot/);
  });
});
