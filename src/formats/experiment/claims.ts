/**
 * Experiments of gprofng and the Sun Studio Performance Analyzer in a tree: folders, recognised by their file names.
 */
import type { Claim, NamedMembers } from '../capabilities/sets.js';
import { memberPaths, splitPath } from '../shared/member-paths.js';

/** A folder with log.xml beside map.xml or overview; those within it are its descendants and belong to it. */
export function claimExperiments(tree: NamedMembers): Claim | undefined {
  const folders = new Map<string, Map<string, string>>();
  for (const path of memberPaths(tree)) {
    const [folder, name] = splitPath(path);
    const files = folders.get(folder) ?? new Map<string, string>();
    if (name !== '') files.set(name, path);
    folders.set(folder, files);
  }
  const found = new Set<string>();
  for (const [folder, files] of folders) {
    if (files.has('log.xml') && (files.has('map.xml') || files.has('overview'))) found.add(folder);
  }
  const founders = [...found].filter((folder) => !parents(folder).some((parent) => found.has(parent))).sort();
  const first = founders[0];
  if (first === undefined) return undefined;
  const descendants = found.size - founders.length;
  const more = descendants === 0 ? '' : `, and ${descendants} descendant experiments`;
  return {
    title: 'experiment of gprofng or the Sun Studio Performance Analyzer',
    because: `log.xml and map.xml in ${first === '' ? 'it' : first}${more}`,
    recordings: founders.map((folder) => ({ folder, parts: partsOf(folder, folders) })),
  };
}

/** All files of an experiment by their paths in it: `profile`, `_f1.er/profile`, `archives/libc.so.6_dnWuQRcLhw9`. */
function partsOf(founder: string, folders: ReadonlyMap<string, ReadonlyMap<string, string>>): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [folder, files] of folders) {
    if (folder !== founder && !parents(folder).includes(founder)) continue;
    const inside = folder.slice(founder === '' ? 0 : founder.length + 1);
    for (const [name, path] of files) parts.set(inside === '' ? name : `${inside}/${name}`, path);
  }
  return parts;
}

/** All parent folders of a folder, including the tree itself. */
function parents(folder: string): string[] {
  if (folder === '') return [];
  const above = [''];
  for (let slash = folder.indexOf('/'); slash >= 0; slash = folder.indexOf('/', slash + 1)) {
    above.push(folder.slice(0, slash));
  }
  return above;
}
