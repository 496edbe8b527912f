/**
 * Which load objects of several programs have the same bytes, so that an offset means the same place: those with the
 * same build id; or with the same path, if a build id is missing and at most one is known for the path. Code made at
 * run time is never the same in two recordings.
 */
import { NONE } from '../../base/flavor.js';
import { stringAt } from '../../base/text.js';
import { LOAD_OBJECT_KINDS, type Program } from '../../models/program/program.js';

const JIT = LOAD_OBJECT_KINDS.indexOf('jit');

/** For each program: its load objects → joined ones; -1 for code made at run time. */
export function uniteLoadObjects(programs: readonly Program[]): Int32Array[] {
  const builds = buildsByPath(programs);
  const joined = new Map<string, number>();
  return programs.map(({ loadObjects, names }) =>
    Int32Array.from({ length: loadObjects?.length ?? 0 }, (_, id) => {
      if (loadObjects === undefined || loadObjects.kind[id] === JIT) return NONE;
      const path = stringAt(names, loadObjects.path[id]);
      const [only, another] = builds.get(path) ?? [];
      const missing = loadObjects.buildId[id] < 0;
      const build = !missing ? stringAt(names, loadObjects.buildId[id]) : another === undefined ? only : undefined;
      const key = build === undefined ? `path ${path}` : `build ${build}`;
      const row = joined.get(key) ?? joined.size;
      joined.set(key, row);
      return row;
    }),
  );
}

/** The known build ids of each path. */
function buildsByPath(programs: readonly Program[]): Map<string, Set<string>> {
  const builds = new Map<string, Set<string>>();
  for (const { loadObjects, names } of programs)
    for (let id = 0; id < (loadObjects?.length ?? 0); id++) {
      if (loadObjects === undefined || loadObjects.buildId[id] < 0) continue;
      const path = stringAt(names, loadObjects.path[id]);
      const known = builds.get(path) ?? new Set();
      builds.set(path, known.add(stringAt(names, loadObjects.buildId[id])));
    }
  return builds;
}
