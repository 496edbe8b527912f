/**
 * Opens the class files of a program as a recording: our own analysis of it, made now or kept from an earlier run.
 *
 *   class path, JDK ──content──┐
 *   options, metadata ─────────┴─► key ──► kept copy, else analysis ──► recording; the class path is its library
 */
import type { AnalysisOptions } from '../../analysis/pointsto/analyze.js';
import { sha256 } from '../../base/digest.node.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import type { Problem } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import type { JoinedClassPath } from '../../code/java/class-path/joined-class-path.js';
import { usualJdk } from '../../code/java/jdk-home.node.js';
import { type OpenRecording, openedRecording } from '../../models/open-recording.js';
import type { CodeLibrary } from '../../models/program/library.js';
import type { MethodKey } from '../../models/program/method-key.js';
import type { Recording } from '../../models/recording.js';
import { type AnalysisRequest, USUAL_CUTOFF } from '../../questions/options/analysis.js';
import { RECORDING } from '../store/cache.node.js';
import { ColumnStore, type StoreOptions } from '../store/column-store.node.js';
import { analysedRecording } from './analyse.node.js';
import { classPathContent } from './class-path-content.node.js';
import { readMetadata } from './metadata.node.js';

export interface ProgramOptions {
  readonly announce: (message: string) => void;
  readonly work: Work;
  /** Name of the recording; the main class if not given. */
  readonly name?: string | undefined;
  /** Where results are kept; none are if not given. */
  readonly store?: StoreOptions | undefined;
  /** Methods that the recordings of the request saw. */
  readonly seenMethods?: readonly MethodKey[];
}

export interface OpenedProgram {
  readonly source: OpenRecording;
  readonly library: CodeLibrary;
  close(): Promise<void>;
}

/**
 * Opens a class path without its JDK, which the request names. Throws `UsageError` without a main class, and `MissingError` without a JDK.
 */
export async function openProgram(
  paths: readonly string[],
  request: AnalysisRequest,
  options: ProgramOptions,
): Promise<OpenedProgram> {
  const jdk = request.jdk ?? usualJdk(process.env);
  const programClasses = await openClassPath(paths);
  const opened = [programClasses];
  const close = async (): Promise<void> => {
    for (const each of opened) await each.close();
  };
  try {
    const classes = await openClassPath([...paths, ...(jdk === undefined ? [] : [jdk])], options.announce);
    opened.push(classes);
    const { recording, content } = await recordingOf(classes, request, options);
    return {
      source: openedRecording(recording, content === undefined ? {} : { content }),
      library: { classes, programClasses },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The recording, and the key that it is kept by. */
async function recordingOf(
  classes: JoinedClassPath,
  request: AnalysisRequest,
  { work, store: storeOptions, seenMethods = [], ...options }: ProgramOptions,
): Promise<{ readonly recording: Recording; readonly content: string | undefined }> {
  const { registrations, problems: metadataProblems } = await readMetadata(classes, request.metadata ?? [], work);
  const choice: AnalysisOptions = { ...optionsOf(classes, request), registrations, observed: seenMethods };
  const name = options.name ?? choice.main ?? 'library';
  const make = (): Promise<Recording> => analysedRecording(classes, choice, { name, metadataProblems }, work);
  if (storeOptions === undefined) return { recording: await make(), content: undefined };
  const { now } = storeOptions;
  const content = await classPathContent(classes.places, now);
  if (content === undefined) return { recording: await make(), content: undefined };
  const store = new ColumnStore(storeOptions);
  const key = keyOf(content, classes, choice, metadataProblems);
  const stored = await store.load(key, RECORDING, work);
  if (stored !== undefined) return { recording: { ...stored, name }, content: key };
  const recording = await make();
  // What was read belongs to the key only if nothing changed meanwhile.
  if ((await classPathContent(classes.places, now)) !== content) return { recording, content: undefined };
  await store.save(key, RECORDING, recording, work);
  return { recording, content: key };
}

/** Problems name the class path as it was written, so it is a part of the key. */
function keyOf(
  content: string,
  { name }: JoinedClassPath,
  { cutoff, ...choice }: AnalysisOptions,
  problems: readonly Problem[],
): string {
  const choiceText = JSON.stringify([name, String(cutoff), choice, problems]);
  return `analysis ${sha256().update(choiceText).digest('hex')} ${content}`;
}

function optionsOf(classes: JoinedClassPath, request: AnalysisRequest): AnalysisOptions {
  const { entry: methods = [], library: isLibrary = false, algo, clinit } = request;
  const main = request.main ?? (isLibrary || methods.length > 0 ? undefined : classes.mainClass);
  if (main === undefined && !isLibrary && methods.length === 0)
    throw new UsageError('no main class is given, and no manifest names one', {
      code: 'no-main-class',
      advice: phrase`Name it with ${theOption('main', { choose: 'CLASS' })}; ${theOption('entry', { choose: 'METHOD' })} and ${theOption('library')} are other entries.`,
    });
  if (!classes.has('java.lang.Object'))
    throw new MissingError('the class path has no java.lang.Object', {
      code: 'no-jdk',
      advice: phrase`Add the home of a JDK with ${theOption('jdk', { choose: 'HOME' })}.`,
    });
  const cutoff = cutoffOf(request);
  if (request.predicates === true && cutoff === 0)
    throw new UsageError(
      phrase`${theOption('predicates')}: values at each place are followed, so a cut-off above 0 is needed`,
      {
        code: 'no-cutoff',
        advice: phrase`Omit ${theOption('algo')}, or ${theOption('predicates')}.`,
      },
    );
  return {
    ...(main !== undefined && { main }),
    methods,
    isLibrary,
    isOfHierarchy: algo === 'cha',
    cutoff,
    initialisers: clinit,
    isPredicated: request.predicates === true,
  };
}

function cutoffOf({ algo = 'pta', cutoff }: AnalysisRequest): number {
  if (algo !== 'pta') {
    if (cutoff === undefined) return 0;
    throw new UsageError(phrase`${theOption('algo', { value: algo })} has no cut-off`, {
      code: 'no-cutoff',
      advice: phrase`Omit ${theOption('cutoff')}.`,
    });
  }
  if (cutoff === undefined) return USUAL_CUTOFF;
  if (cutoff === 'inf') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(cutoff)) return Number(cutoff);
  throw new UsageError(phrase`${theOption('cutoff', { value: cutoff })}: a whole number is expected, or inf`, {
    code: 'no-cutoff',
  });
}
