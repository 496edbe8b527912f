/**
 * Pixels of the page against the stacks themselves: how much of each column of a level has a frame, and how much of it
 * matches a search. The second implementation sorts the stacks and adds up overlaps; it knows neither trees nor layouts.
 */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { memorySource } from '../../src/bytes/byte-source.js';
import { openSession } from '../../src/session/session.js';
import { Random } from '../../src/testing/random.js';
import { FlamePage } from './testing/flame-page.js';

const SEED = 20;
const ROW = 19;
type Rgb = readonly [number, number, number];

interface Stack {
  readonly frames: readonly string[];
  readonly count: number;
  from: number;
}

/** Stacks of one package, deep ones rare, so that levels thin out; in the order of the screen, with where they begin. */
function generated(count: number): { readonly stacks: readonly Stack[]; readonly sum: number } {
  const random = new Random(SEED);
  const stacks: Stack[] = [];
  for (let i = 0; i < count; i++) {
    const depth = 3 + Math.floor(40 * (random.below(1000) / 1000) ** 2);
    const frames = Array.from({ length: depth }, () => `m${random.below(40)}`);
    // One in a hundred has a frame to be searched for.
    if (random.below(100) === 0) frames[random.below(depth)] = 'needle';
    stacks.push({ frames, count: 1 + random.below(5), from: 0 });
  }
  return sorted(stacks);
}

function sorted(stacks: Stack[]): { readonly stacks: readonly Stack[]; readonly sum: number } {
  // Siblings by name; a stack that ends is to the right of those that go on.
  stacks.sort((a, b) => {
    const at = a.frames.findIndex((frame, i) => frame !== b.frames[i]);
    if (at < 0) return b.frames.length - a.frames.length;
    const other = b.frames[at];
    return other === undefined || (a.frames[at] ?? '') < other ? -1 : 1;
  });
  let sum = 0;
  for (const stack of stacks) {
    stack.from = sum;
    sum += stack.count;
  }
  return { stacks, sum };
}

/** The share of each column that is covered by stacks for which `holds` at a depth (from 0, the first frame). */
function covered(
  { stacks, sum }: ReturnType<typeof generated>,
  columns: number,
  holds: (stack: Stack) => boolean,
): number[] {
  const shares = new Array<number>(columns).fill(0);
  const perUnit = columns / sum;
  for (const stack of stacks.filter(holds)) {
    const [left, right] = [stack.from * perUnit, (stack.from + stack.count) * perUnit];
    for (let column = Math.floor(left); column < Math.min(columns, right); column++)
      shares[column] = (shares[column] ?? 0) + Math.min(right, column + 1) - Math.max(left, column);
  }
  return shares;
}

/** The pixels of one row of a canvas. */
function pixelsOf(flame: FlamePage, canvas: string, y: number): Promise<Rgb[]> {
  return flame.page.evaluate(
    ([selector, row]) => {
      const element = document.querySelector<HTMLCanvasElement>(String(selector));
      const context = element?.getContext('2d');
      const bytes = context?.getImageData(0, Number(row), element?.width ?? 0, 1).data ?? new Uint8ClampedArray();
      return Array.from({ length: bytes.length / 4 }, (_, i): [number, number, number] => [
        bytes[4 * i] ?? 0,
        bytes[4 * i + 1] ?? 0,
        bytes[4 * i + 2] ?? 0,
      ]);
    },
    [canvas, y] as const,
  );
}

