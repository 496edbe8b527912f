/** Folders that others may write to hold nothing that is used. */
import { equal, match } from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openInputs } from '../open.node.js';
import { untrustedFolder } from './trusted-folder.node.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-trusted-'));
after(() => rmSync(folder, { recursive: true }));
const NOBODY = 65534;

function made(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

test('a folder of the user, one that is missing, and a link to one are trusted', () => {
  equal(untrustedFolder(made('own', 0o755)), undefined);
  equal(untrustedFolder(join(folder, 'missing')), undefined);
  symlinkSync(join(folder, 'own'), join(folder, 'link'));
  equal(untrustedFolder(join(folder, 'link')), undefined);
});

test('a folder that the group or others may write to is not', () => {
  for (const mode of [0o775, 0o777, 0o1777, 0o722])
    match(untrustedFolder(made(`mode-${mode}`, mode)) ?? '', /other users may write to /);
  symlinkSync(join(folder, `mode-${0o777}`), join(folder, 'link-to-shared'));
  match(untrustedFolder(join(folder, 'link-to-shared')) ?? '', /other users may write/);
});

test('a folder of another user is not', (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root can make one');
  const path = made('foreign', 0o700);
  chownSync(path, NOBODY, NOBODY);
  match(untrustedFolder(path) ?? '', /foreign belongs to another user$/);
});

test('recordings are opened without such a cache, and this is said', async () => {
  const { XDG_CACHE_HOME } = process.env;
  process.env.XDG_CACHE_HOME = made('home', 0o755);
  made('home/kansoku', 0o777);
  const file = join(folder, 'a.folded');
  writeFileSync(file, 'main;work 3\n');
  const announcements: unknown[] = [];
  try {
    const announce = (message: unknown): void => void announcements.push(message);
    await (await openInputs([file], { cache: true, announce, work: {} })).close();
    await (await openInputs([file], { cache: false, announce, work: {} })).close();
  } finally {
    if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME;
  }
  equal(announcements.length, 1);
  match(String(announcements[0]), /^the cache is not used: other users may write to .*kansoku$/);
});
