/** `calls`: questions about the calls that a points-to analysis reported. */
import { type Command, Option } from 'commander';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { CATALOGUE } from '../../questions/catalogue.js';
import { ask, type Question } from '../../session/session.js';
import { writeDocument } from '../../transform/write.node.js';
import { ENTRY_GROUPS, GROUPINGS, type Grouping, METHOD_GROUPS } from '../../views/method-groups.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { answer } from '../invocation/answer.js';
import { theOnly, withSession } from '../invocation/open.js';
import {
  addCodeOptions,
  addExamples,
  addOutputOptions,
  addPageOptions,
  type CodeOptions,
  type ListingOptions,
  repeated,
  wholeNumber,
} from '../invocation/options.js';
import { remarks } from '../render/render.js';
import { readable } from '../render/table.js';

const EXAMPLE = 'examples/points-to/call_tree_hello.txt.gz';
const TRACE = 'examples/points-to/trace_types_shop.txt';
const FILE = 'call tree report of GraalVM Native Image';

export function registerCalls(program: Command, invocation: Invocation): void {
  const calls = program
    .command('calls')
    .description('reported calls: why a method is reachable, and what a cut removes')
    .helpCommand(false);
  registerWhy(calls, invocation);
  registerGraph(calls, invocation);
  registerEntries(calls, invocation);
  registerMethods(calls, invocation);
  registerCut(calls, invocation);
  registerUnreached(calls, invocation);
  registerUnobserved(calls, invocation);
}

function registerWhy(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('why')
    .description('why a method is reachable: shortest paths from entries; for a trace, chains of its reasons')
    .argument('<file>', `${FILE}, or one of its reachability traces`)
    .argument('[method]', 'name, Class.method, method filter or regular expression; of traces also a type or field')
    .option('--via <methods>', 'only paths through these methods')
    .option('--not-via <methods>', 'only paths without these methods')
    .option('--paths <n>', 'number of paths, each through another caller; 0 for all', wholeNumber, 1);
  addPageOptions(addOutputOptions(command)).action((file: string, method: string | undefined, options: WhyOptions) =>
    answer<'calls-why' | 'calls-reasons'>(
      invocation,
      [file],
      (traits) => (CATALOGUE.why(traits) === 'calls-reasons' ? whyTraced : whyCalled)(method, options),
      options,
    ),
  );
  addExamples(command, [
    `calls why ${EXAMPLE} java.io.PrintStream.println`,
    `calls why ${EXAMPLE} java.util.HashMap.put --paths 3`,
    `calls why ${TRACE}`,
    `calls why ${TRACE} demo.Pool.get`,
  ]);
}

interface WhyOptions extends ListingOptions {
  readonly via?: string;
  readonly notVia?: string;
  readonly paths: number;
}

function whyCalled(method: string | undefined, { via, notVia, paths }: WhyOptions) {
  if (method === undefined) throw new UsageError('missing method', 'Name the method behind the file.');
  return { view: 'calls-why' as const, options: { method, paths, ...defined({ via, notVia }) } };
}

function whyTraced(element: string | undefined, { via, notVia, paths }: WhyOptions) {
  if (via !== undefined || notVia !== undefined)
    throw new UsageError('--via and --not-via are for call trees: a trace has chosen its reasons already');
  return { view: 'calls-reasons' as const, options: { chains: paths, ...defined({ element }) } };
}

interface GraphOptions extends ListingOptions {
  readonly depth: number;
  readonly most: number;
  readonly output?: string;
}

function registerGraph(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('graph')
    .description('the calls around a method, as a table or a picture')
    .argument('<file>', FILE)
    .argument('<method>', 'name, Class.method, method filter or regular expression')
    .option('--depth <calls>', 'callers and callees up to this distance', wholeNumber, 1)
    .option('--most <methods>', 'number of methods, the nearest first', wholeNumber, 40)
    .option('-o, --output <file>', 'picture: .svg, or .dot for Graphviz');
  addPageOptions(addOutputOptions(command)).action((file: string, method: string, options: GraphOptions) => {
    const { depth, most, output } = options;
    const question = { view: 'calls-graph' as const, options: { method, depth, most } };
    return output === undefined
      ? answer(invocation, [file], question, options)
      : drawCalls(invocation, file, question, { output, cache: options.cache });
  });
  addExamples(command, [
    `calls graph ${EXAMPLE} java.util.HashMap.resize`,
    `calls graph ${EXAMPLE} java.util.HashMap.resize --depth 2 --most 25 -o /tmp/resize.svg`,
  ]);
}

async function drawCalls(
  invocation: Invocation,
  file: string,
  question: Omit<Question<'calls-graph'>, 'page'>,
  { output, cache }: { readonly output: string; readonly cache: boolean },
): Promise<void> {
  const kind = /\.(svg|dot|gv)$/.exec(output)?.[1];
  if (kind === undefined) throw new UsageError(`${readable(output)}: unknown output extension`, 'Use .svg or .dot.');
  await withSession(invocation, [file], { cache }, async (session) => {
    theOnly(session, file);
    const all = { offset: 0, limit: 0 };
    const result = await ask(session, { ...question, page: all }, { signal: invocation.host.signal });
    const draw =
      kind === 'svg'
        ? (await import('../../pictures/calls/svg.js')).drawGraph
        : (await import('../../pictures/calls/dot.js')).drawDot;
    await writeDocument(draw(result), output, [file]);
    note(invocation, `${output}: ${plural(result.nodes.length, 'method')}, ${plural(result.total, 'edge')}`);
    for (const remark of remarks(result, true)) note(invocation, remark);
    if (!result.complete) invocation.exitCode = EXIT.partial;
  });
}

