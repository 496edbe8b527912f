/** A small graph of calls in the DOT language of Graphviz. */
import type { CallGraphResult } from './svg.js';

/** The text of a `.dot` file. Pure. */
export function drawDot({ nodes, rows }: CallGraphResult): string {
  return [
    'digraph calls {',
    '  rankdir=LR;',
    '  node [shape=box, fontname="monospace", fontsize=10];',
    '  edge [fontname="monospace", fontsize=9];',
    ...nodes.map(({ method, distance, entry }, i) => {
      const style = [
        ...(distance === 0 ? ['style=filled', 'fillcolor="#ffe08a"'] : []),
        ...(entry ? ['peripheries=2'] : []),
      ];
      return `  n${i} [${[`label=${quoted(method)}`, ...style].join(', ')}];`;
    }),
    ...rows.map(({ from, to, calls, kind }) => {
      const style = [...(calls > 1 ? [`label="${calls}"`] : []), ...(kind.includes('direct') ? [] : ['style=dashed'])];
      return `  n${from} -> n${to}${style.length === 0 ? '' : ` [${style.join(', ')}]`};`;
    }),
    '}\n',
  ].join('\n');
}

/** A quoted string. A backslash begins an escape there, and control characters are none of the language. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&');
  return `"${escaped.replace(/\p{Cc}/gu, '\ufffd')}"`;
}
