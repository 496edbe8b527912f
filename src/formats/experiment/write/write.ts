/**
 * Writes any profile as an experiment of format 12.4 that gprofng reads: functions as code generated at run time, one metric of time as clock
 * profiling, other metrics as hardware counters. Memory: the addresses of places and functions, and one block of each file.
 */
import { UsageError } from '../../../base/errors.js';
import { STACK, THREAD, TIME } from '../../../models/events/shared-fields.js';
import { type Profile, STACK_ENDINGS } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { column, hasField, type Table } from '../../../models/table.js';
import type { WrittenSet } from '../../capabilities/writer.js';
import { CodeLayout } from './code-layout.js';
import type { Fields } from './fields.js';
import { addFrame, FAILED, TRUNCATED } from './frames.js';
import { CLOCK, COUNTER, logText, START } from './log.js';
import { encodedLines } from './markup.js';
import { overviewRecord } from './overview-record.js';
import { type MachineLayout, PacketBlocks } from './packets.js';
import { planOf, type WrittenMetric } from './plan.js';

const LINUX_CPU = 10;
const USER_CPU = 0;
const MOST_TICKS = 2 ** 31 - 1;

const USUAL: MachineLayout = { littleEndian: true, word: 8 };

/** The files of an experiment. Throws `UsageError` for recordings without a metric that adds up along stacks. */
export function writeExperiment(recording: Recording, machine: MachineLayout = USUAL): WrittenSet {
  const { profile, program } = recording;
  if (profile === undefined)
    throw new UsageError(`${recording.name} has no stacks to write as an experiment`, { code: 'no-stacks' });
  const plan = planOf(profile);
  if (plan.clock === undefined && plan.counters.length === 0)
    throw new UsageError(`${recording.name}: no metric adds up along stacks, so an experiment would be empty`, {
      code: 'not-summable',
    });
  const code = new CodeLayout(program);
  if (machine.word === 4 && !code.fitsWord) throw new Error('too many functions for addresses of 32 bits');
  const tables = new Set([...(plan.clock ? [plan.clock.table] : []), ...plan.counters.map(({ table }) => table)]);
  const duration = durationOf([...tables]);
  const command = recording.metadata.find(({ key }) => key === 'command')?.value ?? recording.name;
  const log = logText({ ...machine, profile, program, plan, duration, command });
  const { clock } = plan;
  const parts = new Map<string, Iterable<Uint8Array>>([
    ['log.xml', encodedLines(log)],
    ['map.xml', encodedLines(code.map())],
    ['data.frameinfo', frames(profile, [...tables], code, machine)],
    ...(clock ? [['profile', clockPackets(clock, machine)] as const] : []),
    ...(plan.counters.length > 0 ? [['hwcounters', counterPackets(plan.counters, machine)] as const] : []),
    ['overview', overview(clock, duration, machine)],
    ['dyntext', code.dynamicCode(machine)],
  ]);
  return { parts, dropped: [...plan.dropped, ...lost(recording)] };
}

/** What other formats have and an experiment does not. */
function lost({ heaps, locks, program }: Recording): string[] {
  return [
    ...((heaps?.length ?? 0) > 0 ? ['heaps'] : []),
    ...(locks === undefined ? [] : ['locks']),
    ...(program.loadObjects === undefined ? [] : ['load objects of native functions']),
  ];
}

function timeOf(table: Table): (row: number) => number {
  const times = hasField(table, TIME.key) ? column(table, TIME.key) : undefined;
  // Without times, rows follow each other.
  return (row) => Math.max(0, Math.floor(times?.[row] ?? row));
}

function durationOf(tables: readonly Table[]): number {
  let last = 0;
  for (const table of tables) {
    const time = timeOf(table);
    for (let row = 0; row < table.length; row++) last = Math.max(last, time(row));
  }
  return last + 1;
}

