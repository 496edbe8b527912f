/** A small graph of calls in the DOT language of Graphviz. */
import { type CallGraphResult, edgeLabel, hasCounts, nodeWords } from './svg.js';

/** The text of a `.dot` file. Pure. */
export function drawDot(result: CallGraphResult): string {
  const { nodes, rows } = result;
  const isObserved = hasCounts(result);
  return [
    'digraph calls {',
    '  rankdir=LR;',
    '  node [shape=box, fontname="monospace", fontsize=10];',
    '  edge [fontname="monospace", fontsize=9];',
    ...nodes.map((node, i) => {
      const { method, distance, entry } = node;
      const words = nodeWords(node, isObserved);
      const style = [
        ...(distance === 0 ? ['style=filled', 'fillcolor="#ffe08a"'] : []),
        ...(entry ? ['peripheries=2'] : []),
      ];
      return `  n${i} [${[`label=${quoted(method, ...(words === '' ? [] : [words]))}`, ...style].join(', ')}];`;
    }),
    ...unitBoxes(result),
    ...rows.map((row) => {
      const label = edgeLabel(row, isObserved);
      const isDashed = isObserved ? row.count === null : !row.kind.includes('direct');
      const style = [...(label === '' ? [] : [`label=${quoted(label)}`]), ...(isDashed ? ['style=dashed'] : [])];
      return `  n${row.from} -> n${row.to}${style.length === 0 ? '' : ` [${style.join(', ')}]`};`;
    }),
    '}\n',
  ].join('\n');
}

/** A box around the methods of each compilation unit. */
function unitBoxes({ nodes }: CallGraphResult): string[] {
  const members = new Map<string, number[]>();
  for (const [i, { unit }] of nodes.entries()) if (unit !== null) members.set(unit, [...(members.get(unit) ?? []), i]);
  return [...members].map(([unit, ids], i) => {
    const statements = ids.map((id) => `n${id};`).join(' ');
    return `  subgraph cluster_${i} { label=${quoted(`compiled as ${unit}`)}; fontname="monospace"; fontsize=9; ${statements} }`;
  });
}

/** A quoted string of lines. A backslash begins an escape there, and control characters are none of the language. */
function quoted(...lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replace(/[\\"]/g, '\\$&').replace(/\p{Cc}/gu, '\ufffd'));
  return `"${escaped.join('\\n')}"`;
}
