/**
 * A timeline as a static SVG 1.1 picture that needs nothing else. Each bar has its numbers as a tooltip; neighbours that look the same are one
 * bar. The height of a bar is the share of its part of the time, so that nothing is painted longer than it was.
 */
import { printable } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { roundStep } from '../axis.js';
import { escapeMarkup, svgFile, svgText } from '../markup.js';
import {
  COUNTER_COLOUR,
  COUNTER_PALE,
  type DrawnLane,
  type DrawnTrack,
  greatest,
  lifeIn,
  lookOf,
  shownStates,
  stateWords,
  type TimelineResult,
  timeText,
  tracksOf,
} from './picture.js';

const WIDTH = 1200;
const NAMES = 210;
const MARGIN = 10;
const HEAD = 66;
const ROW = 26;
/** Of a row: states above, samples below. */
const STATES = 14;
const SAMPLES = 7;
const TALL = STATES + SAMPLES;
const PLOT = WIDTH - NAMES - MARGIN;
const LONGEST_NAME = 30;
const LEGEND_COLUMN = 196;

interface Plot {
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
}

/** The picture as the text of an SVG file; `noteTexts` are the texts of the result's notes. Pure. */
export function timelineSvg(result: TimelineResult, noteTexts: readonly string[]): string {
  const tracks = tracksOf(result);
  const legend = legendLines(tracks, HEAD + tracks.length * ROW + 14);
  const bottom = HEAD + tracks.length * ROW + 14 + legend.height;
  const notes = noteTexts.map(printable);
  const height = bottom + notes.length * 15 + MARGIN;
  const title = `Timeline: ${printable(result.recording)}`;
  const facts = `${timeText(result.from, result.to)}, ${plural(tracks.length, 'track')}. Height is the share of the time, of samples and counters the value.`;
  const frame = { width: WIDTH, height, title, description: facts, font: 'sans-serif' } as const;
  return svgFile({ ...frame, attributes: ' shape-rendering="crispEdges"' }, [
    svgText(MARGIN, 22, title, ' font-size="14" font-weight="bold"'),
    svgText(MARGIN, 39, facts),
    ...axis(result, tracks.length),
    ...tracks.flatMap((track, i) => trackLines(track, HEAD + i * ROW, result)),
    ...legend.lines,
    ...notes.map((note, i) => svgText(MARGIN, bottom + (i + 1) * 15 - 4, note)),
  ]);
}

/** Lines at round times, at most ten. */
function axis({ from, to }: Plot, rows: number): string[] {
  const step = roundStep((to - from) / 8);
  const lines: string[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
    const x = (NAMES + ((time - from) / (to - from)) * PLOT).toFixed(1);
    const text = formatValue(time, 'ns').replace(/\.00(?= ms$)/, '');
    lines.push(
      `<path d="M${x} ${HEAD - 8}V${HEAD + rows * ROW}" stroke="#dddddd"/>`,
      `<text x="${x}" y="${HEAD - 11}" text-anchor="middle" fill="#555555">${text}</text>`,
    );
  }
  return lines;
}

