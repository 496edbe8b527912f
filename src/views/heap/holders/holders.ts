/** The holders of the rows of a page: of single objects the path to each, of a group the object through which most of it is held. */
import { type CommonHolder, commonHolder, namedStarts } from '../../../analysis/heap/holders/holder-chain.js';
import type { ShortestPaths } from '../../../analysis/heap/shortest-paths.js';
import { type Note, note } from '../../../base/note.js';
import { formatCount } from '../../../base/units.js';
import type { HeapObjects } from '../../../models/heap/heap.js';
import type { ObjectId } from '../../../models/heap/object-ids.js';
import type { ViewInput } from '../../question.js';
import { requireHeap } from '../choice.js';
import { type AskedObject, MOST_HELD, pathTexts } from './held-by.js';

interface HolderInput {
  readonly graph: HeapObjects;
  /** None where holders are not asked for. */
  readonly paths: ShortestPaths | undefined;
  /** The object below which the rows are. */
  readonly below: ObjectId | undefined;
}

/** Holders of the rows of a page, which asks for them first. */
export class Holders {
  readonly #input: ViewInput;
  readonly #holders: HolderInput;
  /** By object, or by number of the group. */
  #texts: ReadonlyMap<number, string> = new Map();
  #groups: ReadonlyMap<number, CommonHolder> = new Map();
  #left = 0;

  constructor(input: ViewInput, holders: HolderInput) {
    this.#input = input;
    this.#holders = holders;
  }

  async ofObjects(rows: readonly ObjectId[]): Promise<void> {
    await this.#ask(
      rows,
      rows.map((row) => ({ row, isHolder: false })),
    );
  }

  /** `members`: by number of the group. */
  async ofGroups(members: ReadonlyMap<number, readonly ObjectId[]>, weight: (row: ObjectId) => number): Promise<void> {
    const { graph, paths, below } = this.#holders;
    if (paths === undefined) return;
    const starts = namedStarts(graph);
    const isStart = (row: ObjectId): boolean => row === below || starts.has(row);
    this.#groups = await this.#kept('common holders', bytesOfGroups, () => {
      const holders = new Map<number, CommonHolder>();
      for (const [group, rows] of members) {
        const holder = commonHolder(graph, paths, rows, (i) => weight(rows[i]), isStart);
        if (holder !== undefined) holders.set(group, holder);
      }
      return holders;
    });
    const rows = [...this.#groups.values()].map(({ row, isMember }) => ({ row, isHolder: !isMember }));
    await this.#ask([...this.#groups.keys()], rows);
  }

  /** Of an object, or of a group. */
  text(key: number): string | null {
    return this.#texts.get(key) ?? null;
  }

  share(group: number): number | null {
    return this.#groups.get(group)?.share ?? null;
  }

  /** Says that rows have no holder because they are too many. */
  notes(): Note[] {
    return this.#left === 0
      ? []
      : [note('holders-left-out', `Holders are named of the first ${formatCount(MOST_HELD)} rows only.`)];
  }

  async #ask(keys: readonly number[], askedObjects: readonly AskedObject[]): Promise<void> {
    const { graph, paths, below } = this.#holders;
    if (paths === undefined) return;
    this.#left = Math.max(0, askedObjects.length - MOST_HELD);
    const input = this.#input;
    const namedHeap = { program: input.recording.program, heap: requireHeap(input), graph };
    this.#texts = await this.#kept('holders', bytesOfTexts, async (work) => {
      const texts = await pathTexts({ input, namedHeap, paths, below }, askedObjects.slice(0, MOST_HELD), work);
      return new Map(texts.flatMap((text, i) => (text === undefined ? [] : [[keys[i], text] as const])));
    });
  }

  /** A part of the answer for the page. */
  #kept: ViewInput['kept'] = (key, bytes, make) => {
    const { offset, limit, sort = '' } = this.#input.page;
    return this.#input.kept(`${key} ${JSON.stringify([offset, limit, sort])}`, bytes, make);
  };
}

function bytesOfTexts(texts: ReadonlyMap<number, string>): number {
  return 200 * texts.size;
}

function bytesOfGroups(groups: ReadonlyMap<number, CommonHolder>): number {
  return 100 * groups.size;
}
