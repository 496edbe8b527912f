/**
 * `flame`: the whole call tree, for a picture. Its nodes are typed columns, each one base64 text in JSON
 * (base/base64.ts): 24 bytes a node, 40 with a base. Front ends draw them with flame/picture.ts.
 *
 * Nodes are ordered level by level, siblings adjacent and by name: the children of a node are consecutive, and so is
 * every depth.
 */
import { z } from 'zod';
import { type FlameNodes, flameNodesUse } from '../../analysis/flame/flame-nodes.js';
import { FLAME_KINDS, type FlameTree, flameTreeUse, joinedUse } from '../../analysis/flame/flame-tree.js';
import { mainPackagesUse } from '../../analysis/flame/main-packages.js';
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type NodesOfTree, nodeHandles } from '../../analysis/stacks/node-handles.js';
import { callTreeUse } from '../../analysis/stacks/tree-stages.js';
import { mapped } from '../../base/columns/marks.js';
import { TooLargeError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption, theView } from '../../base/phrase.js';
import { formatCount, formatValue, plural, UNITS } from '../../base/units.js';
import { type Metric, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { addsUp, isDrawable } from '../../models/profile/usual-metric.js';
import { FRAME_MODES } from '../../models/program/program.js';
import { FLAME_OPTIONS } from '../../questions/options/recording.js';
import { relationNotes } from '../diff/runs.js';
import { COMMON, common } from '../listing.js';
import { baseMetric, METRIC_SHAPE, metricFor, metricOf } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';
import { refuseArcs } from '../recording/arcs.js';
import { metricNotesUse } from '../recording/function-values.js';
import { packedNodes } from './node-columns.js';
import { float64, int8, int32 } from './packed.js';
import { bytesOfSamples, type Sampled, samplesShape, treeSamples } from './samples.js';

const INVERTED = note(
  'inverted',
  'Inverted: callers are below their callees; a box is the part of the top function reached along this path.',
);

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
  version: 3,
  title: 'Flame graph',
  options: FLAME_OPTIONS,
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
    main_packages: z
      .array(z.string())
      .describe(
        'packages with the most frames in the whole recordings, whatever the scope and the metric: those with a colour of their own',
      ),
    functions: z.object({
      name: z.array(z.string()),
      package: z.array(z.number().int()).meta({ description: 'index into packages' }),
      kind: z.array(z.number().int()).meta({ description: 'index into kinds' }),
    }),
    nodes: nodesShape,
    stacks: z
      .array(z.string().nullable())
      .nullable()
      .describe(
        'with the option handles: of each node the handle of its path, which focus and ignore take; null for nodes of the base alone, and for several nodes shown as one',
      ),
    samples: samplesShape.meta({
      description:
        'with the option samples, of a whole tree from the roots: its samples, if they have threads or times',
    }),
  },
  refuses: ['sort', 'offset'],
  needs: (input, options) => {
    const metric = metricFor(input, options.metric, (each) => isDrawable(each, options.inverted));
    requireSummable(requireProfile(input), metric, input.recording.name, options.inverted);
    const { subject, base } = input;
    const { inverted, depth, minShare, normalise, mostFrames } = options;
    if (inverted && mostFrames !== undefined) requireFewFrames(requireProfile(input), mostFrames);
    const choice = { metric, inverted, baseMetric: base && baseMetric(input, base, metric), normalise };
    const tree = flameTreeUse(subject, base?.subject, choice);
    return {
      remarks: metricNotesUse(subject, metric),
      drawn: tree,
      now: options.handles ? callTreeUse(subject, choice) : undefined,
      joined: options.handles ? base && joinedUse(subject, base.subject, choice) : undefined,
      shown: flameNodesUse(tree, depth, minShare),
      united: base && unitedUse([subject, base.subject]),
      coloured: mainPackagesUse([subject, ...(base === undefined ? [] : [base.subject])]),
    };
  },
  answer: async (input, options, { remarks, drawn, now, joined, shown: shownSamples, united, coloured }) => {
    const profile = requireProfile(input);
    const metric = metricFor(input, options.metric, (each) => isDrawable(each, options.inverted));
    const { sum, baseSum } = drawn;
    const { omittedCount, place } = shownSamples;
    // The title of the metric is beside the picture anyway; the remarks of its recorder are not.
    const [, ...metricRemarks] = remarks.notes;
    const base = input.base?.recording;
    const samples = samplingOf(metric, profile)?.samples ?? null;
    return {
      ...common(input, [
        ...relations(input, united),
        ...notes(input, options, drawn, metric, omittedCount, samples !== null),
        ...metricRemarks,
      ]),
      metric: { ...metricOf(metric), sum, samples },
      inverted: options.inverted,
      base: base === undefined ? null : { recording: base.name, complete: base.complete, sum: baseSum },
      left_out: omittedCount,
      kinds: [...FLAME_KINDS],
      endings: [...STACK_ENDINGS],
      modes: [...FRAME_MODES],
      packages: [...shownSamples.packages],
      main_packages: [...coloured],
      functions: shownSamples.functions,
      nodes: packedNodes(shownSamples.nodes),
      stacks:
        now === undefined ? null : stacksOf(input, shownSamples, { tree: now, joined, inverted: options.inverted }),
      samples:
        options.samples && !options.inverted && omittedCount === 0
          ? await input.kept('samples', bytesOfSamples, () =>
              treeSamples(...sampled(input, profile, metric, drawn, place)),
            )
          : null,
    };
  },
});

