/** The Module attribute (JVMS 4.7.25). */
import type { Cursor } from './cursor.js';
import { classNamed, type Named, namedOrNone } from './named.js';

export interface ModuleRequires {
  readonly module: Named;
  readonly flags: number;
  readonly version: Named | undefined;
}

/** A package that is exported or opened, to all or to some modules. */
export interface ModuleOpening {
  readonly package: Named;
  readonly flags: number;
  readonly to: readonly Named[];
}

export interface ModuleAttribute {
  readonly name: Named;
  readonly flags: number;
  readonly version: Named | undefined;
  readonly requires: readonly ModuleRequires[];
  readonly exports: readonly ModuleOpening[];
  readonly opens: readonly ModuleOpening[];
  readonly uses: readonly Named[];
  readonly provides: readonly { readonly service: Named; readonly providers: readonly Named[] }[];
}

export function moduleAttribute(cursor: Cursor): ModuleAttribute {
  const head = { name: moduleNamed(cursor), flags: cursor.u2(), version: namedOrNone(cursor) };
  const requires = cursor.list(cursor.count(6), () => {
    return { module: moduleNamed(cursor), flags: cursor.u2(), version: namedOrNone(cursor) };
  });
  const exports = cursor.list(cursor.count(6), () => opening(cursor));
  const opens = cursor.list(cursor.count(6), () => opening(cursor));
  const uses = cursor.list(cursor.count(2), () => classNamed(cursor));
  const provides = cursor.list(cursor.count(4), () => {
    return { service: classNamed(cursor), providers: cursor.list(cursor.count(2), () => classNamed(cursor)) };
  });
  return { ...head, requires, exports, opens, uses, provides };
}

function opening(cursor: Cursor): ModuleOpening {
  const [name, flags] = [packageNamed(cursor), cursor.u2()];
  return { package: name, flags, to: cursor.list(cursor.count(2), () => moduleNamed(cursor)) };
}

function moduleNamed(cursor: Cursor): Named {
  const index = cursor.u2();
  return { index, text: cursor.pool.module(index) };
}

/** A Package entry. */
export function packageNamed(cursor: Cursor): Named {
  const index = cursor.u2();
  return { index, text: cursor.pool.package(index) };
}
