/**
 * What may leak: objects, or the instances of one class, that retain a large part of a heap, and where they are collected. docs/heap.md states the rule.
 *
 * All objects of one class that dominate each other in a chain, such as the nodes of a list, count as one: its first one stands for them. The dominator
 * tree is searched in a few passes over its columns; 4 bytes an object.
 */
import { type HeapObjects, NO_ROW } from '../../../models/heap/heap.js';
import type { ObjectId } from '../../../models/heap/object-ids.js';
import { BY_ROOTS, type Dominators } from '../dominators.js';
import type { ShortestPaths } from '../shortest-paths.js';
import { type CommonHolder, commonHolder, namedStarts } from './holder-chain.js';

/** Share of the reachable bytes, or objects, that a suspect retains at the least. */
export const LARGE_SHARE = 0.2;
/** Bytes that it retains at the least: what a virtual machine itself has is smaller. */
export const LARGE_BYTES = 4_000_000;
/** Share of what a suspect retains that the instances of a class have, so that the class is named. */
const MOST_OF_IT = 0.5;
/** So many objects are parts of what holds them by fields, not a collection. */
const FEW_OBJECTS = 20;
/** Levels below a collection that are searched for such a class. */
const LEVELS = 8;

/** What a class is to a person who looks for what fills a heap. By heap class: index into this list. */
export const CLASS_ROLES = ['own', 'library', 'inner'] as const;

export interface Suspect {
  /** Retained by it, without what other suspects below it retain. */
  readonly retained: number;
  readonly share: number;
  /** Its instances of one class: the class by one of them, how many; undefined where no class has most of it. */
  readonly instances: { readonly example: ObjectId; readonly objects: number } | undefined;
  /** The object that collects them, or that retains all of it. */
  readonly collection: ObjectId;
  /** Share that is held through the collection. */
  readonly held: number;
}

export interface SuspectInput {
  readonly graph: HeapObjects;
  readonly dominators: Dominators;
  readonly paths: ShortestPaths;
  /** By heap class: index into `CLASS_ROLES`. */
  readonly roles: Uint8Array;
  /** What is retained are bytes. */
  readonly isSized: boolean;
}

/** Suspects, the largest first: at most five, since each has its own fifth of the heap. */
export function heapSuspects(input: SuspectInput): Suspect[] {
  const { dominators, isSized } = input;
  const all = isSized ? dominators.bytes : dominators.objects;
  const least = Math.max(all * LARGE_SHARE, isSized ? LARGE_BYTES : 0);
  const search = new SuspectSearch(input, least);
  return [...search.objects(), ...search.groups()]
    .map((suspect) => ({ ...suspect, share: suspect.retained / all }))
    .sort((a, b) => b.retained - a.retained);
}

class SuspectSearch {
  readonly #input: SuspectInput;
  readonly #least: number;
  /** By row: the first object of its chain. */
  readonly #heads: Uint32Array;
  readonly #isStart: (row: ObjectId) => boolean;

  constructor(input: SuspectInput, least: number) {
    this.#input = input;
    this.#least = least;
    const starts = namedStarts(input.graph);
    this.#isStart = (row) => starts.has(row);
    this.#heads = chainHeads(input, starts);
  }

