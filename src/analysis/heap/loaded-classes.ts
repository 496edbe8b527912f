/** What the classes of a heap show before its graph is read: names with several loaders. */
import type { Heap } from '../../models/heap/heap.js';
import type { ClassId } from '../../models/program/program.js';

/** A class name that several loaders have a class of. */
export interface RepeatedClass {
  readonly class: ClassId;
  readonly loaders: number;
  /** Of all these classes. */
  readonly objects: number;
  readonly bytes: number;
  /** Classes of the loader with most of them. */
  readonly mostClasses: number;
}

export interface LoadedClasses {
  /** Class loaders, with the boot loader. */
  readonly loaders: number;
  /** Most loaders first. */
  readonly repeated: readonly RepeatedClass[];
}

/** Groups classes by name and loader. One pass over the classes; unknown loaders do not count. */
export function loadedClasses({ classes, sizes }: Heap): LoadedClasses {
  const perLoader = new Map<number, number>();
  const rowsOf = new Map<ClassId, number[]>();
  for (let row = 0; row < classes.length; row++) {
    const loader = classes.loader[row];
    const id = classes.class[row];
    if (loader < 0 || id < 0) continue;
    perLoader.set(loader, (perLoader.get(loader) ?? 0) + 1);
    const rows = rowsOf.get(id);
    if (rows === undefined) rowsOf.set(id, [row]);
    else rows.push(row);
  }
  const repeated: RepeatedClass[] = [];
  for (const [id, rows] of rowsOf) {
    const loaders = new Set(rows.map((row) => classes.loader[row]));
    if (loaders.size < 2) continue;
    repeated.push({
      class: id,
      loaders: loaders.size,
      objects: rows.reduce((sum, row) => sum + classes.objects[row], 0),
      bytes: rows.reduce((sum, row) => sum + sizes.bytes[row], 0),
      mostClasses: [...loaders].reduce((most, loader) => Math.max(most, perLoader.get(loader) ?? 0), 0),
    });
  }
  repeated.sort((a, b) => b.loaders - a.loaders || b.bytes - a.bytes || a.class - b.class);
  return { loaders: perLoader.size, repeated };
}
