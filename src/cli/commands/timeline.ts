/** `timeline`: a sketch on the terminal, or a picture. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { formatBytes, plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import { timeline } from '../../questions/catalogue/events.js';
import { optionDefinitions } from '../../questions/options/option.js';
import type { ResultOf } from '../../views/index.js';
import type { Invocation } from '../host.js';
import { type AnswerOptions, answer } from '../invocation/answer.js';
import { openOnly, withWorkspace } from '../invocation/open.js';
import { addExamples, addOutputOptions, addScopeOptions, wholeNumber } from '../invocation/options.js';
import { writePicture } from '../invocation/picture.js';
import { commandOption, fileMeaning } from '../invocation/question.js';
import { noteTexts } from '../render/spelling.js';
import { NAME_WIDTH } from '../render/timeline.js';

/** Options of output and scope, with those of the command. */
type TimelineOptions = AnswerOptions & { readonly output?: string; readonly width?: number };

/** Threads that are shown. */
const USUAL_THREADS = 20;
/** In a page, which scrolls and has a search. */
const PAGE_THREADS = 500;
const NO_TERMINAL = 100;
const IN_SVG = 600;

export function registerTimeline(program: Command, invocation: Invocation): void {
  const command = program.command('timeline').description(timeline.title);
  command
    .argument('<file>', fileMeaning(timeline.recordings.description))
    .option(
      '-o, --output <file>',
      'output file: .html for a page, .svg for a picture; - writes the page to standard output',
    );
  for (const definition of optionDefinitions(timeline.options))
    command.addOption(commandOption({ ...definition, default: undefined }));
  command.option(
    '--limit <threads>',
    `number of threads; 0 for all (default: ${USUAL_THREADS}, in a page ${PAGE_THREADS})`,
    wholeNumber,
  );
  addScopeOptions(addOutputOptions(command)).action((file: string, options: TimelineOptions) =>
    options.output === undefined
      ? sketch(invocation, file, options)
      : picture(invocation, file, options.output, options),
  );
  addExamples(command, timeline.examples);
}

/** One line a track, as wide as the terminal. */
async function sketch(invocation: Invocation, file: string, options: TimelineOptions): Promise<void> {
  const { width, limit = USUAL_THREADS, ...others } = options;
  const { stdout } = invocation.host;
  const columns = stdout.isTTY === true ? stdout.columns : undefined;
  const usual = columns === undefined ? NO_TERMINAL : Math.max(10, columns - NAME_WIDTH - 18);
  const question = { view: 'timeline' as const, options: { buckets: width ?? usual } };
  await answer(
    invocation,
    [file],
    question,
    { ...others, limit },
    {
      page: async (result) => (await import('../render/timeline.js')).timelineText(result),
    },
  );
}

async function picture(invocation: Invocation, file: string, output: string, options: TimelineOptions): Promise<void> {
  const kind = kindOf(output, options);
  await withWorkspace(invocation, options, async (inputs) => {
    const { id: recording } = await openOnly(inputs, file);
    const { limit = kind === 'html' ? PAGE_THREADS : USUAL_THREADS, scope = [] } = options;
    // The page divides the time itself.
    const timelineOptions = kind === 'html' ? { buckets: 1, rows: true } : { buckets: options.width ?? IN_SVG };
    const question = {
      view: 'timeline' as const,
      recording,
      options: timelineOptions,
      page: { limit, offset: 0 },
      scope,
    };
    const result = await inputs.workspace.ask(question, { signal: invocation.host.signal });
    const text = await (kind === 'html' ? pageOf(result, options.scopeWords) : svgOf(result));
    const extent = `${plural(result.tracks.length, 'track')}, ${formatBytes(Buffer.byteLength(text))}`;
    await writePicture(invocation, { text, output, files: [file], extent }, result, options.notes === true);
  });
}

function kindOf(output: string, { json, format, width }: TimelineOptions): 'html' | 'svg' {
  if (json === true || format !== undefined) throw new UsageError('-o writes a file: neither --json nor --format');
  if (/\.svg$/i.test(output)) return 'svg';
  if (output !== '-' && !/\.html?$/i.test(output))
    throw new UsageError(`${readable(output)}: unknown output extension`, 'Use .html or .svg.');
  if (width !== undefined) throw new UsageError('a page has no --width: it zooms', 'Omit it, or write .svg.');
  return 'html';
}

async function pageOf(result: ResultOf<'timeline'>, scopeWords: readonly string[] | undefined): Promise<string> {
  return (await import('../render/timeline-html.js')).timelineHtml(result, scopeWords);
}

async function svgOf(result: ResultOf<'timeline'>): Promise<string> {
  return (await import('../../pictures/timeline/svg.js')).timelineSvg(result, noteTexts(result.notes));
}
