/**
 * Makes collapsed stacks of any size from a seed: 20,000 functions, stacks 20 to 60 frames deep that share their first
 * frames, and at most as many distinct stacks as asked for.
 *
 *   node dist/bench/collapsed/generate.js OUTPUT MEGABYTES [STACKS] [sorted|shuffled]
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Random } from '../../src/testing/random.js';

const FUNCTIONS = 20_000;
const SHALLOWEST = 20;
const DEEPEST = 60;
/** Part of the frames that a stack has in common with the one before it. */
const SHARED = 0.6;
const SEED = 20261121;

/** Writes lines until there are at least `bytes` of them. Shuffled lines share nothing with their neighbours but chance. */
export async function generate(
  output: string,
  bytes: number,
  stacks: number,
  order: 'sorted' | 'shuffled',
): Promise<void> {
  const random = new Random(SEED);
  const names = Array.from({ length: FUNCTIONS }, (_, i) => nameOf(i, random));
  const lines = distinctStacks(stacks, names, random);
  if (order === 'sorted') lines.sort();
  else for (let i = lines.length - 1; i > 0; i--) swap(lines, i, random.below(i + 1));
  const stream = createWriteStream(output);
  let written = 0;
  while (written < bytes) {
    const parts: string[] = [];
    for (const line of lines) {
      const text = `${line} ${1 + random.below(5000)}\n`;
      parts.push(text);
      written += text.length;
      if (written >= bytes) break;
      if (parts.length === 4096) {
        if (!stream.write(parts.splice(0).join(''))) await once(stream, 'drain');
      }
    }
    stream.write(parts.join(''));
  }
  stream.end();
  await once(stream, 'finish');
}

function distinctStacks(count: number, names: readonly string[], random: Random): string[] {
  const lines: string[] = [];
  let frames: string[] = [];
  for (let i = 0; i < count; i++) {
    const depth = SHALLOWEST + random.below(DEEPEST - SHALLOWEST);
    frames = frames.slice(0, Math.floor(Math.min(frames.length, depth) * SHARED));
    while (frames.length < depth) frames.push(names[random.below(random.below(8) === 0 ? names.length : 500)] ?? '');
    lines.push(frames.join(';'));
  }
  return lines;
}

function nameOf(index: number, random: Random): string {
  const java = random.below(3) > 0;
  const word = (): string => (random.below(0x7fffffff) + 0x10000).toString(36).slice(0, 4 + random.below(5));
  return java
    ? `com/example/${word()}/C${index}$${word()}.${word()}`
    : `ns::${word()}::f${index}(int, ${word()} const&)`;
}

function swap(lines: string[], a: number, b: number): void {
  const held = lines[a] ?? '';
  lines[a] = lines[b] ?? '';
  lines[b] = held;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [output = '', megabytes = '100', stacks = '60000', order = 'shuffled'] = process.argv.slice(2);
  await generate(output, Number(megabytes) * 1e6, Number(stacks), order === 'sorted' ? 'sorted' : 'shuffled');
}
