/**
 * `flame`: the whole call tree, for a picture. Its nodes are typed columns, each one base64 text in JSON
 * (base/base64.ts): 24 bytes a node, 40 with a base. Front ends draw them with flame/picture.ts.
 *
 * Nodes are ordered level by level, siblings adjacent and by name: the children of a node are consecutive, and so is
 * every depth.
 */
import { z } from 'zod';
import { MATCHES, type United, type UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { originOf } from '../../analysis/origin.js';
import { packagePart } from '../../analysis/packages.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { callTree } from '../../analysis/stacks/call-tree.js';
import { joinTrees, keptNodes, type LabelledTree, levelOrder } from '../../analysis/stacks/level-order.js';
import { exclusiveUse } from '../../analysis/stacks/stages.js';
import { PackedColumn } from '../../base/base64.js';
import { mapped, taken } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { formatCount, formatValue, plural, UNITS } from '../../base/units.js';
import { type Metric, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { className, functionSignature } from '../../models/program/names.js';
import { FRAME_MODES, FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { ORIGINS } from '../../models/scope.js';
import { relationNotes } from '../diff/runs.js';
import { COMMON, common } from '../listing.js';
import { baseMetric, type Fits, METRIC_SHAPE, metricFor, metricOf } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';
import { refuseArcs } from '../recording/arcs.js';
import { metricNotes } from '../recording/function-values.js';
import { addsUp } from '../recording/tree.js';
import { nodeColumns, placesOf } from './node-columns.js';
import { float64, int8, int32 } from './packed.js';
import { ranks } from './ranks.js';
import { type Sampled, samplesShape, treeSamples } from './samples.js';

/** Whose code a function is; `native`: not Java; `pseudo`: not a function, such as `<Truncated-stack>`. */
export const FLAME_KINDS = [...ORIGINS, 'native', 'kernel', 'pseudo'] as const;

const INVERTED =
  'Inverted: callers are below their callees; a box is the part of the top function reached along this path.';

const nodesShape = z.object({
  length: z.number().int(),
  encoding: z.literal('base64-le').meta({ description: 'of each column: typed arrays, little-endian, as base64' }),
  parent: int32(
    'node',
    'number of the node above, -1 at a root; parents come first, siblings are adjacent and sorted by name',
  ),
  function: int32('node', 'index into functions'),
  mode: int8(
    'node',
    'index into modes, how the code ran; -1 if in several ways; null if the recording does not know',
  ).nullable(),
  begins: int8('node', 'index into endings, how stacks begin that start with this frame; -1 elsewhere'),
  self: float64('node', 'the node itself; if inverted, the value of its path'),
  total: float64('node', 'the node and all below it, including omitted nodes'),
  base_self: float64('node', 'self in the base; 0 if the base does not have the path').nullable(),
  base_total: float64('node', 'total in the base').nullable(),
});

export const flameView = defineView({
  name: 'flame',
  version: 1,
  title: 'Flame graph',
  options: z.object({
    metric: z.string().optional(),
    inverted: z.boolean().default(false),
    depth: z.number().int().min(0).default(0),
    minShare: z.number().min(0).max(1).default(0),
    normalise: z.boolean().default(false),
    samples: z.boolean().default(false),
  }),
  shape: {
    ...COMMON,
    metric: z.object({
      ...METRIC_SHAPE,
      unit: z.enum(UNITS),
      sum: z.number(),
      samples: z.number().nullable().describe('number of samples in the sum; null if the numbers were not sampled'),
    }),
    inverted: z.boolean(),
    base: z
      .object({ recording: z.string(), complete: z.boolean(), sum: z.number() })
      .nullable()
      .meta({ description: 'the recording compared with' }),
    left_out: z.number().int().meta({ description: 'number of nodes below the depth or share limit' }),
    kinds: z.array(z.enum(FLAME_KINDS)),
    endings: z.array(z.enum(STACK_ENDINGS)),
    modes: z.array(z.enum(FRAME_MODES)),
    packages: z.array(z.string()),
    functions: z.object({
      name: z.array(z.string()),
      package: z.array(z.number().int()).meta({ description: 'index into packages' }),
      kind: z.array(z.number().int()).meta({ description: 'index into kinds' }),
    }),
    nodes: nodesShape,
    samples: samplesShape.meta({
      description:
        'with the option samples, of a whole tree from the roots: its samples, if they have threads or times',
    }),
  },
  refuses: ['sort', 'offset'],
  needs: (input, options) => {
    const metric = metricFor(input, options.metric, drawable(options.inverted));
    requireSummable(requireProfile(input), metric, input.recording.name, options.inverted);
    const exclusive = exclusiveUse(input.subject, metric);
    if (input.base === undefined) return { exclusive, base: undefined, united: undefined };
    return {
      exclusive,
      base: exclusiveUse(input.base.subject, baseMetric(input, input.base, metric)),
      united: unitedUse([input.subject, input.base.subject]),
    };
  },
  answer: (input, options, values: FlameValues) => {
    const { exclusive } = values;
    const profile = requireProfile(input);
    const metric = metricFor(input, options.metric, drawable(options.inverted));
    const drawn = drawnTree(input, profile, values, options.inverted, options.normalise);
    const { tree, sum, baseSum } = drawn;
    const least = (of: number): number => (options.minShare === 0 ? 0 : options.minShare * Math.abs(of) || Infinity);
    const kept = keptNodes(tree, options.depth, least(sum), least(baseSum));
    const order = levelOrder(tree, kept, ranks(drawn.labels.names));
    const leftOut = tree.length - order.length;
    const place = placesOf(order, tree.length);
    // The title of the metric is beside the picture anyway; the remarks of its recorder are not.
    const [, ...remarks] = metricNotes(metric, profile, input.recording.program, exclusive);
    const base = input.base?.recording;
    const samples = samplingOf(metric, profile)?.samples ?? null;
    return {
      ...common(input, [
        ...relations(input, values),
        ...notes(input, options, drawn, metric, leftOut, samples !== null),
        ...remarks,
      ]),
      metric: { ...metricOf(metric), sum, samples },
      inverted: options.inverted,
      base: base === undefined ? null : { recording: base.name, complete: base.complete, sum: baseSum },
      left_out: leftOut,
      kinds: [...FLAME_KINDS],
      endings: [...STACK_ENDINGS],
      modes: [...FRAME_MODES],
      ...tables(tree, order, place, drawn.labels),
      samples:
        options.samples && !options.inverted && leftOut === 0
          ? treeSamples(...sampled(input, profile, metric, drawn, place))
          : null,
    };
  },
});

/** Whether a flame graph can show a metric. */
export function drawable(inverted: boolean): Fits {
  return (metric) => metric.table !== ARCS.kind && addsUp(metric, inverted);
}

function requireSummable(profile: Profile, metric: Metric, name: string, inverted: boolean): void {
  refuseArcs(metric, name);
  if (addsUp(metric, inverted)) return;
  const others = profile.metrics.filter((other) => addsUp(other, inverted)).map((other) => other.id);
  throw new UsageError(
    `${name}: ${metric.title.toLowerCase()} do not add up along stacks: a flame graph from the roots is not possible`,
    `Use --inverted, or a metric that adds up${others.length === 0 ? ' (this recording has none)' : `: ${others.join(', ')}`}.`,
  );
}

interface Labels {
  readonly names: string[];
  readonly packages: string[];
  /** Index into `FLAME_KINDS`. */
  readonly kinds: number[];
}

interface Drawn {
  readonly tree: LabelledTree;
  readonly labels: Labels;
  readonly sum: number;
  readonly baseSum: number;
  /** The node of each stack, -1 for none, and that of each stack of the base; empty if inverted. */
  readonly ofStack: Int32Array;
  readonly ofBaseStack: Int32Array;
  /** Values of the base are multiplied by this. */
  readonly scale: number;
  /** Functions that may or may not be the same in the base. */
  readonly unsure: number;
}

const NO_STACKS = new Int32Array();

interface FlameValues {
  readonly exclusive: Float64Array;
  /** The labels of the base, and the names of both. */
  readonly base: Float64Array | undefined;
  readonly united: UnitedPrograms | undefined;
}

function relations(input: ViewInput, { united }: FlameValues): string[] {
  if (input.base === undefined || united === undefined) return [];
  return relationNotes({ runs: [input, input.base], bases: 1, united });
}

function drawnTree(
  input: ViewInput,
  profile: Profile,
  { exclusive, base: baseValues, united }: FlameValues,
  inverted: boolean,
  normalise: boolean,
): Drawn {
  const { program } = input.recording;
  const now = callTree(profile, program, exclusive, { inverted, bySite: false });
  const labels: Labels = { names: [], packages: [], kinds: [] };
  const sum = total(exclusive);
  if (input.base?.profile === undefined || baseValues === undefined || united === undefined) {
    const label = compact(now.function, program.functions.length, (id) => addLabel(labels, program, id));
    const ofStack = inverted ? NO_STACKS : now.ofStack;
    return { tree: { ...now, label }, labels, sum, baseSum: 0, ofStack, ofBaseStack: NO_STACKS, scale: 1, unsure: 0 };
  }
  const other = input.base.recording;
  const scale = normalise ? scaleTo(sum, total(baseValues)) : 1;
  const scaled = scale === 1 ? baseValues : baseValues.map((value) => value * scale);
  const base = callTree(input.base.profile, other.program, scaled, { inverted, bySite: false });
  const { functions } = united;
  const known = new Int32Array(functions.length).fill(-1);
  const labelsOf = (from: Program, rows: Int32Array, used: Int32Array): Int32Array => {
    const byFunction = new Int32Array(from.functions.length).fill(-1);
    for (const id of used) {
      const row = rows[id];
      if (known[row] < 0) known[row] = addLabel(labels, from, id, functions.name(row));
      byFunction[id] = known[row];
    }
    return byFunction;
  };
  const nowLabels = labelsOf(program, functions.rows[0], now.function);
  const baseLabels = labelsOf(other.program, functions.rows[1], base.function);
  const tree = joinTrees(now, nowLabels, base, baseLabels, inverted);
  const [nowPlaces, basePlaces] = tree.places;
  return {
    tree,
    labels,
    sum,
    baseSum: total(scaled),
    ofStack: inverted ? NO_STACKS : mapped(now.ofStack, nowPlaces),
    ofBaseStack: inverted ? NO_STACKS : mapped(base.ofStack, basePlaces),
    scale,
    unsure: unsure(functions, known),
  };
}

/** The events of the recording, and of the base if there is one, by the places of their nodes. */
function sampled(
  input: ViewInput,
  profile: Profile,
  metric: Metric,
  { ofStack, ofBaseStack, scale }: Drawn,
  place: Int32Array,
): [Sampled, Sampled?] {
  const now = { profile, program: input.recording.program, metric, nodeOf: mapped(ofStack, place), scale: 1 };
  const { base } = input;
  if (base?.profile === undefined) return [now];
  const { program } = base.recording;
  const chosen = baseMetric(input, base, metric);
  return [now, { profile: base.profile, program, metric: chosen, nodeOf: mapped(ofBaseStack, place), scale }];
}

/** The number of labelled functions that were not joined because they are ambiguous. */
function unsure(functions: United, labels: Int32Array): number {
  const ambiguous = MATCHES.indexOf('ambiguous');
  return labels.reduce((sum, label, row) => sum + (label >= 0 && functions.match[row] === ambiguous ? 1 : 0), 0);
}

/** What makes `own` a total of `sum`. */
function scaleTo(sum: number, own: number): number {
  if (own > 0 && sum > 0) return sum / own;
  throw new UsageError('the base cannot be scaled: one of the recordings has no total', 'Omit --normalise.');
}

function total(values: Float64Array): number {
  return values.reduce((all, value) => all + value, 0);
}

/** The column with each id, below `most`, replaced by the result of `add`, called once an id. */
function compact(ids: Int32Array, most: number, add: (id: number) => number): Int32Array {
  const known = new Int32Array(most).fill(-1);
  const labels = new Int32Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (known[id] < 0) known[id] = add(id);
    labels[i] = known[id];
  }
  return labels;
}

function addLabel(labels: Labels, program: Program, id: FunctionId, name = functionSignature(program, id)): number {
  const declaring = program.functions.class[id] ?? -1;
  const kind = FUNCTION_KINDS[program.functions.kind[id]];
  const owner = declaring < 0 ? '' : className(program, declaring);
  labels.names.push(name);
  labels.packages.push(packagePart(owner));
  labels.kinds.push(
    FLAME_KINDS.indexOf(kind === 'native' || kind === 'kernel' || kind === 'pseudo' ? kind : originOf(program, id)),
  );
  return labels.names.length - 1;
}

function notes(
  input: ViewInput,
  options: {
    readonly inverted: boolean;
    readonly depth: number;
    readonly minShare: number;
    readonly normalise: boolean;
  },
  { sum, baseSum, tree, unsure }: Drawn,
  { unit, resolution }: Metric,
  leftOut: number,
  isSampled: boolean,
): string[] {
  const said = options.inverted ? [INVERTED] : [];
  if (input.base !== undefined) {
    const { name } = input.base.recording;
    said.push(`Compared with ${name} path by path; a box is as wide as the larger of the two values.`);
    if (options.normalise) said.push(`The base is scaled to the same total: ${formatValue(sum, unit, resolution)}.`);
    else if (sum !== baseSum)
      said.push(
        `Differences are absolute, not of shares: total ${formatValue(sum, unit, resolution)}, base ${formatValue(baseSum, unit, resolution)}.`,
      );
    if (isSampled) said.push('Boxes of few samples differ by chance; `diff` lists the changes beyond it.');
    if (unsure > 0)
      said.push(`${plural(unsure, 'function')} not joined, shown as new and vanished: the name is ambiguous.`);
    if (!input.base.recording.complete)
      said.push(`Part of ${name} could not be read; its numbers cover the rest (see \`check\`).`);
  }
  if (leftOut === 0) return said;
  const limits = [
    ...(options.depth === 0 ? [] : [`deeper than ${formatCount(options.depth)} levels`]),
    ...(options.minShare === 0 ? [] : [`less than ${formatValue(options.minShare, 'ratio')} of all`]),
  ];
  const counted = `${formatCount(leftOut)} of ${formatCount(tree.length)} nodes`;
  return [...said, `Omitted: ${counted} (${limits.join(' or ')}). Totals include them; a search does not find them.`];
}

/** The tree in the given order as columns, with its remaining functions. */
function tables(tree: LabelledTree, order: Int32Array, place: Int32Array, labels: Labels) {
  const name: string[] = [];
  const kind: number[] = [];
  const inPackage: number[] = [];
  const packages = new Map<string, number>();
  const used = compact(taken(tree.label, order), labels.names.length, (label) => {
    const known = labels.packages[label] ?? '';
    if (!packages.has(known)) packages.set(known, packages.size);
    inPackage.push(packages.get(known) ?? 0);
    kind.push(labels.kinds[label] ?? 0);
    return name.push(labels.names[label] ?? '') - 1;
  });
  return {
    packages: [...packages.keys()],
    functions: { name, package: inPackage, kind },
    nodes: { ...nodeColumns(tree, order, place), function: new PackedColumn(used) },
  };
}
