/** Stack effects over the methods of this machine's JDK: the verifier of the VM has passed them. */
import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { loadClasses } from '../../code/java/class-path/class-set.js';
import { jdkHomes } from '../../code/java/testing/jdks.js';
import { Meanings, normalCode, PoolMeanings } from '../stale/normal-code.js';

/** goto, switches, returns, athrow. */
const ENDS = new Set([0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0, 0xb1, 0xbf]);

test('in a row of instructions the stack is never lower than empty nor higher than max_stack', async (t) => {
  const [jdk] = jdkHomes(t);
  if (jdk === undefined) return;
  const path = await openClassPath([jdk]);
  const names = [...path.names()].filter((name) => /^java\.(util|lang|math)\.\w+$/.test(name));
  const classes = await loadClasses(path, names, {}, { supers: false });
  await path.close();
  let instructions = 0;
  for (const name of classes.names()) {
    const file = classes.get(name);
    const pool = file && new PoolMeanings(file, new Meanings(), () => undefined);
    for (const method of file?.methods ?? []) {
      const code = pool && normalCode(method, pool);
      const most = method.code()?.maxStack ?? 0;
      if (code === undefined) continue;
      ok(code.whole);
      let depth = 0;
      const targets = new Set(code.targets);
      // As far as control comes from above alone.
      for (let i = 0; i < code.length && !targets.has(i); i++) {
        depth -= code.taken[i];
        ok(depth >= 0, `${name}.${method.name} ${i}`);
        depth += code.put[i];
        ok(depth <= most, `${name}.${method.name} ${i}`);
        instructions++;
        if (ENDS.has(code.opcodes[i])) break;
      }
    }
  }
  ok(instructions > 50_000, `${instructions} instructions were looked at`);
});
