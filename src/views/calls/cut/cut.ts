/** `calls cut`: what would no longer be reachable without some methods or calls. */
import { z } from 'zod';
import { type Blocked, type CallIndex, callerOf, reachFrom } from '../../../analysis/callgraph/reach.js';
import { callDominatorsUse, callIndexUse, reachUse } from '../../../analysis/callgraph/stages.js';
import { classesMatching } from '../../../analysis/identity/named-classes.js';
import { packageOf } from '../../../analysis/packages.js';
import { UsageError } from '../../../base/errors.js';
import { NONE } from '../../../base/flavor.js';
import { note } from '../../../base/note.js';
import { usingPattern } from '../../../base/parsing/pattern.js';
import { phrase, theOption } from '../../../base/phrase.js';
import { share } from '../../../base/share.js';
import { formatCount, plural } from '../../../base/units.js';
import { className, functionSignature } from '../../../models/program/names.js';
import type { FunctionId, Program } from '../../../models/program/program.js';
import { CUT_OPTIONS } from '../../../questions/options/calls.js';
import { columnsOf, common, HEADLINES, listed, listingShape, maybe, number, text } from '../../listing.js';
import { defineView, type ViewInput } from '../../question.js';
import { chosenMethods, chosenText, marksOf, requireGraph } from '../choice.js';

const row = z.object({
  methods: number('Methods', 'count', 'methods that would no longer be reachable; of a method, those only it leads to'),
  share: maybe('Methods %', 'ratio', 'share of the reachable methods'),
  name: text('Name', 'method, class or package'),
});

/** What a cut of the graph says about an image. */
export const CAVEAT = note(
  'cut-estimate',
  'Exact for the reported calls, an estimate for the image: without them the analysis may also find fewer types and targets.',
);

export const cutView = defineView({
  name: 'calls-cut',
  version: 1,
  title: 'What a cut removes',
  options: CUT_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    reachable: z.number().describe('methods that are reachable now'),
    removed: z.number().nullable().describe('methods that would no longer be; null if no cut is named'),
  },
  needs: (input, { by }) => {
    requireGraph(input);
    return {
      index: callIndexUse(input.subject),
      reach: reachUse(input.subject),
      dominators: by === 'method' ? callDominatorsUse(input.subject) : undefined,
    };
  },
  answer: async (input, options, { index, reach, dominators }) => {
    const { program } = input.recording;
    const { chosen, removed, lines } = await input.kept('removed', bytesOfRemoved, () => {
      const chosen = cutOf(input, index, options);
      const left = chosen && reachFrom(index, index.graph.entries.function, chosen.blocked);
      const removed: FunctionId[] = [];
      for (const id of index.graph.methods)
        if (reach.by[id] !== NONE && (left === undefined || left.by[id] === NONE)) removed.push(id);
      const lines =
        dominators === undefined
          ? grouped(program, removed, options.by === 'package')
          : { names: removed, value: (i: number) => dominators.methods[removed[i]] };
      return { chosen, removed, lines };
    });
    const cells = {
      methods: lines.value,
      share: (i: number) => share(lines.value(i), reach.count),
      name: (i: number) => nameOf(program, lines.names[i]),
    };
    return {
      ...common(input, [CAVEAT]),
      headlines: chosen === undefined ? [] : [headline(chosen.text, removed.length, reach.count)],
      reachable: reach.count,
      removed: chosen === undefined ? null : removed.length,
      ...(await listed(cells, { columns: columnsOf(row), count: lines.names.length, input, usual: 'methods' })),
    };
  },
});

/** Ids, and the names of groups. */
function bytesOfRemoved({ removed }: { readonly removed: readonly FunctionId[] }): number {
  return 100 * removed.length;
}

function headline(cutText: string, removed: number, reachable: number): string {
  const percent = ((100 * removed) / Math.max(1, reachable)).toFixed(1);
  return `Without ${cutText}: ${plural(removed, 'method')} of ${formatCount(reachable)} (${percent} %) are no longer reachable.`;
}

function nameOf(program: Program, name: string | FunctionId | undefined): string {
  return typeof name === 'string' ? name : functionSignature(program, name ?? NONE);
}

interface Cut {
  readonly text: string;
  readonly blocked: Blocked;
}

/** Undefined if nothing is named. */
function cutOf(
  input: ViewInput,
  { graph, functions }: CallIndex,
  choices: {
    readonly cut?: string | undefined;
    readonly class?: string | undefined;
    readonly package?: string | undefined;
  },
): Cut | undefined {
  const { program } = input.recording;
  const chosenCuts = [choices.cut, choices.class, choices.package].filter((one) => one !== undefined);
  if (chosenCuts.length === 0) return undefined;
  if (chosenCuts.length > 1)
    throw new UsageError(phrase`choose one of a method or call, ${theOption('class')} and ${theOption('package')}`, {
      code: 'options-exclude',
    });
  const { class: pattern, package: prefix } = choices;
  if (pattern !== undefined || prefix !== undefined) {
    const classes =
      pattern === undefined
        ? packageClasses(program, prefix ?? '')
        : usingPattern(`not a regular expression: ${pattern}`, () => classesMatching(program, pattern));
    const chosen = Array.from(graph.methods).filter((id) => classes[program.functions.class[id]] === 1);
    if (chosen.length === 0)
      throw new UsageError(
        `no method is of ${pattern === undefined ? `package ${prefix}` : `a class that matches ${pattern}`}`,
        { code: 'no-method' },
      );
    const classesText = pattern === undefined ? `package ${prefix}` : `classes matching ${pattern}`;
    return {
      text: `${classesText} (${plural(chosen.length, 'method')})`,
      blocked: { methods: marksOf(chosen, functions) },
    };
  }
  const [callerText = '', calleeText] = (choices.cut ?? '').split(/\s*->\s*/);
  if (calleeText === undefined) {
    const chosen = chosenMethods(input, callerText);
    return { text: chosenText(program, chosen, callerText), blocked: { methods: marksOf(chosen, functions) } };
  }
  const [callers, callees] = [
    marksOf(chosenMethods(input, callerText), functions),
    marksOf(chosenMethods(input, calleeText), functions),
  ];
  const edge = (target: number): boolean =>
    callees[graph.targets.callee[target]] === 1 && callers[callerOf(graph, target)] === 1;
  let calls = 0;
  for (let target = 0; target < graph.targets.length; target++) if (edge(target)) calls++;
  if (calls === 0)
    throw new UsageError(`no method that matches ${callerText} calls one that matches ${calleeText}`, {
      code: 'no-call',
    });
  return { text: `${plural(calls, 'call')} ${callerText} -> ${calleeText}`, blocked: { edge } };
}

/** The classes of a package and of those below it. */
function packageClasses(program: Program, name: string): Uint8Array {
  return Uint8Array.from({ length: program.classes.length }, (_, id) =>
    className(program, id).startsWith(`${name}.`) ? 1 : 0,
  );
}

/** The methods of each class, or of each package. */
function grouped(program: Program, methods: readonly FunctionId[], byPackage: boolean) {
  const counts = new Map<string, number>();
  for (const id of methods) {
    const holder = className(program, program.functions.class[id]);
    const name = byPackage ? packageOf(holder) : holder;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const groups = [...counts];
  return { names: groups.map(([name]) => name), value: (i: number) => groups[i]?.[1] ?? 0 };
}
