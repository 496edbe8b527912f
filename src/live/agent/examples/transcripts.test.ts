/** The transcripts of docs/jvmpi-examples.md are real: its commands are typed in a folder with its files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { MAIN, spawnEnvironment } from '../../../cli/testing/spawn-command.js';
import { amount } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';

const PAGE = readFileSync(join(ROOT, 'docs/jvmpi-examples.md'), 'utf8');
const LAST = amount(Infinity, 1);

const folder = mkdtempSync(join(tmpdir(), 'kansoku-transcripts-'));
after(() => rmSync(folder, { recursive: true }));

/** Commands with their output, block by block. */
function transcripts(): { readonly command: string; readonly output: string }[][] {
  return [...PAGE.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...output] = part.split('\n');
        return { command, output: output.join('\n') };
      }),
  );
}

/** What `…` on the page may stand for: part of a line, or whole lines. */
function pattern(output: string): RegExp {
  const words = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${words.replace(/^…\n/gm, '(?:.*\\n)*').replaceAll('…', '.+')}$`);
}

/** The folder, with the files of the page, the examples and `kansoku`; the environment for its commands. */
function prepared(home: string): NodeJS.ProcessEnv {
  for (const [, name = '', text = ''] of PAGE.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms))
    writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  mkdirSync(join(folder, 'bin'));
  const kansoku = join(folder, 'bin/kansoku');
  writeFileSync(kansoku, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(kansoku, 0o755);
  const path = [join(folder, 'bin'), join(home, 'bin'), process.env.PATH ?? ''].join(delimiter);
  return spawnEnvironment({
    JAVA_TOOL_OPTIONS: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    JAVA_HOME: home,
    PATH: path,
  });
}

describe('the transcripts of JVMPI', () => {
  it('are what the commands print', (t) => {
    if (!hasProgram(t, 'jdk-25') || !hasProgram(t, 'gcc')) return;
    const env = prepared(jdkHome('25') ?? '');
    const blocks = transcripts();
    assert.ok(blocks.length >= 7);
    for (const { command, output } of blocks.slice(0, LAST).flat()) {
      const { stdout } = spawnSync('sh', ['-c', `exec 2>&1; ${command}`], { cwd: folder, env, encoding: 'utf8' });
      assert.match(stdout, pattern(output), command);
    }
  });
});
