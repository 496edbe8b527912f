/** Opens the inputs of a command line, with progress on standard error. */
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import type { Phrase } from '../../base/phrase.js';
import type { Recording } from '../../models/recording.js';
import type { AnalysisRequest } from '../../questions/options/analysis.js';
import type { DerivedOptions } from '../../session/derived.js';
import type { LibraryPaths } from '../../session/library.node.js';
import { openInputs } from '../../session/open.node.js';
import type { OpeningOptions } from '../../session/opening.js';
import { namedRecordings, type Question, type Session } from '../../session/session.js';
import { directWorkspace } from '../../session/workspace/direct.node.js';
import type { RecordingFacts, Workspace } from '../../session/workspace/workspace.js';
import type { ViewName } from '../../views/index.js';
import { type Host, type Invocation, note } from '../host.js';
import { withProgress } from '../render/progress.js';
import { commandLineText } from '../render/spelling.js';
import { type DebugOptions, debugPlaces } from './debug-options.js';
import type { BaseOptions, CodeOptions, ListingOptions } from './options.js';

interface Extent {
  /** How much is read at opening; everything if not given. */
  readonly extent?: OpeningOptions['extent'];
}

interface Analysing {
  /** How class files among the inputs are analysed. */
  readonly analysis?: AnalysisRequest;
}

type OpeningChoice = { readonly cache: boolean } & Extent & Analysing & CodeOptions & DebugOptions;

/** Opens the inputs, with progress. `withSession` also closes them. */
export async function open(invocation: Invocation, files: readonly string[], options: OpeningChoice): Promise<Session> {
  const name = files.length === 1 ? (files[0] ?? '') : `${files.length} inputs`;
  return withProgress(invocation.host, name, (work) =>
    openInputs(files, {
      cache: options.cache,
      announce: (message) => note(invocation, `kansoku: ${commandLineText(message)}`),
      work,
      library: libraryOf(options),
      debug: debugPlaces(options),
      ...(options.extent && { extent: options.extent }),
      derived: memoryLimit(invocation.host.env),
    }),
  );
}

/** Opens the inputs, runs, and closes them, also where `run` fails. */
export async function withSession<Value>(
  invocation: Invocation,
  files: readonly string[],
  options: OpeningChoice,
  run: (session: Session) => Promise<Value>,
): Promise<Value> {
  const session = await open(invocation, files, options);
  try {
    return await run(session);
  } finally {
    await session.close();
  }
}

/** Opens an input with one recording; `UsageError` if it has several. */
export async function openOne(
  invocation: Invocation,
  files: readonly string[],
  options: { readonly cache: boolean },
): Promise<Recording> {
  const input = files[0] ?? '';
  return withSession(invocation, files, options, async (session) => {
    const only = theOnly(session, input);
    return (await named(invocation, session, input))[0] ?? only;
  });
}

/** The recordings of an input with the names of native functions, with progress. */
export function named({ host }: Invocation, session: Session, input: string): Promise<readonly Recording[]> {
  return withProgress(host, input, (work) => namedRecordings(session, work));
}

/** The recording of an input as read; `UsageError` if it has several. */
export function theOnly({ recordings }: Session, input: string): Recording {
  return theFirst(recordings, input);
}

function theFirst<Each>(recordings: readonly Each[], input: string): Each {
  const [recording] = recordings;
  if (recording !== undefined && recordings.length === 1) return recording;
  throw new UsageError(`${input} holds ${recordings.length} recordings`, 'Name one of them: archive.zip!/inner/path.');
}

/** A workspace of the inputs of a command line. */
export interface OpenedInputs {
  readonly workspace: Workspace;
  /** The facts of the recordings of further files. */
  readonly open: (files: readonly string[]) => Promise<readonly RecordingFacts[]>;
}

