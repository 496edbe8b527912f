/**
 * Classes stored as files in a directory or an archive, as an entry of a class path: which members are classes, their
 * names, and which version in a multi-release jar is used (JEP 238).
 *
 * Cost: a name and an object per class beside the listing of the tree.
 */
import { type Problem, ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { plural } from '../../../base/units.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import { declaredName } from '../class-file/class-file.js';
import { CLASS_SUFFIX, type ClassContainer, classNameOf, MODULE_INFO, type RowVisitor } from './class-container.js';

/** Reads files of a tree: calls `visit` or `fail` once for each path, in any order. */
export type ReadMembers = (
  tree: FileTree,
  paths: readonly string[],
  visit: (path: number, bytes: Uint8Array) => void,
  fail: (path: number, problem: Problem) => void,
  work: Work,
) => Promise<void>;

/** A member of a tree that is a class. */
export interface ClassMember {
  readonly path: string;
  /** Binary name; undefined for the descriptor of a module. */
  readonly name: string | undefined;
  readonly module?: string | undefined;
}

/** Layout of the classes in a tree. */
export interface TreeLayout {
  /** Folder that packages begin in, with its slash; empty for the root. */
  readonly prefix: string;
  /** The module of all classes, or `folder` if the first folder after the prefix names it. */
  readonly module?: string | 'folder' | undefined;
  /** Versions in META-INF/versions are used, up to this feature release. */
  readonly release?: number | undefined;
}

/** The classes of a tree, read by `read`. */
export function treeClasses(
  tree: FileTree,
  members: readonly ClassMember[],
  read: ReadMembers,
  problems: readonly Problem[] = [],
): ClassContainer {
  const names = members.map((member) => member.name ?? tree.nameOf(member.path));
  const log = new ProblemLog();
  for (const problem of [...tree.problems, ...problems]) log.add(problem);
  const moduleInfos = [...members.keys()].filter((row) => members[row].name === undefined);
  const misplaced = new Set<number>();
  const load = async (
    rows: Int32Array,
    visit: RowVisitor,
    problem: (problem: Problem) => void,
    work: Work,
  ): Promise<void> => {
    const found: { row: number; says: string }[] = [];
    const visitPlaced = (row: number, bytes: Uint8Array): void => {
      const says = members[row].name === undefined ? undefined : declaredName(bytes);
      if (says === undefined || says.normalize() === names[row].normalize()) visit(row, bytes);
      else if (!misplaced.has(row)) found.push({ row, says });
    };
    await read(
      tree,
      Array.from(rows, (row) => members[row].path),
      (i, bytes) => visitPlaced(rows[i], bytes),
      (_, reason) => problem(reason),
      work,
    );
    for (const { row } of found) misplaced.add(row);
    const [first] = found;
    if (first !== undefined)
      problem(misplacedProblem(tree.nameOf(members[first.row].path), names[first.row], first.says, found.length));
  };
  return {
    name: tree.name,
    problems: log.finish(),
    names,
    moduleInfos,
    origin: (row) => tree.nameOf(members[row].path),
    module: (row) => members[row].module,
    load,
    files: async (pattern, visit, problem, work) => {
      const paths = tree.members
        .filter(({ path, kind }) => kind === 'file' && pattern.test(path))
        .map(({ path }) => path);
      await read(
        tree,
        paths,
        (i, bytes) => visit(paths[i], bytes),
        (_, reason) => problem(reason),
        work,
      );
    },
    close: () => tree.close(),
  };
}

/** Classes at the path of another name: `java` finds them under neither. */
function misplacedProblem(path: string, name: string, says: string, count: number): Problem {
  const folders = says.split('.').length - name.split('.').length;
  const levels = plural(Math.abs(folders), 'folder');
  const advice = says.endsWith(`.${name}`)
    ? `; is the class path root ${levels} higher?`
    : name.endsWith(`.${says}`)
      ? `; is the class path root ${levels} deeper?`
      : '';
  const others = count === 1 ? '' : `; ${plural(count, 'class is', 'classes are')} misplaced`;
  return {
    code: 'class-path-place',
    severity: 'warning',
    message: `${path}: contains class ${says}, expected ${name}${advice}${others}; skipped`,
  };
}

/** Folders for nested archives; not packages. */
const LIBRARY_FOLDER = /^(?:BOOT|WEB)-INF\//;
const VERSIONS = 'META-INF/versions/';
/** Lower versions are not valid (JAR File Specification). */
const FIRST_VERSION = 9;

/** The members of a tree that are classes, each name once. */
export function classMembers(tree: FileTree, layout: TreeLayout): ClassMember[] {
  const { prefix, release } = layout;
  const members = new Map<string, ClassMember>();
  const versions = new Map<string, number>();
  for (const { path, kind } of tree.members) {
    if (kind !== 'file' || !path.endsWith(CLASS_SUFFIX) || !path.startsWith(prefix)) continue;
    let inside = path.slice(prefix.length);
    if (LIBRARY_FOLDER.test(inside)) continue;
    let version = 0;
    if (inside.startsWith('META-INF/')) {
      const found = release === undefined ? null : /^META-INF\/versions\/([1-9]\d{0,4})\/(?!META-INF\/)/.exec(inside);
      version = Number(found?.[1] ?? 0);
      if (found === null || version < FIRST_VERSION || version > (release ?? 0)) continue;
      inside = inside.slice(found[0].length);
    }
    const member = memberAt(path, inside, layout.module);
    const key = `${member.module ?? ''}/${inside}`;
    if (version < (versions.get(key) ?? 0)) continue;
    versions.set(key, version);
    members.set(key, member);
  }
  return [...members.values()];
}

function memberAt(path: string, inside: string, module: string | undefined): ClassMember {
  let file = inside;
  let owner = module;
  if (module === 'folder') {
    const slash = inside.indexOf('/');
    owner = slash < 0 ? undefined : inside.slice(0, slash);
    file = inside.slice(slash + 1);
  }
  return { path, name: file === MODULE_INFO + CLASS_SUFFIX ? undefined : classNameOf(file), module: owner };
}

/** Reports versions in a jar without Multi-Release in its manifest; `java` ignores them. */
export function unusedVersions(tree: FileTree): Problem[] {
  const unused = tree.members.filter(({ path }) => path.startsWith(VERSIONS) && path.endsWith(CLASS_SUFFIX)).length;
  if (unused === 0) return [];
  return [
    {
      code: 'class-path-versions',
      severity: 'info',
      message: `${tree.name}: ${plural(unused, 'class in META-INF/versions is', 'classes in META-INF/versions are')} ignored: the manifest does not have Multi-Release: true`,
    },
  ];
}
