/**
 * The entries of a class path joined by the rule of the `java` command: of classes with one name, the first on the path
 * is used.
 *
 * Cost: a string and a `Map` slot per class (about 150 bytes); class files are read on demand.
 */
import { type Problem, ProblemLog, type Problems } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { plural } from '../../../base/units.js';
import type { ClassPath } from '../../../models/program/class-path.js';
import { problemList } from '../../problem-list.js';
import type { ClassContainer } from './class-container.js';

/**
 * A class path that also has the modules of classes, if its entries record them: images, jmods and exploded JDKs do.
 */
export interface JoinedClassPath extends ClassPath {
  /** Origins of the `module-info` classes, which have no name of their own: `load` takes them as names. */
  readonly moduleInfos: readonly string[];
  /** The main class of the first archive whose manifest names one. */
  readonly mainClass: string | undefined;
  /** Paths of the files and directories that it reads, links resolved, in their order. */
  readonly places: readonly string[];
  /** Visits files beside the classes whose paths inside their entries match: those of directories and archives. */
  files(pattern: RegExp, visit: (path: string, bytes: Uint8Array) => void, work: Work): Promise<void>;
}

interface JoinedParts {
  readonly id: string;
  readonly containers: readonly ClassContainer[];
  readonly problems: readonly Problem[];
  readonly mainClass: string | undefined;
  readonly places: readonly string[];
}

/** Joins the entries of a class path. Reports `class-path-twice` for names that a later entry repeats. */
export function joinContainers(name: string, parts: JoinedParts): JoinedClassPath {
  return new JoinedPath(name, parts);
}

/** Upper bound of the rows of an entry. */
const ROWS = 2 ** 28;
/** Duplicates that are reported for each pair of entries. */
const NAMED = 3;

class JoinedPath implements JoinedClassPath {
  readonly name: string;
  readonly id: string;
  readonly moduleInfos: readonly string[];
  readonly mainClass: string | undefined;
  readonly places: readonly string[];
  readonly #containers: readonly ClassContainer[];
  /** Name → entry * ROWS + row. Also contains module descriptors, by their origins. */
  readonly #places = new Map<string, number>();
  readonly #log = new ProblemLog();

  constructor(name: string, { id, containers, problems, mainClass, places }: JoinedParts) {
    this.name = name;
    this.id = id;
    this.mainClass = mainClass;
    this.places = places;
    this.#containers = containers;
    for (const problem of problems) this.#log.add(problem);
    const moduleInfos: string[] = [];
    for (const [entry, container] of containers.entries()) {
      this.#addProblems(container.problems);
      this.#addEntry(entry, container);
      for (const row of container.moduleInfos) moduleInfos.push(container.names[row]);
    }
    this.moduleInfos = moduleInfos;
  }

  #addProblems({ list, counts }: Problems): void {
    const unkept = new Map(Object.entries(counts));
    for (const problem of list) {
      this.#log.add(problem);
      unkept.set(problem.code, (unkept.get(problem.code) ?? 1) - 1);
    }
    for (const [code, more] of unkept) this.#log.count(code, more);
  }

  #addEntry(entry: number, container: ClassContainer): void {
    const places = this.#places;
    const shadowed = new Map<number, string[]>();
    for (const [row, name] of container.names.entries()) {
      const first = places.get(name);
      if (first === undefined) {
        places.set(name, entry * ROWS + row);
        continue;
      }
      const winner = Math.floor(first / ROWS);
      const names = shadowed.get(winner);
      if (names === undefined) shadowed.set(winner, [name]);
      else names.push(name);
    }
    for (const [winner, names] of shadowed) {
      const more = names.length > NAMED ? ', …' : '';
      this.#log.add({
        code: 'class-path-twice',
        severity: 'info',
        message: `${plural(names.length, 'class', 'classes')} of ${container.name} (${names.slice(0, NAMED).join(', ')}${more}) are also in ${this.#containers[winner].name}, which comes first and is used`,
      });
    }
  }

  get problems(): readonly Problem[] {
    return problemList(this.#log.finish());
  }

  get size(): number {
    return this.#places.size - this.moduleInfos.length;
  }

  *names(): Iterable<string> {
    const infos = new Set(this.moduleInfos);
    for (const name of this.#places.keys()) if (!infos.has(name)) yield name;
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  originOf(name: string): string | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.#containers[Math.floor(place / ROWS)].origin(place % ROWS);
  }

  moduleOf(name: string): string | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.#containers[Math.floor(place / ROWS)].module(place % ROWS);
  }

  async load(
    names: readonly string[] | 'all',
    visit: (name: string, bytes: Uint8Array) => void,
    work: Work = {},
  ): Promise<void> {
    const wanted: number[][] = this.#containers.map(() => []);
    for (const name of names === 'all' ? this.names() : new Set(names)) {
      const place = this.#places.get(name);
      if (place !== undefined) wanted[Math.floor(place / ROWS)].push(place % ROWS);
    }
    const total = wanted.reduce((sum, rows) => sum + rows.length, 0);
    let done = 0;
    for (const [entry, rows] of wanted.entries()) {
      if (rows.length === 0) continue;
      const container = this.#containers[entry];
      await container.load(
        Int32Array.from(rows),
        (row, bytes) => visit(container.names[row], bytes),
        (problem) => this.#log.add(problem),
        {
          ...work,
          progress: (part) => work.progress?.({ ...part, done: done + part.done, total }),
        },
      );
      done += rows.length;
    }
  }

  async files(pattern: RegExp, visit: (path: string, bytes: Uint8Array) => void, work: Work): Promise<void> {
    for (const container of this.#containers)
      await container.files?.(pattern, visit, (problem) => this.#log.add(problem), work);
  }

  async close(): Promise<void> {
    for (const container of this.#containers) await container.close();
  }
}
