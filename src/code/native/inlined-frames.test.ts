/** Inlined calls become frames of all stacks of an event, whichever view mode shows them. */
import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { EXPERT_STACK, MACHINE_STACK, STACK } from '../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { column } from '../../models/table.js';
import { withInlinedFrames } from './inlined-frames.js';

test('stacks of all view modes get the frames', () => {
  const program = new ProgramBuilder();
  const loadObject = program.loadObject(program.name('/bin/app'), 'executable');
  const native = (name: string) => program.native(program.name(name));
  const main = program.nativeLocation(native('main'), { loadObject, offset: 16 });
  const work = program.nativeLocation(native('work'), { loadObject, offset: 64 });
  const inlined = program.nativeLocation(native('helper'), { loadObject, offset: 16 }, { inlinedInto: main });
  const stacks = new StackBuilder();
  const outer = stacks.add(rootOf('whole'), main);
  const inner = stacks.add(outer, work);
  const rows = CPU_SAMPLE_EVENTS.extended([MACHINE_STACK, EXPERT_STACK]).builder();
  rows.add({ stack: outer, count: 1, cpu: 1, [MACHINE_STACK.key]: inner, [EXPERT_STACK.key]: -1 });
  const profile = { stacks: stacks.finish(), events: [rows.finish()], metrics: [] };
  const made = withInlinedFrames(profile, program.finish().locations, {
    innermost: new Map([[main, inlined]]),
    origins: new Map(),
  });
  const path = (leaf: number): number[] => {
    const places: number[] = [];
    for (let id = leaf; id >= 0; id = made.stacks.parent[id]) places.push(made.stacks.location[id]);
    return places;
  };
  const [table] = made.events;
  if (table === undefined) throw new Error('the table is gone');
  const paths = [STACK, MACHINE_STACK, EXPERT_STACK].map(({ key }) => path(column(table, key)[0]));
  deepStrictEqual(paths, [[inlined, main], [work, inlined, main], []]);
});
