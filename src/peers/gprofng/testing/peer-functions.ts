/** Functions of experiments beside those that gprofng prints. */
import { deepEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MadeExperiment } from '../../../formats/experiment/testing/made-experiment.js';
import { VIEW_MODES, type ViewMode } from '../../../models/scope.js';
import { openInputs } from '../../../session/open.node.js';
import { ask, type Session } from '../../../session/session.js';

type Row = readonly [name: string, self: string, total: string];

/** Seconds as the peer prints them. */
const seconds = (nanos: number): string => (nanos === 0 ? '0.' : (nanos / 1e9).toFixed(3));

/** `metric` of the peer: exclusive and inclusive, by name. */
function peerRows(path: string, mode: ViewMode, metric: string): Row[] {
  const words = ['-metrics', `e.${metric}:i.${metric}`, '-viewmode', mode, '-functions', path];
  const text = execFileSync('gprofng', ['display', 'text', ...words], { encoding: 'utf8', cwd: dirname(path) });
  return text.split('\n').flatMap((line): Row[] => {
    const [, self = '', total = '', name = ''] = /^\s*(\d+\.\d*)\s+(\d+\.\d*)\s+(\S.*)$/.exec(line) ?? [];
    return name === '' || name === '<Total>' ? [] : [[name, self, total]];
  });
}

async function ownRows(session: Session, mode: ViewMode, metric: string): Promise<Row[]> {
  const scope = [{ kind: 'view-mode', mode }] as const;
  const { rows } = await ask(session, { view: 'functions', options: { metric }, scope, page: { limit: 0 } });
  return rows.map((row) => [
    row.function.replace(' ([generated code])', ''),
    seconds(row.self ?? 0),
    seconds(row.total ?? 0),
  ]);
}

/** Rows with values: the peer also lists functions of other metrics. */
const shown = (rows: readonly Row[]): string[] =>
  rows
    .filter(([, self, total]) => self !== '0.' || total !== '0.')
    .map((row) => row.join('  '))
    .sort();

/**
 * Writes an experiment to a path and compares its functions with what gprofng prints of them, in each view mode and of each metric. `look` sees
 * the session that read it.
 */
export async function comparedWithPeer(
  made: Pick<MadeExperiment, 'files'>,
  path: string,
  metrics: readonly (readonly [own: string, peer: string])[],
  look: (session: Session) => void | Promise<void> = () => undefined,
): Promise<void> {
  mkdirSync(path);
  for (const [file, bytes] of made.files()) writeFileSync(join(path, file), bytes);
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  for (const mode of VIEW_MODES)
    for (const [own, peer] of metrics) {
      const wanted = shown(peerRows(path, mode, peer));
      deepEqual([mode, own, ...shown(await ownRows(session, mode, own))], [mode, own, ...wanted]);
      deepEqual(wanted.length > 0, true, `${path}: ${mode} ${own}`);
    }
  await look(session);
  await session.close();
}
