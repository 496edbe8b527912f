/** `tree`: the heaviest nodes of the call tree, top-down or inverted, each below its caller. */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { onlyRows, type UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import type { Sampling } from '../../analysis/interval.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import type { CallTree } from '../../analysis/stacks/call-tree.js';
import { type DurationsBelow, durationsOf } from '../../analysis/stacks/durations.js';
import { type TreePage, treePage } from '../../analysis/stacks/heaviest-nodes.js';
import type { JoinedTree, LabelledTree } from '../../analysis/stacks/level-order.js';
import { nodeHandles } from '../../analysis/stacks/node-handles.js';
import {
  callTreeUse,
  joinedTreeUse,
  mayBeLargerUse,
  rankedUse,
  treeDurationsUse,
} from '../../analysis/stacks/tree-stages.js';
import { note } from '../../base/note.js';
import { share } from '../../base/share.js';
import { STACK_ENDINGS } from '../../models/profile/profile.js';
import { addsUp } from '../../models/profile/usual-metric.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { TREE_OPTIONS } from '../../questions/options/recording.js';
import { durationCells, durationFields, durationMetric, withDurations } from '../duration-columns.js';
import { endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import {
  AT_LEAST,
  common,
  detail,
  difference,
  HANDLE,
  listingShape,
  maybe,
  metricColumns,
  number,
  range,
  STACK_HANDLE,
  text,
} from '../listing.js';
import { baseMetric, type Fits, METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { defineView } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { refuseArcs } from './arcs.js';
import { metricNotesUse } from './function-values.js';

const row = z.object({
  delta: maybe('Delta', 'count', 'total less that of the base'),
  base_total: maybe('Base total', 'count', 'the node and everything below it, in the base'),
  total: maybe('Total', 'count', 'the node and everything below it'),
  total_low: lowEnd('Total'),
  total_high: highEnd('Total'),
  total_share: maybe('Total %', 'ratio', 'share of the sum'),
  self: number('Self', 'count', 'the node itself'),
  base_self: detail(1, maybe('Base self', 'count', 'the node itself, in the base')),
  ...durationFields('those of the node and everything below it'),
  file_id: FILE_ID,
  function: text('Function', 'class, method and parameter types'),
});

const node = row.extend({
  id: z.number().describe('number of the node; stable for the same file and question'),
  parent: z.number().describe('id of the node above, -1 at a root'),
  depth: z.number(),
  begins: z.enum(STACK_ENDINGS).nullable().describe('how stacks begin that start with this frame'),
  at_least: AT_LEAST,
  handle: HANDLE,
  stack: STACK_HANDLE,
});

const INVERTED = note(
  'inverted',
  'Inverted: each row is the part of the top function that was reached along this path.',
);

export const treeView = defineView({
  name: 'tree',
  version: 3,
  title: 'Call tree',
  options: TREE_OPTIONS,
  shape: {
    ...listingShape(node),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }),
    inverted: z.boolean(),
  },
  refuses: ['sort', 'offset'],
  needs: (input, options) => {
    const metric = durationMetric(input, options.metric, options.durations, summable(options.inverted));
    refuseArcs(metric, input.recording.name);
    const { base, subject, page } = input;
    const { inverted, depth } = options;
    const summed = addsUp(metric, inverted);
    const now = callTreeUse(subject, { metric, inverted });
    const choice = base && { metric, inverted, baseMetric: baseMetric(input, base, metric), normalise: false };
    const joined = base && choice && joinedTreeUse(subject, base.subject, choice);
    const weight = joined === undefined ? (summed ? 'total' : 'largest') : summed ? 'total-change' : 'self-change';
    return {
      now,
      joined,
      united: base && unitedUse([subject, base.subject]),
      ranked: rankedUse(joined ?? now, weight, depth, page.limit),
      // Inverted, a path ends where its stack was cut: its values are exact.
      notes: metricNotesUse(subject, metric),
      below: options.durations ? treeDurationsUse(subject, metric, joined ?? now, now) : undefined,
      larger: inverted ? undefined : mayBeLargerUse(subject, metric),
    };
  },
  answer: async (input, options, { now, joined, united, ranked, larger, below, notes }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const metric = durationMetric(input, options.metric, options.durations, summable(options.inverted));
    const { sum } = notes;
    const sampling = samplingOf(metric, profile);
    const summed = addsUp(metric, options.inverted);
    const stack = nodeHandles(program, profile.stacks, { tree: now, joined, inverted: options.inverted });
    const tree = { ...listedTree(program, now, larger, joined, united), stack };
    const page = treePage(tree, ranked, input.page.limit);
    const nodeCells = below && (await input.kept('durations', bytesOfCells, () => nodeDurations(below)));
    const durations = nodeCells && {
      events: (i: number) => nodeCells.events(page.nodes[i]),
      longest: (i: number) => nodeCells.longest(page.nodes[i]),
      p50: (i: number) => nodeCells.p50(page.nodes[i]),
      p90: (i: number) => nodeCells.p90(page.nodes[i]),
      p99: (i: number) => nodeCells.p99(page.nodes[i]),
    };
    const values = ['delta', 'base_total', 'self', 'base_self', 'total', ...endKeys('total')];
    const columns = metricColumns(row.extend({ at_least: AT_LEAST }), metric, values).filter(
      ({ key }) => shows(key, summed, options.inverted) && (tree.base !== undefined || !/^(delta|base_.*)$/.test(key)),
    );
    return {
      ...common(input, [
        ...(options.inverted ? [INVERTED] : []),
        ...(tree.base === undefined ? [] : [COMPARED]),
        ...notes.notes,
        ...errorNotes(options.error, sampling),
        ...idNotes(options.ids, program),
      ]),
      metric: { ...metricOf(metric), sum },
      inverted: options.inverted,
      columns: withDurations(withEnds(withIds(columns, options.ids), options.error, sampling), options.durations),
      total: page.of,
      offset: 0,
      rows: treeRows(tree, page, {
        sum: summed ? sum : undefined,
        sampling,
        further: { ...durations, ...idCell(options.ids, program, (i) => tree.functionOf(page.nodes[i])) },
        handle: (i) => functionHandle(program, tree.functionOf(page.nodes[i])),
      }),
    };
  },
});

const COMPARED = note(
  'compared-paths',
  'The largest changes come first; nodes are the same where the functions on their paths are.',
);

/** The cells of the durations at and below nodes, each of which is sorted when it is first asked for. */
function nodeDurations(below: DurationsBelow): ReturnType<typeof durationCells> {
  return durationCells((id) => durationsOf(below, Int32Array.of(id)));
}

/** Of the nodes of pages. */
function bytesOfCells(): number {
  return 1 << 16;
}

/** A tree to list, alone or joined with that of the base. */
interface ListedTree extends Pick<LabelledTree, 'length' | 'parent' | 'ending' | 'self' | 'total' | 'base'> {
  readonly name: (node: number) => string;
  /** Its function in the recording; -1 if it has none, or several. */
  readonly functionOf: (node: number) => FunctionId;
  /** The handle of the path. */
  readonly stack: (node: number) => string | undefined;
  /** Whether the total of a node's function may be larger. */
  readonly mayBeLarger: (node: number) => boolean;
}

function listedTree(
  program: Program,
  now: CallTree,
  larger: Uint8Array | undefined,
  joined: JoinedTree | undefined,
  united: UnitedPrograms | undefined,
): Omit<ListedTree, 'stack'> {
  if (joined === undefined || united === undefined)
    return {
      ...now,
      name: (node) => functionSignature(program, now.function[node]),
      functionOf: (node) => now.function[node],
      mayBeLarger: (node) => larger?.[now.function[node]] === 1,
    };
  const { name, rows } = united.functions;
  const cut = new Set([...(larger ?? [])].flatMap((isLarger, id) => (isLarger === 1 ? rows[0][id] : [])));
  const functionOf = onlyRows(united.functions, 0);
  return {
    ...joined,
    name: (node) => name(joined.label[node]),
    functionOf: (node) => functionOf(joined.label[node]),
    mayBeLarger: (node) => cut.has(joined.label[node]),
  };
}

/** Metrics that have totals in a tree. */
function summable(inverted: boolean): Fits {
  return (metric) => addsUp(metric, inverted);
}

/** Whether a column is shown. Inverted, the self value of a path is a part of its total: that column would only mislead. */
function shows(key: string, summed: boolean, inverted: boolean): boolean {
  return key.endsWith('self') ? !inverted : summed || !/total|delta/.test(key);
}

const CUT = STACK_ENDINGS.indexOf('cut');

/** Whether the stacks of a node were cut: it is below a root that represents cut frames. */
function isBelowCut({ parent, ending }: ListedTree, node: number): boolean {
  let root = node;
  while (parent[root] >= 0) root = parent[root];
  return ending[root] === CUT;
}

/** What rows have beside the tree. */
interface RowParts {
  /** Undefined if nodes have no totals. */
  readonly sum: number | undefined;
  readonly sampling: Sampling | undefined;
  readonly further: Partial<ReturnType<typeof durationCells>> & ReturnType<typeof idCell>;
  readonly handle: (row: number) => string | undefined;
}

function treeRows(tree: ListedTree, { nodes, depth }: TreePage, { sum, sampling, further, handle }: RowParts) {
  const { base } = tree;
  const total = (i: number): number | null => (sum === undefined ? null : tree.total[nodes[i]]);
  const baseTotal = (i: number): number | null =>
    sum === undefined || base === undefined ? null : base.total[nodes[i]];
  const cells = {
    id: (i: number) => nodes[i],
    parent: (i: number) => tree.parent[nodes[i]],
    depth: (i: number) => depth[i],
    delta: (i: number) => difference(total(i), baseTotal(i)),
    base_total: baseTotal,
    total,
    total_low: (i: number) => endsOf(total(i), sampling).low,
    total_high: (i: number) => endsOf(total(i), sampling).high,
    total_share: (i: number) => (sum === undefined ? null : share(tree.total[nodes[i]], sum)),
    self: (i: number) => tree.self[nodes[i]],
    base_self: (i: number) => base?.self[nodes[i]] ?? null,
    ...further,
    function: (i: number) => tree.name(nodes[i]),
    begins: (i: number) => STACK_ENDINGS[tree.ending[nodes[i]]] ?? null,
    at_least: (i: number) => sum !== undefined && !isBelowCut(tree, nodes[i]) && tree.mayBeLarger(nodes[i]),
    handle,
    stack: (i: number) => tree.stack(nodes[i]),
  };
  return rowsOfCells(cells, range(0, nodes.length));
}
