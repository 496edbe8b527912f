/** Stages and recordings for tests of what is derived: a stage that runs when the test says so, a recording that grows. */
import type { Work } from '../base/progress.js';
import type { OpenRecording, Snapshot, Stage, Subject } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** One run of a drawn stage, which ends when the test says so. */
export interface DrawnRun {
  readonly of: readonly Subject[];
  readonly parameters: string;
  readonly work: Work;
  finish(value: string): void;
  fail(error: Error): void;
}

/** A stage whose runs a test ends by hand; `runs` has them in the order in which they began. A value takes a byte a letter. */
export function drawnStage(name: string, announced?: (parameters: string) => number) {
  const runs: DrawnRun[] = [];
  const stage: Stage<string, string> = {
    name,
    version: 1,
    key: (parameters) => parameters,
    ...(announced && { cost: (_: readonly Subject[], parameters: string) => ({ bytes: announced(parameters) }) }),
    run: (of, parameters, _, work) =>
      new Promise((finish, fail) => {
        runs.push({ of, parameters, work, finish, fail });
        work.signal?.addEventListener('abort', () => fail(new DOMException('stopped', 'AbortError')));
      }),
    bytes: (value) => value.length,
  };
  return { stage, runs };
}

/** A recording whose snapshots come when the test says so. It keeps the newest only. */
export class GrowingRecording implements OpenRecording {
  readonly id: string;
  closed = false;
  #snapshot: Snapshot;

  constructor(id: string, first: Recording) {
    this.id = id;
    this.#snapshot = { id: 0, final: false, recording: first };
  }

  current(): Snapshot {
    return this.#snapshot;
  }

  /** The next snapshot; ids of rows in it must be those of the ones before. */
  grow(recording: Recording, final = false): void {
    this.#snapshot = { id: this.#snapshot.id + 1, final, recording };
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}