/** How much of a pixel is of each of two colours over white: the least squares of its three channels. */
function parts(pixel: Rgb, one: Rgb, other: Rgb): readonly [number, number] {
  const over = (colour: Rgb): number[] => colour.map((value) => value - 255);
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const [p, a, b] = [over(pixel), over(one), over(other)];
  const [aa, ab, bb, pa, pb] = [dot(a, a), dot(a, b), dot(b, b), dot(p, a), dot(p, b)];
  const determinant = aa * bb - ab * ab;
  return [(pa * bb - pb * ab) / determinant, (pb * aa - pa * ab) / determinant];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
/** One package, one colour; and that of matches, both of the light theme. */
const MATCH: Rgb = [0x7a, 0x1f, 0xa2];

async function opened(t: TestContext, recording: ReturnType<typeof generated>) {
  const text = recording.stacks.map(({ frames, count }) => `${frames.join(';')} ${count}\n`).join('');
  const session = await openSession([memorySource('generated.txt', new TextEncoder().encode(text))]);
  return FlamePage.ofSession(t, session, {
    context: { colorScheme: 'light', viewport: { width: 1200, height: 700 } },
  });
}

/** Columns of a row of a canvas where something exactly of the colour of matches begins. */
async function marksIn(flame: FlamePage, canvas: string, y: number): Promise<number[]> {
  const pixels = await pixelsOf(flame, canvas, y);
  const isMatch = pixels.map((pixel) => pixel.every((value, i) => value === MATCH[i]));
  return isMatch.flatMap((is, column) => (is && isMatch[column - 1] !== true ? [column] : []));
}

/** What is to the left of it, in pixels. */
const columnOf = ({ from }: Stack, sum: number, pixels: number): number => Math.floor((from / sum) * pixels);

describe('matches too narrow to see', () => {
  /** The same stacks, with `needle` in one, or in one of sixty. */
  const marked = (has: (i: number) => boolean) => {
    const { stacks } = generated(9000);
    const frames = ({ frames }: Stack, i: number) =>
      frames.map((frame, depth) => (depth === 10 && has(i) ? 'needle' : frame === 'needle' ? 'n' : frame));
    const changed = stacks.map((stack, i) => ({ ...stack, frames: frames(stack, i) }));
    return sorted(changed);
  };
  const opens = async (t: TestContext, recording: ReturnType<typeof generated>) => {
    const flame = await opened(t, recording);
    await flame.page.getByRole('searchbox').fill('needle');
    await flame.frame();
    await flame.frame();
    return flame;
  };
  const needles = ({ stacks }: ReturnType<typeof generated>) => stacks.filter(({ frames }) => frames[10] === 'needle');
  const foot = ROW * 12 - 3;

  it('have a mark in the picture and in the minimap, even a single one of 0.003 %', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const recording = marked((i) => i === 5000);
    const flame = await opens(t, recording);
    const [needle] = needles(recording);
    if (needle === undefined) throw new Error('stack 5,000 is too short');
    const width = await flame.page.evaluate(() => document.querySelector('canvas')?.width ?? 0);
    deepStrictEqual(await marksIn(flame, '.page-canvas', foot), [columnOf(needle, recording.sum, width)]);
    deepStrictEqual(await marksIn(flame, '.page-canvas', foot - 6), [], 'above it the box has its share of the pixel');
    for (let depth = 0; depth < 30; depth++)
      if (depth !== 10) deepStrictEqual(await marksIn(flame, '.page-canvas', foot + (depth - 10) * ROW), []);
    const size = await flame.page.evaluate(() => document.querySelector('.flame-minimap')?.clientHeight ?? 0);
    const rows: number[][] = [];
    for (let y = 4; y < size - 4; y++) rows.push(await marksIn(flame, '.flame-minimap', y));
    deepStrictEqual(
      rows.filter((row) => row.length > 0),
      [[columnOf(needle, recording.sum, 88)], [columnOf(needle, recording.sum, 88)]],
      'two pixels high, once',
    );
  });

  it('are marked at least within twelve pixels, and many of them do not fill the level', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const recording = marked((i) => i % 60 === 0 || (i > 4000 && i < 5000));
    const flame = await opens(t, recording);
    const marks = await marksIn(flame, '.page-canvas', foot);
    const width = await flame.page.evaluate(() => document.querySelector('canvas')?.width ?? 0);
    const columns = needles(recording).map((stack) => columnOf(stack, recording.sum, width));
    ok(columns.length > 150);
    for (const column of columns)
      ok(
        marks.some((mark) => Math.abs(mark - column) < 12),
        `a match at ${column}`,
      );
    for (const mark of marks) ok(columns.includes(mark), `a mark at ${mark}`);
    ok(marks.length <= width / 12 + 1, `${marks.length} marks`);
    const box = await flame.page.getByRole('application').boundingBox();
    if (box === null) throw new Error('the canvas has no place');
    await flame.page.mouse.move(box.x + (marks[3] ?? 0) + 0.5, box.y + foot);
    match((await flame.details()).matches ?? '', /^[1-9]\d* \([1-9]\d*\)$/);
  });
});

