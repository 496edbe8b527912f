/** Locks at the moments of dumps within a scope: the steps by dump, and by the handles of locks. */
import { rowsWhere } from '../../base/columns/marks.js';
import { isHandle, unknownHandle } from '../../models/handle.js';
import { DEADLOCKS, LOCK_WAITS, type Locks, MONITORS } from '../../models/locks/locks.js';
import type { Program } from '../../models/program/program.js';
import type { ScopeStep } from '../../models/scope.js';
import { selectRows } from '../../models/table.js';
import { monitorOfHandle, threadsAround } from '../locks/monitor-label.js';
import { ofDumps } from './dump-rows.js';

/** The threads around the lock that a step is the handle of, in its dump. */
export interface LockThreads {
  readonly dump: number;
  readonly threads: ReadonlySet<number>;
}

/** The locks that the steps leave, and what steps by their handles choose. */
export interface ScopedLocks {
  readonly locks: Locks | undefined;
  /** Whether all steps could be applied. */
  readonly scoped: boolean;
  readonly threads: ReadonlyMap<ScopeStep, LockThreads>;
}

/**
 * The locks of the selected dumps, and of handles. Other steps cannot be applied: without one of its threads, a monitor would be shown
 * in a state that it did not have. Throws `UsageError` for a handle of another recording.
 */
export function scopeLocks(program: Program, locks: Locks | undefined, steps: readonly ScopeStep[]): ScopedLocks {
  let scoped = true;
  let current = locks;
  const threads = new Map<ScopeStep, LockThreads>();
  for (const step of steps) {
    if (isLockStep(step)) {
      const row = current && monitorOfHandle(program, current.monitors, step.pattern);
      if (current === undefined || row === undefined || row < 0) throw unknownHandle(step.pattern);
      threads.set(step, { dump: MONITORS.rows(current.monitors).dump[row], threads: threadsAround(current, row) });
      current = withMonitors(current, (monitor) => (monitor === row) === (step.kind === 'focus'));
    } else if (step.kind !== 'dump') scoped = false;
    else if (current !== undefined && locks !== undefined)
      current = ofDump(current, (step.number === 'last' ? locks.snapshots.length : step.number) - 1);
  }
  return { locks: current, scoped, threads };
}

/** Steps by functions on stacks, or by what a handle names. */
export type PatternStep = Extract<ScopeStep, { kind: 'focus' | 'ignore' | 'hide' | 'show' }>;

/** Whether a step is by the handle of a lock at a moment. */
export function isLockStep(step: ScopeStep): step is PatternStep {
  return (step.kind === 'focus' || step.kind === 'ignore') && isHandle('monitor', step.pattern);
}

function ofDump(locks: Locks, dump: number): Locks {
  const dumps = MONITORS.rows(locks.monitors).dump;
  const { deadlocks } = locks;
  return {
    ...withMonitors(locks, (row) => dumps[row] === dump),
    ...(deadlocks && { deadlocks: selectRows(deadlocks, ofDumps(DEADLOCKS.rows(deadlocks).dump, dump)) }),
  };
}

/** Some of the monitors, with the threads that wait for them, and without the deadlocks that the recording names. */
function withMonitors({ deadlocks: _, ...locks }: Locks, isKept: (row: number) => boolean): Locks {
  const { monitors, waits } = locks;
  const kept = rowsWhere(monitors.length, isKept);
  const moved = new Int32Array(monitors.length).fill(-1);
  kept.forEach((row, i) => {
    moved[row] = i;
  });
  const { monitor } = LOCK_WAITS.rows(waits);
  const rows = rowsWhere(monitor.length, (row) => moved[monitor[row]] >= 0);
  return {
    ...locks,
    monitors: selectRows(monitors, kept),
    waits: selectRows(waits, rows, { monitor: rows.map((row) => moved[monitor[row]]) }),
  };
}