  #retained(row: ObjectId): number {
    const { retained, unit } = this.#input.dominators;
    return retained[row] * unit;
  }

  /** Objects that retain enough without the large ones below them. */
  *objects(): Generator<Omit<Suspect, 'share'>> {
    const { dominator, retained, unit } = this.#input.dominators;
    const heads = this.#heads;
    const rests = new Map<ObjectId, number>();
    for (let row = 0; row < retained.length; row++)
      if (retained[row] * unit >= this.#least) {
        const head = heads[row];
        rests.set(head, (rests.get(head) ?? 0) + this.#retained(row));
        const above = dominator[row];
        if (above < BY_ROOTS) rests.set(heads[above], (rests.get(heads[above]) ?? 0) - this.#retained(row));
      }
    for (const [head, rest] of rests)
      if (rest >= this.#least && !this.#hasFewParts(head, rest)) yield this.#objectSuspect(head, rest);
  }

  /** Whether an object, or a class by its static fields, has most of what it retains in few objects that are not large: it collects nothing. */
  #hasFewParts(head: ObjectId, retained: number): boolean {
    if (this.#isInner(head)) return false;
    const { dominator } = this.#input.dominators;
    const heads = this.#heads;
    const parts: number[] = [];
    for (let row = 0; row < heads.length; row++) {
      if (heads[row] !== row || dominator[row] >= BY_ROOTS || heads[dominator[row]] !== head) continue;
      if (this.#retained(row) < this.#least) parts.push(this.#retained(row));
    }
    const most = parts.sort((a, b) => b - a).slice(0, FEW_OBJECTS);
    return most.reduce((sum, part) => sum + part, 0) >= retained * MOST_OF_IT;
  }

  #objectSuspect(head: ObjectId, retained: number): Omit<Suspect, 'share'> {
    const { dominator } = this.#input.dominators;
    const way = new Set([head]);
    let collection = head;
    while (this.#isPart(collection, dominator[collection])) {
      collection = dominator[collection];
      way.add(this.#heads[collection]);
    }
    const instances = this.#ownChain(head) ?? this.#filling(new Set([this.#heads[collection]]), retained, way);
    return { retained, instances, collection, held: 1 };
  }

  /** A chain of objects of the program, such as the nodes of its own list; undefined of other objects. */
  #ownChain(head: ObjectId): Suspect['instances'] {
    const { graph, roles } = this.#input;
    if (CLASS_ROLES[roles[graph.class[head]]] !== 'own') return undefined;
    const objects = this.#heads.reduce((count, one) => (one === head ? count + 1 : count), 0);
    return objects > 1 ? { example: head, objects } : undefined;
  }

  /** Classes whose instances are dominated by roots only, are small each, and retain enough together, if one object holds most of them. */
  *groups(): Generator<Omit<Suspect, 'share'>> {
    const { graph, dominators, paths } = this.#input;
    const heads = this.#heads;
    const sums = new Float64Array(this.#input.roles.length);
    const isMember = (row: ObjectId): boolean =>
      dominators.dominator[heads[row]] === BY_ROOTS && heads[row] === row && this.#isGrouped(row);
    for (let row = 0; row < heads.length; row++) if (isMember(row)) sums[graph.class[row]] += this.#retained(row);
    for (const [heapClass, sum] of sums.entries()) {
      if (sum < this.#least) continue;
      const rows: ObjectId[] = [];
      for (let row = 0; row < heads.length; row++) if (graph.class[row] === heapClass && isMember(row)) rows.push(row);
      if (rows.length <= FEW_OBJECTS) continue;
      const holder = commonHolder(graph, paths, rows, (i) => this.#retained(rows[i]), this.#isStart);
      if (holder !== undefined && !holder.isMember) yield this.#groupSuspect(rows, sum, holder);
    }
  }

  #isGrouped(row: ObjectId): boolean {
    const heapClass = this.#input.graph.class[row];
    return heapClass < this.#input.roles.length && !this.#isStart(row) && this.#retained(row) < this.#least;
  }

  #groupSuspect(rows: readonly ObjectId[], retained: number, holder: CommonHolder): Omit<Suspect, 'share'> {
    const { above } = this.#input.paths;
    let collection = holder.row;
    while (this.#isPart(collection, above[collection])) collection = above[collection];
    const [example] = rows;
    const role = CLASS_ROLES[this.#input.roles[this.#input.graph.class[example]]];
    const direct = { example, objects: rows.length };
    const deeper = role === 'own' ? undefined : this.#filling(new Set(rows), retained);
    return { retained, instances: deeper ?? direct, collection, held: holder.share };
  }

  /** Whether an object is an inner part of a collection, the one above it. An array in a field of the program, or of a class, is the collection itself. */
  #isPart(row: ObjectId, above: number): boolean {
    const { graph, roles } = this.#input;
    if (above >= BY_ROOTS || !this.#isInner(row) || this.#isStart(above)) return false;
    return CLASS_ROLES[roles[graph.class[above]]] !== 'own';
  }

  #isInner(row: ObjectId): boolean {
    const { graph, roles } = this.#input;
    return !this.#isStart(row) && CLASS_ROLES[roles[graph.class[row]]] === 'inner';
  }

  /**
   * The class whose instances below some objects have most of what these retain: the first one of the program itself on the way down, else the first that
   * is no inner part of a collection. Undefined if there is none. `way`: large objects that are looked into.
   */
  #filling(above: ReadonlySet<ObjectId>, retained: number, way?: ReadonlySet<ObjectId>): Suspect['instances'] {
    const { graph, roles } = this.#input;
    let level = above;
    let library: Suspect['instances'];
    for (let depth = 0; depth < LEVELS; depth++) {
      const next = this.#heaviestBelow(level, way);
      if (next === undefined || next.retained < retained * MOST_OF_IT) break;
      const { rows, objects } = next;
      const [example] = rows;
      const role = CLASS_ROLES[roles[graph.class[example]]];
      if (role === 'own') return { example, objects };
      if (role === 'library') library ??= { example, objects };
      level = rows;
    }
    return library;
  }

  /** Of what chains directly dominate, without large objects but those of the way: the objects of the class that retains most. `objects` counts all of their chains. */
  #heaviestBelow(level: ReadonlySet<ObjectId>, way: ReadonlySet<ObjectId> | undefined) {
    const { graph, dominators, roles } = this.#input;
    const heads = this.#heads;
    const { dominator } = dominators;
    const sums = new Float64Array(roles.length);
    const below: ObjectId[] = [];
    for (let row = 0; row < heads.length; row++) {
      if (heads[row] !== row || dominator[row] >= BY_ROOTS || !level.has(heads[dominator[row]])) continue;
      if (way?.has(row) !== true && !this.#isGrouped(row)) continue;
      below.push(row);
      sums[graph.class[row]] += this.#retained(row);
    }
    const heaviest = sums.reduce((most, sum, heapClass) => (sum > sums[most] ? heapClass : most), 0);
    if (!(sums[heaviest] > 0)) return undefined;
    const rows = new Set(below.filter((row) => graph.class[row] === heaviest));
    let objects = rows.size;
    for (let row = 0; row < heads.length; row++)
      if (graph.class[row] === heaviest && heads[row] !== row && rows.has(heads[row])) objects++;
    return { rows, objects, retained: sums[heaviest] };
  }
}

/** By row: the first object of its chain, the row itself where its dominator is of another class. */
function chainHeads({ graph, dominators: { dominator } }: SuspectInput, starts: ReadonlySet<ObjectId>): Uint32Array {
  const { class: classes } = graph;
  const heads = new Uint32Array(dominator.length).fill(NO_ROW);
  const chain: ObjectId[] = [];
  for (let row = 0; row < heads.length; row++) {
    let at = row;
    while (heads[at] === NO_ROW) {
      const above = dominator[at];
      if (above >= BY_ROOTS || classes[above] !== classes[at] || starts.has(at)) heads[at] = at;
      else {
        chain.push(at);
        at = above;
      }
    }
    for (const one of chain) heads[one] = heads[at];
    chain.length = 0;
  }
  return heads;
}
