/** The share of each level that an SVG fills, against the stacks. */
import { ok } from 'node:assert/strict';
import { it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { Random } from '../../testing/random.js';
import { layout } from './layout.js';
import { flamePicture } from './picture.js';
import { drawSvg, usualColours } from './svg.js';

it('an SVG fills as much of a level as samples reach it, also where boxes are too narrow to see', async () => {
  const random = new Random(3);
  const stacks = Array.from({ length: 8000 }, () =>
    Array.from({ length: 4 + random.below(20) }, () => `m${random.below(60)}`),
  );
  const text = stacks.map((frames) => `${frames.join(';')} 1\n`).join('');
  const session = await openSession([memorySource('generated.txt', new TextEncoder().encode(text))]);
  const picture = flamePicture(await ask(session, { view: 'flame' }));
  const placed = layout(picture, 'name');
  const colour = usualColours(picture);
  const svg = drawSvg(picture, {
    recording: 'generated',
    notes: [],
    measure: () => 0,
    layout: placed,
    from: 0,
    to: placed.width[0],
    colour,
  });
  const blue = (text: string): number => Number.parseInt(text.slice(5), 16);
  const full = 255 - blue(colour(1));
  const filled = new Map<number, number>();
  const rects = svg.matchAll(/<rect x="[\d.]+" y="(\d+)" width="([\d.]+)" height="\d+" fill="(#[0-9a-f]{6})"/g);
  for (const [, y, width, fill = ''] of rects)
    filled.set(Number(y), (filled.get(Number(y)) ?? 0) + (Number(width) * (255 - blue(fill))) / full);
  const levels = [...filled.keys()].sort((a, b) => a - b);
  for (const depth of [6, 10, 15, 20]) {
    const share = (filled.get(levels[depth] ?? -1) ?? 0) / 1184;
    const expected = stacks.filter(({ length }) => length >= depth).length / stacks.length;
    ok(Math.abs(share - expected) < 0.01, `level ${depth}: ${share} is filled, ${expected} reach it`);
  }
});
