/** A recording with a call tree of a given number of nodes, the same for the same seed: wide, deep in places, uneven. */
import { ProblemLog } from '../../src/base/problems.js';
import { SAMPLE_EVENTS } from '../../src/models/events/sample.js';
import type { Profile } from '../../src/models/profile/profile.js';
import { rootOf, StackBuilder } from '../../src/models/profile/stack-builder.js';
import { ProgramBuilder } from '../../src/models/program/program-builder.js';
import { type Session, sessionOf } from '../../src/session/session.js';
import { Random } from '../../src/testing/random.js';

const FUNCTIONS = 20_000;
const DEEPEST = 2_000;

export function generate(nodes: number, seed: number): Session {
  const numbers = new Random(seed);
  const random = (): number => numbers.bits() / 2 ** 32;
  const below = (limit: number): number => numbers.below(limit);
  const program = new ProgramBuilder();
  const locations = Array.from({ length: FUNCTIONS }, (_, i) => {
    const declaring = program.class(program.name(`org.example.part${i % 97}.unit${i % 31}.Class${i % 1009}`));
    return program.location(program.function(declaring, program.name(`method${i}`)));
  });
  const stacks = new StackBuilder(nodes);
  const samples = SAMPLE_EVENTS.builder();
  const path: number[] = [];
  while (stacks.length < nodes) {
    // Back towards the root by a random part, then down again: some walks are very deep.
    path.length = below(Math.min(path.length, 24) + 1);
    const steps = random() < 0.0005 ? DEEPEST : 1 + below(12);
    for (let i = 0; i < steps && stacks.length < nodes; i++) {
      const known = Math.max(3, Math.floor(400 / (path.length + 1)));
      const location = locations[(path.length * 7919 + below(known)) % FUNCTIONS] ?? 0;
      path.push(stacks.add(path.at(-1) ?? rootOf('whole'), location));
    }
    samples.add({ stack: path.at(-1) ?? -1, count: Math.ceil(-Math.log(1 - random()) * (random() < 0.01 ? 500 : 5)) });
  }
  const profile: Profile = {
    stacks: stacks.finish(),
    events: [samples.finish()],
    metrics: [SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' })],
  };
  const recording = {
    name: `generated, seed ${seed}`,
    format: 'generated',
    metadata: [],
    sections: [],
    program: program.finish(),
    profile,
    problems: new ProblemLog().finish(),
    complete: true,
    residue: undefined,
  };
  return sessionOf([recording]);
}
