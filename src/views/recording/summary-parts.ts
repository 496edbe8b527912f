/** Parts of a summary that only some recordings have: objects by class, locks, stacks that were cut, several dumps. */
import { z } from 'zod';
import { classLevels } from '../../analysis/heap/class-levels.js';
import { share } from '../../base/share.js';
import { DUMP, STACK } from '../../models/events/shared-fields.js';
import { type Locks, MONITORS } from '../../models/locks/locks.js';
import { lastDump } from '../../models/profile/moment.js';
import { eventTable, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { TRACES } from '../../models/profile/tables.js';
import { columnOf } from '../../models/table.js';
import { levelName } from '../heap/classes.js';
import { deadlockText, namedDeadlocks } from '../locks/locks.js';
import type { ViewInput } from '../question.js';

export const classesShape = z
  .object({
    dump: z.number().int().describe('number of the dump, from 1: the last one with objects'),
    dumps: z.number().int(),
    classes: z.number().int(),
    objects: z.number(),
    bytes: z.number(),
    largest: z.array(
      z.object({ bytes: z.number(), share: z.number().nullable(), objects: z.number(), class: z.string() }),
    ),
  })
  .describe('objects by class at one moment');

export const locksShape = z.object({
  snapshots: z.number(),
  threads: z.number().describe('threads in all snapshots, each counted once'),
  monitors: z.number().describe('monitors in the snapshot with the most; their identity across snapshots is unknown'),
  deadlocks: z.array(z.string()).describe('each deadlock in words; `monitors` has details'),
});

export const cutShape = z
  .object({ cut: z.number(), stacks: z.number() })
  .describe('stacks truncated at the depth limit of the recorder, and the number of all stacks');

const LARGEST = 5;

/** The largest classes of the last dump; null without objects by class. */
export function classesSummary(input: ViewInput): z.input<typeof classesShape> | null {
  const levels = classLevels(input);
  if (levels === undefined) return null;
  const { dump, dumps, classes } = levels;
  const bytes = classes.reduce((sum, level) => sum + level.bytes, 0);
  const largest = [...classes].sort((a, b) => b.bytes - a.bytes || a.class - b.class).slice(0, LARGEST);
  return {
    dump,
    dumps,
    classes: classes.length,
    objects: classes.reduce((sum, level) => sum + level.objects, 0),
    bytes,
    largest: largest.map((level) => ({
      bytes: level.bytes,
      share: share(level.bytes, bytes),
      objects: level.objects,
      class: levelName(input.recording.program, level.class),
    })),
  };
}

export function locksSummary(input: ViewInput): z.input<typeof locksShape> | null {
  const { locks, profile } = input.recording;
  if (locks === undefined) return null;
  return {
    snapshots: locks.snapshots.length,
    threads: profile?.threads?.length ?? 0,
    monitors: mostInOne(locks),
    deadlocks: namedDeadlocks(input, locks).map((deadlock) => deadlockText(deadlock, locks.snapshots.length > 1)),
  };
}

function mostInOne({ monitors, snapshots }: Locks): number {
  const counts = new Int32Array(snapshots.length);
  for (const dump of MONITORS.rows(monitors).dump) counts[dump]++;
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** The number of cut stacks, of the recorded traces if any, else of the stacks with events; null if none was cut. */
export function cutSummary(profile: Profile): z.input<typeof cutShape> | null {
  const { traces, stacks } = profile;
  const limit = STACK_ENDINGS.indexOf('cut');
  if (!stacks.ending.includes(limit)) return null;
  let cut = 0;
  let all = 0;
  const count = (stack: number): void => {
    all++;
    if (stacks.ending[stack] === limit) cut++;
  };
  if (traces === undefined) {
    const seen = new Uint8Array(stacks.length);
    for (const table of profile.events)
      for (const stack of columnOf(table, STACK) ?? []) if (stack >= 0) seen[stack] = 1;
    for (let stack = 0; stack < seen.length; stack++) if (seen[stack] === 1) count(stack);
  } else for (const stack of TRACES.rows(traces).stack) if (stack >= 0) count(stack);
  return cut === 0 ? null : { cut, stacks: all };
}

/** The number of dumps in a table; 1 if it does not record dumps. */
export function levelDumps(profile: Profile, kind: string): number {
  const table = eventTable(profile, kind);
  const dumps = table && columnOf(table, DUMP);
  return dumps === undefined ? 1 : Math.max(1, lastDump(dumps) + 1);
}
