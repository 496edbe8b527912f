/**
 * A reader with every fault that the robustness harness must find, for the test of the harness. Its first byte says how it
 * behaves; the sound file begins with `a`, and its flips are the other letters here.
 */
import { FormatError } from '../../base/errors.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { picture } from '../pictures/picture.js';
import type { FuzzedReader } from './fuzzed-reader.js';

const kept: unknown[] = [];

async function read(source: ByteSource): Promise<Recording> {
  const [first, second] = await readHead(source, 2);
  if (first === undefined) throw new FormatError({ format: 'faulty', offset: 0, expected: "'a'", found: 'nothing' });
  if (first === (0x61 ^ 0x01)) for (;;);
  if (first === (0x61 ^ 0x80)) throw new TypeError('not a whole letter');
  if (first === (0x61 ^ 0xff)) kept.push(new Uint8Array(64 << 20));
  // Small objects, as a reader would make them: only these are ended cleanly when the heap is full.
  if (first === 0) for (;;) kept.push(new Array<number>(1000).fill(kept.length));
  const misplaced = { code: 'faulty', severity: 'error' as const, message: 'behind the end', offset: 99 };
  return {
    name: source.name,
    format: 'faulty',
    metadata: [],
    sections: [],
    ...picture('a'),
    problems: second === 0 ? { list: [misplaced], counts: { faulty: 1 } } : { list: [], counts: {} },
    complete: true,
    residue: undefined,
  };
}

export const faultyReader: FuzzedReader = {
  id: 'faulty',
  read,
  bound: () => 8 << 20,
  edges: () => [],
  // Only the second byte is judged: whatever else it becomes must show, and never does.
  oracle: (original) => (mutated) =>
    mutated[1] === original[1]
      ? { input: 'sound' }
      : { input: 'damaged', fault: { code: 'silent', detail: 'the second byte' } },
  small: ['../testing/fuzz/fixtures/two-bytes.txt'],
  medium: [],
  large: [],
};
