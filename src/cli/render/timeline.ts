/** A timeline as text: a line a track, a character a part of the time. */
import stringWidth from 'string-width';
import { formatValue } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import {
  type DrawnTrack,
  greatest,
  hasLife,
  lifeIn,
  lookOf,
  SAMPLES_LOOK,
  shownStates,
  stateWords,
  type TimelineResult,
  timeText,
  tracksOf,
} from '../../pictures/timeline/picture.js';

/** Characters of the longest name. */
export const NAME_WIDTH = 28;
/** Of a thread of which nothing else is known. */
const ALIVE = '·';

/** The first part of the time: its start, and how long each part is. */
interface TimePart {
  readonly from: number;
  readonly width: number;
}

/** Drawn by their height. */
const OF_GC = new Set(['GC pause', 'GC concurrent']);
const LEVELS = ' ▁▂▃▄▅▆▇█';

/** The sketch, with its last line feed. */
export function timelineText(result: TimelineResult): string {
  const tracks = tracksOf(result);
  const states = shownStates(tracks);
  const legend = [
    ...states
      .filter(({ measure, name }) => measure === 'share' && !OF_GC.has(name))
      .map((state) => `${lookOf(state).letter} ${stateWords(state.name)}`),
    ...(states.some(({ measure }) => measure === 'samples') ? [`${SAMPLES_LOOK.letter} sampled`] : []),
    ...(tracks.some(hasLife) ? [`${ALIVE} alive, nothing else recorded`] : []),
  ];
  const gc = tracks.some(({ kind }) => kind === 'gc') ? ['▁ to █ share of pauses, · concurrent phases only'] : [];
  const part = { from: result.from, width: (result.to - result.from) / result.buckets };
  return [
    `# ${readable(result.recording)}`,
    `${timeText(result.from, result.to)}, ${formatValue(part.width, 'ns')} a character`,
    ...tracks.map((track) => `${nameOf(track.name)} ${line(track, result.buckets, part)}`.trimEnd()),
    ...[...gc, ...(legend.length === 0 ? [] : [legend.join(', ')])],
    ...(states.some(({ measure, name }) => measure === 'share' && !OF_GC.has(name))
      ? ['Small letters: less than half of the part. Blank: nothing recorded.']
      : []),
    '',
  ].join('\n');
}

function nameOf(name: string): string {
  const letters = [...readable(name)];
  const cut = letters.length > NAME_WIDTH ? [...letters.slice(0, NAME_WIDTH - 1), '…'] : letters;
  while (stringWidth(cut.join('')) > NAME_WIDTH) cut.splice(-2, 1);
  return cut.join('') + ' '.repeat(NAME_WIDTH - stringWidth(cut.join('')));
}

function line(track: DrawnTrack, buckets: number, part: TimePart): string {
  if (track.kind === 'counter') return counterLine(track, buckets);
  if (track.kind === 'gc') return gcLine(track, buckets);
  let text = '';
  for (let at = 0; at < buckets; at++) {
    const letter = character(track, at);
    text += letter === ' ' && isAlive(track, at, part) ? ALIVE : letter;
  }
  return text;
}

/** Whether the thread lived in a part, which is known only of threads whose start or end was recorded. */
function isAlive(track: DrawnTrack, at: number, part: TimePart): boolean {
  if (!hasLife(track)) return false;
  const { from, to } = lifeIn(track, { from: part.from + at * part.width, to: part.from + (at + 1) * part.width });
  return from < to;
}

/** The state of most of the part; samples show that the thread ran in a part that no state fills. */
function character({ lanes }: DrawnTrack, at: number): string {
  let [share, letter, sampled] = [0, ' ', false];
  for (const { state, values } of lanes) {
    if (state.measure === 'samples') sampled ||= values[at] > 0;
    else if (values[at] > share) [share, letter] = [values[at], lookOf(state).letter];
  }
  if (share >= 0.5) return letter;
  return sampled ? SAMPLES_LOOK.letter : letter.toLowerCase();
}

/** Height is the share of pauses; concurrent phases without a pause are a dot. */
function gcLine({ lanes }: DrawnTrack, buckets: number): string {
  const pauses = lanes.find(({ state }) => state.name === 'GC pause')?.values;
  const concurrent = lanes.find(({ state }) => state.name === 'GC concurrent')?.values;
  let text = '';
  for (let at = 0; at < buckets; at++) {
    const share = pauses?.[at] ?? 0;
    text += share > 0 ? level(share) : (concurrent?.[at] ?? 0) > 0 ? '·' : ' ';
  }
  return text;
}

/** Height is the largest value of the part, as a share of the largest of all. */
function counterLine({ lanes, unit }: DrawnTrack, buckets: number): string {
  const most = lanes.find(({ state }) => state.name === 'most')?.values ?? new Float64Array();
  const top = greatest(most);
  let text = '';
  for (let at = 0; at < buckets; at++) text += Number.isNaN(most[at]) ? ' ' : level(top > 0 ? most[at] / top : 0);
  return `${text} max ${formatValue(top, unit)}`;
}

/** The lowest level for anything above none. */
function level(share: number): string {
  return LEVELS[Math.max(1, Math.min(8, Math.ceil(share * 8)))] ?? ' ';
}
