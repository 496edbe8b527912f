/** The steps of a scope: which part of a recording a question is about. `analysis/scope` applies them. */
export type ScopeStep =
  | { readonly kind: 'focus' | 'ignore' | 'hide' | 'show' | 'thread'; readonly pattern: string }
  /** Nanoseconds since the recording began. */
  | { readonly kind: 'time'; readonly from: number; readonly to: number }
  /** Number of a dump of the recording, from 1 on. */
  | { readonly kind: 'dump'; readonly number: number }
  /** The innermost frames of each stack, at least one. */
  | { readonly kind: 'depth'; readonly frames: number };

/** One text for each list of steps: equal where the steps are, in their order. */
export function scopeKey(steps: readonly ScopeStep[]): string {
  return JSON.stringify(
    steps.map((step) => {
      if (step.kind === 'time') return [step.kind, step.from, String(step.to)];
      if (step.kind === 'dump') return [step.kind, step.number];
      return [step.kind, step.kind === 'depth' ? step.frames : step.pattern];
    }),
  );
}
