/** Opens the inputs of a command line, with progress on standard error. */

import { UsageError } from '../../base/errors.js';
import type { Recording } from '../../models/recording.js';
import type { DerivedOptions } from '../../session/derived.js';
import type { LibraryPaths } from '../../session/library.node.js';
import { openInputs } from '../../session/open.node.js';
import type { OpeningOptions } from '../../session/opening.js';
import { joinSessions, namedRecordings, type Question, type Session } from '../../session/session.js';
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

type OpeningChoice = { readonly cache: boolean } & Extent & CodeOptions & DebugOptions;

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
  const [recording] = recordings;
  if (recording !== undefined && recordings.length === 1) return recording;
  throw new UsageError(`${input} holds ${recordings.length} recordings`, 'Name one of them: archive.zip!/inner/path.');
}

type ComparedOptions = Extent & BaseOptions & CodeOptions & DebugOptions & Pick<ListingOptions, 'cache' | 'scope'>;

/** An opened session, the recordings in it to ask, and those they are compared with. */
export interface Compared {
  readonly session: Session;
  readonly asked: readonly { readonly id: string; readonly name: string }[];
  readonly compared: Pick<Question<ViewName>, 'base' | 'baseScope' | 'runs' | 'baseRuns'>;
}

/**
 * Opens the files and the base, if any. The base is last in the session and is not asked itself. With `runs`, only the
 * first recording is asked, and the others are its further runs.
 */
export async function openCompared(
  invocation: Invocation,
  files: readonly string[],
  options: ComparedOptions,
  runs: boolean,
): Promise<Compared> {
  if (options.base === undefined && options.baseDump !== undefined)
    throw new UsageError('--base-dump needs --base', 'Name the base: --base FILE.');
  const session = await open(invocation, files, options);
  const count = session.ids.length;
  if (options.base === undefined) return { session, asked: askedOf(session, count), compared: {} };
  const names = [options.base].flat();
  const together = joinSessions(session, await openBases(invocation, session, names, options));
  const [base = '', ...baseRuns] = together.ids.slice(count);
  if (!runs && baseRuns.length > 0) {
    await together.close();
    throw new UsageError(`${names.join(', ')} holds ${baseRuns.length + 1} recordings; --base takes one`);
  }
  const steps = options.scope ?? [];
  const moment = options.baseDump === undefined ? [] : [{ kind: 'dump', number: options.baseDump } as const];
  const baseScope = moment.length === 0 ? steps : [...steps.filter((step) => step.kind !== 'dump'), ...moment];
  const compared = { base, baseScope };
  if (!runs) return { session: together, asked: askedOf(together, count), compared };
  const beside = { runs: together.ids.slice(1, count), baseRuns };
  return { session: together, asked: askedOf(together, 1), compared: { ...compared, ...beside } };
}

/** The first `count` recordings of a session. */
function askedOf({ ids, recordings }: Session, count: number): Compared['asked'] {
  return recordings.slice(0, count).map(({ name }, place) => ({ id: ids[place] ?? '', name }));
}

/** Opens the bases; if that fails, closes the recordings to compare. */
async function openBases(
  invocation: Invocation,
  beside: Session,
  names: readonly string[],
  { cache, debugPath = [], debuginfod = [], pathMap = [] }: ComparedOptions,
): Promise<Session> {
  try {
    return await open(invocation, names, { cache, debugPath, debuginfod, pathMap });
  } catch (error) {
    await beside.close();
    throw error;
  }
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

function libraryOf({ classes, oldClasses, sourcePath }: CodeOptions): LibraryPaths {
  return {
    ...(classes === undefined ? {} : { classes }),
    ...(oldClasses === undefined ? {} : { oldClasses }),
    ...(sourcePath === undefined ? {} : { sources: sourcePath }),
  };
}
