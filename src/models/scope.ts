/** The steps of a scope: which part of a recording a question is about. `analysis/scope` applies them. */
export type ScopeStep =
  | { readonly kind: 'focus' | 'ignore' | 'hide' | 'show' | 'thread'; readonly pattern: string }
  /** Nanoseconds since the recording began. */
  | { readonly kind: 'time'; readonly from: number; readonly to: number }
  /** What threads were doing: any of these of `THREAD_STATES`. */
  | { readonly kind: 'state'; readonly states: readonly string[] }
  /** Number of a dump of the recording, from 1 on. */
  | { readonly kind: 'dump'; readonly number: number };

/** One text for each list of steps: equal where the steps are, in their order. */
export function scopeKey(steps: readonly ScopeStep[]): string {
  return JSON.stringify(
    steps.map((step) => {
      switch (step.kind) {
        case 'time':
          return [step.kind, step.from, String(step.to)];
        case 'state':
          return [step.kind, ...step.states];
        case 'dump':
          return [step.kind, step.number];
        default:
          return [step.kind, step.pattern];
      }
    }),
  );
}
