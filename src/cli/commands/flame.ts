/** `flame`: the call tree as a picture in one file: a page that works without a server, or a static image. */
import type { Command } from 'commander';
import type { z } from 'zod';
import { MissingError, TooLargeError, UsageError } from '../../base/errors.js';
import { formatBytes, formatCount, plural } from '../../base/units.js';
import type { ScopeStep } from '../../models/scope.js';
import { readable } from '../../pictures/cells.js';
import { isSource } from '../../pictures/flame/derive.js';
import { flame } from '../../questions/catalogue/diff.js';
import { optionDefinitions } from '../../questions/options/option.js';
import type { MetricFacts, RecordingFacts, Workspace } from '../../session/workspace/workspace.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT } from '../exit.js';
import { type Invocation, note, print } from '../host.js';
import { addDebugOptions, type DebugOptions } from '../invocation/debug-options.js';
import { openOnly, withWorkspace } from '../invocation/open.js';
import { addExamples, addScopeOptions } from '../invocation/options.js';
import { writePicture } from '../invocation/picture.js';
import { commandOption, fileMeaning, givenQuestion } from '../invocation/question.js';
import { remarks, render } from '../render/render.js';

type FlameResult = ResultOf<'flame'>;

/** Options of output and scope, with those of the command. */
interface FlameCommandOptions extends DebugOptions {
  readonly output?: string;
  readonly json?: true;
  readonly metric?: string;
  readonly base?: string;
  readonly scope?: readonly ScopeStep[];
  readonly scopeWords?: readonly string[];
  readonly notes?: true;
  readonly cache: boolean;
}

type FlameOptions = z.output<typeof flame.options>;

/** The most nodes of a page. Up to this number it also contains the inverted graph and other metrics. */
const MOST_NODES = 200_000;
/** Frames of all stacks above which the inverted graph is not attempted. */
const MOST_FRAMES = 20 * MOST_NODES;
/** The most nodes of a file: it is written as one text, and a JavaScript string holds half a billion characters. */
const MOST_WRITTEN = 5_000_000;
/** Invisible boxes would make an SVG slow to open. */
const SVG_MIN_SHARE = 0.001;

export function registerFlame(program: Command, invocation: Invocation): void {
  const command = program
    .command('flame')
    .description('write a flame graph as one HTML or SVG file')
    .argument('<file>', fileMeaning(flame.recordings.description))
    .option(
      '-o, --output <file>',
      'output file: .html for a page, .svg for a picture; - writes the page to standard output',
    )
    .option('--json', 'print the numbers instead of a picture');
  for (const definition of optionDefinitions(flame.options)) command.addOption(commandOption(definition));
  command
    .option('--base <file>', 'recording to compare with')
    .option('--notes', 'show all notes instead of the first three')
    .option('--no-cache', 'read the file itself; neither use nor write the cache');
  addScopeOptions(addDebugOptions(command)).action((file: string, options: FlameCommandOptions) => {
    const { options: questionOptions } = givenQuestion(command, flame);
    const isSmall = command.getOptionValueSource('minShare') === undefined && outputKind(options) === 'svg';
    return drawFlame(invocation, file, { ...questionOptions, ...(isSmall && { minShare: SVG_MIN_SHARE }) }, options);
  });
  addExamples(command, flame.examples);
}

async function drawFlame(
  invocation: Invocation,
  file: string,
  questionOptions: FlameOptions,
  options: FlameCommandOptions,
): Promise<void> {
  const { output } = options;
  const kind = outputKind(options);
  if (questionOptions.normalise && options.base === undefined)
    throw new UsageError('--normalise needs a recording to compare with', 'Name it with --base.');
  const files = [file, ...(options.base === undefined ? [] : [options.base])];
  await withWorkspace(invocation, options, async (inputs) => {
    const recordings: RecordingFacts[] = [];
    for (const each of files) recordings.push(await openOnly(inputs, each));
    const { workspace } = inputs;
    const question = questionOf(questionOptions, options, kind, recordings[1]?.id);
    const result = await workspace.ask(question, { signal: invocation.host.signal });
    if (result.nodes.length > MOST_WRITTEN)
      throw new UsageError(
        `a flame graph of ${formatCount(result.nodes.length)} boxes is too large for one file`,
        'Omit frames too small to see: --min-share 0.001.',
      );
    if (result.nodes.length === 0 && kind !== 'json')
      throw options.scope === undefined
        ? new MissingError(`${file} has no events to draw`, '`summary` lists what it has.')
        : new MissingError(`the scope selects nothing in ${file}`, 'Nothing was written.');
    if (kind === 'json') {
      await print(invocation, (await render(result, { format: 'json', colour: false })).text);
      for (const remark of remarks(result, options.notes === true)) note(invocation, remark);
    } else {
      // A metric that was named is the only one.
      const hasOthers = questionOptions.metric === undefined;
      const metrics = (recordings[0]?.metrics ?? []).filter(({ id }) => hasOthers || id === result.metric.id);
      const text = await documentOf(workspace, question, result, {
        kind,
        metrics,
        scopeWords: options.scopeWords ?? [],
      });
      const to = output ?? '-';
      const extent = `${plural(result.nodes.length, 'box', 'boxes')}, ${formatBytes(Buffer.byteLength(text))}`;
      await writePicture(invocation, { text, output: to, files, extent }, result, options.notes === true);
    }
    if (!result.complete || result.base?.complete === false) invocation.exitCode = EXIT.partial;
  });
}

