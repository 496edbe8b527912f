/** What recordings are of, where the question of a command depends on it. */
import { STATE_EVENTS } from '../../models/events/state.js';
import type { Recording } from '../../models/recording.js';

/** Whether the first thing that a recording counts are threads, each in its state. */
export function saysStates({ profile }: Recording): boolean {
  return profile?.metrics[0]?.table === STATE_EVENTS.kind;
}

/** Whether the recordings are reports of calls, without a profile. */
export function hasCalls(recordings: readonly Recording[]): boolean {
  return recordings.every(({ callGraph, profile }) => callGraph !== undefined && profile === undefined);
}
