/** How large a file will be is known, and said, before it is written. */
import { deepStrictEqual, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../base/errors.js';
import type { Written } from '../formats/capabilities/writer.js';
import { writeCollapsed } from '../formats/collapsed/write.js';
import { writeSpeedscope } from '../formats/speedscope/write.js';
import { SAMPLE_EVENTS } from '../models/events/sample.js';
import { StackBuilder } from '../models/profile/stack-builder.js';
import { ProgramBuilder } from '../models/program/program-builder.js';
import type { Recording } from '../models/recording.js';
import { runs } from '../testing/amount.js';
import { drawnRecording } from '../testing/recordings.js';
import { convertRecording } from './convert.node.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-size-'));
after(() => rmSync(folder, { recursive: true }));

/** A function that calls itself so often, with a sample at each depth. */
function recursion(depth: number, name = 'f'): Recording {
  const program = new ProgramBuilder();
  const location = program.location(program.function(-1, program.name(name)));
  const stacks = new StackBuilder();
  for (let id = 0; id < depth; id++) stacks.add(id - 1, location);
  const table = SAMPLE_EVENTS.table({
    stack: Int32Array.from({ length: depth }, (_, id) => id),
    count: new Float64Array(depth).fill(1),
  });
  const metrics = [SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' })];
  return drawnRecording({ program: program.finish(), profile: { stacks: stacks.finish(), events: [table], metrics } });
}

function sizes(written: Written): [number, number] {
  let bytes = 0;
  const estimate = written.estimate?.() ?? 0;
  for (const chunk of written.chunks) bytes += chunk.length;
  return [estimate, bytes];
}

describe('the estimate', () => {
  test('of deep stacks is within a tenth of the written size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 600 }), fc.stringMatching(/^[a-z]{1,40}$/), (depth, name) => {
        for (const write of [writeCollapsed, writeSpeedscope]) {
          const [estimate, bytes] = sizes(write(recursion(depth, name)));
          ok(Math.abs(estimate - bytes) < bytes / 10, `${depth} × ${name}: ${estimate}, written ${bytes}`);
        }
      }),
      runs(100),
    );
  });
});

describe('before writing', () => {
  const stop = new Error('stopped where it was said');
  const announce = (said: string[]) => (message: string) => {
    said.push(message);
    throw stop;
  };

  test('a file far larger than its input is announced; shared frames do not count', async () => {
    const deep = recursion(20_000, 'org.example.Deep.call');
    const said: string[] = [];
    const options = { inputs: [join(folder, 'none')], announce: announce(said) };
    await rejects(convertRecording(deep, join(folder, 'x.collapsed'), options), stop);
    // 20,000 lines of 10,000 frames of 22 bytes each, on average.
    match(said.join(), /x\.collapsed: about 4\.40 GB will be written: the format repeats each stack in full$/);
    deepStrictEqual(readdirSync(folder), []);
  });

  test('a file larger than the free disk space is an error', async () => {
    const path = join(folder, 'x.collapsed');
    const deepest = recursion(3_000_000);
    await rejects(convertRecording(deepest, path), (error) => {
      ok(error instanceof UsageError);
      match(error.message, /x\.collapsed: about 9\.00 TB to write, but only .* are free on the disk$/);
      return true;
    });
    deepStrictEqual(readdirSync(folder), []);
  });

  test('an ordinary file is written', async () => {
    const said: string[] = [];
    await convertRecording(recursion(300), join(folder, 'x.collapsed'), { announce: announce(said) });
    deepStrictEqual(said, []);
  });
});
