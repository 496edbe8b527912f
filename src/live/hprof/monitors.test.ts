/** monitor=y of the HPROF agent: a program that measures its own waits, and what our readers make of the text. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { compiledFor, folder } from '../agent/testing/probed.js';
import { hprofRun } from './testing/hprof-run.js';

for (const version of amount(['17', '25'], ['25']))
  test(`JDK ${version}: waits, the monitors of the end, and true milliseconds`, async (t) => {
    const home = compiledFor(t, version, 'Waits');
    if (home === undefined) return;
    const { status, stdout, stderr, text } = hprofRun(home, 'monitor=y,depth=2,cutoff=0', 'Waits');
    equal(status, 0, stderr);
    const rows = [...text.matchAll(/^ +\d+ +([\d.]+)% +[\d.]+% +(\d+) +(\d+) Waits\$Door \(Java\)$/gm)];
    equal(rows.length, 1);
    const [, share, count, trace] = rows[0] ?? [];
    equal(count, '3');
    const [, total] = /^MONITOR TIME BEGIN \(total = (\d+) ms\)/m.exec(text) ?? [];
    const ms = (Number(total) * Number(share)) / 100;
    const ownMs = Number(stdout) / 1e6;
    ok(ms > 180 && ms <= ownMs + 1 && ms > ownMs * 0.9, `${ms} ms, the program says ${ownMs}`);
    match(text, new RegExp(`^TRACE ${trace}:\\n\\tWaits\\.enter\\(Waits\\.java:11\\)$`, 'm'));
    equal(text.match(/^WAIT: MONITOR \[I, timeout=5, thread \d+$/gm)?.length, 4);
    const waited = [...text.matchAll(/^WAITED: MONITOR \[I, time_waited=(\d+), thread \d+$/gm)];
    equal(waited.length, 4);
    ok(waited.every(([, time]) => Number(time) >= 5));
    const session = await openInputs([join(folder, 'java.hprof.txt')], {
      cache: false,
      announce: () => undefined,
      work: {},
    });
    deepEqual((await ask(session, { view: 'check' })).rows, []);
    const locks = await ask(session, { view: 'monitors' });
    const door = locks.rows.filter(({ monitor }) => monitor === 'Waits$Door');
    deepEqual(
      door.map(({ owner, entries, blocked, waiters }) => [owner, entries, blocked, waiters]),
      [['holder', 2, 1, ['last']]],
    );
    await session.close();
  });
