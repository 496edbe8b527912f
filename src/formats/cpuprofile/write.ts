/**
 * Writes CPU profiles that Chrome DevTools, VS Code and speedscope open: one metric, one thread. A sample lasts as long as its value, in
 * microseconds; of metrics that are no times, a microsecond a unit. Cost: a pass over the stacks and two over the rows.
 */
import { NONE } from '../../base/flavor.js';
import type { Phrase } from '../../base/phrase.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { TIME } from '../../models/events/shared-fields.js';
import type { StackTable } from '../../models/profile/profile.js';
import { FUNCTION_KINDS, type FunctionId, NO_LINE, type Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { columnOf } from '../../models/table.js';
import type { WriteOptions, Written } from '../capabilities/writer.js';
import { functionText } from '../shared/frame-text.js';
import { CLOSE_LIST, OPEN_LIST } from '../shared/json-bytes.js';
import { fragment, JsonWriter } from '../shared/json-writer.js';
import { startPosition } from '../shared/scripts/call-frames.js';
import { notHeld, type WrittenValues, writtenValues } from '../shared/written-values.js';

const NS_PER_US = 1e3;
const ROOT_ID = 1;
const SCRIPT = FUNCTION_KINDS.indexOf('javascript');

/** Writes the values of one metric. Throws `UsageError` if there are no stacks with values. */
export function writeCpuProfile(recording: Recording, options: WriteOptions = {}): Written {
  const values = writtenValues(recording, options.metric);
  const dropped: Phrase[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new ProfileWriter(recording.program, values);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          yield chunk;
        }
        dropped.push(...notHeld(recording, values, holdsOf(recording, values)));
        if (writer.skipped > 0)
          dropped.push(`${writer.skipped} events with values below 0: samples have no such times`);
      },
    },
  };
}

function holdsOf(recording: Recording, values: WrittenValues) {
  const isOwn = recording.format === 'cpuprofile';
  const beside = isOwn ? ['samples', 'time'] : [];
  return { threads: false, times: isOwn && columnOf(values.table, TIME) !== undefined, beside, units: ['ns'] };
}

/** A node: a function with its callers. */
interface Nodes {
  /** By stack; the leaf's line does not matter. */
  readonly ofStack: Int32Array;
  readonly function: number[];
  readonly parent: number[];
  readonly children: number[][];
  readonly hits: number[];
  readonly ticks: Map<number, number>[];
}

class ProfileWriter {
  skipped = 0;
  readonly #program: Program;
  readonly #values: WrittenValues;
  readonly #out = new JsonWriter();
  /** Numbers of scripts by their addresses. */
  readonly #scripts = new ScriptNumbers();

  constructor(program: Program, values: WrittenValues) {
    this.#program = program;
    this.#values = values;
  }

  *chunks(): Generator<Uint8Array> {
    const out = this.#out;
    const rows = this.#inTime();
    const nodes = this.#nodes(rows);
    out.text(fragment('{"nodes":'));
    out.open(OPEN_LIST);
    this.#node(ROOT_ID, '"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1', nodes, 0);
    for (let node = 1; node < nodes.function.length; node++) {
      this.#node(node + ROOT_ID, this.#callFrame(nodes.function[node] ?? NONE), nodes, node);
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
    yield* this.#samples(rows, nodes.ofStack);
    yield out.take();
  }

  /** Rows in the order of time, where they have one. */
  #inTime(): Int32Array {
    const { rows, table, value } = this.#values;
    const written = rows.filter((row) => value(row) >= 0);
    this.skipped = rows.length - written.length;
    const times = columnOf(table, TIME);
    return times === undefined ? written : written.sort((a, b) => times[a] - times[b] || a - b);
  }

