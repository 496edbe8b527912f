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
 * The main packages of the recording have colours of their own, the others share one. A package has the colour that its name hashes to,
 * or the next free one: it has the same colour in every graph of the recording, whatever its metric, scope and direction. Functions without
 * a package have the colour of their kind.
 */
export function packageCategories(picture: FlamePicture, theme: Theme): Categories {
  const { packages, packageOf, kinds } = picture;
  const names = [...packages, ...kinds];
  const ofFunction = picture.names.map((_, id) => {
    const kind = packages.length + (picture.kindOf[id] ?? 0);
    const inPackage = packageOf[id] ?? -1;
    return kindName(picture, id) === 'pseudo' || (packages[inPackage] ?? '') === '' ? kind : inPackage;
  });
  const slots = slotsOf(picture.mainPackages);
  const colours = names.map((name, i) => {
    if (i >= packages.length) return kindColour(name, theme);
    const slot = slots.get(name);
    return slot === undefined ? otherColour(theme) : slotColour(slot, theme);
  });
  return { names, colours, ofNode: picture.function.map((id) => ofFunction[id] ?? -1) };
}

/** The place of each of some packages in the palette, by their names alone. */
function slotsOf(packages: readonly string[]): Map<string, number> {
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  for (const name of packages.slice(0, SLOTS).sort()) {
    let slot = hash(name) % SLOTS;
    while (taken.has(slot)) slot = (slot + 1) % SLOTS;
    taken.add(slot);
    slots.set(name, slot);
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
