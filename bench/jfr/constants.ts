/** The constants of generated recordings: classes, methods, threads and stacks, the same in each chunk. */
import { JfrBytes } from '../../src/formats/jfr/write/jfr-bytes.js';
import type { Random } from '../../src/testing/random.js';
import { TYPES } from './types.js';

export const THREADS = 64;
const CLASSES = 1500;
const PACKAGES = 40;
const METHODS = 8000;
const STACKS = 6000;
/** Frames of a stack; JVMs cut theirs at 64. */
const SHALLOWEST = 6;
const DEEPEST = 64;
/** Part of the frames that a stack has in common with the one before it. */
const SHARED = 0.7;
const NAMES = ['get', 'put', 'run', 'handle', 'read', 'write', 'lambda$main', 'compareTo', 'next', 'accept'];
const FIRST_ID = 100;

const idOf = (name: string): number => FIRST_ID + TYPES.findIndex((type) => type.name === name);

export class Constants {
  /** Number of pools, then the pools, as in a checkpoint. */
  readonly bytes: Uint8Array;

  constructor(random: Random) {
    const to = new JfrBytes(true, 1 << 20);
    to.int(9);
    const texts = (name: string, values: readonly string[]): void =>
      pool(to, name, values.length, (i) => to.text(values[i] ?? ''));
    const symbols = [
      '()V',
      ...NAMES.flatMap((name) => Array.from({ length: 20 }, (_, i) => `${name}${i === 0 ? '' : i}`)),
      'app',
      ...Array.from({ length: PACKAGES }, (_, i) => `shop/part${i}`),
      ...Array.from({ length: CLASSES }, (_, i) => `shop/part${i % PACKAGES}/Class${i}`),
    ];
    const firstClass = symbols.length - CLASSES + 1;
    texts('jdk.types.Symbol', symbols);
    texts('jdk.types.FrameType', ['Interpreted', 'JIT compiled', 'Inlined']);
    texts('jdk.types.ThreadState', ['STATE_RUNNABLE']);
    pool(to, 'jdk.types.ClassLoader', 1, () => to.int(firstClass - PACKAGES - 1));
    pool(to, 'jdk.types.Package', PACKAGES, (i) => to.int(firstClass - PACKAGES + i));
    pool(to, 'java.lang.Class', CLASSES, (i) => {
      to.int(1);
      to.int(firstClass + i);
      to.int(1 + (i % PACKAGES));
      to.int(1);
    });
    pool(to, 'jdk.types.Method', METHODS, () => {
      to.int(1 + random.below(CLASSES));
      to.int(2 + random.below(20 * NAMES.length));
      to.int(1);
      to.int(1);
      to.push(0);
    });
    pool(to, 'java.lang.Thread', THREADS, (i) => {
      to.text(`worker-${i}`);
      to.long(4000 + i);
      to.text(`worker-${i}`);
      to.long(i + 1);
    });
    this.#stacks(to, random);
    this.bytes = to.finish();
  }

  /** The key of a stack: few are frequent. */
  stack(random: Random): number {
    return 1 + (random.below(4) === 0 ? random.below(STACKS) : random.below(200));
  }

  class(random: Random): number {
    return 1 + random.below(random.below(4) === 0 ? CLASSES : 20);
  }

  #stacks(to: JfrBytes, random: Random): void {
    /** Method, line and kind of each frame, the outermost first. */
    let frames: (readonly [number, number, number])[] = [];
    pool(to, 'jdk.types.StackTrace', STACKS, () => {
      const depth = SHALLOWEST + random.below(random.below(DEEPEST - SHALLOWEST) + 1);
      frames = frames.slice(0, Math.floor(Math.min(frames.length, depth) * SHARED));
      while (frames.length < depth)
        frames.push([1 + random.below(METHODS), 1 + random.below(900), 1 + random.below(3)]);
      to.push(depth === DEEPEST ? 1 : 0);
      to.int(depth);
      for (const [method, line, type] of [...frames].reverse()) {
        to.int(method);
        to.int(line);
        to.int(line % 200);
        to.int(type);
      }
    });
  }
}

/** A pool whose keys are 1, 2, … */
function pool(to: JfrBytes, name: string, count: number, write: (i: number) => void): void {
  to.long(idOf(name));
  to.int(count);
  for (let i = 0; i < count; i++) {
    to.int(i + 1);
    write(i);
  }
}
