/**
 * What boxes are coloured by: their package or their kind. Each box belongs to one category; categories have names for
 * the legend, and colours.
 */
import { kindColour, otherColour, SLOTS, slotColour, type Theme } from './colours.js';
import type { FlamePicture } from './picture.js';

export interface Categories {
  readonly names: readonly string[];
  /** One a category; each different, save for those beyond the palette. */
  readonly colours: readonly string[];
  /** Category of each node; node 0 has none: -1. */
  readonly ofNode: Int32Array;
}

/** How code ran, if that is shown instead of whose code it is. */
const SHOWN_MODES = new Set(['inlined', 'interpreted']);

export function kindName(picture: FlamePicture, id: number): string {
  return picture.kinds[picture.kindOf[id]] ?? 'unknown';
}

/** Inlined and interpreted frames are categories of their own; others are of the kind of their function. */
export function kindCategories(picture: FlamePicture, theme: Theme): Categories {
  const { kinds, modes, mode, kindOf } = picture;
  const names = [...kinds, ...modes];
  const shown = modes.map((name) => SHOWN_MODES.has(name));
  const ofNode = picture.function.map((id, node) => {
    if (id < 0) return -1;
    const ran = mode?.[node] ?? -1;
    return shown[ran] === true ? kinds.length + ran : (kindOf[id] ?? 0);
  });
  return { names, colours: names.map((name) => kindColour(name, theme)), ofNode };
}

/**
 * The heaviest packages get colours of their own, the others share one. A package has the colour that its name hashes to,
 * or the next free one: the same packages get the same colours in every picture. Functions without a package have the
 * colour of their kind.
 */
export function packageCategories(picture: FlamePicture, theme: Theme): Categories {
  const { packages, packageOf, kinds } = picture;
  const names = [...packages, ...kinds];
  const ofFunction = picture.names.map((_, id) => {
    const kind = packages.length + (picture.kindOf[id] ?? 0);
    const inPackage = packageOf[id] ?? -1;
    return kindName(picture, id) === 'pseudo' || (packages[inPackage] ?? '') === '' ? kind : inPackage;
  });
  const slots = slotsOf(packages, heaviest(packageWeights(picture, ofFunction)));
  const colours = names.map((name, i) => {
    if (i >= packages.length) return kindColour(name, theme);
    const slot = slots.get(i);
    return slot === undefined ? otherColour(theme) : slotColour(slot, theme);
  });
  return { names, colours, ofNode: picture.function.map((id) => ofFunction[id] ?? -1) };
}

/** What each package has itself: as leaf, or inverted as root. */
function packageWeights(picture: FlamePicture, ofFunction: readonly number[]): Float64Array {
  const weights = new Float64Array(picture.packages.length);
  const end = picture.inverted ? picture.first[1] : picture.length;
  for (let node = 1; node < end; node++) {
    const of = ofFunction[picture.function[node]] ?? -1;
    const value = picture.inverted ? picture.total[node] : picture.self[node];
    const base = picture.inverted ? picture.base?.total[node] : picture.base?.self[node];
    if (of < weights.length) weights[of] += Math.max(value, base ?? 0);
  }
  return weights;
}

/** The indexes of as many packages as the palette has colours. */
function heaviest(weights: Float64Array): number[] {
  const order = Array.from(weights.keys());
  return order.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, SLOTS);
}

function slotsOf(packages: readonly string[], chosen: readonly number[]): Map<number, number> {
  const slots = new Map<number, number>();
  const taken = new Set<number>();
  const byName = [...chosen].sort((a, b) => ((packages[a] ?? '') < (packages[b] ?? '') ? -1 : 1));
  for (const id of byName) {
    let slot = hash(packages[id] ?? '') % SLOTS;
    while (taken.has(slot)) slot = (slot + 1) % SLOTS;
    taken.add(slot);
    slots.set(id, slot);
  }
  return slots;
}

/** FNV-1a with its bits mixed once more. */
function hash(name: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) value = Math.imul(value ^ name.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  return value >>> 0;
}
