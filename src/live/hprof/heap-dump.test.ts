/** heap=dump of the HPROF agent, in text and binary: the objects and values of a program that are known, and those of the VM's own dump. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { compiledFor, compileInto, folder } from '../agent/testing/probed.js';
import { hprofRun } from './testing/hprof-run.js';

const open = (path: string): Promise<Session> =>
  openInputs([path], { cache: false, announce: () => undefined, work: {} });

/** Runs GraphDemo with options; the file. Undefined where the test is skipped. */
function graphDemo(t: TestContext, version: string, options: string): string | undefined {
  const shared = sharedData(t, 'hprof');
  const home = shared === undefined ? undefined : compiledFor(t, version, 'Calls');
  if (shared === undefined || home === undefined) return undefined;
  compileInto(folder, home, join(shared, 'programs/GraphDemo.java'));
  const { status, stderr } = hprofRun(home, options, 'GraphDemo');
  equal(status, 0, stderr);
  return join(folder, 'java.hprof.txt');
}

/** The first object of a class: what is known of it. */
async function inspected(session: Session, type: string) {
  const options = { class: `^${type.replaceAll('$', '\\$')}$` };
  const { rows } = await ask(session, { view: 'heap-objects', options, page: { limit: 1 } });
  const object = rows[0]?.address ?? '';
  return ask(session, { view: 'heap-inspect', options: { object }, page: { limit: 0 } });
}

/** Names and values of its fields, but of references that differ by run. */
async function fieldsOf(session: Session, type: string): Promise<unknown> {
  const { rows } = await inspected(session, type);
  const fields = rows.map(({ name, type: kind, value }) => [name, `${kind} ${value}`]);
  return Object.fromEntries(fields.sort());
}

const OBJECTS = { GraphDemo$Derived: 2, GraphDemo$Prims: 1, GraphDemo$Colour: 3, GraphDemo$Inner: 1 };

async function objectsOf(session: Session): Promise<unknown> {
  const { rows } = await ask(session, { view: 'heap-histogram', page: { limit: 0 } });
  return Object.fromEntries(
    Object.keys(OBJECTS).map((type) => [type, rows.find((row) => row.class === type)?.objects]),
  );
}

for (const [version, format] of amount(
  [
    ['17', 'a'],
    ['17', 'b'],
    ['25', 'a'],
    ['25', 'b'],
  ],
  [['25', 'b']],
))
  test(`JDK ${version}, format=${format}: objects and their traces`, async (t) => {
    const file = graphDemo(t, version ?? '', `heap=all,format=${format}`);
    if (file === undefined) return;
    const session = await open(file);
    deepEqual((await ask(session, { view: 'check' })).rows, []);
    deepEqual(await objectsOf(session), OBJECTS);
    match(JSON.stringify(await inspected(session, 'GraphDemo$Inner')), /GraphDemo\.main[^"]*/);
    const sites = await ask(session, { view: 'sites', page: { limit: 0 } });
    ok(sites.rows.some((row) => row.class === 'byte[]' && Number(row.live_bytes) >= 1 << 20));
    await session.close();
  });

test('values in the binary dump are those of the dump of the VM', async (t) => {
  const shared = sharedData(t, 'hprof');
  const file = shared === undefined ? undefined : graphDemo(t, '17', 'heap=dump,format=b');
  if (shared === undefined || file === undefined) return;
  const session = await open(file);
  const genuine = await open(join(shared, 'hotspot/hs17-graph.hprof.gz'));
  for (const type of ['GraphDemo$Prims', 'GraphDemo$Inner']) {
    const values = await fieldsOf(genuine, type);
    match(JSON.stringify(values), type === 'GraphDemo$Prims' ? /"double -Infinity"/ : /"int 7"/);
    deepEqual(await fieldsOf(session, type), values);
  }
  await session.close();
  await genuine.close();
});
