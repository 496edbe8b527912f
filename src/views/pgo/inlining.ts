/**
 * `pgo inlining`: the methods that the instrumented build inlined into a compilation root, with the calls of each; or
 * the other way round, the roots that a method was inlined into. Counts belong to places: none is summed over a
 * subtree.
 */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import type { CallTree } from '../../analysis/stacks/call-tree.js';
import { type TreePage, treePage } from '../../analysis/stacks/heaviest-nodes.js';
import { inliningUse } from '../../analysis/stacks/inlining-tree.js';
import { rankedUse } from '../../analysis/stacks/tree-stages.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { functionSignature, placeName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { INLINING_OPTIONS } from '../../questions/options/pgo.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import { columnsOf, common, HANDLE, listingShape, maybe, number, range, text } from '../listing.js';
import { defineView, functionsNamed } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { nextStep } from './next-steps.js';

const row = z.object({
  calls: number('Calls', 'count', 'calls of the method at this place'),
  share: maybe('Share', 'ratio', 'share of all calls of the method (with the option into)'),
  at: text('At', 'bytecode index of the call in the method above'),
  file_id: FILE_ID,
  method: text('Method', 'class, name and parameter types'),
});

const node = row.extend({
  id: z.number(),
  parent: z.number().describe('id of the node above, -1 at a root'),
  depth: z.number(),
  root: z.boolean().describe('the method is the root of the compilation'),
  handle: HANDLE,
});

export const inliningView = defineView({
  name: 'pgo-inlining',
  version: 2,
  title: 'Inlining',
  options: INLINING_OPTIONS,
  shape: {
    ...listingShape(node),
    methods: z.array(z.string()).describe('the selected methods'),
    direction: z.enum(['inlined-by-root', 'into']),
    calls: z.number().describe('with into: all calls of the methods; otherwise calls of the roots'),
  },
  refuses: ['sort', 'offset'],
  needs: (input, { method, into, depth }) => {
    const metric = requireProfile(input).metrics.find((candidate) => candidate.id === 'calls');
    if (metric === undefined)
      throw new MissingError('this recording has no call counts', {
        code: 'no-call-counts',
        advice: 'Inlining is read from them: PGO profiles (.iprof).',
      });
    const tree = inliningUse(input.subject, metric, functionsNamed(input.recording.program, method, 'method'), into);
    return { tree, ranked: rankedUse(tree, into ? 'total' : 'largest', depth, input.page.limit) };
  },
  answer: (input, options, { tree, ranked }) => {
    const program = input.recording.program;
    const methods = functionsNamed(program, options.method, 'method');
    if (tree.length === 0 && !input.empty) throw nothingFound(options.method, options.into);
    const calls = callsOf(tree, options.into);
    const page = treePage(tree, ranked, input.page.limit);
    return {
      ...common(input, [
        options.into ? INTO : INLINED,
        ...idNotes(options.ids, program),
        ...nextSteps(input.recording.name, options.method, options.into),
      ]),
      methods: methods.slice(0, 100).map((id) => functionSignature(program, id)),
      direction: options.into ? ('into' as const) : ('inlined-by-root' as const),
      calls,
      columns: withIds(columnsOf(row), options.ids).filter((column) => options.into || column.key !== 'share'),
      total: tree.length,
      offset: 0,
      rows: rowsOf(tree, page, program, { all: options.into ? calls : undefined, ids: options.ids }),
    };
  },
});

const INTO = note(
  'rows-into',
  'Below each method: the methods it was inlined into, nearest first, with their counted calls.',
);
const INLINED = note(
  'rows-inlined',
  'Below each compiled method: the methods inlined into it, where, and how often they ran.',
);

function nextSteps(file: string, method: string, into: boolean): Note[] {
  const inlining = (options: { readonly into?: true }) =>
    theView('pgo-inlining', { recording: file, options: { method, ...options } });
  return [
    into
      ? nextStep('methods inlined into it', inlining({}))
      : nextStep('methods it was inlined into', inlining({ into: true })),
    nextStep(
      'inlining of another run',
      theView('diff', { recording: file, inputs: { base: null }, options: { by: 'inlining' } }),
    ),
  ];
}

function nothingFound(method: string, into: boolean): UsageError {
  return new UsageError(
    into ? `no calls of ${method} were counted` : `${method} is not a compilation root in this recording`,
    {
      code: 'no-calls-of-method',
      ...(into
        ? { advice: phrase`Check the name with ${theView('pgo-hot')}.`, action: { ask: theView('pgo-hot') } }
        : {
            advice: phrase`Use ${theOption('into')} to see where it was inlined.`,
            action: { set: { into: true } },
          }),
    },
  );
}

/** All calls of the methods, or those of the roots. */
function callsOf({ length, parent, self, total }: CallTree, into: boolean): number {
  let calls = 0;
  for (let node = 0; node < length; node++) if (parent[node] < 0) calls += into ? total[node] : self[node];
  return calls;
}

function rowsOf(
  tree: CallTree,
  { nodes, depth }: TreePage,
  program: Program,
  { all, ids }: { readonly all: number | undefined; readonly ids: boolean },
) {
  // Inverted, the root of the compilation is at the end of a path: a node with values of its own.
  const calls = (i: number): number => (all === undefined ? tree.self : tree.total)[nodes[i]];
  const cells = {
    id: (i: number) => nodes[i],
    parent: (i: number) => tree.parent[nodes[i]],
    depth: (i: number) => depth[i],
    root: (i: number) => tree.ending[nodes[i]] >= 0,
    calls,
    share: (i: number) => (all === undefined ? null : share(calls(i), all)),
    at: (i: number) => (tree.site[nodes[i]] < 0 ? '' : placeName(program, tree.site[nodes[i]])),
    method: (i: number) => functionSignature(program, tree.function[nodes[i]]),
    ...idCell(ids, program, (i) => tree.function[nodes[i]]),
    handle: (i: number) => functionHandle(program, tree.function[nodes[i]]),
  };
  return rowsOfCells(cells, range(0, nodes.length));
}
