/** Repaired profiles as files; fitting and moving entries is tested in views/pgo/stale.test.ts. */
import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openInputs } from '../session/open.node.js';
import { ROOT } from '../testing/shared-data.js';
import { type Repair, repairProfile } from './repair.node.js';

const STALE = join(ROOT, 'examples', 'stale');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-repair-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

async function repair(profile: string, output: string): Promise<Repair> {
  const library = { classes: [join(STALE, 'shop-2.jar')], oldClasses: [join(STALE, 'shop-1.jar')] };
  const session = await openInputs([profile], { cache: false, announce: () => undefined, work: {}, library });
  try {
    const [recording] = session.recordings;
    ok(recording !== undefined);
    return await repairProfile(recording, session.library ?? {}, output);
  } finally {
    await session.close?.();
  }
}

test('data that the format does not define is dropped and reported', async () => {
  const json = JSON.parse(readFileSync(join(STALE, 'shop.iprof'), 'utf8'));
  const [first, ...types] = json.types;
  const strange = { ...json, types: [{ ...first, note: 'kept' }, ...types], laterProfiles: [{ at: '5:1' }] };
  writeFileSync(at('strange.iprof'), JSON.stringify(strange));
  const { dropped } = await repair(at('strange.iprof'), at('repaired.iprof'));
  deepStrictEqual(dropped, [
    'section "laterProfiles", which is not part of the format',
    'the parts of 1 element that are not part of the format',
  ]);
  ok(!/laterProfiles|note/.test(readFileSync(at('repaired.iprof'), 'utf8')));
});

test('a profile is repaired in its version; other recordings are an error', async () => {
  await rejects(repair(join(STALE, 'shop.iprof'), at('x.collapsed')), /repair writes only \.iprof/);
  const stacks = at('stacks.collapsed');
  writeFileSync(stacks, 'main;work 3\n');
  await rejects(repair(stacks, at('x.iprof')), /is not an \.iprof profile; only those can be repaired/);
  ok(!existsSync(at('x.collapsed')) && !existsSync(at('x.iprof')));
});
