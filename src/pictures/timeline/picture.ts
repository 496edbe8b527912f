/** A timeline as pictures draw it: its tracks with their lanes, and how each state looks. */
import { float64Values, int32Values } from '../../base/base64.js';
import { dictionary } from '../../base/dictionary.js';
import { formatValue } from '../../base/units.js';
import type { ResultOf } from '../../views/index.js';

export type TimelineResult = ResultOf<'timeline'>;
type State = TimelineResult['states'][number];

export interface DrawnLane {
  readonly state: State;
  /** One a bucket. */
  readonly values: Float64Array;
}

export interface DrawnTrack {
  readonly kind: TimelineResult['tracks'][number]['kind'];
  readonly name: string;
  readonly unit: TimelineResult['tracks'][number]['unit'];
  readonly start: number | null;
  readonly end: number | null;
  readonly lanes: readonly DrawnLane[];
}

/** The tracks with what they have; those without a lane are not among them. */
export function tracksOf(result: TimelineResult): DrawnTrack[] {
  const { buckets, lanes, states, tracks } = result;
  const [values, track, state] = [float64Values(lanes.values), int32Values(lanes.track), int32Values(lanes.state)];
  const byTrack = tracks.map((): DrawnLane[] => []);
  for (let lane = 0; lane < lanes.length; lane++) {
    const known = states[state[lane]];
    if (known !== undefined)
      byTrack[track[lane]]?.push({ state: known, values: values.subarray(lane * buckets, (lane + 1) * buckets) });
  }
  return tracks.map((of, i) => ({ ...of, lanes: byTrack[i] ?? [] })).filter((of) => of.lanes.length > 0);
}

/** Whether the start or the end of a thread is known. */
export function hasLife({ start, end }: Pick<DrawnTrack, 'start' | 'end'>): boolean {
  return start !== null || end !== null;
}

/** The part of a time in which a thread lived, as far as that is known; nothing (`to` before `from`) outside of its life. */
export function lifeIn(
  { start, end }: Pick<DrawnTrack, 'start' | 'end'>,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly from: number; readonly to: number } {
  return { from: Math.max(from, start ?? from), to: Math.min(to, end ?? to) };
}

/** The largest value of a lane; -Infinity if it has none. */
export function greatest(values: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** `0.00 ms to 2,037.15 ms`. */
export function timeText(from: number, to: number): string {
  return `${formatValue(from, 'ns')} to ${formatValue(to, 'ns')}`;
}

/** Letter and colour of a state. The letters of one track differ; so does the text of each picture's legend. */
export interface Look {
  readonly letter: string;
  readonly colour: string;
}

const LOOKS = dictionary<Look>({
  enter: { letter: 'B', colour: '#c62828' },
  'object-wait': { letter: 'W', colour: '#ef8f00' },
  park: { letter: 'P', colour: '#8e7cc3' },
  sleep: { letter: 'Z', colour: '#9fb4c7' },
  mutex: { letter: 'M', colour: '#b3543a' },
  condition: { letter: 'C', colour: '#d9a441' },
  join: { letter: 'J', colour: '#7a9a5b' },
  barrier: { letter: 'R', colour: '#5b8a9a' },
  'Input and output': { letter: 'I', colour: '#1976d2' },
  'GC pause': { letter: 'G', colour: '#ad1457' },
  'GC concurrent': { letter: 'g', colour: '#f3a6c0' },
  Compilation: { letter: 'K', colour: '#00838f' },
  'Allocation stall': { letter: 'A', colour: '#d81b60' },
});
const OTHER: Look = { letter: 'O', colour: '#78909c' };

export const SAMPLES_LOOK: Look = { letter: '#', colour: '#2e7d32' };
/** Samples of other clocks, which say less of whether the thread ran. */
const SAMPLE_COLOURS = dictionary<string>({
  'Samples in native methods': '#a1887f',
  'Wall-clock samples': '#607d8b',
  'CPU-time samples': '#7cb342',
});
export const COUNTER_COLOUR = '#3f6fb5';
export const COUNTER_PALE = '#c9d8ee';

const WORDS = dictionary<string>({
  enter: 'blocked by a monitor',
  'object-wait': 'waiting in Object.wait',
  park: 'parked',
  sleep: 'sleeping',
});

/** A state in words: `blocked by a monitor`. */
export function stateWords(state: string): string {
  return WORDS[state] ?? state;
}

export function lookOf({ name, measure }: State): Look {
  if (measure !== 'samples') return LOOKS[name] ?? OTHER;
  return { ...SAMPLES_LOOK, colour: SAMPLE_COLOURS[name] ?? SAMPLES_LOOK.colour };
}

/** The states that tracks have, in the order of their first appearance. */
export function shownStates(tracks: readonly DrawnTrack[]): State[] {
  return [...new Set(tracks.flatMap(({ lanes }) => lanes.map(({ state }) => state)))].filter(
    ({ measure }) => measure !== 'value',
  );
}
