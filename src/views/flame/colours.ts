/**
 * Colours of a flame graph, for light and dark backgrounds. Text on any box has a contrast of at least 4.5 (WCAG 2.2,
 * 1.4.3), which the test computes for every colour. No colour says anything that is not also said in words.
 */
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

/** Hue (degrees), and saturation as a part of the usual. */
const KIND_HUES: Readonly<Record<string, readonly [hue: number, saturation: number]>> = {
  own: [28, 1.1],
  jdk: [205, 0.9],
  vm: [265, 0.6],
  profiler: [330, 0.6],
  native: [95, 0.6],
  pseudo: [0, 0],
  unknown: [55, 0.25],
};

/** The colour of each function; one string is shared by many. Without a package it has the colour of its kind. */
export function functionColours(picture: FlamePicture, colouring: 'package' | 'kind', theme: Theme): string[] {
  const known = new Map<string, string>();
  const colour = (key: string, make: () => string): string => {
    const made = known.get(key) ?? make();
    known.set(key, made);
    return made;
  };
  return picture.names.map((_, id) => {
    const kind = kindName(picture, id);
    const name = picture.packages[picture.packageOf[id]] ?? '';
    if (colouring === 'kind' || kind === 'pseudo' || name === '') return colour(kind, () => kindColour(kind, theme));
    return colour(`package ${name}`, () => packageColour(name, theme));
  });
}

export function kindName(picture: FlamePicture, id: number): string {
  return picture.kinds[picture.kindOf[id]] ?? 'unknown';
}

export function kindColour(kind: string, theme: Theme): string {
  const [hue, saturation] = KIND_HUES[kind] ?? [55, 0.25];
  return boxColour(hue, saturation, 0, theme);
}

/** Packages have one of 36 colours by their names, the same in every recording. */
export function packageColour(name: string, theme: Theme): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  const place = (hash >>> 0) % 36;
  return boxColour((place % 18) * 20, 1, place < 18 ? -3 : 3, theme);
}

function boxColour(hue: number, saturation: number, lighter: number, theme: Theme): string {
  return theme === 'light' ? hsl(hue, 62 * saturation, 79 + lighter) : hsl(hue, 34 * saturation, 29 + lighter);
}

/** Steps of growth and of decline that have colours of their own. */
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

/** Index into `differenceColours` of a node: by what the difference is of the larger of the two values. */
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

/** How much of a box's colour is left above the node that was zoomed to. */
export const FADED = 0.35;
