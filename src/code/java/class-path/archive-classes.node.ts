/**
 * The classes of a jar, a jmod, and of jars with jars in them: Spring Boot's (`BOOT-INF`) and web archives (`WEB-INF`),
 * whose own classes come first, then their libraries by name, then the rest of the archive.
 *
 * Cost: listing the archives. Stored libraries are read in place; deflated ones are copied.
 */
import { KansokuError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import { openZip } from '../../../bytes/archive/zip.node.js';
import type { RandomSource } from '../../../bytes/byte-source.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import { type Announce, randomAccess } from '../../../bytes/spool.node.js';
import { readWhole } from '../../read-whole.js';
import type { ClassContainer } from './class-container.js';
import { LARGEST_MANIFEST, MANIFEST, mainAttributes } from './manifest.js';
import { readMembers } from './members.node.js';
import { classMembers, treeClasses, unusedVersions } from './tree-classes.js';

export interface ArchiveClasses {
  readonly containers: readonly ClassContainer[];
  /** The manifest's `Class-Path`: addresses, relative to the archive's own. */
  readonly classPath: readonly string[];
  /** The manifest's `Main-Class`: a binary name. */
  readonly mainClass?: string;
}

export interface ArchiveOptions {
  /** The newest class version to use, as a feature release. */
  readonly release: number;
  readonly announce: Announce | undefined;
  /**
   * The archive is a library of another one. Nested libraries are not searched further, since a jar may contain itself.
   */
  readonly library?: true;
}

/** Lists the classes of an archive. Throws `FormatError` if nothing in it can be read. */
export async function archiveClasses(source: RandomSource, options: ArchiveOptions): Promise<ArchiveClasses> {
  const tree = await openZip(source);
  const jmod = JMOD_NAME.exec(source.name);
  if (jmod !== null) {
    const members = classMembers(tree, { prefix: 'classes/', module: jmod[1] });
    return { containers: [treeClasses(tree, members, readMembers)], classPath: [] };
  }
  const { attributes, problems } = await manifestOf(tree);
  const release = attributes.get('multi-release')?.trim().toLowerCase() === 'true' ? options.release : undefined;
  if (release === undefined) problems.push(...unusedVersions(tree));
  const containers: ClassContainer[] = [];
  for (const folder of ['BOOT-INF/', 'WEB-INF/']) {
    const members = classMembers(tree, { prefix: `${folder}classes/` });
    if (members.length > 0) containers.push(treeClasses({ ...tree, problems: [] }, members, readMembers));
    if (options.library !== true) containers.push(...(await libraries(tree, folder, options, problems)));
  }
  containers.push(treeClasses(tree, classMembers(tree, { prefix: '', release }), readMembers, problems));
  const classPath = (attributes.get('class-path') ?? '').split(' ').filter((address) => address !== '');
  const mainClass = (attributes.get('start-class') ?? attributes.get('main-class'))?.trim();
  return { containers, classPath, ...(mainClass && { mainClass }) };
}

const JMOD_NAME = /([^/\\]+)\.jmod$/;

async function manifestOf(tree: FileTree): Promise<{ attributes: Map<string, string>; problems: Problem[] }> {
  const member = tree.members.find(({ path, kind }) => kind === 'file' && path.toUpperCase() === MANIFEST);
  if (member === undefined) return { attributes: new Map(), problems: [] };
  const manifest = await readWhole(() => tree.open(member.path), LARGEST_MANIFEST, 'class-path-manifest');
  if ('code' in manifest) return { attributes: new Map(), problems: [manifest] };
  return { attributes: mainAttributes(manifest), problems: [] };
}

async function libraries(
  tree: FileTree,
  folder: string,
  options: ArchiveOptions,
  problems: Problem[],
): Promise<ClassContainer[]> {
  const containers: ClassContainer[] = [];
  for (const { path, kind } of tree.members) {
    if (kind !== 'file' || !path.startsWith(`${folder}lib`) || !path.endsWith('.jar')) continue;
    let library: RandomSource | undefined;
    try {
      library = await randomAccess(await tree.open(path), { announce: options.announce });
      containers.push(...(await archiveClasses(library, { ...options, library: true })).containers);
    } catch (error) {
      await library?.close?.();
      if (!(error instanceof KansokuError)) throw error;
      problems.push({ code: 'class-path-entry', severity: 'error', message: error.message });
    }
  }
  return containers;
}