type OutputKind = 'html' | 'svg' | 'json';

function outputKind({ output, json }: FlameCommandOptions): OutputKind {
  if (json === true) {
    if (output !== undefined) throw new UsageError('--json and -o exclude each other');
    return 'json';
  }
  if (output === undefined) throw new UsageError('missing output file', 'Name a file: -o out.html, or -o out.svg.');
  if (output === '-' || /\.html?$/i.test(output)) return 'html';
  if (/\.svg$/i.test(output)) return 'svg';
  throw new UsageError(`${readable(output)}: unknown output extension`, 'Use .html or .svg.');
}

function questionOf(
  questionOptions: FlameOptions,
  { scope = [] }: FlameCommandOptions,
  kind: OutputKind,
  base: string | undefined,
) {
  const options = { ...questionOptions, samples: kind === 'html', handles: kind === 'json' };
  return { view: 'flame' as const, options, scope, ...(base !== undefined && { base }) };
}

type FlameQuestion = ReturnType<typeof questionOf>;

interface DrawnDocument {
  readonly kind: 'html' | 'svg';
  /** Those that a page may have. */
  readonly metrics: readonly MetricFacts[];
  /** For the commands that a page shows. */
  readonly scopeWords: readonly string[];
}

async function documentOf(
  workspace: Workspace,
  question: FlameQuestion,
  result: FlameResult,
  { kind, metrics, scopeWords }: DrawnDocument,
): Promise<string> {
  if (kind === 'svg') return (await import('../render/flame-svg.js')).flameSvg(result);
  // The page inverts what it has from the roots: one of the two is enough.
  const source = result.inverted && result.left_out === 0 ? await turned(workspace, question, result) : undefined;
  const results = [source ?? result];
  const omitted = new Set<string>();
  let nodes = results[0]?.nodes.length ?? 0;
  const shownFirst = [...metrics].sort((a, b) => Number(b.id === result.metric.id) - Number(a.id === result.metric.id));
  for (const { id, title, flames } of shownFirst) {
    const drawnResult = id === result.metric.id ? results[0] : undefined;
    const ways = drawnResult === undefined ? [false, true] : isSource(drawnResult) ? [] : [!drawnResult.inverted];
    for (const inverted of ways.filter((way) => flames.includes(way ? 'inverted' : 'top-down'))) {
      const other = await further(workspace, question, { metric: id, inverted }, nodes);
      if (other === 'large')
        omitted.add(drawnResult === undefined ? title : `${title}, ${inverted ? 'inverted' : 'top-down'}`);
      if (other === 'large' || other === undefined) continue;
      nodes += other.nodes.length;
      results.push(other);
      if (isSource(other)) break;
    }
  }
  const { flameHtml } = await import('../render/flame-html.js');
  const note = `Left out for size: ${[...omitted].join('; ')}.`;
  return flameHtml(results, { inverted: result.inverted, omitted: omitted.size === 0 ? [] : [note], scopeWords });
}

/** The whole graph from the roots, if there is one that fits into a page. */
async function turned(workspace: Workspace, question: FlameQuestion, { metric }: FlameResult) {
  const options = { ...question.options, metric: metric.id, inverted: false };
  const result = await optional(workspace, { ...question, options });
  if (result === undefined || result === 'large' || !isSource(result)) return undefined;
  return result.nodes.length <= MOST_WRITTEN ? result : undefined;
}

/** Another graph for the page; `large` if there is no room beside `nodes`, undefined if it cannot be drawn. */
async function further(
  workspace: Workspace,
  question: FlameQuestion,
  flameChoice: { readonly metric: string; readonly inverted: boolean },
  nodes: number,
): Promise<FlameResult | 'large' | undefined> {
  if (nodes > MOST_NODES) return 'large';
  const options = { ...question.options, ...flameChoice, mostFrames: MOST_FRAMES };
  const other = await optional(workspace, { ...question, options });
  if (other === undefined || other === 'large') return other;
  if (other.nodes.length === 0) return undefined;
  return nodes + other.nodes.length > MOST_NODES ? 'large' : other;
}

/** An additional picture; undefined if it cannot be drawn. */
async function optional(workspace: Workspace, question: FlameQuestion): Promise<FlameResult | 'large' | undefined> {
  try {
    return await workspace.ask(question);
  } catch (error) {
    if (error instanceof TooLargeError) return 'large';
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
