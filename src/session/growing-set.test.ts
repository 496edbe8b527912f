/** An experiment that is read while its recorder writes it: each snapshot has what its files had then; the last one ends. */
import { deepStrictEqual, equal, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MadeExperiment } from '../formats/experiment/testing/made-experiment.js';
import { temporaryFolder } from '../testing/byte-sources.js';
import { openGrowing } from './growing.node.js';
import { ask } from './session.js';

/** The files after some events; the log of a recorder that still runs has no end. */
function write(folder: string, events: number, isOver: boolean): void {
  const experiment = new MadeExperiment();
  for (let time = 0; time < events; time++) experiment.clock({ stack: { native: ['main', `f${time % 3}`] }, time }, 1);
  for (const [name, bytes] of experiment.files()) {
    const text = name === 'log.xml' && !isOver ? withoutEnd(new TextDecoder().decode(bytes)) : bytes;
    writeFileSync(join(folder, name), text);
  }
}

const withoutEnd = (log: string): string => log.replace(/<event kind="exit".*\n/, '');

test('an experiment grows until its recorder ends', async (t) => {
  const folder = join(await temporaryFolder(t), 'run.er');
  mkdirSync(folder);
  write(folder, 3, false);
  const session = await openGrowing(folder);
  const [source] = session.sources;
  const state = async () => {
    const { id, final } = source?.current() ?? {};
    const { rows, metric } = await ask(session, { view: 'functions', page: { limit: 0 } });
    return [id, final, metric.sum / 1e7, rows.length];
  };
  deepStrictEqual(await state(), [0, false, 3, 4]);
  await source?.refresh?.();
  deepStrictEqual(await state(), [0, false, 3, 4], 'nothing was added');
  write(folder, 5, false);
  await source?.refresh?.();
  deepStrictEqual(await state(), [1, false, 5, 4]);
  write(folder, 6, true);
  await source?.refresh?.();
  deepStrictEqual(await state(), [2, true, 6, 4]);
  await session.close();
});

test('single events of an unfinished experiment are refused', async (t) => {
  const folder = await temporaryFolder(t);
  write(folder, 1, false);
  await rejects(
    openGrowing(folder, { foreseen: ['cpu-sample'] }),
    /single events of an unfinished .* cannot be followed/,
  );
  mkdirSync(join(folder, 'second.er'));
  write(join(folder, 'second.er'), 1, true);
  equal((await openGrowing(folder)).sources.length, 1);
});
