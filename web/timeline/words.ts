/** What a timeline says of a part of a track. Pure. */
import { formatCount, formatValue, plural } from '../../src/base/units.js';
import type { Fact } from '../../src/pictures/flame/words.js';
import {
  type DrawnRows,
  fillExtremes,
  fillSums,
  type LaneModel,
  rowAt,
  type TimelineModel,
  type TrackModel,
} from './model.js';
import { decimalsFor, secondsText, type TimeWindow } from './viewport.js';

/** The facts of a part of the time on a track; a part is a pixel or a span. */
export function factsOf(model: TimelineModel, track: TrackModel, part: TimeWindow): Fact[] {
  const decimals = decimalsFor(part.to - part.from);
  const time = `${secondsText(part.from, decimals)} to ${secondsText(part.to, decimals)} s`;
  return [
    { key: 'name', title: 'Name', text: track.name },
    { key: 'time', title: 'Time', text: time },
    ...lifeFacts(track),
    ...track.lanes.flatMap((lane, i) => laneFacts(model.rows, track, lane, part, i)),
    ...detailFacts(model, track, part),
  ];
}

/** Lock, owner and stack of the only wait in a part. */
function detailFacts({ rows, waits }: TimelineModel, { lanes }: TrackModel, part: TimeWindow): readonly Fact[] {
  const details = lanes.flatMap((lane) => {
    const [first, end] = lane.measure === 'share' ? rowsIn(rows, lane, part) : [0, 0];
    return end - first > 1 ? [-1, -1] : end === first || rows.detail[first] < 0 ? [] : [rows.detail[first]];
  });
  return details.length === 1 ? waits(details[0] ?? -1) : [];
}

function lifeFacts({ start, end }: TrackModel): Fact[] {
  const at = (time: number): string => `${secondsText(time, 3)} s`;
  return [
    ...(start === null ? [] : [{ key: 'started', title: 'Started', text: at(start) }]),
    ...(end === null ? [] : [{ key: 'ended', title: 'Ended', text: at(end) }]),
  ];
}

function laneFacts(rows: DrawnRows, track: TrackModel, lane: LaneModel, part: TimeWindow, number: number): Fact[] {
  const [first, end] = rowsIn(rows, lane, part);
  if (first === end && lane.measure === 'value' && first > lane.first) {
    const text = `${formatValue(rows.value[first - 1], track.unit)} at ${secondsText(rows.from[first - 1], 3)} s`;
    return [{ key: 'before', title: 'Last before', text }];
  }
  if (first === end) return [];
  const fact = (text: string): Fact[] => [{ key: `${lane.measure}-${number}`, title: lane.words, text }];
  if (lane.measure === 'value') {
    const [low, high] = [new Float64Array(1), new Float64Array(1)];
    fillExtremes(rows, lane, { ...part, pixels: 1 }, low, high);
    const [least, most] = [formatValue(low[0], track.unit), formatValue(high[0], track.unit)];
    return [{ key: 'value', title: 'Value', text: least === most ? most : `${least} to ${most}` }];
  }
  if (lane.measure === 'samples') {
    const sum = new Float64Array(1);
    fillSums(rows, lane, { ...part, pixels: 1 }, sum);
    return fact(formatCount(sum[0]));
  }
  const spans = end - first;
  const events = rows.value.subarray(first, end).reduce((sum, count) => sum + count, 0);
  if (spans === 1) {
    const [from, to] = [rows.from[first], rows.to[first]];
    const several = events > 1 ? `, ${plural(events, 'event')} that overlap` : '';
    return fact(`${formatValue(to - from, 'ns')} from ${secondsText(from, 6)} s${several}`);
  }
  const sum = new Float64Array(1);
  fillSums(rows, lane, { ...part, pixels: 1 }, sum);
  const share = formatValue(sum[0] / (part.to - part.from), 'ratio');
  // Events that lie within others are no spans of their own.
  const within = events > spans ? `, in ${plural(spans, 'span')}` : '';
  return fact(`${share}, ${plural(events, 'time')}${within}`);
}

/** The rows of a lane that touch a part of the time. */
export function rowsIn(rows: DrawnRows, lane: LaneModel, { from, to }: TimeWindow): [first: number, end: number] {
  const first = rowAt(rows, lane, lane.first, from);
  const isRunning = first > lane.first && lane.measure === 'share' && rows.to[first - 1] > from;
  return [isRunning ? first - 1 : first, rowAt(rows, lane, first, to)];
}

/** The span, sample or reading of a track that begins next after a time (or last before it); undefined if there is none. */
export function neighbour(
  { rows }: TimelineModel,
  track: TrackModel,
  time: number,
  step: 1 | -1,
): TimeWindow | undefined {
  let best = -1;
  for (const lane of track.lanes) {
    let at = rowAt(rows, lane, lane.first, time);
    if (step < 0) at--;
    else while (at < lane.end && rows.from[at] <= time) at++;
    if (at < lane.first || at >= lane.end) continue;
    if (best < 0 || (rows.from[at] - rows.from[best]) * step < 0) best = at;
  }
  return best < 0 ? undefined : { from: rows.from[best], to: rows.to[best] };
}
