/** Stacks with functions of places that no symbol has, against what was answered for each frame of each event. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import { runs } from '../../../testing/amount.js';
import { withHoles } from './hole-stacks.js';
import type { Hole } from './holes.js';

const LOCATIONS = 6;
/** Locations 0 to 2 are in a program, the others in a library without symbols. */
const OPAQUE = 1;
const loadObject = Int32Array.of(0, 0, 0, OPAQUE, OPAQUE, OPAQUE);
const offset = Float64Array.from({ length: LOCATIONS }, (_, id) => 16 * id);
const HOLES: readonly Hole[] = [1, 2, 3].map((start) => ({ start, size: start, isBehind: true }));

/** Outermost frame first. */
const drawnStacks = fc.array(fc.array(fc.nat(LOCATIONS - 1), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 12,
});

function recordingOf(events: readonly (readonly number[])[]) {
  const builder = new StackBuilder();
  const stack = Int32Array.from(events, (frames) =>
    frames.reduce((above, frame) => builder.add(above, frame), rootOf('whole')),
  );
  const program = new ProgramBuilder().finish();
  const locations = { length: LOCATIONS, function: new Int32Array(LOCATIONS), loadObject, offset };
  const fields = CPU_SAMPLE_EVENTS.fields.filter(({ holds }) => holds === 'stack');
  const [field] = fields;
  ok(field !== undefined);
  const table = {
    kind: CPU_SAMPLE_EVENTS.kind,
    title: '',
    fields,
    length: events.length,
    columns: { [field.key]: stack },
  };
  return {
    key: field.key,
    recording: {
      program: { ...program, locations },
      profile: { stacks: builder.finish(), events: [table], metrics: [] },
    },
  };
}

test('each frame of each event is in the function that was found for it then', () => {
  const property = fc.property(
    drawnStacks,
    fc.array(fc.option(fc.constantFrom(...HOLES)), { minLength: 1 }),
    (events, answers) => {
      const { key, recording } = recordingOf(events);
      const asked: (readonly [offset: number, hole: Hole | undefined])[] = [];
      const at = (place: number): Hole | undefined => {
        const hole = answers[asked.length % answers.length] ?? undefined;
        asked.push([place, hole]);
        return hole;
      };
      const { program, profile, holes } = withHoles(recording, new Map([[OPAQUE, { at }]]));
      ok(profile !== undefined);
      const found: (readonly [offset: number, hole: Hole | undefined])[] = [];
      const stacks = profile.events[0]?.columns[key] ?? [];
      for (const [row, frames] of events.entries()) {
        const own: number[] = [];
        for (let id = stacks[row] ?? -1; id >= 0; id = profile.stacks.parent[id]) {
          const location = profile.stacks.location[id];
          own.unshift(program.locations.offset?.[location] ?? -1);
          if (program.locations.loadObject?.[location] === OPAQUE)
            found.push([program.locations.offset?.[location] ?? -1, holes.get(location)]);
        }
        deepEqual(
          own,
          frames.map((frame) => 16 * frame),
        );
      }
      deepEqual(
        found.map(([place]) => place),
        asked.map(([place]) => place),
      );
      // A place with a symbol has it always; this peer answers at random.
      for (const [i, [, hole]] of asked.entries()) if (hole !== undefined) equal(found[i]?.[1], hole);
    },
  );
  fc.assert(property, runs(300));
});
