/**
 * Recordings of several files that are readable while they are written, such as experiments. Their recorder fills blocks of these files in no order, so
 * each refresh reads all of them again, and rows of one snapshot are not those of the next.
 */
import { stat } from 'node:fs/promises';
import { UnreadableError, UsageError } from '../base/errors.js';
import { phrase, theOption, theView } from '../base/phrase.js';
import type { Work } from '../base/progress.js';
import { uniqueName } from '../base/unique.js';
import { directoryTree } from '../bytes/directory.node.js';
import { osPath } from '../bytes/path-bytes.node.js';
import type { OpenRecording, Snapshot } from '../models/open-recording.js';
import type { ProgramFiles } from '../models/program/program-files.js';
import type { DerivedOptions } from './derived.js';
import { claimedSets } from './inputs/detect.js';
import { namingOptions } from './naming.node.js';
import { type OpeningOptions, openRecording } from './opening.js';
import { type Session, sessionOfOpen } from './session.js';

export interface GrowingOptions {
  readonly work?: Work;
  /** Only the types of events are read, and the events of the types that these words name: others need the files as they were. */
  readonly foreseen?: readonly string[];
  readonly derived?: DerivedOptions;
}

/**
 * A session of the recording in a folder; undefined if no such set of files is in it. Throws `UsageError` for several, and for single events, which
 * rows of snapshots would have to name.
 */
export async function openGrowingSet(
  path: string,
  { work = {}, foreseen, derived }: GrowingOptions,
): Promise<Session | undefined> {
  const stats = await stat(osPath(path)).catch(() => undefined);
  if (stats?.isDirectory() !== true) return undefined;
  const sets = await setsIn(path);
  const [first] = sets;
  if (first === undefined) return undefined;
  if (sets.length > 1)
    throw new UsageError(phrase`${path} holds ${sets.length} recordings; ${theOption('follow')} takes one`, {
      code: 'several-recordings',
    });
  if (foreseen !== undefined)
    throw new UsageError(`${path}: single events of an unfinished ${first.format.title} cannot be followed`, {
      code: 'cannot-follow',
      advice: phrase`${theView('summary', { options: { follow: true } })} shows its sums.`,
      action: { ask: theView('summary') },
    });
  const growing = new GrowingSet(path, namingOptions());
  await growing.refresh(work);
  return sessionOfOpen([growing], { ...(derived && { derived }) });
}

async function setsIn(path: string) {
  const tree = await directoryTree(path);
  const sets = await claimedSets(tree);
  return sets.filter(({ format }) => format.sets.ended !== undefined).map((each) => ({ ...each, tree }));
}

class GrowingSet implements OpenRecording {
  readonly id = uniqueName('recording');
  readonly #path: string;
  readonly #options: OpeningOptions;
  #inner: OpenRecording | undefined;
  #snapshot: Snapshot | undefined;
  #seen = '';

  constructor(path: string, options: OpeningOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Those of the newest snapshot. */
  get files(): ProgramFiles | undefined {
    return this.#inner?.files;
  }

  current(): Snapshot {
    if (this.#snapshot === undefined) throw new Error('a growing recording is read before it is used');
    return this.#snapshot;
  }

  async refresh(work: Work = {}): Promise<Snapshot> {
    const lastSnapshot = this.#snapshot;
    if (lastSnapshot?.final) return lastSnapshot;
    const [growingSet] = await setsIn(this.#path);
    if (growingSet === undefined)
      throw new UnreadableError(`${this.#path}: the recording was removed`, { code: 'recording-removed' });
    const { format, set, tree } = growingSet;
    const inner = await openRecording({ format, set, tree }, { ...this.#options, work });
    const { recording } = inner.current();
    const final = format.sets.ended?.(recording) ?? true;
    const state = JSON.stringify([final, recording.sections, recording.problems.counts]);
    if (lastSnapshot !== undefined && state === this.#seen) {
      await inner.close();
      return lastSnapshot;
    }
    await this.#inner?.close();
    this.#inner = inner;
    this.#seen = state;
    this.#snapshot = { id: (lastSnapshot?.id ?? -1) + 1, final, recording };
    return this.#snapshot;
  }

  async close(): Promise<void> {
    await this.#inner?.close();
  }
}
