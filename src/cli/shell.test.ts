/** Completion in the shells themselves, and the man page as mandoc reads it. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { ROOT } from '../testing/shared-data.js';
import { runCommand } from './testing/run-command.js';
import { MAIN } from './testing/spawn-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-shell-'));
after(() => rmSync(folder, { recursive: true }));

// The scripts call `kansoku`; here it is the program that was just built.
writeFileSync(join(folder, 'kansoku'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, { mode: 0o755 });
symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}`, HOME: folder };

function shell(
  program: string,
  words: readonly string[],
  input = '',
): { stdout: string; stderr: string; status: number | null } {
  return spawnSync(program, words, { cwd: folder, env: environment, encoding: 'utf8', input });
}

describe('completion', () => {
  it('bash offers commands, options, choices and files', (test) => {
    if (!hasProgram(test, 'dh_bash-completion')) return;
    const script = `source /usr/share/bash-completion/bash_completion
source <(kansoku completion bash)
complete -p kansoku >/dev/null || exit 9
ask() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
  __kansoku_complete 2>/dev/null
  echo "\${COMPREPLY[@]}"
}
ask kansoku sum
ask kansoku pgo ''
ask kansoku pgo hot --orig
ask kansoku pgo hot --format ''`;
    const { stdout, stderr, status } = shell('bash', ['-c', script]);
    equal(status, 0, stderr);
    const offered = stdout.trimEnd().split('\n');
    deepStrictEqual(
      offered.map((line) => line.split(/ +/).filter(Boolean).sort()),
      [
        ['summary'],
        ['branches', 'coverage', 'hot', 'inlining', 'methods', 'receivers', 'stale', 'strip', 'types'],
        ['--origin'],
        ['csv', 'json', 'md', 'ndjson', 'table', 'tsv'],
      ],
    );
  });

  for (const [program, words] of [
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    it(`${program} accepts its script`, async (test) => {
      if (!hasProgram(test, program)) return;
      const script = await runCommand(['completion', program]);
      equal(script.status, 0);
      ok(script.stdout.length > 500);
      const path = join(folder, `completion.${program}`);
      writeFileSync(path, script.stdout);
      const { status, stderr } = shell(program, [...words, path]);
      equal(status, 0, stderr);
    });
  }

  it('fish offers commands', (test) => {
    if (!hasProgram(test, 'fish')) return;
    const { stdout } = shell('fish', ['-c', "kansoku completion fish | source; complete -C 'kansoku pgo '"]);
    deepStrictEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0])
        .sort(),
      ['branches', 'coverage', 'hot', 'inlining', 'methods', 'receivers', 'stale', 'strip', 'types'],
    );
  });

  it('without candidates, the shell may complete files', async () => {
    equal((await runCommand(['complete', '--', 'summary', ''])).stdout, ':0\n');
    match((await runCommand(['complete', '--', 'pgo', ''])).stdout, /:4\n$/);
  });

  it('an unknown shell is an error', async () => {
    equal((await runCommand(['completion', 'csh'])).status, 2);
  });
});

describe('man page', () => {
  it('is valid for mandoc and has every command', async (test) => {
    const page = (await runCommand(['man'])).stdout;
    for (const name of ['summary', 'check', 'pgo hot', 'pgo inlining', 'EXIT STATUS']) ok(page.includes(name), name);
    if (!hasProgram(test, 'mandoc')) return;
    const { stdout, status } = shell('mandoc', ['-T', 'lint', '-W', 'warning'], page);
    equal(status, 0, stdout);
  });
});