/** Stacks that events have, each with its row plus 1 as the id of its frame. */
function* frames(
  profile: Profile,
  tables: readonly Table[],
  code: CodeLayout,
  machine: MachineLayout,
): Generator<Uint8Array> {
  const used = new Uint8Array(profile.stacks.length);
  for (const table of tables) for (const id of column(table, STACK.key)) if (id >= 0) used[id] = 1;
  const blocks = new PacketBlocks(machine);
  for (let id = 0; id < used.length; id++)
    if (used[id] !== 0) yield* addFrame(blocks, machine, id, addressesOf(profile, id, code));
  yield blocks.finish();
}

/** From leaf to root, with a mark at the end if the stack is not whole. */
function addressesOf({ stacks }: Profile, leaf: number, code: CodeLayout): number[] {
  const addresses: number[] = [];
  for (let id = leaf; id >= 0; id = stacks.parent[id]) addresses.push(code.addressOf(stacks.location[id]));
  const ending = STACK_ENDINGS[stacks.ending[leaf]];
  if (ending === 'cut' || ending === 'partial') addresses.push(TRUNCATED);
  else if (ending === 'failed') addresses.push(FAILED);
  return addresses;
}

/** Fields that all events have; the time is at `stamp`, the id of the frame at `frame`. */
function common(fields: Fields, table: Table, row: number, places: { stamp: number; frame: number }): void {
  const threads = hasField(table, THREAD.key) ? column(table, THREAD.key) : undefined;
  const thread = Math.max(0, (threads?.[row] ?? 0) + 1);
  fields.wide(8, thread);
  fields.wide(16, thread);
  fields.word(24, 0xffffffff);
  fields.wide(places.stamp, START + timeOf(table)(row));
  fields.wide(places.frame, Math.max(0, column(table, STACK.key)[row] + 1));
}

function* clockPackets(
  { table, values, tick, scale }: WrittenMetric & { readonly tick: number; readonly scale: number },
  machine: MachineLayout,
): Generator<Uint8Array> {
  const blocks = new PacketBlocks(machine);
  for (let row = 0; row < table.length; row++) {
    let ticks = Math.round((Math.max(0, values?.[row] ?? 1) * scale) / (tick * 1000));
    while (ticks > 0) {
      const own = Math.min(ticks, MOST_TICKS);
      const { fields, full } = blocks.packet(CLOCK.size, CLOCK.type);
      if (full !== undefined) yield full;
      common(fields, table, row, CLOCK);
      fields.word(CLOCK.state, machine.littleEndian ? LINUX_CPU : USER_CPU);
      fields.word(CLOCK.ticks, own);
      ticks -= own;
    }
  }
  yield blocks.finish();
}

function* counterPackets(counters: readonly WrittenMetric[], machine: MachineLayout): Generator<Uint8Array> {
  const blocks = new PacketBlocks(machine);
  for (const [tag, { table, values }] of counters.entries()) {
    for (let row = 0; row < table.length; row++) {
      const value = Math.round(Math.max(0, values?.[row] ?? 1));
      if (value === 0) continue;
      const { fields, full } = blocks.packet(COUNTER.size, COUNTER.type);
      if (full !== undefined) yield full;
      common(fields, table, row, COUNTER);
      fields.word(COUNTER.tag, tag);
      fields.wide(COUNTER.value, value);
    }
  }
  yield blocks.finish();
}

/** Two records: zeros, and the CPU time of the clock. */
function* overview(
  clock: (WrittenMetric & { readonly scale: number }) | undefined,
  duration: number,
  machine: MachineLayout,
): Generator<Uint8Array> {
  let spent = 0;
  if (clock !== undefined)
    for (let row = 0; row < clock.table.length; row++) spent += Math.max(0, clock.values?.[row] ?? 1) * clock.scale;
  yield overviewRecord({ pid: 1, time: START, run: 0, user: 0, system: 0 }, machine);
  yield overviewRecord({ pid: 1, time: START + duration, run: duration, user: spent, system: 0 }, machine);
}
