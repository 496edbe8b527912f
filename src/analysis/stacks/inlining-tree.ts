/** The trees of inlined methods: below compilation roots, or above chosen methods. */
import { withPauses } from '../../base/progress.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { type Metric, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import type { FunctionId } from '../../models/program/program.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { type CallTree, callTreeSteps } from './call-tree.js';
import { exclusiveUse, functionsUse } from './stages.js';
import { treeBytes } from './tree-stages.js';

interface InliningChoice {
  readonly metric: Metric;
  readonly methods: readonly FunctionId[];
  /** The methods and what they were inlined into; otherwise the compiled methods and what was inlined into them. */
  readonly into: boolean;
}

const inliningStage: Stage<CallTree, InliningChoice> = {
  name: 'tree of inlined methods',
  version: 1,
  key: ({ metric, methods, into }) => JSON.stringify([metric.id, methods, into]),
  needs: ([subject], { metric }) => [scopedUse(subject), functionsUse(subject), exclusiveUse(subject, metric)],
  run: async ([subject], { metric, methods, into }, get, work) => {
    const scoped = await get(scopedUse(subject));
    const profile = requireProfile(scoped);
    const functions = await get(functionsUse(subject));
    const wanted = new Uint8Array(scoped.recording.program.functions.length);
    for (const id of methods) wanted[id] = 1;
    const chosen = into
      ? Uint8Array.from(functions, (id) => wanted[id])
      : underRoots(profile.stacks, functions, wanted);
    const values = await get(exclusiveUse(subject, metric));
    const options = { inverted: into, bySite: true, chosen };
    const steps = callTreeSteps(profile, scoped.recording.program, values, options);
    return withPauses(steps, work, 'tree of inlined methods', profile.stacks.length);
  },
  bytes: treeBytes,
};

/** Calls by place are different nodes. */
export function inliningUse(
  subject: Subject,
  metric: Metric,
  methods: readonly FunctionId[],
  into: boolean,
): StageUse<CallTree> {
  return use(inliningStage, [subject], { metric, methods, into });
}

/** 1 for stacks with a chosen function as root. */
function underRoots(stacks: StackTable, functions: Int32Array, wanted: Uint8Array): Uint8Array {
  const under = new Uint8Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    const root = STACK_ENDINGS[stacks.ending[id]] === 'partial';
    under[id] = parent >= 0 ? under[parent] : root ? wanted[functions[id]] : 0;
  }
  return under;
}
