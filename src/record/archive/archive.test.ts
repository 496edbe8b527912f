/** Archives of experiments: gprofng finds our copies, by the names that it gives its own, when program and source are gone. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { runCommand } from '../../cli/testing/run-command.js';
import { archiveName } from '../../formats/experiment/write/index.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

test('the names of copies are those of gprofng', (t) => {
  const folder = sharedData(t, 'experiments');
  if (folder === undefined || !hasProgram(t, 'tar')) return;
  let count = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tar.gz'))) {
    const path = join(folder, file);
    const logs = execFileSync('tar', ['tzf', path], { encoding: 'utf8' })
      .split('\n')
      .filter((name) => /archive\.log$/.test(name));
    for (const log of logs)
      for (const [, original = '', copy = ''] of execFileSync('tar', ['xzOf', path, log], {
        encoding: 'utf8',
      }).matchAll(/^Copying `(.*)' +to `.*\/([^/]*)'$/gm)) {
        // Classes are named without the folder of the class path.
        const isClass = original.endsWith('.class');
        equal(archiveName(isClass ? original.slice(original.lastIndexOf('/') + 1) : original), copy, original);
        count++;
      }
  }
  ok(count > 100, `${count} names`);
});

test('a program that is gone is read from the archive, by gprofng, too', async (t) => {
  if (!['gprofng', 'gcc'].every((program) => hasProgram(t, program))) return;
  const folder = await temporaryFolder(t);
  const run = (program: string, ...words: string[]): string =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const kansoku = (...words: string[]) => runCommand(words, { cwd: folder });
  copyFileSync(join(ROOT, 'src/record/native/testing/programs/counted.c'), join(folder, 'counted.c'));
  run('gcc', '-gdwarf-4', '-O1', '-o', 'counted', join(folder, 'counted.c'));
  run('gprofng', 'collect', 'app', '-o', 'a.er', '-a', 'off', './counted', '400');
  for (const name of ['b.er', 'c.er', 'd.er']) cpSync(join(folder, 'a.er'), join(folder, name), { recursive: true });
  const peer = (experiment: string): string =>
    run('gprofng', 'display', 'text', '-functions', '-lines', '-source', 'spin', experiment);
  // Where the files were found is said in the heads.
  const values = (text: string): string => text.replace(/^(?:Source file|Object file|Load Object): .*$/gm, '');
  const before = values(peer('a.er'));
  match(before, / spin$/m);
  match(before, /sink \+= i/);

  const archived = await kansoku('archive', 'a.er');
  equal(archived.status, 0, archived.stderr);
  match(archived.stderr, /^kansoku: a\.er: copied \d programs, \d+ sources?, /m);
  run('gprofng', 'archive', '-a', 'on', 'b.er');
  const names = (experiment: string): string[] => readdirSync(join(folder, experiment, 'archives'));
  const objects = names('b.er').filter((name) => !/\.[ch]_/.test(name));
  ok(objects.length >= 3);
  deepEqual(
    names('a.er').filter((name) => !/\.[ch]_/.test(name)),
    objects,
  );
  equal((await kansoku('archive', 'c.er', '--redact')).status, 0);
  deepEqual(names('c.er'), objects);
  match((await kansoku('archive', 'a.er')).stderr, /nothing was copied; \d+ were there/);

  appendFileSync(join(folder, 'counted'), 'another build');
  const other = await kansoku('archive', 'd.er');
  equal(other.status, 1);
  match(other.stderr, /program \S*counted is not there, or not the one that was recorded/);
  rmSync(join(folder, 'counted'));
  renameSync(join(folder, 'counted.c'), join(folder, 'moved.c'));
  equal(values(peer('a.er')), before);
  match((await kansoku('source', 'a.er', 'spin')).stdout, /sink \+= i/);
  const redacted = await kansoku('source', 'c.er', 'spin');
  match(redacted.stderr, /counted\.c/);
  equal(existsSync(join(folder, 'a.er/archives', archiveName(join(folder, 'counted')))), true);
  const tarred = await kansoku('archive', 'no-such.er');
  equal(tarred.status, 3);
});
