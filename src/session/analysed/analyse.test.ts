/** An analysis as a recording: what it needs, and what it says of what it could not know. */
import { equal, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { jdkHomes } from '../../code/java/testing/jdks.js';
import { ROOT } from '../../testing/shared-data.js';
import { ask, sessionOf } from '../session.js';
import { analyseProgram } from './analyse.node.js';

const SHOP = join(ROOT, 'examples/points-to/shop.jar');
const CUTOFF = 20;

test('a program needs a main class and a JDK', async () => {
  const codeOf = (code: string) => (error: unknown) => error instanceof Error && 'code' in error && error.code === code;
  await rejects(analyseProgram({ classes: [SHOP], cutoff: CUTOFF }, {}), codeOf('no-main-class'));
  await rejects(analyseProgram({ classes: [SHOP], main: 'shop.Main', cutoff: CUTOFF }, {}), codeOf('no-jdk'));
});

test('questions about calls are asked of it; what nothing calls is missing', async (t) => {
  const [home] = jdkHomes(t);
  if (home === undefined) return;
  await rejects(analyseProgram({ classes: [SHOP, home], main: 'shop.Book', cutoff: CUTOFF }, {}), /no method main/);
  const recording = await analyseProgram({ classes: [SHOP, home], main: 'shop.Main', cutoff: CUTOFF }, {});
  ok(recording.complete);
  const session = sessionOf([recording]);
  const why = await ask(session, { view: 'calls-why', options: { method: 'shop.Toy.price' } });
  ok(why.rows.some(({ method }) => method.startsWith('shop.Main.main(')));
  const { total } = await ask(session, { view: 'calls-entries', page: { limit: 0 } });
  equal(total, recording.callGraph?.entries.length);
  // `Report` is only printed by other programs: `javap -c shop.Main` does not name it.
  await rejects(ask(session, { view: 'calls-callers', options: { method: 'shop.Report.print' } }));
  await session.close();
});
