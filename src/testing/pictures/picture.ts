/**
 * Profiles as pictures, so that a test shows what it is about.
 *
 *   @thread  main      main      worker
 *   @count   5         1         2
 *            App.main  App.main  Pool.run
 *            App.get:7 App.get:9
 *            hash
 *
 * A column is an event, its root on top. A frame is `Class.method` or `name`, with `:bci` where it matters (else 0); or a
 * place in native code:
 *
 *   !/opt/app            kind=executable id=4fc5 main@1000
 *   !/usr/lib/libc.so.6  map=7f3c00001000+2000@1000[0..50]
 *   @time  10                   60
 *          app!main@1010(7)     app!main@1010(7)
 *          ~app!shop.c|add@1010 *7f3c00001040
 *          libc.so.6!@5d0
 *
 * `load object!compile unit|function@offset(line)`, the offset in the load object and in hexadecimal; without a function
 * where none is known; `~` in front: inlined into the frame above, which lies at the same offset. `function*address` lies
 * where that address was mapped at the time of the event. Lines that begin with `!` declare load objects by their paths:
 * `kind=` (else library), `id=` the build id, `arch=`, `function@offset` where functions begin, `map=address+size@offset[from..to]`
 * where they lie in memory (always, where no times are given). In one of kind `jit` a function may be `Class.method`.
 *
 * Every cell stands below a cell of the first row. Rows that begin with `@` give the events values: `@thread` names,
 * `@time` nanoseconds, `@ending` how the stack begins, and any other word a metric of that name. Without a metric each
 * event counts 1 as `samples`. `-` is "none"; a column without frames is an event without a stack.
 */
