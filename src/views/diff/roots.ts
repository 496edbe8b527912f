/** Differences of heaps by root: static fields, methods and kinds of roots, with the objects that they hold before others do. */
import { heldByRoots } from '../../analysis/heap/shortest-paths.js';
import { graphUse } from '../../analysis/heap/stages.js';
import { identityOf, withoutHashes } from '../../analysis/identity/spelling.js';
import { note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import type { ObjectGraph } from '../../models/heap/heap.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import type { Program } from '../../models/program/program.js';
import { requireHeap } from '../heap/choice.js';
import type { Side } from '../question.js';
import { noCommon, type Sides } from './runs.js';
import type { ValueRows } from './values.js';

const METRICS = [
  { id: 'live-objects', title: 'Objects', nature: 'level', unit: 'count' },
  { id: 'roots', title: 'Roots', nature: 'level', unit: 'count' },
] as const;

/** The graphs that a difference by root needs. */
export function graphUses(runs: readonly Side[]) {
  return runs.map((side) => graphUse(side.subject, requireHeap(side).dump));
}

/** Each root by its name without loader; those without a name by their kind. */
export function rootRows(sides: Sides, id: string | undefined): ValueRows {
  const { runs, along } = sides;
  const metric = id === undefined ? METRICS[0] : METRICS.find((one) => one.id === id);
  if (metric === undefined) throw noCommon(id, METRICS);
  const rows = new Map<string, number>();
  /** By row: 1 if the base has it, 2 if this has it. */
  const sidesOf: number[] = [];
  const read = runs.map(({ recording }, run) => {
    const graph = along.graphs[run];
    const held = metric.id === 'roots' ? undefined : heldByRoots(graph);
    return namesOf(recording.program, graph).map((name, root) => {
      const row = rows.get(name) ?? rows.size;
      rows.set(name, row);
      sidesOf[row] = (sidesOf[row] ?? 0) | (run < sides.bases ? 1 : 2);
      return { row, value: held === undefined ? 1 : held[root] };
    });
  });
  const values = read.map((roots) => {
    const sums = new Float64Array(rows.size);
    for (const { row, value } of roots) sums[row] += value;
    return sums;
  });
  const names = [...rows.keys()];
  return {
    metric,
    length: rows.size,
    values,
    totals: undefined,
    sums: values.map((column) => column.reduce((sum, value) => sum + value, 0)),
    steps: runs.map(() => 0),
    name: (row) => names[row],
    join: (row) => (sidesOf[row] === 3 ? 'exact' : 'one side'),
    names: () => 1,
    notes:
      metric.id === 'roots'
        ? []
        : [
            note(
              'rows',
              phrase`An object counts for the first root that leads to it. Roots of equal names are one row; ${theOption('metric', { value: 'roots' })} counts them.`,
              { action: { set: { metric: 'roots' } } },
            ),
          ],
  };
}

function namesOf(program: Program, { roots }: ObjectGraph): string[] {
  return Array.from(roots.kind, (kind, i) => {
    const name = roots.name?.[i] ?? -1;
    if (name < 0) return ROOT_KINDS[kind] ?? 'unknown';
    return withoutHashes(identityOf(withoutLoader(stringAt(program.names, name))));
  });
}

/** `null:a.B.cache:T` and `null:a.B.open(T)` without the loader, which reports have since 2024. */
function withoutLoader(name: string): string {
  const end = name.indexOf(':');
  const types = name.indexOf('(');
  const hasLoader = types >= 0 ? end < types : name.includes(':', end + 1);
  return end >= 0 && hasLoader && /^[\w$.]+$/.test(name.slice(0, end)) ? name.slice(end + 1) : name;
}
