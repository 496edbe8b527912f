/** The nodes of trees and flame graphs as plain lists, to compare them with each other and with second implementations. */
import { type FlamePicture, nameOf } from '../../pictures/flame/picture.js';
import type { ResultOf } from '../../views/index.js';

/** A node by the names on its path. */
export interface PathNode {
  readonly path: string;
  readonly self: number;
  readonly total: number | null;
  readonly begins: string | null;
}

const byPath = (a: PathNode, b: PathNode): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.self - b.self || (a.total ?? 0) - (b.total ?? 0);

export function treeNodes(tree: ResultOf<'tree'>): PathNode[] {
  const paths = new Map<number, string>();
  return tree.rows
    .map((row) => {
      const path = `${paths.get(row.parent) ?? ''}/${row.function}`;
      paths.set(row.id, path);
      return { path, self: row.self, total: row.total, begins: row.begins };
    })
    .sort(byPath);
}

/** Without the node above all roots. */
export function flameNodes(picture: FlamePicture): PathNode[] {
  const paths = [''];
  for (let node = 1; node < picture.length; node++)
    paths.push(`${paths[picture.parent[node]] ?? ''}/${nameOf(picture, node)}`);
  return paths
    .map((path, node) => ({
      path,
      self: picture.self[node],
      total: picture.total[node],
      begins: picture.endings[picture.begins[node]] ?? null,
    }))
    .slice(1)
    .sort(byPath);
}
