/** Experiments that tests write, printed by us and by gprofng. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MadeExperiment } from '../../../formats/experiment/testing/made-experiment.js';
import { openExperiment } from '../peer/experiment.js';
import { type Outcome, printedFor } from './expected.js';

/** Whether gprofng is here to be compared with. */
export const HAS_PEER = spawnSync('gprofng', ['--version']).status === 0;

export function writeMade(made: MadeExperiment, path: string): void {
  mkdirSync(path);
  for (const [file, bytes] of made.files()) writeFileSync(join(path, file), bytes);
}

/** What our `print` says for each of several commands. */
export async function ownTexts(
  path: string,
  commands: readonly string[],
  strict = true,
): Promise<ReadonlyMap<string, Outcome>> {
  const experiment = await openExperiment(path, { strict });
  try {
    const texts = new Map<string, Outcome>();
    for (const command of commands) texts.set(command, await printedFor(experiment, command.split(' ')));
    return texts;
  } finally {
    await experiment.close();
  }
}

/** What gprofng says for a command, on both outputs. */
export function peerText(path: string, command: string): { readonly out: string; readonly err: string } {
  const words = ['display', 'text', ...command.split(' '), basename(path)];
  const { stdout, stderr } = spawnSync('gprofng', words, { cwd: dirname(path), encoding: 'utf8' });
  return { out: stdout, err: stderr };
}

/** The rows of a printed list: cells, and the name at the end. */
export function rowsOf(text: string): Record<string, string> {
  const rows = text.split('\n').flatMap((line) => {
    const [, cells = '', name] = /^ *((?:[\d.]+ +)+)[*]?\s*(?:[|+ -]*)(\S.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, cells.trim().replace(/ +/g, ' ')] as const];
  });
  return Object.fromEntries(rows);
}
