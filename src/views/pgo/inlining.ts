/**
 * `pgo inlining`: the methods that the instrumented build inlined into a compilation root, with the calls of each; or
 * the other way round, the roots that a method was inlined into. Counts belong to places: none is summed over a
 * subtree.
 */
import { z } from 'zod';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { type CallTree, callTree, heaviestNodes } from '../../analysis/stacks/call-tree.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { functionSignature, placeName } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { columnsOf, common, listingShape, maybe, number, text } from '../listing.js';
import { defineView, functionsNamed } from '../question.js';
import { command, nextNotes } from './next-steps.js';

const row = z.object({
  calls: number('Calls', 'count', 'calls of the method at this place'),
  share: maybe('Share', 'ratio', 'share of all calls of the method (with --into)'),
  at: text('At', 'bytecode index of the call in the method above'),
  method: text('Method', 'class, name and parameter types'),
});

const node = row.extend({
  id: z.number(),
  parent: z.number().describe('id of the node above, -1 at a root'),
  depth: z.number(),
  root: z.boolean().describe('the method is the root of the compilation'),
});

export const inliningView = defineView({
  name: 'pgo-inlining',
  version: 1,
  title: 'Inlining',
  options: z.object({
    method: z.string(),
    into: z.boolean().default(false),
    depth: z.number().int().min(0).default(0),
  }),
  shape: {
    ...listingShape(node),
    methods: z.array(z.string()).describe('the selected methods'),
    direction: z.enum(['inlined-by-root', 'into']),
    calls: z.number().describe('with into: all calls of the methods; otherwise calls of the roots'),
  },
  refuses: ['sort', 'offset'],
  needs: (input) => {
    const metric = requireProfile(input).metrics.find((candidate) => candidate.id === 'calls');
    if (metric === undefined)
      throw new MissingError('this recording has no call counts', 'Inlining is read from them: PGO profiles (.iprof).');
    return { functions: functionsUse(input.subject), exclusive: exclusiveUse(input.subject, metric) };
  },
  answer: (input, options, along) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const methods = functionsNamed(program, options.method, 'method');
    const found = inliningTree(profile, program, along, methods, options.into);
    if (found.tree.length === 0 && !input.empty) throw nothingFound(options.method, options.into);
    const weight = options.into ? found.tree.total : found.tree.largest;
    const page = heaviestNodes(found.tree, weight, input.page.limit, options.depth);
    const direction = options.into
      ? 'Below each method: the methods it was inlined into, nearest first, with their counted calls.'
      : 'Below each compiled method: the methods inlined into it, where, and how often they ran.';
    return {
      ...common(input, [direction, ...nextSteps(input.recording.name, options.method, options.into)]),
      methods: methods.slice(0, 100).map((id) => functionSignature(program, id)),
      direction: options.into ? ('into' as const) : ('inlined-by-root' as const),
      calls: found.calls,
      columns: columnsOf(row).filter((column) => options.into || column.key !== 'share'),
      total: found.tree.length,
      offset: 0,
      rows: [...page.nodes].map((id, index) =>
        toRow(found.tree, id, page.depth[index], program, options.into ? found.calls : undefined),
      ),
    };
  },
});

function nextSteps(file: string, method: string, into: boolean): string[] {
  return nextNotes([
    into
      ? { why: 'methods inlined into it', run: command('pgo', 'inlining', file, method) }
      : { why: 'methods it was inlined into', run: command('pgo', 'inlining', file, method, '--into') },
    { why: 'inlining of another run', run: command('diff', 'BASE', file, '--by', 'inlining') },
  ]);
}

function nothingFound(method: string, into: boolean): UsageError {
  return new UsageError(
    into ? `no calls of ${method} were counted` : `${method} is not a compilation root in this recording`,
    into ? 'Check the name with `pgo hot`.' : 'Use --into to see where it was inlined.',
  );
}

function inliningTree(
  profile: Profile,
  program: Program,
  { functions, exclusive }: { readonly functions: Int32Array; readonly exclusive: Float64Array },
  methods: readonly FunctionId[],
  into: boolean,
) {
  const { stacks } = profile;
  const wanted = new Uint8Array(program.functions.length);
  for (const id of methods) wanted[id] = 1;
  const chosen = into ? functions.map((id) => wanted[id]) : underRoots(stacks, functions, wanted);
  const mask = Uint8Array.from(chosen);
  let calls = 0;
  for (let id = 0; id < stacks.length; id++)
    if (mask[id] === 1 && (into || stacks.parent[id] < 0)) calls += exclusive[id];
  return { tree: callTree(profile, program, exclusive, { inverted: into, bySite: true, chosen: mask }), calls };
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

function toRow(tree: CallTree, id: number, depth: number, program: Program, all: number | undefined) {
  const into = all !== undefined;
  // Inverted, the root of the compilation is at the end of a path: a node with values of its own.
  const value = into ? tree.total[id] : tree.self[id];
  return {
    id,
    parent: tree.parent[id],
    depth,
    root: tree.ending[id] >= 0,
    calls: value,
    share: into ? share(value, all) : null,
    at: tree.site[id] < 0 ? '' : placeName(program, tree.site[id]),
    method: functionSignature(program, tree.function[id]),
  };
}
