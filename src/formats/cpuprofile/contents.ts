/**
 * What a V8 CPU profile has: nodes (a list, or a tree before Chrome 57), the node of each sample, and times. Keys may come in any order.
 * Memory: 200 bytes a node, 16 bytes a sample.
 */
import { Float64Builder } from '../../base/columns/columns.js';
import type { ProblemLog } from '../../base/problems.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { ItemCodes, ItemLevel } from '../shared/items/json-items.js';
import { integerOf, isObject, listOf, member, numberOf } from '../shared/items/read-items.js';
import { type CallFrame, callFrameOf, placeOf } from '../shared/scripts/call-frames.js';
import { NodeTree, ROOT_PLACE } from '../shared/scripts/node-tree.js';
import { TreeWalk, type WalkedNode } from '../shared/scripts/tree-walk.js';

export const CODES: ItemCodes = {
  cut: 'cpuprofile-truncated',
  syntax: 'cpuprofile-syntax',
  tooLarge: 'cpuprofile-too-large',
};

const NODE_BEGINS = /\{\s*"id"\s*:/g;
const ROOT = '(root)';

/** How often each line of a function was the one that ran, in the node. */
export interface LineTicks {
  readonly line: number;
  readonly ticks: number;
}

export class CpuProfileContents {
  readonly program = new ProgramBuilder();
  readonly tree = new NodeTree();
  /** By row of the tree. */
  readonly frames: CallFrame[] = [];
  readonly hits: number[] = [];
  readonly ticks: (readonly LineTicks[])[] = [];
  readonly samples = new Float64Builder();
  readonly deltas = new Float64Builder();
  readonly timestamps = new Float64Builder();
  startTime: number | undefined;
  endTime: number | undefined;
  /** Node ids of trees → numbers by which the tree knows them. */
  readonly treeIds = new Map<number, number>();
  isTree = false;
  /** Whether the file has these keys. */
  hasNodes = false;
  hasSamples = false;
  /** Values that are not what the format has. */
  wrong = 0;
  readonly #problems: ProblemLog;
  readonly #walk: TreeWalk;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.#walk = new TreeWalk(
      (node) => this.#treeNode(node),
      (offset, message) => this.#wrong(offset, message),
    );
  }

  /** After all that could be read. */
  finish(): void {
    this.#walk.finish();
  }

  readonly root: ItemLevel = {
    enter: (key, isList, offset) => this.#enter(key, isList, offset),
    take: (key, value, offset) => this.#key(key, value, offset),
  };

  #enter(key: string, isList: boolean, offset: number): ItemLevel | 'value' | 'skip' {
    if (key === 'head' && !isList && !this.hasNodes) {
      this.hasNodes = true;
      this.isTree = true;
      return this.#walk.begin(offset);
    }
    if (key === 'nodes' && isList && !this.hasNodes) {
      this.hasNodes = true;
      return this.#nodes;
    }
    const column = isList ? this.#columns.get(key) : undefined;
    if (column !== undefined) {
      if (key === 'samples') this.hasSamples = true;
      return column;
    }
    return KEYS.has(key) ? 'value' : 'skip';
  }

  #key(key: string, value: unknown, offset: number): void {
    const isTime = key === 'startTime' || key === 'endTime';
    const time = numberOf(value);
    if (isTime && time !== undefined) this[key] = time;
    else if (KEYS.has(key)) this.#wrong(offset, `${key} is not what the format has there`);
  }

  readonly #nodes: ItemLevel = {
    resumesAt: NODE_BEGINS,
    take: (_, value, offset) => this.#node(value, offset),
  };

  #node(value: unknown, offset: number): void {
    const id = integerOf(member(value, 'id'));
    const frame = callFrameOf(member(value, 'callFrame'));
    if (id === undefined || frame === undefined) {
      this.#wrong(offset, 'a node has no id or no callFrame');
      return;
    }
    const parent = integerOf(member(value, 'parent'));
    if (!this.#add(id, frame, parent)) this.#wrong(offset, `a second node has the id ${id}; it is left out`);
    else {
      for (const child of listOf(member(value, 'children'))) {
        const childId = integerOf(child);
        if (childId === undefined) this.#wrong(offset, 'a child is not the id of a node');
        else this.tree.child(id, childId);
      }
      this.#counts(value, offset);
    }
  }

  #treeNode({ number, parent, offset, fields }: WalkedNode): void {
    const frame = callFrameOf(fields.callFrame ?? fields);
    if (frame === undefined) {
      this.#wrong(offset, 'a node has no functionName');
      return;
    }
    const id = integerOf(fields.id);
    if (id === undefined || this.treeIds.has(id)) this.#wrong(offset, 'a node has no id of its own');
    else this.treeIds.set(id, number);
    this.#add(number, frame, parent < 0 ? undefined : parent);
    this.#counts(fields, offset);
  }

  #add(id: number, frame: CallFrame, parent: number | undefined): boolean {
    const isRoot = frame.name === ROOT && frame.url === '';
    const place = isRoot ? ROOT_PLACE : placeOf(this.program, frame);
    if (!this.tree.add(id, place, parent)) return false;
    this.frames.push(frame);
    return true;
  }

  #counts(value: unknown, offset: number): void {
    const hits = member(value, 'hitCount');
    if (hits !== undefined && !isCount(hits)) this.#wrong(offset, 'a hitCount is not a number of samples');
    this.hits.push(isCount(hits) ? hits : 0);
    const ticks: LineTicks[] = [];
    for (const each of listOf(member(value, 'positionTicks'))) {
      const [line, count] = [member(each, 'line'), member(each, 'ticks')];
      if (isObject(each) && isCount(line) && isCount(count)) ticks.push({ line, ticks: count });
      else this.#wrong(offset, 'positionTicks without a line or its ticks');
    }
    this.ticks.push(ticks);
  }

  readonly #columns: ReadonlyMap<string, ItemLevel> = new Map(
    (['samples', 'deltas', 'timestamps'] as const).map((column) => [
      column === 'deltas' ? 'timeDeltas' : column,
      {
        number: (value: number): void => {
          this[column].push(value);
        },
        take: (_: string, __: unknown, offset: number): void => {
          this[column].push(Number.NaN);
          this.#wrong(offset, `one of ${column} is not a number`);
        },
      },
    ]),
  );

  #wrong(offset: number, message: string): void {
    this.wrong++;
    this.#problems.add({ code: 'cpuprofile-schema', severity: 'error', offset, message });
  }
}

const KEYS: ReadonlySet<string> = new Set([
  'nodes',
  'head',
  'samples',
  'timeDeltas',
  'timestamps',
  'startTime',
  'endTime',
]);

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}