function registerEntries(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('entries')
    .description('entries with their reasons, and the methods that only they lead to')
    .argument('<file...>', FILE)
    .addOption(new Option('--by <group>', 'sums of entries (default: each entry)').choices(ENTRY_GROUPS));
  addPageOptions(addOutputOptions(addCodeOptions(command))).action(
    (files: string[], options: ListingOptions & CodeOptions & { readonly by?: (typeof ENTRY_GROUPS)[number] }) => {
      const { by } = options;
      return answer<'calls-entries' | 'calls-groups'>(
        invocation,
        files,
        by === undefined ? { view: 'calls-entries' } : { view: 'calls-groups', options: { show: 'entries', by } },
        options,
      );
    },
  );
  addExamples(command, [`calls entries ${EXAMPLE} --limit 5`, `calls entries ${EXAMPLE} --by reason --limit 5`]);
}

function registerMethods(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('methods')
    .description('methods of the report by package, class, module or loader')
    .argument('<file...>', `${FILE}, list of methods, or reachability dump`)
    .addOption(new Option('--by <group>', 'rows of the table').choices(METHOD_GROUPS).default('package'));
  addPageOptions(addOutputOptions(addCodeOptions(command))).action(
    (files: string[], options: ListingOptions & CodeOptions & { readonly by: (typeof METHOD_GROUPS)[number] }) =>
      answer(invocation, files, { view: 'calls-groups', options: { show: 'methods', by: options.by } }, options),
  );
  addExamples(command, [`calls methods ${EXAMPLE} --limit 5`, `calls methods ${EXAMPLE} --by loader`]);
}

function registerCut(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('cut')
    .description('methods that would no longer be reachable without some methods or calls')
    .argument('<file>', FILE)
    .argument('[methods]', 'methods, or calls as "caller -> callee" (default: what each single method holds)')
    .option('--class <regex>', 'the methods of the classes with a matching name')
    .option('--package <name>', 'the methods of this package and of those below it')
    .addOption(
      new Option('--by <group>', 'rows of the table').choices(['method', 'class', 'package']).default('method'),
    );
  addPageOptions(addOutputOptions(command)).action(
    (
      file: string,
      cut: string | undefined,
      options: ListingOptions & { class?: string; package?: string; by: 'method' | 'class' | 'package' },
    ) => {
      const { class: pattern, package: prefix, by } = options;
      const asked = {
        by,
        ...(cut === undefined ? {} : { cut }),
        ...(pattern === undefined ? {} : { class: pattern }),
        ...(prefix === undefined ? {} : { package: prefix }),
      };
      return answer(invocation, [file], { view: 'calls-cut', options: asked }, options);
    },
  );
  addExamples(command, [`calls cut ${EXAMPLE} --limit 5`, `calls cut ${EXAMPLE} --package java.util.regex --by class`]);
}

interface UnreachedOptions extends ListingOptions, CodeOptions {
  readonly observed?: readonly string[];
  readonly by: Grouping;
}

function addUnreachedOptions(command: Command, observed: string): Command {
  command
    .argument('<file>', FILE)
    .option('--observed <profile>', observed, repeated)
    .addOption(new Option('--by <group>', 'rows of the table').choices(GROUPINGS).default('package'));
  return addPageOptions(addOutputOptions(addCodeOptions(command)));
}

function registerUnreached(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('unreached')
    .description('methods of the class path, or those that a profile saw, that are not reachable');
  addUnreachedOptions(
    command,
    'methods that this recording saw and the report lacks: any profile, thread dump or heap dump with stacks; repeat it for several',
  ).action((file: string, { observed, ...options }: UnreachedOptions) => {
    if (observed !== undefined && options.classes !== undefined && options.by !== 'module')
      throw new UsageError('--observed compares without --classes', 'Omit one of them; --by module needs both.');
    const show = observed === undefined ? 'unreached' : 'missed';
    const question = { view: 'calls-unreached', options: { show, by: options.by } } as const;
    return answer(invocation, [file], question, { ...options, ...(observed && { base: observed }) }, { runs: true });
  });
  addExamples(command, [
    'calls unreached examples/points-to/call_tree_shop-2.txt --observed examples/points-to/shop.collapsed --by method',
    'calls unreached examples/points-to/call_tree_shop-2.txt --classes examples/points-to/shop.jar',
  ]);
}

function registerUnobserved(calls: Command, invocation: Invocation): void {
  const command = calls
    .command('unobserved')
    .description('reachable methods that no profile saw, with the size of what could go');
  addUnreachedOptions(command, 'recording that saw methods run: any profile; repeat it for several (required)').action(
    (file: string, { observed, ...options }: UnreachedOptions) => {
      if (observed === undefined)
        throw new UsageError('unobserved methods need a profile', 'Name it: --observed FILE.');
      const question = { view: 'calls-unreached', options: { show: 'unobserved', by: options.by } } as const;
      return answer(invocation, [file], question, { ...options, base: observed }, { runs: true });
    },
  );
  addExamples(command, [
    'calls unobserved examples/points-to/call_tree_shop-2.txt --observed examples/points-to/shop.collapsed',
  ]);
}
