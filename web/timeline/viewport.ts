/** The visible time of a timeline, and its changes; times as the axis and the command line write them. Pure. */

import { roundStep } from '../../src/pictures/axis.js';

/** Nanoseconds since the recording began. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The narrowest view: a hundred nanoseconds. */
const NARROWEST = 100;

/** A window of this length that begins at `from`, inside of `all`. */
export function moved(all: TimeWindow, from: number, length: number): TimeWindow {
  const whole = all.to - all.from;
  const wanted = Math.min(whole, Math.max(Math.min(NARROWEST, whole), length));
  const start = Math.min(all.to - wanted, Math.max(all.from, from));
  return { from: start, to: start + wanted };
}

/** The window widened (factor above 1) or narrowed around a time, which stays where it is. */
export function stretched(all: TimeWindow, { from, to }: TimeWindow, around: number, factor: number): TimeWindow {
  return moved(all, around - (around - from) * factor, (to - from) * factor);
}

const SECOND = 1e9;

/** Decimals of seconds that distinguish times this far apart. */
export function decimalsFor(nanoseconds: number): number {
  return Math.min(9, Math.max(0, Math.ceil(-Math.log10(nanoseconds / SECOND) - 1e-9)));
}

/** `4.25`: seconds with so many decimals. */
export function secondsText(time: number, decimals: number): string {
  return (time / SECOND).toFixed(decimals);
}

/** A time span as addresses have it: exact to the nanosecond. */
export function spanText({ from, to }: TimeWindow): string {
  const text = (time: number): string => String(Number(secondsText(time, 9)));
  return `${text(from)}..${text(to)}`;
}

/** Times of round distances in a window, at most `most` of them, each with its text. */
export function ticks({ from, to }: TimeWindow, most: number): { readonly time: number; readonly text: string }[] {
  const step = roundStep((to - from) / most);
  const decimals = decimalsFor(step);
  const found = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++)
    found.push({ time: i * step, text: `${secondsText(i * step, decimals)} s` });
  return found;
}

/** A selection as `--time` takes it, with as many decimals as a pixel distinguishes; its times are rounded to them. */
export function selectionText({ from, to }: TimeWindow, pixel: number): string {
  const decimals = decimalsFor(pixel);
  return `${secondsText(from, decimals)}..${secondsText(to, decimals)}`;
}

/** Reads `4.25..5`, in seconds; undefined if it is no time span. */
export function readSpan(text: string | undefined): TimeWindow | undefined {
  const [, from, to] = /^(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)$/.exec(text ?? '') ?? [];
  if (from === undefined || to === undefined) return undefined;
  const window = { from: Number(from) * SECOND, to: Number(to) * SECOND };
  return window.to > window.from ? window : undefined;
}
