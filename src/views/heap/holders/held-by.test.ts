/** Holders of dominating objects: the fields that are named lead to the object, as `heap inspect` of each step shows. */
import { equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openInputs } from '../../../session/open.node.js';
import { ask, type Session } from '../../../session/session.js';
import { ROOT } from '../../../testing/shared-data.js';

const OPTIONS = { cache: false, announce: () => undefined, work: {} };

/** The address to which a field or element of an object refers. */
async function follow(session: Session, object: string, name: string): Promise<string | null> {
  const { rows } = await ask(session, {
    view: 'heap-inspect',
    options: { object, graph: false },
    page: { limit: 0 },
  });
  return rows.find((row) => row.name === name)?.address ?? null;
}

/** The object at the end of a path that begins at a static field: a class name has dots, too. */
async function objectOf(session: Session, classes: ReadonlyMap<string, string>, path: string) {
  const [first = '', ...fields] = path.split(' → ');
  const dot = first.lastIndexOf('.');
  const start = classes.get(`class ${first.slice(0, dot)}`);
  let at: string | null = start === undefined ? null : await follow(session, start, first.slice(dot + 1));
  for (const step of fields) at = at === null ? null : await follow(session, at, step);
  return at;
}

async function example(t: TestContext): Promise<Session> {
  const session = await openInputs([join(ROOT, 'examples/heap/graph.hprof.gz')], OPTIONS);
  t.after(() => session.close());
  return session;
}

test('fields lead from the class to the object', async (t) => {
  const session = await example(t);
  const { rows: objects } = await ask(session, {
    view: 'heap-objects',
    options: { class: '^java.lang.Class$' },
    page: { limit: 0 },
  });
  const classes = new Map(objects.map((row) => [row.class, row.address]));
  const { rows } = await ask(session, { view: 'heap-dominators', page: { limit: 60 } });
  let steps = 0;
  for (const { held, address } of rows) {
    ok(held !== null && address !== null, 'all have a holder');
    if (!/^[\w.$]+(?: → [\w$[\]]+)*$/.test(held) || !held.includes('.')) continue;
    equal(await objectOf(session, classes, held), address, held);
    steps++;
  }
  ok(steps >= 20, String(steps));
});

test('below a parent, paths begin there', async (t) => {
  const session = await example(t);
  const { rows } = await ask(session, { view: 'heap-dominators', page: { limit: 8 } });
  let steps = 0;
  for (const { address: parent } of rows) {
    const below = await ask(session, {
      view: 'heap-dominators',
      options: { parent: parent ?? '' },
      page: { limit: 5 },
    });
    for (const { held, address } of below.rows) {
      let at = parent;
      if (held === null || /[<…]/.test(held)) continue;
      for (const step of held.split(' → ')) at = at === null ? null : await follow(session, at, step);
      equal(at, address, held);
      steps++;
    }
  }
  ok(steps > 10, String(steps));
});