function trackLines(track: DrawnTrack, y: number, plot: Plot): string[] {
  const name = printable(track.name);
  const letters = [...name];
  const short = letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join('')}…` : name;
  return [
    `<g><title>${escapeMarkup(name)}</title>${svgText(MARGIN, y + 14, short)}</g>`,
    ...ground(track, y, plot),
    ...(track.kind === 'counter' ? counterLines(track, y, plot) : stateLines(track, y, plot)),
  ];
}

/** The ground of a track, as long as the thread lived. */
function ground(track: DrawnTrack, y: number, plot: Plot): string[] {
  const { from, to } = lifeIn(track, plot);
  if (to < from) return [];
  const perTime = PLOT / (plot.to - plot.from);
  const x = (NAMES + (from - plot.from) * perTime).toFixed(2);
  const width = Math.max(1, (to - from) * perTime).toFixed(2);
  return [`<rect x="${x}" y="${y}" width="${width}" height="${TALL}" fill="#f4f4f6"/>`];
}

/** States on top of each other, by their share; samples in a strip of their own below them. */
function stateLines({ name, lanes }: DrawnTrack, y: number, plot: Plot): string[] {
  const samples = lanes.filter(({ state }) => state.measure === 'samples');
  const states = lanes.filter(({ state }) => state.measure === 'share');
  const room = samples.length > 0 ? STATES : TALL;
  const filled = new Float64Array(plot.buckets);
  const lines: string[] = [];
  for (const lane of states) {
    const { colour } = lookOf(lane.state);
    const base = filled.slice();
    const tall = (at: number): number => Math.min(lane.values[at], 1 - base[at]);
    bars(lane.values, base, plot, (first, last, share) => {
      const height = Math.max(share > 0 ? 0.75 : 0, tall(first) * room);
      const top = y + room - base[first] * room - height;
      const said = `${name}: ${stateWords(lane.state.name)}, ${formatValue(share, 'ratio')} of ${spanText(plot, first, last)}`;
      lines.push(bar(plot, [first, last], Math.max(y, top), height, colour, said));
    });
    for (let at = 0; at < plot.buckets; at++) filled[at] = Math.min(1, filled[at] + Math.max(0, lane.values[at]));
  }
  for (const lane of samples) lines.push(...sampleLines(name, lane, y + room, plot));
  return lines;
}

function sampleLines(name: string, { state, values }: DrawnLane, y: number, plot: Plot): string[] {
  const most = greatest(values);
  const lines: string[] = [];
  bars(values, new Float64Array(plot.buckets), plot, (first, last, count) => {
    const height = Math.max(1, (count / most) * SAMPLES);
    const said = `${name}: ${state.name}, ${formatValue(count, 'samples')} in ${first === last ? '' : 'each part of '}${spanText(plot, first, last)}`;
    lines.push(bar(plot, [first, last], y + SAMPLES - height, height, lookOf(state).colour, said));
  });
  return lines;
}

/** Calls `draw` for each run of equal values above 0 that begin at the same height. */
function bars(
  values: Float64Array,
  base: Float64Array,
  { buckets }: Plot,
  draw: (first: number, last: number, value: number) => void,
): void {
  for (let first = 0; first < buckets; ) {
    let last = first;
    while (last + 1 < buckets && values[last + 1] === values[first] && base[last + 1] === base[first]) last++;
    if (values[first] > 0) draw(first, last, values[first]);
    first = last + 1;
  }
}

function bar(
  plot: Plot,
  [first, last]: readonly [number, number],
  y: number,
  height: number,
  colour: string,
  said: string,
): string {
  const part = PLOT / plot.buckets;
  const x = (NAMES + first * part).toFixed(2);
  const width = ((last - first + 1) * part).toFixed(2);
  return `<rect x="${x}" y="${y.toFixed(2)}" width="${width}" height="${height.toFixed(2)}" fill="${colour}"><title>${escapeMarkup(printable(said))}</title></rect>`;
}

function spanText({ from, to, buckets }: Plot, first: number, last: number): string {
  const part = (to - from) / buckets;
  return timeText(from + first * part, from + (last + 1) * part);
}

/** From the least to the largest value of each part, pale below; parts without a value are empty. */
function counterLines({ name, lanes, unit }: DrawnTrack, y: number, plot: Plot): string[] {
  const of = (word: string): Float64Array =>
    lanes.find(({ state }) => state.name === word)?.values ?? new Float64Array();
  const [least, most] = [of('least'), of('most')];
  const top = greatest(most);
  const height = (value: number): number => (top > 0 ? (Math.max(0, value) / top) * TALL : 0);
  const lines: string[] = [];
  for (let at = 0; at < plot.buckets; at++) {
    if (!(most[at] >= least[at])) continue;
    const [low, high] = [height(least[at]), height(most[at])];
    const values =
      least[at] === most[at]
        ? formatValue(most[at], unit)
        : `${formatValue(least[at], unit)} to ${formatValue(most[at], unit)}`;
    const said = `${name}: ${values} in ${spanText(plot, at, at)}`;
    const mark = Math.max(2.5, high - low);
    lines.push(
      bar(plot, [at, at], y + TALL - high, high, COUNTER_PALE, said),
      bar(plot, [at, at], y + TALL - Math.max(high, mark), mark, COUNTER_COLOUR, said),
    );
  }
  lines.push(
    `<text x="${WIDTH - MARGIN - 3}" y="${y + 10}" text-anchor="end" fill="#333333" stroke="#f4f4f6" stroke-width="3" paint-order="stroke">max ${escapeMarkup(formatValue(top, unit))}</text>`,
  );
  return lines;
}

function legendLines(tracks: readonly DrawnTrack[], y: number): { readonly lines: string[]; readonly height: number } {
  const entries = new Map<string, string>();
  for (const state of shownStates(tracks)) {
    entries.set(stateWords(state.name), lookOf(state).colour);
  }
  const across = Math.floor((WIDTH - 2 * MARGIN) / LEGEND_COLUMN);
  const lines = [...entries].flatMap(([text, colour], i) => {
    const [x, top] = [MARGIN + (i % across) * LEGEND_COLUMN, y + Math.floor(i / across) * 17];
    return [`<rect x="${x}" y="${top}" width="11" height="11" fill="${colour}"/>`, svgText(x + 16, top + 10, text)];
  });
  return { lines, height: Math.ceil(entries.size / across) * 17 + 6 };
}
