/** What the choice of a view depends on: facts that every front has of a recording. */
import { STATE_EVENTS } from '../../models/events/state.js';
import { eventTable } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';

export interface RecordingTraits {
  /** It has which method may call which, and no profile. */
  readonly reportsCalls: boolean;
  /** It has why an analysis found parts of a program reachable. */
  readonly givesReasons: boolean;
  /** The first thing that it counts are threads, each in its state. */
  readonly countsStates: boolean;
  /** It has threads, each in its state, at one moment or several. */
  readonly hasStates: boolean;
}

export function traitsOf({ callGraph, profile, reasons }: Recording): RecordingTraits {
  return {
    reportsCalls: callGraph !== undefined && profile === undefined,
    givesReasons: reasons !== undefined,
    countsStates: profile?.metrics[0]?.table === STATE_EVENTS.kind,
    hasStates: profile !== undefined && eventTable(profile, STATE_EVENTS.kind) !== undefined,
  };
}

export type Traits = readonly RecordingTraits[];

export function allReportCalls(traits: Traits): boolean {
  return traits.every(({ reportsCalls }) => reportsCalls);
}

export function allCountStates(traits: Traits): boolean {
  return traits.every(({ countsStates }) => countsStates);
}
