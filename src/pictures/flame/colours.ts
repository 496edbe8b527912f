/**
 * Colours of a flame graph, for light and dark backgrounds. Text on any box has a contrast of at least 4.5 (WCAG 2.2,
 * 1.4.3), which the test computes for every colour. Everything shown by colour is also shown as text.
 */
import { MAIN_PACKAGES } from '../../analysis/flame/main-packages.js';
import { difference } from './difference.js';
import type { FlamePicture } from './picture.js';

export const COLOURINGS = ['package', 'kind', 'difference'] as const;
export type Colouring = (typeof COLOURINGS)[number];

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface ThemeColours {
  readonly background: string;
  readonly text: string;
  readonly root: string;
  readonly match: string;
  readonly matchText: string;
  readonly focus: string;
}

export const THEME_COLOURS: Readonly<Record<Theme, ThemeColours>> = {
  light: {
    background: '#ffffff',
    text: '#1a1a1a',
    root: '#e4e4e9',
    match: '#7a1fa2',
    matchText: '#ffffff',
    focus: '#0b3d91',
  },
  dark: {
    background: '#16181d',
    text: '#f2f2f2',
    root: '#33363f',
    match: '#e8b4ff',
    matchText: '#1a1a1a',
    focus: '#ffffff',
  },
};

/** Hue (degrees) and chroma, as a part of the usual, of what a box may be. */
const KIND_HUES: Readonly<Record<string, readonly [hue: number, chroma: number]>> = {
  own: [70, 1.1],
  jdk: [235, 0.9],
  vm: [300, 0.7],
  profiler: [345, 0.9],
  native: [135, 0.9],
  kernel: [25, 1.2],
  inlined: [190, 1],
  interpreted: [105, 1.1],
  pseudo: [0, 0],
  unknown: [100, 0.3],
};

export function kindColour(kind: string, theme: Theme): string {
  const [hue, chroma] = KIND_HUES[kind] ?? [100, 0.3];
  return theme === 'light' ? oklch(0.86, 0.085 * chroma, hue) : oklch(0.42, 0.075 * chroma, hue);
}

/** Colours of packages, each unlike the others. */
export const SLOTS = MAIN_PACKAGES;
const HUES = SLOTS / 2;

/** One of `SLOTS` colours: twelve hues, paler and stronger. */
export function slotColour(slot: number, theme: Theme): string {
  const hue = (slot % HUES) * (360 / HUES) + (slot < HUES ? 0 : 180 / HUES);
  if (theme === 'light') return slot < HUES ? oklch(0.88, 0.075, hue) : oklch(0.77, 0.115, hue);
  return slot < HUES ? oklch(0.46, 0.085, hue) : oklch(0.35, 0.07, hue);
}

/** Of packages without a colour of their own. */
export function otherColour(theme: Theme): string {
  return theme === 'light' ? oklch(0.9, 0.012, 90) : oklch(0.38, 0.012, 90);
}

/** A colour of OKLCH (Ottosson 2020, the space of CSS Color 4): equal steps look about equally large. */
function oklch(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const encoded = linear.map((value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  return hex(encoded.map((value) => Math.round(255 * Math.min(1, Math.max(0, value)))));
}

/** Number of colours for growth, and for decline. */
const STEPS = 8;

/** One colour for each of `DIFFERENCE_COLOURS`, from "vanished" over "equal" to "new". */
export function differenceColours(theme: Theme): string[] {
  return Array.from({ length: 2 * STEPS + 1 }, (_, i) => {
    const step = (i - STEPS) / STEPS;
    const strength = Math.abs(step);
    const hue = step > 0 ? 18 : 212;
    if (theme === 'light') return hsl(hue, 85 * strength, 92 - 24 * strength);
    return hsl(hue, 65 * strength, 24 + 12 * strength);
  });
}

/** Index into `differenceColours` of a node, by the difference as a part of the larger value. */
export function differenceStep(picture: FlamePicture, node: number): number {
  return Math.round(difference(picture, node).part * STEPS) + STEPS;
}

function hsl(hue: number, saturation: number, lightness: number): string {
  const s = Math.min(100, saturation) / 100;
  const l = lightness / 100;
  const channel = (n: number): string => {
    const k = (n + hue / 30) % 12;
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** `part` of a colour over another. */
export function mix(over: string, under: string, part: number): string {
  const below = channels(under);
  return hex(channels(over).map((value, i) => Math.round(value * part + (below[i] ?? 0) * (1 - part))));
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Mean of colours that cover `widths` of `width`, the rest of it in the colour `under`. */
export function meanColour(
  colours: readonly string[],
  widths: ArrayLike<number>,
  width: number,
  under: string,
): string {
  const below = channels(under);
  const sums = [0, 0, 0];
  colours.forEach((colour, i) => {
    channels(colour).forEach((value, channel) => {
      sums[channel] = (sums[channel] ?? 0) + (widths[i] ?? 0) * (value - (below[channel] ?? 0));
    });
  });
  return hex(below.map((value, channel) => Math.round(value + (width > 0 ? (sums[channel] ?? 0) / width : 0))));
}

/** Contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The opacity of boxes above the node that was zoomed to. */
export const FADED = 0.35;
