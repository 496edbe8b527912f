/** Damaged experiments: what is sound before the damage is read, the damage is reported where it is. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { column } from '../../models/table.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { readExperiment } from './read.js';
import { memorySet, wholeParts } from './testing/memory-tree.js';
import { writeExperiment } from './write/write.js';

const DRAWN = `
@time   1  2  3  4  5  6
@count  3  1  4  1  5  9
        a  a  a  d  d  e
        b  b  c     e
`;

function files(): Map<string, Uint8Array> {
  const { program, profile } = picture(DRAWN);
  const metrics = profile.metrics.map((each) => ({
    ...each,
    unit: 'samples' as const,
    period: { value: 1_000_000, unit: 'ns' as const },
  }));
  return wholeParts(writeExperiment(drawnRecording({ program, profile: { ...profile, metrics } })).parts);
}

/** The files with one of them changed. */
function changed(file: string, change: (bytes: Uint8Array) => Uint8Array): Map<string, Uint8Array> {
  const all = files();
  all.set(file, change(all.get(file) ?? new Uint8Array()));
  return all;
}

async function read(all: ReadonlyMap<string, Uint8Array>) {
  const { tree, set } = memorySet(all);
  const { profile, problems, complete } = await readExperiment(tree, set);
  const [table] = profile?.events ?? [];
  return { counts: table === undefined ? [] : [...column(table, 'count')], problems: problems.list, complete };
}

/** Bytes of a packet of clock profiling. */
const PACKET = 56;
const COUNTS = [3, 1, 4, 1, 5, 9];

describe('a damaged experiment', () => {
  test('whose profile ends early has the packets before the end', async () => {
    for (let cut = 0; cut <= COUNTS.length * PACKET; cut += 4) {
      const { counts, problems, complete } = await read(changed('profile', (bytes) => bytes.subarray(0, cut)));
      const whole = Math.floor(cut / PACKET);
      deepStrictEqual(counts, COUNTS.slice(0, whole));
      const offsets = problems.filter(({ code }) => code === 'experiment-packet').map(({ offset }) => offset);
      deepStrictEqual(offsets, cut % PACKET === 0 ? [] : [whole * PACKET]);
      equal(complete, cut % PACKET === 0);
    }
  });

  test('with a packet of an impossible size is read on in the next 16 KiB', async () => {
    const { counts, problems } = await read(
      changed('profile', (bytes) => {
        const copy = Uint8Array.from(bytes);
        copy.copyWithin(1 << 14, 0, 6 * PACKET);
        copy[2 * PACKET] = 57;
        copy[(1 << 14) + 6 * PACKET] = 0;
        copy[(1 << 14) + 6 * PACKET + 1] = 0;
        return copy;
      }),
    );
    deepStrictEqual(counts, [...COUNTS.slice(0, 2), ...COUNTS]);
    deepStrictEqual(
      problems.map(({ code, offset }) => [code, offset]),
      [['experiment-packet', 2 * PACKET]],
    );
  });

  test('without stacks keeps the events', async () => {
    const all = files();
    all.delete('data.frameinfo');
    deepStrictEqual((await read(all)).counts, COUNTS);
  });

  test('whose log ends within an element says where', async () => {
    const log = new TextDecoder().decode(files().get('log.xml'));
    const at = log.indexOf('<event kind="exit"');
    const { problems } = await read(changed('log.xml', (bytes) => bytes.subarray(0, at + 10)));
    const found = new Map(problems.map(({ code, offset }) => [code, offset]));
    equal(found.get('experiment-markup'), at);
    ok(found.has('experiment-not-closed'));
  });

  test('with a stack that continues in itself is read', async () => {
    const { counts } = await read(
      changed('data.frameinfo', (bytes) => {
        const copy = Uint8Array.from(bytes);
        // The kind of the first stack with the mark of a link; its last address becomes the id of the stack itself.
        copy[23] = 0x80;
        copy.copyWithin(16 + (copy[16] ?? 0) - 8, 24, 32);
        return copy;
      }),
    );
    deepStrictEqual(counts, COUNTS);
  });
});
