/** Stack effects over the methods of this machine's JDK: the verifier of the VM accepts them. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { InstructionList } from '../class-file/instruction-list.js';
import { openClassPath } from '../class-path/class-path.node.js';
import { loadClasses } from '../class-path/class-set.js';
import { jdkHomes } from '../testing/jdks.js';
import { effectOf } from './stack-effect.js';
import { destinations, isStraight } from './successors.js';

test('in straight code the stack is never below empty or above max_stack', async (t) => {
  const [jdk] = jdkHomes(t);
  if (jdk === undefined) return;
  const path = await openClassPath([jdk]);
  const names = [...path.names()].filter((name) => /^java\.(util|lang|math)\.\w+$/.test(name));
  const classes = await loadClasses(path, names, {}, { supers: false });
  await path.close();
  let instructions = 0;
  for (const name of classes.names()) {
    for (const method of classes.get(name)?.methods ?? []) {
      const code = method.code();
      if (code === undefined) continue;
      const { all, problem } = new InstructionList(code);
      equal(problem, undefined);
      let depth = 0;
      const jumps = all.filter((instruction) => !isStraight(instruction));
      const targets = new Set(jumps.flatMap(({ targets: to, defaultTarget }) => [...to, defaultTarget]));
      // As far as control comes from above alone.
      for (const instruction of all) {
        if (targets.has(instruction.bci)) break;
        const { taken, put } = effectOf(instruction, code.pool);
        depth -= taken;
        ok(depth >= 0, `${name}.${method.name} ${instruction.bci}`);
        depth += put;
        ok(depth <= code.maxStack, `${name}.${method.name} ${instruction.bci}`);
        instructions++;
        if (!destinations(instruction).includes(instruction.bci + instruction.length)) break;
      }
    }
  }
  ok(instructions > 50_000, `${instructions} instructions were looked at`);
});