/** Runs with a workspace that opens inputs with progress, and ends it, also where `run` fails. */
export async function withWorkspace<Value>(
  invocation: Invocation,
  options: OpeningChoice,
  run: (opened: OpenedInputs) => Promise<Value>,
): Promise<Value> {
  const { cache, extent, analysis } = options;
  const announce = (message: Phrase): void => note(invocation, `kansoku: ${commandLineText(message)}`);
  const workspace = directWorkspace({ cache, announce, derived: memoryLimit(invocation.host.env) });
  const beside = { cache, library: libraryOf(options), debug: debugPlaces(options), ...defined({ extent, analysis }) };
  const open = (files: readonly string[]): Promise<readonly RecordingFacts[]> => {
    const name = files.length === 1 ? (files[0] ?? '') : `${files.length} inputs`;
    return withProgress(invocation.host, name, (work) =>
      workspace.open({ names: files, ...beside }, { ...work, announce }),
    );
  };
  try {
    return await run({ workspace, open });
  } finally {
    await workspace.end();
  }
}

/** The recording of an input; `UsageError` if it has several. */
export async function openOnly({ open }: OpenedInputs, input: string): Promise<RecordingFacts> {
  return theFirst(await open([input]), input);
}

type ComparedOptions = Extent & BaseOptions & CodeOptions & DebugOptions & Pick<ListingOptions, 'cache' | 'scope'>;

/** The recordings to ask, those they are compared with, and all of them together. */
export interface ComparedFacts {
  readonly asked: readonly RecordingFacts[];
  readonly compared: Pick<Question<ViewName>, 'base' | 'baseScope' | 'runs' | 'baseRuns'>;
  readonly all: readonly RecordingFacts[];
}

/**
 * Opens the files and the base, if any. The base is last and is not asked itself. With `runs`, only the first recording is asked, and the others are
 * its further runs.
 */
export async function openCompared(
  { open }: OpenedInputs,
  files: readonly string[],
  { base: baseFile, baseDump, scope: steps = [] }: ComparedOptions,
  runs: boolean,
): Promise<ComparedFacts> {
  if (baseFile === undefined && baseDump !== undefined)
    throw new UsageError('--base-dump needs --base', 'Name the base: --base FILE.');
  const now = await open(files);
  if (baseFile === undefined) return { asked: now, compared: {}, all: now };
  const bases = await open([baseFile].flat());
  const [base, ...baseRuns] = bases.map(({ id }) => id);
  if (!runs && baseRuns.length > 0)
    throw new UsageError(`${[baseFile].flat().join(', ')} holds ${bases.length} recordings; --base takes one`);
  // Without a scope of its own, the base has that of the recording: its handles are of the recording then.
  const baseScope =
    baseDump === undefined
      ? undefined
      : [...steps.filter((step) => step.kind !== 'dump'), { kind: 'dump', number: baseDump } as const];
  const compared = { ...(baseScope && { baseScope }), ...(base !== undefined && { base }) };
  const all = [...now, ...bases];
  if (!runs) return { asked: now, compared, all };
  const [first, ...others] = now;
  const beside = { runs: others.map(({ id }) => id), baseRuns };
  return { asked: first === undefined ? [] : [first], compared: { ...compared, ...beside }, all };
}

/** `KANSOKU_MEMORY`: bytes that derived values may take, with or without a unit. */
export function memoryLimit({ KANSOKU_MEMORY: text = '' }: Host['env']): DerivedOptions {
  if (text === '') return {};
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]?)B?$/i.exec(text) ?? [];
  if (number === undefined)
    throw new UsageError(
      `KANSOKU_MEMORY is no amount of memory: ${text}`,
      'Set it to an amount such as 500MB or 16GB.',
    );
  return { most: Number(number) * 1000 ** ' KMGT'.indexOf(unit.toUpperCase() || ' ') };
}

/** The places of classes and sources that options name. */
export function libraryOf({ classes, oldClasses, sourcePath }: CodeOptions): LibraryPaths {
  return {
    ...(classes === undefined ? {} : { classes }),
    ...(oldClasses === undefined ? {} : { oldClasses }),
    ...(sourcePath === undefined ? {} : { sources: sourcePath }),
  };
}
