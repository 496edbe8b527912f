/** Who holds an object, in words: `acme.Sessions.ALL → table`, `thread worker-1 → threadLocals → table → [5] → value`. */
import { chainTo, namedStarts } from '../../../analysis/heap/holders/holder-chain.js';
import { STACK_ROOTS } from '../../../analysis/heap/holders/stack-roots.js';
import { type ReferencePair, referenceNames, valuesOf } from '../../../analysis/heap/inspection.js';
import type { NamedHeap } from '../../../analysis/heap/object-values.js';
import type { ShortestPaths } from '../../../analysis/heap/shortest-paths.js';
import { threadNames } from '../../../analysis/heap/thread-objects.js';
import type { Work } from '../../../base/progress.js';
import { someNames } from '../../../base/some-names.js';
import { plural } from '../../../base/units.js';
import type { ObjectId } from '../../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../../models/heap/root-kinds.js';
import type { ViewInput } from '../../question.js';
import { classNames } from '../choice.js';
import { rootNames } from '../paths.js';
import { framesOfThread } from '../stack-locals.js';

/** Objects whose holders are named, at most: each step costs a place in the file. */
export const MOST_HELD = 1000;
/** Steps of a path that are named: the first, and the last. */
const FIRST_STEPS = 6;
const LAST_STEPS = 4;

const THREAD = ROOT_KINDS.indexOf('thread');

/** Where the names of holders come from. */
export interface HolderSource {
  readonly input: Pick<ViewInput, 'subject' | 'recording'>;
  readonly namedHeap: NamedHeap;
  readonly paths: ShortestPaths;
  /** Paths begin at this object, which dominates the others; without it at a class, a thread or a root. */
  readonly below: ObjectId | undefined;
}

/** An object whose path is asked for. `isHolder`: it holds others, so a class or a thread is named itself. */
export interface AskedObject {
  readonly row: ObjectId;
  readonly isHolder: boolean;
}

/** A path to an object, with its steps that are named; undefined in place of those between. */
interface Way {
  readonly chain: readonly ObjectId[];
  readonly steps: readonly (ReferencePair | undefined)[];
}

/** The path to each object in words; undefined of those that no root leads to. */
export async function pathTexts(
  { input, namedHeap, paths, below }: HolderSource,
  askedObjects: readonly AskedObject[],
  work: Work,
): Promise<readonly (string | undefined)[]> {
  const starts = below === undefined ? namedStarts(namedHeap.graph) : new Set([below]);
  const ways = askedObjects.map(({ row, isHolder }): Way | undefined => {
    const chain = isHolder && starts.has(row) ? [row] : chainTo(paths, row, (one) => starts.has(one));
    return chain && { chain, steps: namedSteps(chain) };
  });
  const foundWays = ways.flatMap((way) => way ?? []);
  const pairs = foundWays.flatMap(({ steps }) => steps.flatMap((step) => step ?? []));
  const names = await referenceNames(input.subject, namedHeap, pairs, work);
  const nameOf = new Map(pairs.map((pair, i) => [pair, names[i]?.[0]] as const));
  const startOf = await startTexts(
    { input, namedHeap, below },
    [...new Set(foundWays.map(({ chain }) => chain[0]))],
    work,
  );
  return ways.map((way, i) => {
    if (way === undefined) return undefined;
    const { chain, steps } = way;
    const start = startOf.get(chain[0]);
    if (chain.length === 1) return askedObjects[i].isHolder ? start?.text : start?.alone;
    const left = chain.length - 1 - FIRST_STEPS - LAST_STEPS;
    const stepNames = steps.map((step) => (step === undefined ? plural(left, 'object') : (nameOf.get(step) ?? '[…]')));
    return joined(chain[0] === below ? undefined : start, stepNames);
  });
}

function namedSteps(chain: readonly ObjectId[]): (ReferencePair | undefined)[] {
  const steps = chain.slice(1).map((target, i) => ({ holder: chain[i], target }));
  return steps.length <= FIRST_STEPS + LAST_STEPS
    ? steps
    : [...steps.slice(0, FIRST_STEPS), undefined, ...steps.slice(-LAST_STEPS)];
}

