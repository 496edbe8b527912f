/** Which part of a recording a question is about. */

/**
 * Whose code a method is. `own`: the application and its libraries. `vm`: SubstrateVM and the Graal compiler.
 * `profiler`: the instrumentation. `unknown`: methods with an unknown class.
 */
export const ORIGINS = ['own', 'jdk', 'vm', 'profiler', 'unknown'] as const;
export type Origin = (typeof ORIGINS)[number];

/**
 * Which stack of an event counts. `user`: that of the program. `expert`: the same, but the native one where the runtime system worked.
 * `machine`: the native one.
 */
export const VIEW_MODES = ['user', 'expert', 'machine'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** TimeSpans of time that do not overlap, rising: from starts to before ends, nanoseconds since the recording began. */
export interface TimeSpans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** The times of some events, by the threads that they are of. TimeSpans that overlap are one. */
export interface EventSpans {
  /** Name of their type. */
  readonly name: string;
  /** By label of the thread: the spans of its own events, joined with `ofAll`. */
  readonly ofThread: ReadonlyMap<string, TimeSpans>;
  /** Of events without a thread. */
  readonly ofAll: TimeSpans;
  /** Of all events. */
  readonly together: TimeSpans;
  /** Number of events, and of those that have no time. */
  readonly count: number;
  readonly untimed: number;
}

/** The steps of a scope, which select a part of a recording. `analysis/scope` applies them. */
export type ScopeStep =
  | { readonly kind: 'focus' | 'ignore' | 'hide' | 'show'; readonly pattern: string }
  | { readonly kind: 'thread'; readonly pattern: string }
  /** Numbers of processes with commas, or a pattern of their names and command lines. `numbers`: theirs from 0 on, once a question has looked them up. */
  | { readonly kind: 'process'; readonly processes: string; readonly numbers?: readonly number[] }
  /** Events whose fields fit an expression (analysis/scope/filter-language.ts): `duration > 20ms and thread ~ /pool/`. */
  | { readonly kind: 'filter'; readonly expression: string }
  /** What happened on the thread of an event, or to all threads, during it; the event as `events` names it: `jdk.JavaMonitorEnter#3`. */
  | { readonly kind: 'at'; readonly event: string }
  /**
   * The same of all events of a type, those that fit an expression: `acme.Request and duration > 150ms`. `spans`: theirs in the recording, once a
   * question has looked them up.
   */
  | { readonly kind: 'during'; readonly events: string; readonly spans?: EventSpans }
  /** Nanoseconds since the recording began; without `to`, up to its end. */
  | {
      readonly kind: 'time';
      readonly from: number;
      readonly to?: number | undefined;
      /** How the question said it, if in another way. */
      readonly words?: string;
    }
  /** The same by the clock of the machine: `08:07:58`, `2026-11-28 08:07:58+01:00`; without `from`, from the start on. */
  | { readonly kind: 'clock'; readonly from?: string | undefined; readonly to?: string | undefined }
  /** What threads were doing: any of these of `THREAD_STATES`. */
  | { readonly kind: 'state'; readonly states: readonly string[] }
  /** Number of a dump of the recording, from 1 on; `last`: the last one of each kind of events. */
  | { readonly kind: 'dump'; readonly number: number | 'last' }
  /** Events in code of these origins: by the innermost frame of their stack. */
  | { readonly kind: 'origin'; readonly origins: readonly Origin[] }
  /** Which of several stacks of an event counts. */
  | { readonly kind: 'view-mode'; readonly mode: ViewMode }
  /** The innermost frames of each stack, at least one. */
  | { readonly kind: 'depth'; readonly frames: number };

/** The origins that the steps leave; undefined if none of them is by origin. */
export function originsOf(steps: readonly ScopeStep[]): readonly Origin[] | undefined {
  const chosen = steps.flatMap((step) => (step.kind === 'origin' ? [step.origins] : []));
  return chosen.length === 0 ? undefined : ORIGINS.filter((origin) => chosen.every((list) => list.includes(origin)));
}

/** One text for each list of steps: equal for equal steps in the same order. */
export function scopeKey(steps: readonly ScopeStep[]): string {
  return JSON.stringify(
    steps.map((step) => {
      switch (step.kind) {
        case 'filter':
          return [step.kind, step.expression];
        case 'process':
          return [step.kind, step.processes];
        case 'at':
          return [step.kind, step.event];
        case 'during':
          return [step.kind, step.events];
        case 'time':
          return [step.kind, step.from, step.to ?? ''];
        case 'clock':
          return [step.kind, step.from ?? '', step.to ?? ''];
        case 'state':
          return [step.kind, ...step.states];
        case 'dump':
          return [step.kind, step.number];
        case 'origin':
          return [step.kind, ...step.origins];
        case 'view-mode':
          return [step.kind, step.mode];
        case 'depth':
          return [step.kind, step.frames];
        default:
          return [step.kind, step.pattern];
      }
    }),
  );
}
