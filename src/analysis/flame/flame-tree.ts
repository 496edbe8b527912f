/** The tree of a flame graph, alone or joined with that of a base, and the labels of its nodes: a stage. */
import { sumOf } from '../../base/columns/columns.js';
import { mapped } from '../../base/columns/marks.js';
import { type Get, type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric } from '../../models/profile/profile.js';
import { className, functionSignature } from '../../models/program/names.js';
import { FUNCTION_KINDS, type FunctionId, type Program } from '../../models/program/program.js';
import { ORIGINS } from '../../models/scope.js';
import { MATCHES, type United } from '../identity/unite.js';
import { unitedUse } from '../identity/united.js';
import { originOf } from '../origin.js';
import { packagePart } from '../packages.js';
import type { JoinedTree, LabelledTree } from '../stacks/level-order.js';
import { exclusiveUse } from '../stacks/stages.js';
import { callTreeUse, type JoinedChoice, joinedTreeUse, scaleTo, sidesOf } from '../stacks/tree-stages.js';

/** Whose code a function is; `native`: not Java; `pseudo`: not a function, such as `<Truncated-stack>`. */
export const FLAME_KINDS = [...ORIGINS, 'native', 'kernel', 'pseudo'] as const;

/** What is shown of a function; labels of a tree are rows. */
export interface FlameLabels {
  readonly names: string[];
  readonly packages: string[];
  /** Index into `FLAME_KINDS`. */
  readonly kinds: number[];
}

export interface FlameTree {
  readonly tree: LabelledTree;
  readonly labels: FlameLabels;
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

/** Which flame graph of one or two subjects. */
export interface FlameChoice {
  readonly metric: Metric;
  readonly inverted: boolean;
  /** The metric of the base; undefined without a base. */
  readonly baseMetric: Metric | undefined;
  /** The base is scaled to the total of the other. */
  readonly normalise: boolean;
}

const NO_STACKS = new Int32Array();

const flameStage: Stage<FlameTree, FlameChoice> = {
  name: 'flame graph',
  version: 1,
  key: ({ metric, inverted, baseMetric, normalise }) =>
    JSON.stringify([metric.id, inverted, baseMetric?.id ?? null, normalise]),
  needs: (of, choice) => usesOf(of, choice),
  run: (of, choice, get) => (of.length === 1 ? aloneTree(of[0], choice, get) : comparedTree(of, choice, get)),
  bytes: ({ tree: { label, mode }, labels, ofStack, ofBaseStack }) =>
    label.byteLength +
    (mode?.byteLength ?? 0) +
    ofStack.byteLength +
    ofBaseStack.byteLength +
    labels.names.reduce((sum, { length }) => sum + length, 0),
};

function usesOf(of: readonly Subject[], choice: FlameChoice): readonly StageUse<unknown>[] {
  const [subject, base] = of;
  const own = exclusiveUse(subject, choice.metric);
  if (choice.baseMetric === undefined) return [own, callTreeUse(subject, choice)];
  const joined = joinedUse(subject, base, choice);
  return [own, exclusiveUse(base, choice.baseMetric), unitedUse(of), joined, ...joined.needs()];
}

/** The joined tree of a flame graph with a base. */
export function joinedUse(subject: Subject, base: Subject, choice: FlameChoice): StageUse<JoinedTree> {
  return joinedTreeUse(subject, base, joinedChoice(choice));
}

function joinedChoice({ metric, inverted, baseMetric = metric, normalise }: FlameChoice): JoinedChoice {
  return { metric, inverted, baseMetric, normalise };
}

/** The tree of a flame graph. `choice.baseMetric` is given if there is a base. */
export function flameTreeUse(subject: Subject, base: Subject | undefined, choice: FlameChoice): StageUse<FlameTree> {
  return use(flameStage, base === undefined ? [subject] : [subject, base], choice);
}

async function aloneTree(subject: Subject, choice: FlameChoice, get: Get): Promise<FlameTree> {
  const tree = await get(callTreeUse(subject, choice));
  const { program } = subject.snapshot.recording;
  const labels: FlameLabels = { names: [], packages: [], kinds: [] };
  const label = numbered(tree.function, program.functions.length, (id) => addLabel(labels, program, id));
  return {
    tree: { ...tree, label },
    labels,
    sum: sumOf(await get(exclusiveUse(subject, choice.metric))),
    baseSum: 0,
    ofStack: choice.inverted ? NO_STACKS : tree.ofStack,
    ofBaseStack: NO_STACKS,
    scale: 1,
    unsure: 0,
  };
}

async function comparedTree(of: readonly Subject[], choice: FlameChoice, get: Get): Promise<FlameTree> {
  const joined = joinedChoice(choice);
  const [now, base] = sidesOf(of, joined);
  const [nowTree, baseTree] = [await get(now), await get(base)];
  const [values, baseValues] = [
    await get(exclusiveUse(of[0], choice.metric)),
    await get(exclusiveUse(of[1], joined.baseMetric)),
  ];
  const scale = choice.normalise ? scaleTo(values, baseValues) : 1;
  const { functions } = await get(unitedUse(of));
  const labels: FlameLabels = { names: [], packages: [], kinds: [] };
  const labelOfRow = new Int32Array(functions.length).fill(-1);
  for (const [side, tree] of [nowTree, baseTree].entries())
    for (const id of tree.function) {
      const row = functions.rows[side][id];
      const { program } = of[side].snapshot.recording;
      if (labelOfRow[row] < 0) labelOfRow[row] = addLabel(labels, program, id, functions.name(row));
    }
  const tree = await get(joinedUse(of[0], of[1], choice));
  const [nowPlaces, basePlaces] = tree.places;
  return {
    tree: { ...tree, label: mapped(tree.label, labelOfRow) },
    labels,
    sum: sumOf(values),
    baseSum: scale === 1 ? sumOf(baseValues) : sumOf(baseValues.map((value) => value * scale)),
    ofStack: choice.inverted ? NO_STACKS : mapped(nowTree.ofStack, nowPlaces),
    ofBaseStack: choice.inverted ? NO_STACKS : mapped(baseTree.ofStack, basePlaces),
    scale,
    unsure: unsureCount(functions, labelOfRow),
  };
}

/** The number of labelled functions that were not joined because they are ambiguous. */
function unsureCount(functions: United, labels: Int32Array): number {
  const ambiguous = MATCHES.indexOf('ambiguous');
  return labels.reduce((sum, label, row) => sum + (label >= 0 && functions.match[row] === ambiguous ? 1 : 0), 0);
}

/** The column with each id, below `most`, replaced by the result of `add`, called once an id. */
export function numbered(ids: Int32Array, most: number, add: (id: number) => number): Int32Array {
  const numbers = new Int32Array(most).fill(-1);
  const column = new Int32Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    if (numbers[id] < 0) numbers[id] = add(id);
    column[i] = numbers[id];
  }
  return column;
}

function addLabel(
  labels: FlameLabels,
  program: Program,
  id: FunctionId,
  name = functionSignature(program, id),
): number {
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