/** The words of a start, and whether it is a class, whose static field follows a dot. `alone`: how roots hold it. */
interface Start {
  readonly text: string;
  readonly alone: string;
  readonly isClass: boolean;
}

function joined(start: Start | undefined, steps: readonly string[]): string {
  if (start === undefined) return steps.join(ARROW);
  const [field, ...others] = steps;
  if (!start.isClass || field === undefined) return [start.text, ...steps].join(ARROW);
  return [`${start.text.replace(/^class /, '')}.${field}`, ...others].join(ARROW);
}

const ARROW = ' → ';

/** What the objects are at which paths begin. */
async function startTexts(
  { input, namedHeap, below }: Omit<HolderSource, 'paths'>,
  rows: readonly ObjectId[],
  work: Work,
): Promise<ReadonlyMap<ObjectId, Start>> {
  const { program, heap, graph } = namedHeap;
  const mirrors = new Set(graph.mirrorRow);
  const threads = threadsOfRoots(namedHeap, new Set(rows));
  const threadRows = [...new Set([...threads.values()].map(({ thread }) => thread))];
  const names = await threadNames(namedHeap, valuesOf(input.subject, namedHeap, work), threadRows);
  const name = classNames(program, heap, graph);
  const start = (row: ObjectId): Start => {
    const holder = threads.get(row);
    const isClass = mirrors.has(row);
    if (row === below) return { text: name(row), alone: name(row), isClass };
    if (holder?.root === -1) return { text: threadText(holder.thread), alone: threadText(holder.thread), isClass };
    const alone =
      holder === undefined
        ? someNames(rootNames(program, graph, row), MOST_KINDS)
        : localText(holder.root, holder.thread);
    return { text: isClass ? name(row) : `${name(row)} (${alone})`, alone, isClass };
  };
  const threadText = (row: ObjectId): string => `thread ${names.get(row) ?? name(row)}`;
  const localText = (root: number, thread: ObjectId): string => {
    const frame = frameText(input, namedHeap, root, thread);
    return `local of ${frame === undefined ? '' : `${frame}, `}${threadText(thread)}`;
  };
  return new Map(rows.map((row) => [row, start(row)]));
}

/** Kinds of roots that are named. */
const MOST_KINDS = 2;

/** A thread, and the root by which its stack holds an object; -1 if the object is the thread. */
interface RootThread {
  readonly thread: ObjectId;
  readonly root: number;
}

/** Of threads among the objects, and those that only stacks hold: the thread. */
function threadsOfRoots({ graph: { roots } }: NamedHeap, rows: ReadonlySet<ObjectId>): Map<ObjectId, RootThread> {
  const threadOf = new Map<number, ObjectId>();
  const rootThreads = new Map<ObjectId, RootThread>();
  const others = new Set<ObjectId>();
  for (let i = 0; i < roots.length; i++) {
    if (roots.kind[i] === THREAD) threadOf.set(roots.thread[i], roots.row[i]);
    else if (!STACK_ROOTS.has(roots.kind[i])) others.add(roots.row[i]);
  }
  for (let i = 0; i < roots.length; i++) {
    const row = roots.row[i];
    const thread = threadOf.get(roots.thread[i]);
    if (!rows.has(row) || thread === undefined) continue;
    if (roots.kind[i] === THREAD) rootThreads.set(row, { thread: row, root: -1 });
    else if (STACK_ROOTS.has(roots.kind[i]) && !others.has(row) && !rootThreads.has(row))
      rootThreads.set(row, { thread, root: i });
  }
  return rootThreads;
}

/** The frame that holds an object by a root; undefined if the dump has no such frame. */
function frameText(
  { recording: { program, profile } }: Pick<ViewInput, 'recording'>,
  { heap, graph: { roots } }: NamedHeap,
  root: number,
  thread: ObjectId,
): string | undefined {
  const at = roots.row.findIndex((row, i) => row === thread && roots.kind[i] === THREAD);
  const place = { number: roots.thread[at], trace: roots.trace[at] };
  return framesOfThread(program, profile, place, heap.recorded !== undefined)[roots.frame[root]];
}
