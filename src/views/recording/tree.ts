/** `tree`: the heaviest nodes of the call tree, top-down or inverted, each below its caller. */
import { z } from 'zod';
import type { Sampling } from '../../analysis/interval.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type CallTree, callTree, heaviestNodes, type TreePage } from '../../analysis/stacks/call-tree.js';
import { mayBeLarger } from '../../analysis/stacks/cut-stacks.js';
import { durationsBelow, durationsOf } from '../../analysis/stacks/durations.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { share } from '../../base/share.js';
import { type Metric, STACK_ENDINGS } from '../../models/profile/profile.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import {
  DURATIONS_OPTION,
  durationCells,
  durationFields,
  durationMetric,
  durationRow,
  withDurations,
} from '../duration-columns.js';
import { ERROR_OPTION, endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { AT_LEAST, common, listingShape, maybe, metricColumns, number, text } from '../listing.js';
import { type Fits, METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { defineView } from '../question.js';
import { refuseArcs } from './arcs.js';
import { metricNotes } from './function-values.js';

const row = z.object({
  total: maybe('Total', 'count', 'the node and everything below it'),
  total_low: lowEnd('Total'),
  total_high: highEnd('Total'),
  total_share: maybe('Total %', 'ratio', 'share of the sum'),
  self: number('Self', 'count', 'the node itself'),
  ...durationFields('those of the node and everything below it'),
  function: text('Function', 'class, method and parameter types'),
});

const node = row.extend({
  id: z.number().describe('number of the node; stable for the same file and question'),
  parent: z.number().describe('id of the node above, -1 at a root'),
  depth: z.number(),
  begins: z.enum(STACK_ENDINGS).nullable().describe('how stacks begin that start with this frame'),
  at_least: AT_LEAST,
});

const INVERTED = 'Inverted: each row is the part of the top function that was reached along this path.';

export const treeView = defineView({
  name: 'tree',
  version: 1,
  title: 'Call tree',
  options: z.object({
    metric: z.string().optional(),
    inverted: z.boolean().default(false),
    depth: z.number().int().min(0).default(0),
    error: ERROR_OPTION,
    durations: DURATIONS_OPTION,
  }),
  shape: {
    ...listingShape(node),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }),
    inverted: z.boolean(),
  },
  refuses: ['sort', 'offset'],
  needs: (input, options) => {
    const metric = durationMetric(input, options.metric, options.durations, summable(options.inverted));
    refuseArcs(metric, input.recording.name);
    return { exclusive: exclusiveUse(input.subject, metric), functions: functionsUse(input.subject) };
  },
  answer: (input, options, { exclusive, functions }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const metric = durationMetric(input, options.metric, options.durations, summable(options.inverted));
    const sum = exclusive.reduce((all, value) => all + value, 0);
    const tree = callTree(profile, program, exclusive, { inverted: options.inverted, bySite: false });
    const sampling = samplingOf(metric, profile);
    const summed = addsUp(metric, options.inverted);
    const weight = summed ? tree.total : tree.largest;
    // Inverted, a path ends where its stack was cut: its values are exact.
    const larger = options.inverted ? undefined : mayBeLarger(profile, program, functions, exclusive);
    const page = heaviestNodes(tree, weight, input.page.limit, options.depth);
    const below = options.durations ? durationsBelow(profile, metric, tree.parent, tree.ofStack) : undefined;
    const cells = below && durationCells((id) => durationsOf(below, Int32Array.of(id)));
    const values = ['self', 'total', ...endKeys('total')];
    const columns = metricColumns(row.extend({ at_least: AT_LEAST }), metric, values).filter(({ key }) =>
      shows(key, summed, options.inverted),
    );
    return {
      ...common(input, [
        ...(options.inverted ? [INVERTED] : []),
        ...metricNotes(metric, profile, program, exclusive),
        ...errorNotes(options.error, sampling),
      ]),
      metric: { ...metricOf(metric), sum },
      inverted: options.inverted,
      columns: withDurations(withEnds(columns, options.error, sampling), options.durations),
      total: page.of,
      offset: 0,
      rows: treeRows(tree, page, program, summed ? sum : undefined, larger, sampling, cells),
    };
  },
});

/** Metrics that have totals in a tree. */
function summable(inverted: boolean): Fits {
  return (metric) => addsUp(metric, inverted);
}

/**
 * Whether the nodes of a tree have totals. Levels are those of one moment here, at which the values below a frame add
 * up. Inverted, a node's total is a part of its root's self value, which may be summed for any metric.
 */
export function addsUp(metric: Metric, inverted: boolean): boolean {
  return inverted || metric.nature === 'flow' || metric.nature === 'level';
}

/** Whether a column is shown. Inverted, the self value of a path is a part of its total: that column would only mislead. */
function shows(key: string, summed: boolean, inverted: boolean): boolean {
  return key === 'self' ? !inverted : summed || !key.startsWith('total');
}

const CUT = STACK_ENDINGS.indexOf('cut');

/** For each node, whether its stacks were cut: 1 below roots that represent cut frames. */
function belowCut(tree: CallTree): Uint8Array {
  const below = new Uint8Array(tree.length);
  for (let node = 0; node < tree.length; node++) {
    const above = tree.parent[node];
    below[node] = above >= 0 ? below[above] : tree.ending[node] === CUT ? 1 : 0;
  }
  return below;
}

function treeRows(
  tree: CallTree,
  page: TreePage,
  program: Program,
  sum: number | undefined,
  larger: Uint8Array | undefined,
  sampling: Sampling | undefined,
  cells: ReturnType<typeof durationCells> | undefined,
) {
  const below = belowCut(tree);
  const rows: z.input<typeof node>[] = [];
  page.nodes.forEach((id, index) => {
    const ends = endsOf(sum === undefined ? null : tree.total[id], sampling);
    rows.push({
      id,
      parent: tree.parent[id],
      depth: page.depth[index],
      total: sum === undefined ? null : tree.total[id],
      total_low: ends.low,
      total_high: ends.high,
      total_share: sum === undefined ? null : share(tree.total[id], sum),
      self: tree.self[id],
      ...(cells && durationRow(cells, id)),
      function: functionSignature(program, tree.function[id]),
      begins: STACK_ENDINGS[tree.ending[id]] ?? null,
      at_least: sum !== undefined && below[id] === 0 && larger?.[tree.function[id]] === 1,
    });
  });
  return rows;
}
