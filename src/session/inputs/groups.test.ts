/** Groups stand for the recordings that they list. */
import { deepStrictEqual, rejects } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { expandGroups } from './groups.node.js';

const MARK = '#analyzer experiment group';

test('a group stands for its recordings, from its folder on', async (t) => {
  const folder = await temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('runs'));
  writeFileSync(at('all.erg'), `${MARK}\n# of today\nruns/first.er\n\n  /elsewhere/second.er \r\nruns/more.erg\n`);
  writeFileSync(at('runs/more.erg'), `${MARK}\nthird.er\n`);
  writeFileSync(at('other.txt'), 'first.er\n');
  deepStrictEqual(await expandGroups([at('other.txt'), at('all.erg'), '-', at('none')]), [
    at('other.txt'),
    at('runs/first.er'),
    '/elsewhere/second.er',
    at('runs/third.er'),
    '-',
    at('none'),
  ]);
});

test('groups without recordings, and groups that list themselves, are refused', async (t) => {
  const folder = await temporaryFolder(t);
  const [empty, loop] = [join(folder, 'empty.erg'), join(folder, 'loop.erg')];
  writeFileSync(empty, `${MARK}\n`);
  writeFileSync(loop, `${MARK}\nloop.erg\n`);
  await rejects(expandGroups([empty]), /empty\.erg: the group lists no recordings/);
  await rejects(expandGroups([loop]), /loop\.erg: groups that list each other/);
});
