/** The roots of a tree: those of the report, or the static fields of the classes of a dump, sorted by name. */
import { stringAt } from '../../base/text.js';
import { OBJECT_KINDS } from '../../models/heap/heap.js';
import {
  type HeapGraph,
  type ObjectTable,
  REFERENCE_KINDS,
  type ReferenceTable,
  ROOTS,
} from '../../models/heap/heap-graph.js';
import { BOOT_LOADER, loaderNameOf } from '../../models/heap/jvmci-names.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import type { Program } from '../../models/program/program.js';
import { withoutLoader } from './expansion.js';
import type { ObjectTreeResidue } from './residue.js';
import type { TreeText } from './tree-text.js';

export interface TreeRoot {
  /** `loader:Holder.name:Type` or `loader:Holder.name(Types)`. */
  readonly name: string;
  /** Row of the object; -1: the root has only a text. */
  readonly object: number;
  readonly text: Uint8Array | undefined;
  /** ClassId of a value without an object; -1 where the report does not show it. */
  readonly type: number;
}

export interface TreeRoots {
  readonly length: number;
  at(row: number): TreeRoot;
}

const STATIC = REFERENCE_KINDS.indexOf('static');
const LOADER = REFERENCE_KINDS.indexOf('loader');
const CLASS_OBJECT = OBJECT_KINDS.indexOf('class');
const NAMED = new Set([ROOT_KINDS.indexOf('static-field'), ROOT_KINDS.indexOf('method-constant')]);

/** Roots with names, if the heap has such; else static fields. */
export function treeRoots(
  program: Program,
  graph: HeapGraph,
  text: TreeText,
  residue: ObjectTreeResidue | undefined,
): TreeRoots {
  const { object, kind, detail } = ROOTS.rows(graph.roots);
  if (!kind.some((one) => NAMED.has(one))) return staticRoots(graph, text);
  const shown = (row: number): number => residue?.rootText[row] ?? -1;
  const rows = Int32Array.from({ length: graph.roots.length }, (_, row) => row).filter(
    (row) => residue !== undefined || (NAMED.has(kind[row]) && object[row] >= 0),
  );
  return {
    length: rows.length,
    at: (i) => {
      const row = rows[i];
      return {
        name: stringAt(program.names, detail[row]),
        object: object[row],
        text: shown(row) < 0 ? undefined : text.at(shown(row)),
        type: residue?.rootType[row] ?? -1,
      };
    },
  };
}

/** The static fields of all classes that refer to an object. 20 bytes a field, and its name. */
function staticRoots({ objects, references }: HeapGraph, text: TreeText): TreeRoots {
  const names: string[] = [];
  const targets: number[] = [];
  for (let row = 0; row < objects.length; row++) {
    if (objects.kind[row] !== CLASS_OBJECT) continue;
    const holder = `${loaderOf(row, objects, references, text)}:${text.typeOf(objects.class[row])}`;
    for (let at = objects.first[row]; at < objects.first[row + 1]; at++) {
      if (references.kind[at] !== STATIC || references.target[at] < 0) continue;
      names.push(`${holder}.${text.ofReference(at)}`);
      targets.push(references.target[at]);
    }
  }
  const plain = names.map(withoutLoader);
  const order = [...names.keys()].sort((a, b) => (plain[a] < plain[b] ? -1 : plain[a] > plain[b] ? 1 : a - b));
  return {
    length: order.length,
    at: (i) => ({ name: names[order[i]] ?? '', object: targets[order[i]] ?? -1, text: undefined, type: -1 }),
  };
}

/** The loader of a class by name, as GraalVM prints it: `null` for the boot loader, else its name, or its class without one. */
function loaderOf(row: number, objects: ObjectTable, references: ReferenceTable, text: TreeText): string {
  for (let at = objects.first[row]; at < objects.first[row + 1]; at++)
    if (references.kind[at] === LOADER && references.target[at] >= 0)
      return loaderNameOf(text.typeOfObject(references.target[at]));
  return BOOT_LOADER;
}
