/** The steps of a scope, which select a part of a recording. `analysis/scope` applies them. */
export type ScopeStep =
  | { readonly kind: 'focus' | 'ignore' | 'hide' | 'show' | 'thread'; readonly pattern: string }
  /** Nanoseconds since the recording began. */
  | { readonly kind: 'time'; readonly from: number; readonly to: number }
  /** Number of a dump of the recording, from 1 on. */
  | { readonly kind: 'dump'; readonly number: number };

/** One text for each list of steps: equal for equal steps in the same order. */
export function scopeKey(steps: readonly ScopeStep[]): string {
  return JSON.stringify(
    steps.map((step) => {
      if (step.kind === 'time') return [step.kind, step.from, String(step.to)];
      return [step.kind, step.kind === 'dump' ? step.number : step.pattern];
    }),
  );
}
