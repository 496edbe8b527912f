/** Parts of a summary that only some recordings have: objects by class, locks, stacks that were cut, several dumps. */
import { z } from 'zod';
import { type GcFacts, gcFactsUse } from '../../analysis/gc/stages.js';
import { classLevels } from '../../analysis/heap/class-levels.js';
import { functionsOf } from '../../analysis/origin.js';
import { ClassPackages } from '../../analysis/packages.js';
import { scopedPart } from '../../analysis/scope/scoped-part.js';
import { NONE } from '../../base/flavor.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { GC_EVENTS } from '../../models/events/gc.js';
import { DUMP, STACK } from '../../models/events/shared-fields.js';
import { type Locks, MONITORS } from '../../models/locks/locks.js';
import { lastDump } from '../../models/profile/moment.js';
import { eventTable, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { TRACES } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
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
    bytes: z.number().nullable().describe('null if the file has no sizes'),
    largest: z.array(
      z.object({ bytes: z.number().nullable(), share: z.number().nullable(), objects: z.number(), class: z.string() }),
    ),
  })
  .describe('objects by class at one moment');

export const locksShape = z.object({
  snapshots: z.number(),
  threads: z.number().describe('threads in all snapshots, each counted once'),
  monitors: z.number().describe('monitors in the snapshot with the most; their identity across snapshots is unknown'),
  deadlocks: z.array(z.string()).describe('each deadlock in words; `monitors` has details'),
});

export const callsShape = z
  .object({
    methods: z.number(),
    loaders: z
      .array(z.object({ name: z.string(), methods: z.number() }))
      .describe('methods by class loader, most first'),
    packages: z
      .array(z.object({ name: z.string(), methods: z.number(), share: z.number().nullable() }))
      .describe('the packages with most methods'),
    own: z.number().describe('methods outside the JDK and the VM'),
    own_example: z.string().nullable().describe('such a method that is called; null without'),
    reasons: z
      .array(z.object({ reason: z.string(), entries: z.number() }))
      .describe('the most frequent reasons of entries; none if the report has no reasons'),
  })
  .describe('reported calls');

export const cutShape = z
  .object({ cut: z.number(), stacks: z.number() })
  .describe('stacks truncated at the depth limit of the recorder, and the number of all stacks');

const LARGEST = 5;

/** The largest classes of the last dump; null without objects by class. */
export function classesSummary(input: ViewInput): z.input<typeof classesShape> | null {
  const levels = classLevels(input);
  if (levels === undefined) return null;
  const { dump, dumps, classes } = levels;
  const isSized = classes.length === 0 || classes.some((level) => level.bytes !== null);
  const weight = (level: (typeof classes)[number]): number => (isSized ? (level.bytes ?? 0) : level.objects);
  const total = classes.reduce((sum, level) => sum + weight(level), 0);
  const largest = [...classes].sort((a, b) => weight(b) - weight(a) || a.class - b.class).slice(0, LARGEST);
  return {
    dump,
    dumps,
    classes: classes.length,
    objects: classes.reduce((sum, level) => sum + level.objects, 0),
    bytes: isSized ? total : null,
    largest: largest.map((level) => ({
      bytes: level.bytes,
      share: share(weight(level), total),
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

/** The reported calls in numbers; undefined without a call graph. */
export const callsSummaryUse = scopedPart<z.input<typeof callsShape> | undefined>({
  name: 'summary of calls',
  version: 1,
  key: () => '',
  run: ({ recording: { callGraph, program } }) => callGraph && callsSummary(callGraph, program),
  bytes: () => 1000,
});

function callsSummary(graph: CallGraph, program: Program): z.input<typeof callsShape> {
  const { classes, functions, names } = program;
  const places = new ClassPackages(program);
  const packages = new Map<number, number>();
  const loaders = new Map<number, number>();
  const isOwn = functionsOf(program, ['own']);
  let ownMethods = 0;
  let example = NONE;
  for (const id of graph.methods) {
    const place = functions.class[id] < 0 ? NONE : places.of(functions.class[id]);
    packages.set(place, (packages.get(place) ?? 0) + 1);
    const loader = classes.module?.[functions.class[id]] ?? NONE;
    loaders.set(loader, (loaders.get(loader) ?? 0) + 1);
    if (isOwn[id] === 0) continue;
    ownMethods++;
    if (example < 0) example = id;
  }
  const reasons = new Map<number, number>();
  for (const reason of graph.entries.reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return {
    methods: graph.methods.length,
    loaders: most(loaders, (id) => stringAt(names, id)).map(([name, methods]) => ({ name, methods })),
    packages: most(packages, (place) => places.prefix(place).replace(/\.$/, '')).map(([name, methods]) => ({
      name,
      methods,
      share: share(methods, graph.methods.length),
    })),
    own: ownMethods,
    own_example: example < 0 ? null : functionSignature(program, example),
    reasons: most(reasons, (id) => stringAt(graph.reasons, id))
      .filter(([reason]) => reason !== '')
      .map(([reason, entries]) => ({ reason, entries })),
  };
}

/** The largest counts with their names; -1 has none. */
function most(counts: ReadonlyMap<number, number>, name: (id: number) => string): [string, number][] {
  const countedIds = [...counts].filter(([id]) => id >= 0).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return countedIds.slice(0, LARGEST).map(([id, count]) => [name(id), count]);
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
    const usedStacks = new Uint8Array(stacks.length);
    for (const table of profile.events)
      for (const stack of columnOf(table, STACK) ?? []) if (stack >= 0) usedStacks[stack] = 1;
    for (let stack = 0; stack < usedStacks.length; stack++) if (usedStacks[stack] === 1) count(stack);
  } else for (const stack of TRACES.rows(traces).stack) if (stack >= 0) count(stack);
  return cut === 0 ? null : { cut, stacks: all };
}

/** The number of dumps in a table; 1 if it does not record dumps. */
export function levelDumps(profile: Profile, kind: string): number {
  const table = eventTable(profile, kind);
  const dumps = table && columnOf(table, DUMP);
  return dumps === undefined ? 1 : Math.max(1, lastDump(dumps) + 1);
}

export const gcShape = z
  .object({
    pauses: z.number(),
    paused: z.number().describe('ns of all pauses'),
    share: z.number().nullable().describe('of the time of the recording that pauses cover'),
    longest: z.number().nullable().describe('ns of the longest pause'),
    span: z.number().describe('ns that the recording covers'),
    used_after: z.number().nullable().describe('bytes of the used heap after the last collection; null unknown'),
    used_most: z
      .number()
      .nullable()
      .describe('most bytes of the used heap when a collection began or ended; null unknown'),
  })
  .describe('pauses of garbage collection, and the heap that is used');

/** Undefined if the recording has no collections. */
export function gcSummaryUse({ profile, subject }: ViewInput) {
  return GC_EVENTS.of(profile) === undefined ? undefined : gcFactsUse(subject);
}

/** Pauses of garbage collection; null if the recording has no collections. */
export function gcSummary(facts: GcFacts | undefined): z.input<typeof gcShape> | null {
  if (facts === undefined) return null;
  const { pauses, span, usedAfter, usedMost } = facts;
  const { count, sum: paused, share: ofTime, max: longest } = pauses;
  return { pauses: count, paused, share: ofTime, longest, span, used_after: usedAfter, used_most: usedMost };
}
