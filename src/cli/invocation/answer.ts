/** Asks the named recordings the question of a command line, and prints the answers. */
import { DamagedError, UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { readable } from '../../pictures/cells.js';
import type { RecordingTraits } from '../../questions/catalogue/traits.js';
import type { AnalysisRequest } from '../../questions/options/analysis.js';
import type { OpeningOptions } from '../../session/opening.js';
import { type Question, USUAL_LIMIT } from '../../session/session.js';
import type { RecordingFacts, Workspace } from '../../session/workspace/workspace.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import type { Page } from '../../views/question.js';
import { EXIT, type ExitCode, explain } from '../exit.js';
import { hasColour, type Invocation, note, noteLines, print } from '../host.js';
import { withProgress } from '../render/progress.js';
import {
  type AnyResult,
  isStyled,
  type OutputFormat,
  type RenderOptions,
  remarks,
  render,
  renderTogether,
} from '../render/render.js';
import type { DebugOptions } from './debug-options.js';
import { type ComparedFacts, openCompared, withWorkspace } from './open.js';
import type { BaseOptions, CodeOptions, ListingOptions, OutputOptions } from './options.js';

export interface Printing<Name extends ViewName> {
  readonly page?: (result: ResultOf<Name>, options: RenderOptions) => Promise<string>;
  /** Throws if a result does not answer what the options require. */
  readonly refuse?: (result: ResultOf<Name>) => void;
  /** Undefined if the result is not a check. */
  readonly exit?: (result: ResultOf<Name>) => ExitCode | undefined;
  /**
   * Rows at a time where all are asked for as csv, tsv or ndjson: for listings that are larger than memory, and cost
   * nothing to go on with.
   */
  readonly pieces?: number;
  /** All recordings of a side are runs of one program, with a single answer. */
  readonly runs?: boolean;
  /** How much is read at opening. */
  readonly extent?: OpeningOptions['extent'];
}

/** A question without the parts that the command line adds to every question. */
export type Asked<Name extends ViewName> = Omit<
  Question<Name>,
  'recording' | 'base' | 'runs' | 'baseRuns' | 'page' | 'scope' | 'baseScope'
>;

/** A question, or a function that makes it for recordings with these traits. */
type Asking<Name extends ViewName> = Asked<Name> | ((traits: readonly RecordingTraits[]) => Asked<Name>);

export type AnswerOptions = OutputOptions &
  Partial<ListingOptions> &
  BaseOptions &
  CodeOptions &
  DebugOptions & { readonly analysis?: AnalysisRequest };

/**
 * Asks each recording of the files and prints the answers: tables one after the other, other formats in one document.
 * If one of several recordings cannot answer, the others still do. Returns the recordings that were asked.
 */
export async function answer<Name extends ViewName>(
  invocation: Invocation,
  files: readonly string[],
  question: Asking<Name>,
  options: AnswerOptions,
  printing: Printing<Name> = {},
): Promise<readonly RecordingFacts[]> {
  const format = outputFormat(options);
  const { runs = false, extent = 'whole' } = printing;
  return withWorkspace(invocation, { ...options, extent }, async (inputs) => {
    const compared = await openCompared(inputs, files, options, runs);
    await answerFrom(inputs.workspace, compared, invocation, question, { ...options, format }, printing);
    return compared.asked;
  });
}

/** The page that the options choose. */
export function pageOf({ limit = USUAL_LIMIT, offset = 0, sort }: Partial<ListingOptions>): Page {
  return { limit, offset, ...(sort === undefined ? {} : { sort }) };
}

async function answerFrom<Name extends ViewName>(
  workspace: Workspace,
  { asked: recordings, compared, all }: ComparedFacts,
  invocation: Invocation,
  question: Asking<Name>,
  options: AnswerOptions & { readonly format: OutputFormat },
  printing: Printing<Name>,
): Promise<void> {
  const { format } = options;
  const page = pageOf(options);
  const layout = layoutOf(invocation, options);
  const several = recordings.length > 1;
  const data = typeof question === 'function' ? question(all.map(({ traits }) => traits)) : question;
  const together: AnyResult[] = [];
  let refused: ExitCode = EXIT.done;
  for (const { id, name } of recordings) {
    let result: ResultOf<Name>;
    const piece = (offset: number, work: Work = {}): Promise<ResultOf<Name>> => {
      const limit = isStreamed(format, several, page, printing) ? (printing.pieces ?? page.limit) : page.limit;
      const paged = { ...page, offset, limit };
      return workspace.ask({ ...data, ...compared, recording: id, page: paged, scope: options.scope ?? [] }, work);
    };
    try {
      result = await withProgress(invocation.host, name, (work) => piece(page.offset, work));
      printing.refuse?.(result);
    } catch (error) {
      if (!several || !(error instanceof UsageError || error instanceof DamagedError)) throw error;
      const { code, text } = explain(error);
      noteLines(invocation, `${readable(name)}: ${text}`);
      if (refused !== EXIT.usage) refused = code;
      continue;
    }
    const streamed = isStreamed(format, several, page, printing);
    let leftOut: readonly string[] = [];
    const hasHeadlines = format === 'table' || (format === 'md' && !several);
    if (several && format !== 'table') together.push(result);
    else if (streamed) await printPieces(invocation, layout, result, piece);
    else {
      const rendered = await render(result, { ...layout, page: printing.page?.bind(undefined, result) });
      await print(invocation, rendered.text, isStyled(layout));
      leftOut = rendered.leftOut;
    }
    for (const remark of remarks(streamed ? { ...result, total: undefined } : result, options.notes === true, {
      leftOut,
      headlines: !hasHeadlines,
    }))
      note(invocation, several ? `${readable(name)}: ${remark}` : remark);
    const code = printing.exit?.(result) ?? (result.complete ? EXIT.done : EXIT.partial);
    if (code !== EXIT.done) invocation.exitCode = code;
  }
  if (together.length > 0 && format !== 'table')
    await print(invocation, await renderTogether(together, format, layout.units));
  if (refused !== EXIT.done) invocation.exitCode = refused;
}

/** Whether all rows of one recording are printed in a format that needs no row twice. */
function isStreamed(
  format: OutputFormat,
  several: boolean,
  { limit, sort }: Page,
  { pieces }: { readonly pieces?: number },
): boolean {
  return (
    pieces !== undefined &&
    limit === 0 &&
    sort === undefined &&
    !several &&
    (format === 'csv' || format === 'tsv' || format === 'ndjson')
  );
}

/** Prints a listing piece by piece. `first` has the first rows. */
async function printPieces(
  invocation: Invocation,
  layout: RenderOptions,
  first: AnyResult,
  next: (offset: number) => Promise<AnyResult>,
): Promise<void> {
  let piece = first;
  for (let continued = false; ; continued = true) {
    await print(invocation, (await render(piece, { ...layout, continued })).text);
    const end = Number(piece.offset) + (Array.isArray(piece.rows) ? piece.rows.length : 0);
    if (end >= Number(piece.total) || end === Number(piece.offset)) return;
    piece = await next(end);
  }
}

/** The layout of results; tables are as wide as the terminal. */
export function layoutOf(
  { host }: Invocation,
  options: AnswerOptions & { readonly format: OutputFormat },
): RenderOptions {
  const { format, units = false, width, color } = options;
  if (units && format !== 'csv' && format !== 'tsv')
    throw new UsageError('--units is for csv and tsv', 'Tables show units in their cells, JSON in its columns.');
  if (width !== undefined && format !== 'table') throw new UsageError(`--width is for tables, not for ${format}`);
  const terminal = host.stdout.isTTY === true ? host.stdout.columns : undefined;
  return { format, units, colour: color !== false && hasColour(host), width: width ?? terminal ?? 0 };
}

export function outputFormat(options: OutputOptions): OutputFormat {
  if (options.json === true && options.format !== undefined && options.format !== 'json') {
    throw new UsageError(`--json and --format ${options.format} exclude each other`);
  }
  return options.json === true ? 'json' : (options.format ?? 'table');
}
