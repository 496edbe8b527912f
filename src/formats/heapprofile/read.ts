/**
 * Reads V8's sampling heap profiles (docs/formats/heapprofile.md) of any size in one pass: the bytes of objects that were alive at the end, by the
 * stack that allocated them. Cost: 5 µs a node.
 */
import { Float64Builder, sumOf } from '../../base/columns/columns.js';
import { FormatError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { formatCount } from '../../base/units.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { BYTES_EVENTS } from '../../models/events/weight.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { ItemCodes, ItemLevel } from '../shared/items/json-items.js';
import { integerOf, member, numberOf, readItems } from '../shared/items/read-items.js';
import { callFrameOf, placeOf } from '../shared/scripts/call-frames.js';
import { NodeTree, ROOT_PLACE } from '../shared/scripts/node-tree.js';
import { TreeWalk, type WalkedNode } from '../shared/scripts/tree-walk.js';

const CODES: ItemCodes = {
  cut: 'heapprofile-truncated',
  syntax: 'heapprofile-syntax',
  tooLarge: 'heapprofile-too-large',
};

const METRIC = BYTES_EVENTS.metric('bytes', {
  id: 'bytes',
  title: 'Live bytes',
  notes: [
    note(
      'live-sampled',
      'Bytes are estimates from sampled allocations, and only of objects that were alive when the profile was taken.',
    ),
  ],
});

/** Throws `FormatError` if there is no node. */
export async function readHeapProfile(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const contents = new HeapContents(problems);
  const { complete } = await readItems(source, work, problems, CODES, (isList) => (isList ? undefined : contents.root));
  contents.finish(complete);
  if (contents.tree.length === 0)
    throw new FormatError({
      format: 'heapprofile',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'a tree of calls below head',
      found: problems.finish().list[0]?.message ?? 'no node',
    });
  const { tree, sizes } = contents;
  tree.connect();
  const stacks = new StackBuilder();
  const table = BYTES_EVENTS.builder();
  for (let row = 0; row < tree.length; row++) {
    const stack = tree.stackOf(row, stacks);
    if (sizes.values[row] > 0) table.add({ stack, bytes: sizes.values[row] });
  }
  return {
    name: source.name,
    format: 'heapprofile',
    metadata: [],
    sections: [
      { name: 'nodes', entries: tree.length },
      { name: 'samples', entries: contents.samples },
    ],
    program: contents.program.finish(),
    profile: { stacks: stacks.finish(), events: [table.finish()], metrics: [METRIC] },
    problems: problems.finish(),
    complete: complete && contents.wrong === 0,
    residue: undefined,
  };
}

class HeapContents {
  readonly program = new ProgramBuilder();
  readonly tree = new NodeTree();
  /** By row of the tree. */
  readonly sizes = new Float64Builder();
  samples = 0;
  /** Values that are not what the format has. */
  wrong = 0;
  /** Bytes of samples by the id of their node, less those of the nodes. */
  readonly #balance = new Map<number, number>();
  readonly #problems: ProblemLog;
  readonly #walk: TreeWalk;
  #sampled = 0;
  #hasHead = false;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.#walk = new TreeWalk(
      (node) => this.#node(node),
      (offset, message) => this.#wrong(offset, message),
    );
  }

  readonly root: ItemLevel = {
    enter: (key, isList, offset) => {
      if (key === 'head' && !isList && !this.#hasHead) {
        this.#hasHead = true;
        return this.#walk.begin(offset);
      }
      if (key === 'samples' && isList) return this.#samples;
      return key === 'head' || key === 'samples' ? 'value' : 'skip';
    },
    take: (key, _, offset) => {
      if (key === 'head' || key === 'samples') this.#wrong(offset, `${key} is not what the format has there`);
    },
  };

  /** After all that could be read; compares the samples with the nodes if both are whole. */
  finish(isWhole: boolean): void {
    this.#walk.finish();
    if (!isWhole || this.samples === 0 || this.wrong > 0) return;
    const isDifferent = [...this.#balance.values()].some((bytes) => bytes !== 0);
    if (isDifferent)
      this.#problems.add({
        code: 'heapprofile-samples',
        severity: 'info',
        message: `the samples have ${formatCount(this.#sampled)} bytes, the nodes ${formatCount(sumOf(this.sizes.finish()))}; those of the nodes count`,
      });
  }

  readonly #samples: ItemLevel = {
    take: (_, value, offset) => {
      const [size, node] = [numberOf(member(value, 'size')), integerOf(member(value, 'nodeId'))];
      this.samples++;
      if (size === undefined || node === undefined) this.#wrong(offset, 'a sample has no size or no nodeId');
      else {
        this.#sampled += size;
        this.#add(node, size);
      }
    },
  };

  #add(id: number, bytes: number): void {
    this.#balance.set(id, (this.#balance.get(id) ?? 0) + bytes);
  }

  #node({ number, parent, offset, fields }: WalkedNode): void {
    const frame = callFrameOf(fields.callFrame);
    const size = numberOf(fields.selfSize);
    if (frame === undefined) {
      this.#wrong(offset, 'a node has no callFrame');
      return;
    }
    if (size === undefined || size < 0) this.#wrong(offset, 'a selfSize is not a number of bytes');
    const bytes = size === undefined || size < 0 ? 0 : size;
    const isRoot = parent < 0 && frame.name === '(root)';
    this.tree.add(number, isRoot ? ROOT_PLACE : placeOf(this.program, frame), parent < 0 ? undefined : parent);
    this.sizes.push(bytes);
    const id = integerOf(fields.id);
    if (id !== undefined) this.#add(id, -bytes);
  }

  #wrong(offset: number, message: string): void {
    this.wrong++;
    this.#problems.add({ code: 'heapprofile-schema', severity: 'error', offset, message });
  }
}
