/**
 * Opens class paths on this machine. An entry is a directory, a jar or zip, a jmod, a jimage (`lib/modules`), the home
 * of a JDK, `FOLDER/*` for the jars of a folder, or several of these joined as for `java -cp`. Jars in the `Class-Path`
 * of a jar's manifest follow that jar; of a multi-release jar, the newest version of a class is used.
 *
 * Cost: listing the entries; class files are read on demand.
 */
import { realpath, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { KansokuError, UnreadableError, UsageError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import { uniqueName } from '../../../base/unique.js';
import { plural } from '../../../base/units.js';
import { isZip } from '../../../bytes/archive/marks.js';
import { readHead } from '../../../bytes/byte-source.js';
import { directoryTree } from '../../../bytes/directory.node.js';
import { cannotOpen, fileSource } from '../../../bytes/file.node.js';
import type { Announce } from '../../../bytes/spool.node.js';
import { exists, filesOf, pathElements } from '../../path-elements.node.js';
import { jimageClasses } from '../jimage/jimage-classes.js';
import { isJImage } from '../jimage/jimage-header.js';
import { archiveClasses } from './archive-classes.node.js';
import type { ClassContainer } from './class-container.js';
import { type JoinedClassPath, joinContainers } from './joined-class-path.js';
import { inflateZlib, readMembers } from './members.node.js';
import { classMembers, type TreeLayout, treeClasses } from './tree-classes.js';

export interface ClassPathOptions {
  /** Feature release whose versions of multi-release jars count; the newest if not given. */
  readonly release?: number | undefined;
}

/**
 * Opens the entries in their order. An unreadable entry is a problem (`class-path-entry`); if all are unreadable, the
 * first `UnreadableError` or `FormatError` is thrown. `announce` is called when something must be copied.
 */
export async function openClassPath(
  entries: readonly string[],
  announce?: Announce,
  options: ClassPathOptions = {},
): Promise<JoinedClassPath> {
  const opener = new Opener(options.release ?? Number.POSITIVE_INFINITY, announce);
  for (const path of await pathElements(entries)) await opener.add(path);
  return opener.finish(entries.join(delimiter));
}

class Opener {
  readonly #release: number;
  readonly #announce: Announce | undefined;
  readonly #containers: ClassContainer[] = [];
  readonly #problems: Problem[] = [];
  readonly #opened = new Set<string>();
  readonly #places: string[] = [];
  /** Identifies the content of each entry: a file by its path, size and time. */
  readonly #contents: string[] = [];
  #failure: KansokuError | undefined;
  #mainClass: string | undefined;

  constructor(release: number, announce: Announce | undefined) {
    this.#release = release;
    this.#announce = announce;
  }

  finish(name: string): JoinedClassPath {
    if (this.#containers.length === 0)
      throw (
        this.#failure ??
        new UsageError('the class path is empty', {
          code: 'empty-path',
          advice: 'Give a directory, a jar or the home of a JDK.',
        })
      );
    return joinContainers(name, {
      id: this.#contents.join('\n'),
      containers: this.#containers,
      problems: this.#problems,
      mainClass: this.#mainClass,
      places: this.#places,
    });
  }

  /** Opens an element and the entries it refers to. */
  async add(element: string): Promise<void> {
    const pending = [element];
    for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
      try {
        pending.unshift(...(await this.#open(path)));
      } catch (error) {
        if (!(error instanceof KansokuError)) throw error;
        this.#failure ??= error;
        this.#problems.push({ code: 'class-path-entry', severity: 'error', message: error.message });
      }
    }
  }

  /** Opens a directory or file; returns the paths that replace or follow it. */
  async #open(path: string): Promise<readonly string[]> {
    const stats = await stat(path).catch((error: unknown) => {
      throw cannotOpen(path, error);
    });
    const place = await realpath(path);
    if (this.#opened.has(place)) return [];
    this.#opened.add(place);
    // A change below a directory does not show in its own attributes.
    this.#contents.push(stats.isDirectory() ? uniqueName('directory') : `${place} ${stats.size} ${stats.mtimeMs}`);
    if (stats.isDirectory()) return this.#openDirectory(path);
    this.#places.push(place);
    const source = await fileSource(path);
    const head = await readHead(source, HEAD_BYTES);
    if (isJImage(head)) {
      this.#containers.push(await jimageClasses(source, inflateZlib));
      return [];
    }
    if (!isZip(head) && !ARCHIVE_NAME.test(path)) throw noEntry(path, head);
    const { containers, classPath, mainClass } = await archiveClasses(source, {
      release: this.#release,
      announce: this.#announce,
    });
    this.#containers.push(...containers);
    this.#mainClass ??= mainClass;
    return this.#followed(path, classPath);
  }

  async #openDirectory(path: string): Promise<readonly string[]> {
    const image = join(path, 'lib', 'modules');
    if (await exists(image)) return [image];
    const modules = join(path, 'modules');
    if (await exists(join(modules, 'java.base'))) {
      await this.#addDirectory(modules, { prefix: '', module: 'folder' });
      return [];
    }
    for (const folder of [join(path, 'jmods'), path]) {
      const jmods = await filesOf(folder, /\.jmod$/);
      if (jmods.length > 0) return jmods;
    }
    // The boot class path up to JDK 8.
    for (const folder of [join(path, 'jre', 'lib'), join(path, 'lib')])
      if (await exists(join(folder, 'rt.jar')))
        return [...(await filesOf(folder, /\.jar$/)), ...(await filesOf(join(folder, 'ext'), /\.jar$/))];
    await this.#addDirectory(path, { prefix: '' });
    return [];
  }

  async #addDirectory(path: string, layout: TreeLayout): Promise<void> {
    this.#places.push(await realpath(path));
    const tree = await directoryTree(path);
    const members = classMembers(tree, layout);
    const problems: Problem[] = [];
    const jars = tree.members.filter((member) => member.path.endsWith('.jar')).length;
    if (members.length === 0)
      problems.push({
        code: 'class-path-empty',
        severity: 'warning',
        message: `${path}: contains no classes${jars === 0 ? '' : `; to use its ${plural(jars, 'jar')}, give ${join(path, '*')}`}`,
      });
    this.#containers.push(treeClasses(tree, members, readMembers, problems));
  }

  /** The entries of a manifest's Class-Path. `java` ignores missing ones, so they are reported but are not an error. */
  async #followed(jar: string, addresses: readonly string[]): Promise<readonly string[]> {
    const paths: string[] = [];
    const missing: string[] = [];
    for (const address of addresses) {
      const path = pathOfAddress(jar, address);
      if (path !== undefined && (await exists(path))) paths.push(path);
      else missing.push(address);
    }
    if (missing.length > 0)
      this.#problems.push({
        code: 'class-path-manifest',
        severity: 'info',
        message: `${jar}: ${missing.length} of ${addresses.length} entries of the manifest's Class-Path are missing: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`,
      });
    if (paths.length > 0)
      this.#announce?.(`${jar}: its manifest adds ${plural(paths.length, 'entry', 'entries')} to the class path`);
    return paths;
  }
}

const HEAD_BYTES = 8;
/** Archives that may begin with a program. */
const ARCHIVE_NAME = /\.(?:jar|war|ear|zip)$/i;
const CLASS_MAGIC = 0xcafebabe;

function noEntry(path: string, head: Uint8Array): UnreadableError {
  const isClass = head.length >= 4 && new DataView(head.buffer, head.byteOffset).getUint32(0) === CLASS_MAGIC;
  return new UnreadableError(
    `${path}: ${isClass ? 'a class file' : 'not a directory, jar, zip, jmod or JDK image (lib/modules)'}`,
    { code: 'not-a-class-path', advice: isClass ? 'Give the root directory of its package instead.' : undefined },
  );
}

/** The file that an address in a manifest means; undefined if it is not a file of this machine. */
function pathOfAddress(jar: string, address: string): string | undefined {
  try {
    const url = new URL(address, pathToFileURL(resolve(jar)));
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    // Not a valid address.
    return undefined;
  }
}