describe('a picture of more boxes than pixels', () => {
  const recording = generated(9000);
  const deeper = (depth: number) => (stack: Stack) => stack.frames.length > depth;

  it('fills as much of each column of each level as samples reach it, in the picture and in the minimap', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await opened(t, recording);
    const [colour = [0, 0, 0]] = await pixelsOf(flame, '.page-canvas', ROW + 8);
    for (const depth of [2, 5, 10, 15, 20, 25]) {
      const pixels = await pixelsOf(flame, '.page-canvas', (depth + 1) * ROW + 8);
      const expected = covered(recording, pixels.length, deeper(depth));
      const drawn = pixels.map((pixel) => Math.min(1, (255 - pixel[2]) / (255 - colour[2])));
      drawn.forEach((share, column) => {
        const wanted = expected[column] ?? 0;
        ok(Math.abs(share - wanted) < 0.03, `level ${depth}, column ${column}: ${share}, ${wanted} reach it`);
      });
      const [all, wanted] = [sumOf(drawn) / pixels.length, sumOf(expected) / pixels.length];
      ok(Math.abs(all - wanted) < 0.005, `level ${depth}: ${all} is drawn, ${wanted} reach it`);
    }
    const size = await flame.page.evaluate(() => document.querySelector('.flame-minimap')?.clientHeight ?? 0);
    const deepest = Math.max(...recording.stacks.map(({ frames }) => frames.length)) + 1;
    ok(size > 2 * deepest, 'each level has a row of pixels of its own in the minimap');
    const perLevel = Math.min(4, size / deepest);
    for (const depth of [5, 15, 30]) {
      const pixels = await pixelsOf(flame, '.flame-minimap', Math.floor((depth + 1.5) * perLevel));
      // The frame around the visible part is two pixels wide.
      const inside = (_: unknown, column: number): boolean => column > 3 && column < pixels.length - 4;
      const drawn = pixels.map((pixel) => (255 - pixel[2]) / (255 - colour[2])).filter(inside);
      const expected = covered(recording, pixels.length, deeper(depth)).filter(inside);
      drawn.forEach((share, column) => {
        ok(Math.abs(share - (expected[column] ?? 0)) < 0.03, `minimap, level ${depth}: ${share}, ${expected[column]}`);
      });
    }
  });

  it('colours as much of each level as matches a search, and no more', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await opened(t, recording);
    const [colour = [0, 0, 0]] = await pixelsOf(flame, '.page-canvas', ROW + 8);
    await flame.page.getByRole('searchbox').fill('needle');
    await flame.frame();
    await flame.frame();
    const found = sumOf(recording.stacks.filter(({ frames }) => frames.includes('needle')).map(({ count }) => count));
    match(await flame.found(), new RegExp(`: ${found.toLocaleString('en-US')}, `));
    let drawnOfAll = 0;
    let wantedOfAll = 0;
    for (let depth = 0; depth < 26; depth++) {
      const pixels = await pixelsOf(flame, '.page-canvas', (depth + 1) * ROW + 8);
      const expected = covered(recording, pixels.length, ({ frames }) => frames[depth] === 'needle');
      // Columns that end a wide box are darker than their colour.
      const drawn = pixels.map((pixel) => Math.max(0, parts(pixel, MATCH, colour)[0]));
      const wide = depth < 3;
      if (!wide)
        drawn.forEach((share, column) => {
          ok(Math.abs(share - (expected[column] ?? 0)) < 0.04, `level ${depth}, column ${column}: ${share}`);
        });
      drawnOfAll += wide ? 0 : sumOf(drawn) / pixels.length;
      wantedOfAll += wide ? 0 : sumOf(expected) / pixels.length;
    }
    ok(wantedOfAll > 0.004, 'there is something to find');
    ok(Math.abs(drawnOfAll - wantedOfAll) < 0.01 * 26 * 0.2, `${drawnOfAll} is coloured, ${wantedOfAll} match`);
  });

  it('names what is under the pointer, and zooms to it', async (t) => {
    if (!hasProgram(t, 'chromium')) return;
    const flame = await opened(t, recording);
    const box = await flame.page.getByRole('application').boundingBox();
    if (box === null) throw new Error('the canvas has no place');
    const at = { x: box.x + box.width / 2, y: box.y + ROW * 8.5 };
    await flame.page.mouse.move(at.x, at.y);
    const { frames = '', total = '', heaviest = '' } = await flame.details();
    const perUnit = box.width / recording.sum;
    const near = recording.stacks.filter(
      ({ from, count, frames: { length } }) =>
        length > 7 && (from + count) * perUnit > box.width / 2 - 4 && from * perUnit < box.width / 2 + 4,
    );
    ok(Number(frames) > 10 && Number(frames) <= near.length + 2, `${frames} frames, ${near.length} stacks`);
    ok(Math.abs(Number(total) - sumOf(near.map(({ count }) => count))) <= 30, total);
    match(heaviest, /^m\d+ \(\d+\)$/);
    await flame.page.mouse.click(at.x, at.y);
    const { from = 0, to = 0, zoomed = 0 } = (await flame.viewport()) ?? {};
    ok(to - from < (recording.sum * 10) / box.width && to > from);
    ok(from * perUnit >= box.width / 2 - 6 && to * perUnit <= box.width / 2 + 6);
    ok(zoomed >= 0);
    equal((await flame.details()).depth, '7', 'the heaviest has the focus');
  });
});
