/**
 * Which snapshots of recordings that grow are still needed: the newest one of each source, and those that a question began with. The values of
 * all others can be dropped.
 */
import type { Subject } from '../models/open-recording.js';

/** A snapshot by the ids of its source and itself. */
export interface SnapshotId {
  readonly source: string;
  readonly snapshot: number;
}

/** The snapshots of subjects. */
export function snapshotsOf(subjects: readonly Pick<Subject, 'source' | 'snapshot'>[]): SnapshotId[] {
  return subjects.map(({ source, snapshot }) => ({ source: source.id, snapshot: snapshot.id }));
}

export class SnapshotsInUse {
  /** By source. */
  readonly #newest = new Map<string, number>();
  /** By source, the snapshots with questions in progress and the number of these. */
  readonly #questions = new Map<string, Map<number, number>>();

  /** A question begins. Returns whether one of the snapshots is newer than all before. */
  begin(snapshots: readonly SnapshotId[]): boolean {
    let isNewer = false;
    for (const { source, snapshot } of snapshots) {
      const newest = this.#newest.get(source);
      if (newest === undefined || snapshot > newest) this.#newest.set(source, snapshot);
      isNewer ||= newest !== undefined && snapshot > newest;
      const counts = this.#questions.get(source) ?? new Map<number, number>();
      this.#questions.set(source, counts.set(snapshot, (counts.get(snapshot) ?? 0) + 1));
    }
    return isNewer;
  }

  /** The question ends. Returns whether one of the snapshots is no longer needed. */
  end(snapshots: readonly SnapshotId[]): boolean {
    for (const { source, snapshot } of snapshots) {
      const counts = this.#questions.get(source);
      const left = (counts?.get(snapshot) ?? 1) - 1;
      if (left > 0) counts?.set(snapshot, left);
      else counts?.delete(snapshot);
    }
    return snapshots.some((each) => !this.needs(each));
  }

  needs({ source, snapshot }: SnapshotId): boolean {
    return snapshot >= (this.#newest.get(source) ?? 0) || this.#questions.get(source)?.has(snapshot) === true;
  }

  forget(source: string): void {
    this.#newest.delete(source);
    this.#questions.delete(source);
  }
}
