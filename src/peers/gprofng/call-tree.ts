/** The call tree with all metrics: a node a path of functions, siblings by falling values, then by name. */
import { callTree } from '../../analysis/stacks/call-tree.js';
import { factsOf, nameIn } from './functions.js';
import { factText, TOTAL_FACTS } from './list.js';
import { attributed, type ShownMetric, titleIn } from './metrics.js';
import { byBytes } from './numbers.js';
import { TOTAL } from './peer/peer-program.js';
import type { PrintState } from './state.js';
import { headLines, type Row, rowLine, shapeOf } from './table.js';
import type { Asked } from './values.js';

/** The root is the last of its siblings. */
const FIRST: readonly boolean[] = [true];

interface Node extends Row {
  /** Under how many nodes it is, and for each of them whether it was the last of its siblings. */
  readonly above: readonly boolean[];
}

/** The tree as text: heads, a line a node. */
export async function callTreeText(asked: Asked, state: PrintState): Promise<string> {
  const metrics = attributed(state.metrics);
  const columns = metrics.filter(({ base }) => base.id !== 'name');
  const rows = await treeRows(asked, state, columns);
  const wholes = columns.map((_, i) => Number(rows[0]?.values[i] ?? 0));
  const shape = shapeOf(metrics, rows, wholes);
  const shown = state.limit > 0 ? rows.slice(0, state.limit) : rows;
  const lines = shown.map((row) => rowLine(shape, row, ` ${artOf(row.above)}`));
  const title = `Functions Call Tree. Metric: ${titleIn(state.sorting.metric, 'a')}`;
  return `${[title, '', ...headLines(shape), ...lines].join('\n')}\n`;
}

function artOf(above: readonly boolean[]): string {
  return `${above.map((isLast) => (isLast ? '  ' : '|  ')).join('')}+-`;
}

async function treeRows(asked: Asked, state: PrintState, columns: readonly ShownMetric[]): Promise<Node[]> {
  const { program, functions } = asked.experiment;
  const profile = await asked.profile();
  const used = Float64Array.from(await asked.used());
  const tree = callTree(profile, program, used, { inverted: false, bySite: false });
  // By column; those of facts are empty.
  const totals: Float64Array[] = [];
  for (const { base, flavour } of columns) {
    const values = new Float64Array(flavour === undefined ? 0 : tree.length);
    totals.push(values);
    if (flavour === undefined) continue;
    const byStack = await asked.byStack(base);
    for (let id = 0; id < byStack.length; id++) if (byStack[id] !== 0) values[tree.ofStack?.[id] ?? 0] += byStack[id];
    for (let node = tree.length - 1; node >= 0; node--)
      if (tree.parent[node] >= 0) values[tree.parent[node]] += values[node];
  }
  const nameOf = (node: number): string => nameIn(state, functions[tree.function[node]] ?? TOTAL);
  const children = new Map<number, number[]>();
  for (let node = 0; node < tree.length; node++) {
    const list = children.get(tree.parent[node]) ?? [];
    list.push(node);
    children.set(tree.parent[node], list);
  }
  const sortedBy = totals[columns.findIndex(({ base }) => base.id === state.sorting.metric.base.id)];
  const compared = (a: number, b: number): number =>
    (sortedBy?.[b] ?? 0) - (sortedBy?.[a] ?? 0) || byBytes(nameOf(a), nameOf(b)) || a - b;
  const valuesOf = (node: number): (number | string)[] =>
    columns.map((metric, i) => {
      if (metric.flavour === undefined)
        return factText(metric, node < 0 ? TOTAL_FACTS : factsOf(functions[tree.function[node]]));
      if (node >= 0) return totals[i]?.[node] ?? 0;
      return (children.get(-1) ?? []).reduce((sum, child) => sum + (totals[i]?.[child] ?? 0), 0);
    });
  const rows: Node[] = [{ name: nameIn(state, TOTAL), values: valuesOf(-1), above: [] }];
  const pending = [{ nodes: (children.get(-1) ?? []).sort(compared), next: 0, above: FIRST }];
  for (let level = pending.at(-1); level !== undefined; level = pending.at(-1)) {
    const node = level.nodes[level.next++];
    if (node === undefined) {
      pending.pop();
      continue;
    }
    rows.push({ name: nameOf(node), values: valuesOf(node), above: level.above });
    const isLast = level.next === level.nodes.length;
    pending.push({ nodes: (children.get(node) ?? []).sort(compared), next: 0, above: [...level.above, isLast] });
  }
  return rows;
}
