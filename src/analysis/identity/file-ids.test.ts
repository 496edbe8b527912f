/** Numbers of the file in questions, against a naive reading of the JSON, on every real profile there is. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { iprofTruth, type TrueEntry } from '../../formats/iprof/testing/iprof-truth.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { iprofFiles, ROOT } from '../../testing/shared-data.js';

const CALLS = ['callCountProfiles', 'hotnessPoints'];
const RECEIVERS = ['virtualInvokeProfiles', 'invokePoints'];
const FIB = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');

const contextOf = ({ frames }: TrueEntry): string => frames.map(({ id, bci }) => `${id}:${bci}`).join('<');

/** The sum of a column over the events of a type in a scope. */
async function sumOf(session: Session, type: string, step: ScopeStep): Promise<number> {
  const page = { limit: 0 };
  const { rows } = await ask(session, { view: 'events', options: { types: [type] }, scope: [step], page });
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

/** Some of a list, from its beginning to its end. */
function someOf<Item>(all: readonly Item[], count: number): Item[] {
  return all.filter((_, i) => i % Math.max(1, Math.floor(all.length / count)) === 0);
}

for (const path of [...iprofFiles(), FIB]) {
  describe(`numbers of ${basename(path)}`, () => {
    let session: Session;
    before(async () => {
      session = await openSession([await fileSource(path)]);
    });
    const truth = iprofTruth(path);

    it('a context selects the counts at its places, with any callers', async () => {
      const entries = truth.entries(...CALLS);
      for (const entry of someOf(entries, 12)) {
        const context = contextOf(entry);
        const contextCounts = entries.map((each) => [contextOf(each), each.records[0] ?? 0] as const);
        const trueCounts = contextCounts.filter(([each]) => each === context || each.startsWith(`${context}<`));
        const sum = await sumOf(session, 'call', { kind: 'focus', pattern: `#${context}` });
        equal(
          sum,
          trueCounts.reduce((before, [, count]) => before + count, 0),
          context,
        );
      }
    });

    it('a type selects the calls on it', async () => {
      const counts = new Map<number, number>();
      for (const { records } of truth.entries(...RECEIVERS))
        for (let i = 0; i < records.length; i += 2)
          counts.set(records[i] ?? -1, (counts.get(records[i] ?? -1) ?? 0) + (records[i + 1] ?? 0));
      ok(counts.size > 0);
      for (const [id, count] of someOf([...counts], 12))
        equal(await sumOf(session, 'receiver', { kind: 'filter', expression: `type=#${id}` }), count, `${id}`);
    });
  });
}

describe('a number of the file', () => {
  it('names the classes with it and no others, where a class is expected', async () => {
    const { classesMatching } = await import('./named-classes.js');
    const session = await openSession([await fileSource(FIB)]);
    const { program } = session.recordings[0] ?? {};
    ok(program !== undefined);
    const rows = [...classesMatching(program, '#2280')].flatMap((mark, id) => (mark === 1 ? [id] : []));
    deepEqual(
      rows.map((id) => program.classes.fileId[id]),
      [2280],
    );
  });

  it('of no function in a context is refused', async () => {
    const session = await openSession([await fileSource(FIB)]);
    await rejects(
      sumOf(session, 'call', { kind: 'focus', pattern: '#4711:0<19551:34' }),
      (error) => error instanceof UsageError && /number 4711/.test(error.message),
    );
  });

  it('means the same function, and the same places, in a base that numbers them otherwise', async () => {
    const files = ['examples/pgo/after.iprof', 'examples/pgo/before.iprof'].map((name) => join(ROOT, name));
    const session = await openSession(await Promise.all(files.map((file) => fileSource(file))));
    const [after, before] = files.map((file) => iprofTruth(file));
    ok(after !== undefined && before !== undefined);
    const print = 'java.io.PrintStream.print(java.lang.String)';
    const [id] = [...after.methods].find(([, name]) => name === print) ?? [];
    ok(id !== undefined && before.methods.get(id) !== print);
    const calls = (truth: typeof after): number =>
      truth
        .entries(...CALLS)
        .filter(({ frames }) => frames[0]?.method === print)
        .reduce((sum, { records }) => sum + (records[0] ?? 0), 0);
    const options = { function: `#${id}` };
    const { rows } = await ask(session, { view: 'callers', recording: 'r1', base: 'r2', options });
    const centre = rows.find(({ relation }) => relation === 'function');
    deepEqual([centre?.attributed, centre?.base], [calls(after), calls(before)]);
    const scope = [{ kind: 'focus', pattern: `#${id}:0` }] as const;
    const diff = await ask(session, { view: 'diff', recording: 'r1', base: 'r2', scope });
    deepEqual(
      diff.rows.map(({ name, base, value }) => [name, base, value]),
      [[print, calls(before), calls(after)]],
    );
  });
});
