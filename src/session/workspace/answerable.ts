/**
 * Which questions of the catalogue a recording can answer: fronts offer these. A question that needs something beside the recording (classes, a base, a
 * method) counts as one that it can answer. Costs a look at the columns of threads.
 */
import { metricsBy } from '../../analysis/index-objects/objects.js';
import { timeSpan } from '../../analysis/time-span.js';
import { ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, TLAB_EVENTS } from '../../models/events/allocation.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { CLASS_EVENTS } from '../../models/events/class.js';
import { GC_EVENTS } from '../../models/events/gc.js';
import { IO_EVENTS } from '../../models/events/io.js';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { SYNCHRONISATION_EVENTS } from '../../models/events/synchronisation.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import { eventTable } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { hasStacks } from '../../models/profile/usual-metric.js';
import type { Recording } from '../../models/recording.js';

type Rule = (recording: Recording) => boolean;
interface Kind {
  readonly kind: string;
}

function always(): boolean {
  return true;
}

function hasAny(...kinds: readonly Kind[]): Rule {
  return ({ profile }) =>
    profile !== undefined && kinds.some(({ kind }) => (eventTable(profile, kind)?.length ?? 0) > 0);
}

function either(...rules: readonly Rule[]): Rule {
  return (recording) => rules.some((rule) => rule(recording));
}

const hasValues: Rule = ({ profile }) => profile?.metrics.some((metric) => hasStacks(metric)) ?? false;
const hasGraph: Rule = ({ callGraph }) => callGraph !== undefined;
const hasReasons: Rule = ({ reasons }) => reasons !== undefined;
const hasHeaps: Rule = ({ heaps = [] }) => heaps.length > 0;
const hasCalls = hasAny(CALL_EVENTS);
const hasProcesses: Rule = ({ processes }) => processes !== undefined;
const hasEvents: Rule = ({ profile, eventTypes = [] }) =>
  eventTypes.length > 0 || (profile?.events.some(({ length }) => length > 0) ?? false);
const hasThreadRows: Rule = ({ profile }) => (profile?.threads?.length ?? 0) > 0;
const hasTimes: Rule = ({ profile }) => timeSpan(profile, []) !== undefined;
const hasTimedValues: Rule = (recording) => hasValues(recording) && metricsBy('second', recording).length > 0;

const RULES: Readonly<Record<string, Rule>> = {
  summary: always,
  check: always,
  functions: hasValues,
  callers: either(hasValues, hasGraph),
  tree: either(hasValues, hasGraph),
  flame: hasValues,
  threads: hasThreadRows,
  timeline: hasTimes,
  monitors: either(({ locks }) => locks !== undefined, hasAny(WAIT_EVENTS, SYNCHRONISATION_EVENTS)),
  sites: hasAny(SITE_EVENTS, ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, TLAB_EVENTS, NATIVE_MEMORY_EVENTS),
  events: hasEvents,
  gc: hasAny(GC_EVENTS),
  'io files': hasAny(IO_EVENTS),
  'io sizes': hasAny(IO_EVENTS),
  memory: hasAny(NATIVE_MEMORY_EVENTS),
  processes: hasProcesses,
  usage: hasProcesses,
  index: hasTimedValues,
  source: either(hasValues, hasGraph),
  disasm: either(hasValues, hasGraph),
  diff: always,
  'heap histogram': either(hasHeaps, hasAny(CLASS_EVENTS)),
  'heap objects': hasHeaps,
  'heap dominators': hasHeaps,
  'heap inspect': hasHeaps,
  'heap paths': either(hasHeaps, ({ references }) => references !== undefined),
  'heap suspects': hasHeaps,
  'calls why': either(hasGraph, hasReasons),
  'calls graph': either(hasGraph, hasCalls, hasAny(ARCS)),
  'calls entries': hasGraph,
  'calls methods': hasGraph,
  'calls cut': hasGraph,
  'calls check': hasGraph,
  'calls unreached': hasGraph,
  'calls unobserved': hasGraph,
  'pgo hot': hasCalls,
  'pgo branches': hasAny(BRANCH_EVENTS),
  'pgo receivers': hasAny(RECEIVER_EVENTS),
  'pgo inlining': hasCalls,
  'pgo coverage': hasCalls,
  'pgo methods': hasCalls,
  'pgo types': hasCalls,
  'pgo stale': hasCalls,
};

/** What a recording is opened for, by its format; of others `functions`, else `summary`. */
const FIRST: Readonly<Record<string, string>> = {
  'thread-dump': 'monitors',
  hprof: 'heap histogram',
  'class-histogram': 'heap histogram',
  'object-tree': 'heap histogram',
  iprof: 'pgo hot',
  jfr: 'timeline',
  'call-tree': 'calls methods',
  'points-to analysis': 'calls methods',
};

export interface AnswerableQuestions {
  /** Names, in the order of the rules: what people look at first comes first. */
  readonly names: readonly string[];
  /** The one that shows what such a recording is opened for. */
  readonly first: string;
}

export function answerableQuestions(recording: Recording): AnswerableQuestions {
  const names = Object.entries(RULES).flatMap(([question, rule]) => (rule(recording) ? [question] : []));
  const usual = FIRST[recording.format] ?? 'functions';
  return { names, first: names.includes(usual) ? usual : 'summary' };
}
