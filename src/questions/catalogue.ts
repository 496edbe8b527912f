/**
 * What a person asks of any recording, and the view that answers it: `tree` of a profile is a call tree with values, of a report of calls its paths.
 * Fronts choose views here only, by traits that the facts of a recording have, so that all of them answer alike.
 */
import { STATE_EVENTS } from '../models/events/state.js';
import type { Recording } from '../models/recording.js';

/** What a choice of the view depends on. */
export interface RecordingTraits {
  /** It has which method may call which, and no profile. */
  readonly reportsCalls: boolean;
  /** It has why an analysis found parts of a program reachable. */
  readonly givesReasons: boolean;
  /** The first thing that it counts are threads, each in its state. */
  readonly countsStates: boolean;
}

export function traitsOf({ callGraph, profile, reasons }: Recording): RecordingTraits {
  return {
    reportsCalls: callGraph !== undefined && profile === undefined,
    givesReasons: reasons !== undefined,
    countsStates: profile?.metrics[0]?.table === STATE_EVENTS.kind,
  };
}

type Traits = readonly RecordingTraits[];
const allReportCalls = (traits: Traits): boolean => traits.every(({ reportsCalls }) => reportsCalls);
const allCountStates = (traits: Traits): boolean => traits.every(({ countsStates }) => countsStates);

/**
 * By what is asked: the view that answers it of recordings with these traits; those of a comparison are given together. Where none can answer, it is a
 * view that refuses with its reason.
 */
export const CATALOGUE = {
  tree: (traits: Traits) => (allReportCalls(traits) ? 'calls-tree' : 'tree'),
  callers: (traits: Traits) => (allReportCalls(traits) ? 'calls-callers' : 'callers'),
  why: (traits: Traits) => (traits.some(({ givesReasons }) => givesReasons) ? 'calls-reasons' : 'calls-why'),
  /** What differs between recordings. */
  changes: (traits: Traits) => (allReportCalls(traits) ? 'calls-diff' : allCountStates(traits) ? 'threads' : 'diff'),
  /** Threads of a comparison: their changes from dump to dump, or those of their values. */
  threadChanges: (traits: Traits) => (allCountStates(traits) ? 'threads' : 'diff'),
} as const;