/** The handle of each node of the picture. */
function stacksOf({ recording, profile }: ViewInput, { place, nodes }: FlameNodes, source: NodesOfTree) {
  const handles: (string | null)[] = Array.from({ length: nodes.length }, () => null);
  if (profile === undefined) return handles;
  const handleOf = nodeHandles(recording.program, profile.stacks, source);
  for (let node = 0; node < place.length; node++) if (place[node] >= 0) handles[place[node]] = handleOf(node) ?? null;
  return handles;
}

/** An inverted tree may have a node for each frame of each stack. */
function requireFewFrames({ stacks: { parent } }: Profile, mostFrames: number): void {
  const depth = new Int32Array(parent.length);
  let frames = 0;
  for (let id = 0; id < parent.length; id++) {
    depth[id] = parent[id] >= 0 ? depth[parent[id]] + 1 : 1;
    frames += depth[id];
  }
  if (frames > mostFrames)
    throw new TooLargeError(`the stacks have more than ${plural(mostFrames, 'frame')}`, { code: 'stacks-too-deep' });
}

function requireSummable(profile: Profile, metric: Metric, name: string, inverted: boolean): void {
  refuseArcs(metric, name);
  if (addsUp(metric, inverted)) return;
  const others = profile.metrics.filter((other) => addsUp(other, inverted)).map((other) => other.id);
  throw new UsageError(
    `${name}: ${metric.title.toLowerCase()} do not add up along stacks: a flame graph from the roots is not possible`,
    {
      code: 'not-summable',
      advice: phrase`Use ${theOption('inverted')}, or a metric that adds up${others.length === 0 ? ' (this recording has none)' : `: ${others.join(', ')}`}.`,
      action: { set: { inverted: true } },
    },
  );
}

function relations(input: ViewInput, united: UnitedPrograms | undefined): Note[] {
  if (input.base === undefined || united === undefined) return [];
  return relationNotes({ runs: [input, input.base], bases: 1, united });
}

/** The events of the recording, and of the base if there is one, by the places of their nodes. */
function sampled(
  input: ViewInput,
  profile: Profile,
  metric: Metric,
  { ofStack, ofBaseStack, scale }: FlameTree,
  place: Int32Array,
): [Sampled, Sampled?] {
  const now = { profile, program: input.recording.program, metric, nodeOf: mapped(ofStack, place), scale: 1 };
  const { base } = input;
  if (base?.profile === undefined) return [now];
  const { program } = base.recording;
  const chosen = baseMetric(input, base, metric);
  return [now, { profile: base.profile, program, metric: chosen, nodeOf: mapped(ofBaseStack, place), scale }];
}

const BY_CHANCE = note(
  'by-chance',
  phrase`Boxes of few samples differ by chance; ${theView('diff')} lists the changes beyond it.`,
  { action: { ask: theView('diff') } },
);

function damageOf(name: string): Note {
  return note(
    'damaged',
    phrase`Part of ${name} could not be read; its numbers cover the rest (see ${theView('check')}).`,
    { about: { recording: name }, action: { ask: theView('check') } },
  );
}

function notes(
  input: ViewInput,
  options: {
    readonly inverted: boolean;
    readonly depth: number;
    readonly minShare: number;
    readonly normalise: boolean;
  },
  { sum, baseSum, tree, unsure }: FlameTree,
  { unit, resolution }: Metric,
  leftOut: number,
  isSampled: boolean,
): Note[] {
  const noteList = options.inverted ? [INVERTED] : [];
  if (input.base !== undefined) {
    const { name } = input.base.recording;
    noteList.push(
      note('compared', `Compared with ${name} path by path; a box is as wide as the larger of the two values.`),
    );
    if (options.normalise)
      noteList.push(note('scaled', `The base is scaled to the same total: ${formatValue(sum, unit, resolution)}.`));
    else if (sum !== baseSum)
      noteList.push(
        note(
          'absolute',
          `Differences are absolute, not of shares: total ${formatValue(sum, unit, resolution)}, base ${formatValue(baseSum, unit, resolution)}.`,
          { action: { set: { normalise: true } } },
        ),
      );
    if (isSampled) noteList.push(BY_CHANCE);
    if (unsure > 0)
      noteList.push(
        note(
          'ambiguous',
          `${plural(unsure, 'function')} not joined, shown as new and vanished: the name is ambiguous.`,
        ),
      );
    if (!input.base.recording.complete) noteList.push(damageOf(name));
  }
  if (leftOut === 0) return noteList;
  const limits = [
    ...(options.depth === 0 ? [] : [`deeper than ${formatCount(options.depth)} levels`]),
    ...(options.minShare === 0 ? [] : [`less than ${formatValue(options.minShare, 'ratio')} of all`]),
  ];
  const counted = `${formatCount(leftOut)} of ${formatCount(tree.length)} nodes`;
  const omitted = `Omitted: ${counted} (${limits.join(' or ')}). Totals include them; a search does not find them.`;
  return [...noteList, note('nodes-left-out', omitted)];
}