  #nodes(rows: Int32Array): Nodes {
    const { profile, stack } = this.#values;
    const nodes: Nodes = {
      ofStack: new Int32Array(profile.stacks.length).fill(NONE),
      function: [NONE],
      parent: [NONE],
      children: [[]],
      hits: [0],
      ticks: [new Map()],
    };
    const used = usedStacks(profile.stacks, rows, stack);
    const nodesByKey = new Map<string, number>();
    const { function: functionOf, line } = this.#program.locations;
    for (let id = 0; id < used.length; id++) {
      if (used[id] === 0) continue;
      const above = profile.stacks.parent[id];
      const parent = above < 0 ? 0 : nodes.ofStack[above];
      const called = functionOf[profile.stacks.location[id]];
      const key = `${parent} ${called}`;
      const node = nodesByKey.get(key) ?? nodes.function.length;
      nodes.ofStack[id] = node;
      if (nodesByKey.has(key)) continue;
      nodesByKey.set(key, node);
      nodes.function.push(called);
      nodes.parent.push(parent);
      nodes.children.push([]);
      nodes.hits.push(0);
      nodes.ticks.push(new Map());
      nodes.children[parent]?.push(node);
    }
    for (const row of rows) {
      const place = profile.stacks.location[stack[row]];
      const node = nodes.ofStack[stack[row]];
      nodes.hits[node] = (nodes.hits[node] ?? 0) + 1;
      const at = line?.[place] ?? NO_LINE;
      const ticks = nodes.ticks[node];
      if (at > 0) ticks?.set(at, (ticks.get(at) ?? 0) + 1);
    }
    return nodes;
  }

  #node(id: number, frame: string, nodes: Nodes, node: number): void {
    const ticks = [...(nodes.ticks[node] ?? [])].map(([line, count]) => `{"line":${line},"ticks":${count}}`);
    const children = (nodes.children[node] ?? []).map((child) => child + ROOT_ID);
    this.#out.separate();
    this.#out.raw(
      encodeUtf8(
        `{"id":${id},"callFrame":{${frame}},"hitCount":${nodes.hits[node]}` +
          (children.length === 0 ? '' : `,"children":[${children.join()}]`) +
          (ticks.length === 0 ? '}' : `,"positionTicks":[${ticks.join()}]}`),
      ),
    );
  }

  #callFrame(id: FunctionId): string {
    const { functions, names } = this.#program;
    const isScript = functions.kind[id] === SCRIPT;
    const file = functions.file?.[id] ?? NONE;
    const name = functionText(this.#program, id);
    const plain = isScript && /^\(anonymous(?: .*)?\)$/s.test(name) ? '' : name;
    const { line, column } = startPosition(isScript ? (functions.start?.[id] ?? NONE) : NONE);
    const url = file < 0 ? '' : stringAt(names, file);
    const script = isScript || url !== '' ? this.#scripts.add(url) : 0;
    return `"functionName":${JSON.stringify(plain)},"scriptId":"${script}","url":${JSON.stringify(url)},"lineNumber":${line},"columnNumber":${column}`;
  }

  *#samples(rows: Int32Array, nodeOf: Int32Array): Generator<Uint8Array> {
    const { stack, metric, value, table } = this.#values;
    const out = this.#out;
    const scale = metric.unit === 'ns' ? NS_PER_US : 1;
    const times = metric.unit === 'ns' ? columnOf(table, TIME) : undefined;
    const first = times === undefined || rows.length === 0 ? 0 : Math.max(0, times[rows[0]]) / NS_PER_US;
    out.text(fragment(',"samples":'));
    out.open(OPEN_LIST);
    for (const row of rows) {
      out.separate();
      out.integer(nodeOf[stack[row]] + ROOT_ID);
      if (out.full) yield out.take();
    }
    const last = rows.length === 0 ? 0 : value(rows[rows.length - 1]) / scale;
    // What ran last ends where the root begins: without it, the last sample would have no length.
    if (last > 0) {
      out.separate();
      out.integer(ROOT_ID);
    }
    out.close(CLOSE_LIST);
    out.text(fragment(',"timeDeltas":'));
    out.open(OPEN_LIST);
    let end = first;
    for (let i = 0; i < rows.length; i++) {
      const before = i === 0 ? first : value(rows[i - 1]) / scale;
      if (i > 0) end += before;
      out.separate();
      out.number(before);
      if (out.full) yield out.take();
    }
    if (last > 0) {
      out.separate();
      out.number(last);
    }
    out.close(CLOSE_LIST);
    out.text(fragment(',"startTime":0,"endTime":'));
    out.number(end + last);
    out.text(fragment('}\n'));
  }
}

/** By stack: 1 if a row has it or one below it. */
function usedStacks({ parent, length }: StackTable, rows: Int32Array, stack: ArrayLike<number>): Uint8Array {
  const used = new Uint8Array(length);
  for (const row of rows) for (let id = stack[row]; id >= 0 && used[id] === 0; id = parent[id]) used[id] = 1;
  return used;
}

class ScriptNumbers {
  readonly #numbers = new Map<string, number>();

  /** From 1: 0 is no script. */
  add(url: string): number {
    const number = this.#numbers.get(url) ?? this.#numbers.size + 1;
    this.#numbers.set(url, number);
    return number;
  }
}
