/** What questions about call graphs share: the graph, the methods of an argument, calls in words. */
import { methodsNamed } from '../../analysis/callgraph/method-filter.js';
import { noCallGraph } from '../../analysis/callgraph/stages.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { UsageError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theView } from '../../base/phrase.js';
import { stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { CALL_KINDS, type CallGraph, type CallSiteId, type CallSiteTable } from '../../models/callgraph/call-graph.js';
import { className, functionSignature } from '../../models/program/names.js';
import { bciName, type FunctionId, type Program } from '../../models/program/program.js';
import { type Side, type ViewInput, WITHOUT_STEPS } from '../question.js';

/** Throws `UsageError` for recordings without a reported call graph, and for a scope, which would select none of its calls. */
export function requireGraph({ recording, unscoped }: Pick<Side, 'recording' | 'unscoped'>): CallGraph {
  const { callGraph } = recording;
  if (unscoped.has('calls'))
    throw new UsageError('reported calls have no samples, threads or times to select by', {
      ...WITHOUT_STEPS,
      advice: phrase`${WITHOUT_STEPS.advice} ${theView('calls-tree', { choose: { from: 'METHODS' } })} shows the calls below methods, ${theView('calls-why', { choose: { via: '' } })} the ways through them.`,
    });
  if (callGraph !== undefined) return callGraph;
  throw noCallGraph(recording);
}

/** Of lists of methods. */
export const NO_CALLS = note('no-calls', 'The report has no calls: all methods that it lists count as reachable.');

/** The methods of the graph that a text names. Throws `UsageError` if there are none. */
export function chosenMethods(input: ViewInput, text: string, graph = requireGraph(input)): FunctionId[] {
  const { program, name } = input.recording;
  const namedFunctions = usingPattern(`neither a method nor a pattern: ${text}`, () => methodsNamed(program, text));
  const isMethod = marksOf(graph.methods, program.functions.length);
  const namedMethods = namedFunctions.filter((id) => isMethod[id] === 1);
  if (namedMethods.length > 0) return namedMethods;
  const declared =
    namedFunctions.length === 0
      ? ''
      : `: ${functionSignature(program, namedFunctions[0] ?? -1)} is declared by calls only`;
  throw new UsageError(`no method of ${name} matches ${text}${declared}`, {
    code: 'no-method',
    advice: 'Methods are named as in the report, or by patterns such as *HashMap.put.',
  });
}

/** Handles of the methods of the graph: what only calls declare cannot be asked for. */
export function methodHandles(program: Program, { methods }: CallGraph): (id: FunctionId) => string | undefined {
  const isMethod = marksOf(methods, program.functions.length);
  return (id) => (isMethod[id] === 1 ? functionHandle(program, id) : undefined);
}

/** By function: 1 if it is listed. */
export function marksOf(ids: ArrayLike<FunctionId>, functions: number): Uint8Array {
  const marks = new Uint8Array(functions);
  for (let i = 0; i < ids.length; i++) marks[ids[i]] = 1;
  return marks;
}

/**
 * `virtually calls java.util.Map.get(java.lang.Object)`: how a row of targets calls, with what a virtual call declares, and with the
 * constructor that a called factory stands for.
 */
export function callText(program: Program, graph: CallGraph, target: number): string {
  return `${kindText(program, graph, target)}${factoryText(program, graph.targets.callee[target])}`;
}

function kindText(program: Program, { sites, targets }: CallGraph, target: number): string {
  const site = targets.site[target];
  return siteText(sites, site, targets.callee[target], (declared) => functionSignature(program, declared));
}

/** How a site calls a callee; `name`: of the method that a virtual call declares. */
export function siteText(
  sites: CallSiteTable,
  site: CallSiteId,
  callee: FunctionId,
  name: (declared: FunctionId) => string,
): string {
  const declared = sites.declared[site];
  const { calls, target } = wordsOf(sites, site);
  // A call of what it declares needs no second name.
  return target === undefined || declared < 0 || declared === callee ? calls : `${calls} ${name(declared)}, ${target}`;
}

/** The words of a report for the call of a site, and for what its targets are, if a receiver selects them. */
export function wordsOf({ kind, ofInterface }: CallSiteTable, site: CallSiteId): CallWords {
  if (CALL_KINDS[kind[site]] !== 'virtual') return { calls: 'directly calls', target: undefined };
  if (ofInterface?.[site] === 1) return { calls: 'interfacially calls', target: 'implemented by' };
  return { calls: 'virtually calls', target: 'overridden by' };
}

export interface CallWords {
  readonly calls: string;
  readonly target: string | undefined;
}

/** `3->17`: the indexes of a site, the innermost position first. */
export function bciText({ sites }: CallGraph, site: CallSiteId): string {
  return Array.from(sites.bcis.subarray(sites.bciStart[site], sites.bciStart[site + 1]), bciName).join('->');
}

/** Its methods allocate an object of the type that they return, and call the constructor with their parameters. */
const FACTORIES = 'com.oracle.svm.core.code.FactoryMethodHolder';

/** ` (factory of java.net.BindException.<init>(java.lang.String))` for a factory of GraalVM's builder, else nothing. */
export function factoryText(program: Program, id: FunctionId): string {
  const { functions } = program;
  if (functions.class[id] < 0 || className(program, functions.class[id]) !== FACTORIES) return '';
  const types = functions.signature.subarray(functions.signatureStart[id], functions.signatureStart[id + 1]);
  const [result, ...parameters] = Array.from(types, (type) => className(program, type));
  return result === undefined ? '' : ` (factory of ${result}.<init>(${parameters.join(', ')}))`;
}

/** `entry: root method`: why a method is an entry. */
export function entryText(graph: CallGraph, method: FunctionId): string {
  const reasons = entryReasons(graph, method);
  return reasons.length === 0 ? 'entry' : `entry: ${reasons.join('; ')}`;
}

/** The reasons of a method's entries, each once. */
export function entryReasons({ entries, reasons }: CallGraph, method: FunctionId): string[] {
  const reasonTexts = new Set<string>();
  for (let i = 0; i < entries.length; i++)
    if (entries.function[i] === method) reasonTexts.add(stringAt(reasons, entries.reason[i]));
  return [...reasonTexts].filter((reason) => reason !== '');
}

/** `3 methods matching *.put`, or the one method. */
export function chosenText(program: Program, chosen: readonly FunctionId[], text: string): string {
  return chosen.length === 1
    ? functionSignature(program, chosen[0] ?? -1)
    : `${plural(chosen.length, 'method')} matching ${text}`;
}