import { type Metric, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';
import { column, type Field, type Nature, TableBuilder } from '../../models/table.js';
import { FramePlacer, frameText } from './frames.js';

export interface Picture {
  readonly program: Program;
  readonly profile: Profile;
}

export interface PictureOptions {
  /** Nature of all metrics; `flow` where it is not given. */
  readonly nature?: Nature;
}

/** The profile of a picture. Throws an `Error` that names the line where the picture is not one. */
export function picture(text: string, options: PictureOptions = {}): Picture {
  const grid = parseGrid(text);
  const placer = new FramePlacer();
  for (const line of grid.loadObjects) placer.declare(line);
  const { program } = placer;
  const stacks = new StackBuilder(16);
  const threads: string[] = [];
  const metricNames = [...grid.values.keys()].filter((key) => !['thread', 'time', 'ending'].includes(key));
  const builder = new TableBuilder('sample', 'Samples', fieldsOf(grid, metricNames));
  for (let i = 0; i < grid.columns; i++) {
    const ending = STACK_ENDINGS.find((known) => known === grid.values.get('ending')?.[i]) ?? 'whole';
    let stack = rootOf(ending);
    const frames = grid.frames.map((row) => row[i]).filter((cell) => cell !== undefined);
    let above: ReturnType<FramePlacer['place']> | undefined;
    for (const frame of frames) {
      above = placer.place(frame, above, Number(grid.values.get('time')?.[i] ?? 0));
      stack = stacks.add(stack, above.location);
    }
    const row: Record<string, number> = { stack: frames.length === 0 ? -1 : stack };
    const thread = grid.values.get('thread')?.[i];
    if (thread !== undefined && thread !== '-') {
      if (!threads.includes(thread)) threads.push(thread);
      row.thread = threads.indexOf(thread);
    }
    for (const key of ['time', ...metricNames]) {
      const value = grid.values.get(key)?.[i];
      if (value !== undefined && value !== '-') row[key] = Number(value);
    }
    builder.add(row);
  }
  const metrics = metricsOf(metricNames, options.nature ?? 'flow');
  const profile = { stacks: stacks.finish(), events: [builder.finish()], metrics };
  const named = THREADS.table({ name: Int32Array.from(threads, (name) => program.name(name)) });
  return {
    program: program.finish(),
    profile: grid.values.has('thread') ? { ...profile, threads: named } : profile,
  };
}

function fieldsOf(grid: Grid, metricNames: readonly string[]): Field[] {
  const field = (key: string, holds: Field['holds'], wide: boolean): Field => ({
    key,
    title: key,
    holds,
    unit: 'none',
    meaning: key,
    wide,
  });
  return [
    field('stack', 'stack', false),
    ...(grid.values.has('thread') ? [field('thread', 'thread', false)] : []),
    ...(grid.values.has('time') ? [field('time', 'number', true)] : []),
    ...metricNames.map((name) => field(name, 'number', true)),
  ];
}

function metricsOf(names: readonly string[], nature: Nature): Metric[] {
  const metric = (id: string): Metric => ({ id, title: id, unit: 'count', nature, table: 'sample' });
  return names.length === 0 ? [metric('samples')] : names.map((name) => ({ ...metric(name), field: name }));
}

interface Grid {
  readonly columns: number;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly frames: readonly (string | undefined)[][];
  /** The lines that declare them. */
  readonly loadObjects: readonly string[];
}

function parseGrid(text: string): Grid {
  const values = new Map<string, string[]>();
  const frames: (string | undefined)[][] = [];
  let starts: number[] | undefined;
  const lines = text.split('\n').filter((candidate) => candidate.trim() !== '');
  const isDeclaration = (line: string): boolean => line.trimStart().startsWith('!');
  for (const line of lines.filter((candidate) => !isDeclaration(candidate))) {
    const cells = [...line.matchAll(/\S+/g)];
    const label = cells[0]?.[0].startsWith('@') ? cells.shift()?.[0].slice(1) : undefined;
    starts ??= cells.map((cell) => cell.index);
    const row = new Array<string | undefined>(starts.length).fill(undefined);
    for (const cell of cells) {
      const at = starts.indexOf(cell.index);
      if (at < 0) throw new Error(`${cell[0]} stands in no column of the picture: ${line}`);
      row[at] = cell[0];
    }
    if (label === undefined) addFrames(frames, row, line);
    else values.set(label, filled(row, line));
  }
  return { columns: starts?.length ?? 0, values, frames, loadObjects: lines.filter(isDeclaration) };
}

function filled(row: readonly (string | undefined)[], line: string): string[] {
  return row.map((cell) => {
    if (cell === undefined) throw new Error(`a value is missing in the picture: ${line}`);
    return cell;
  });
}

function addFrames(frames: (string | undefined)[][], row: (string | undefined)[], line: string): void {
  const above = frames.at(-1);
  row.forEach((cell, i) => {
    if (cell !== undefined && above !== undefined && above[i] === undefined)
      throw new Error(`${cell} hangs in the air in the picture: ${line}`);
  });
  frames.push(row);
}

/** The frames of a stack, root first. */
export function stackTexts(source: Picture, stack: number): string[] {
  const { stacks } = source.profile;
  const frames: string[] = [];
  for (let id = stack; id >= 0; id = stacks.parent[id]) frames.unshift(frameText(source.program, stacks.location[id]));
  return frames;
}

interface TreeNode {
  self: number;
  total: number;
  readonly children: Map<string, TreeNode>;
}

/**
 * The profile as an indented tree, a line a frame: its name, what happened in it, what happened in it and below it.
 * Children stand in the order of their first event; events without a stack are the line `(no stack)`.
 */
export function treeText(source: Picture, metric: Metric | undefined = source.profile.metrics[0]): string {
  const root: TreeNode = { self: 0, total: 0, children: new Map() };
  for (const table of source.profile.events) {
    if (table.kind !== metric?.table) continue;
    const stack = column(table, 'stack');
    for (let row = 0; row < table.length; row++) {
      const value = metric.field === undefined ? 1 : column(table, metric.field)[row];
      const path = stack[row] < 0 ? ['(no stack)'] : stackTexts(source, stack[row]);
      let node = root;
      for (const frame of path) {
        const child = node.children.get(frame) ?? { self: 0, total: 0, children: new Map() };
        node.children.set(frame, child);
        node = child;
        node.total += value;
      }
      node.self += value;
    }
  }
  const lines: string[] = [];
  print(root, '', lines);
  return lines.join('\n');
}

function print(node: TreeNode, indent: string, lines: string[]): void {
  for (const [name, child] of node.children) {
    lines.push(`${indent}${name} ${child.self} ${child.total}`);
    print(child, `${indent}  `, lines);
  }
}

/** An expected tree as it is written in a test: without the common indentation and the empty lines around it. */
export function tree(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent).trimEnd()).join('\n');
}
