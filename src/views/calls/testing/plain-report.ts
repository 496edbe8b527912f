/** The calls of a real build by a loop over the lines of its report: a second reader, for tests. Nodes are texts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../../../testing/shared-data.js';

export const BYTES = gunzipSync(readFileSync(join(ROOT, 'examples/points-to/call_tree_hello.txt.gz')));
/** Without the title, and without the empty line at the end. */
export const LINES = BYTES.toString().split('\n').slice(1, -2);

/** `java.util.Map.get(java.lang.Object)`: a node without loader and return type. */
export function shown(node: string): string {
  return node.replace(/^[\w$.]+:(?=[\w$.]+\.)/, '').replace(/\):[^)]*$/, ')');
}

/** By whole nodes: methods may differ in their return type only. */
interface PlainEdge {
  readonly caller: string;
  readonly callee: string;
}

export const edges: PlainEdge[] = [];
export const entries: string[] = [];

const above: string[] = [];
for (const line of LINES) {
  const [, indent = '', words = '', rest = ''] =
    /^((?:│ {3}| {4})*)[├└]── (entry|directly calls|virtually calls|is overridden by) (.*)$/.exec(line) ?? [];
  const depth = indent.length / 4;
  const node = rest.replace(/ id(?:-ref)?=\d+(?:,.*| .*)?$/, '').replace(/ @bci=.*$/, '');
  above.length = depth;
  // A virtual call is a part of the method above it.
  above.push(words === 'virtually calls' ? (above.at(-1) ?? '') : node);
  if (words === 'entry') entries.push(node);
  else if (words !== 'virtually calls') edges.push({ caller: above[depth - 1] ?? '', callee: node });
}

/** Fewest calls from an entry. */
export function plainDistances(
  without: (node: string) => boolean = () => false,
  starts: readonly string[] = entries,
): Map<string, number> {
  const callees = new Map<string, string[]>();
  for (const { caller, callee } of edges) callees.set(caller, [...(callees.get(caller) ?? []), callee]);
  const distance = new Map<string, number>();
  let level = starts.filter((entry) => !without(entry));
  for (let calls = 0; level.length > 0; calls++) {
    const next: string[] = [];
    for (const node of level) {
      if (distance.has(node)) continue;
      distance.set(node, calls);
      for (const callee of callees.get(node) ?? []) if (!distance.has(callee) && !without(callee)) next.push(callee);
    }
    level = next;
  }
  return distance;
}

/** How often each name occurs. */
export function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
