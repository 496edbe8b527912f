/** Recorded streams as recordings: the values of frames that were written by hand, and those of a real one. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FormatError } from '../../../base/errors.js';
import { stringAt } from '../../../base/text.js';
import { memorySource } from '../../../bytes/byte-source.js';
import { OBJECT_ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { TIME_EVENTS } from '../../../models/events/time.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import { threadName } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { ROOT } from '../../../testing/shared-data.js';
import {
  block,
  call,
  classLoad,
  HELLO,
  record,
  reply,
  streamFile,
  text,
  threadStart,
} from '../testing/stream-bytes.js';
import { plainStream } from '../testing/stream-oracle.js';
import { readStream, readStreamEvents } from './read.js';

const read = (bytes: Uint8Array): Promise<Recording> => readStream(memorySource('x.jvmpi', bytes));

/** The methods of a stack, outermost first. */
function stackText({ program, profile }: Recording, stack: number): string {
  const frames: string[] = [];
  for (let at = stack; at >= 0; at = profile?.stacks.parent[at] ?? -1) {
    const of = program.locations.function[profile?.stacks.location[at] ?? 0] ?? 0;
    frames.unshift(stringAt(program.names, program.functions.name[of] ?? -1));
  }
  return frames.join('>');
}

const CLASS = record(
  42,
  0,
  ...classLoad(3, 'Shop', [
    [1, 'open', '()V'],
    [2, 'sell', '(I)V'],
  ]),
);

describe('recorded streams', () => {
  it('have the time of each stack: from entries and exits', async () => {
    // open runs 10 ns, sell 5 and 7 ns in it, open 20 ns more; the class is named only afterwards.
    const calls = block(
      1,
      2000,
      ...[record(1, 0, 1), record(1, 10, 2), record(3, 5, 2), record(1, 3, 2), record(3, 7, 2), record(3, 17, 1)],
    );
    const recording = await read(
      streamFile([
        ['hello', HELLO],
        ['block', calls],
        ['block', block(1, 2100, CLASS)],
      ]),
    );
    const {
      stack,
      calls: returns,
      spent,
      length,
    } = TIME_EVENTS.having(['calls']).of(recording.profile) ?? { length: 0 };
    const rows = Array.from({ length }, (_, row) => [
      stackText(recording, stack?.[row] ?? -1),
      returns?.[row],
      spent?.[row],
    ]);
    deepEqual(rows.sort(), [
      ['open', 1, 30],
      ['open>sell', 2, 12],
    ]);
    deepEqual([recording.complete, recording.problems.list], [true, []]);
    deepEqual(recording.sections, [
      { name: 'METHOD_ENTRY', entries: 3 },
      { name: 'METHOD_EXIT', entries: 3 },
      { name: 'CLASS_LOAD', entries: 1 },
    ]);
  });

  it('have waits, allocations, and the stacks that an agent asked for', async () => {
    const trace = [0x01, 2, 2, 10, 1, 6];
    const events = block(
      1,
      3000,
      record(33, 0, ...threadStart(1, 8, 'till')),
      CLASS,
      record(54 | 0x80, 100, ...trace, 12),
      record(55, 40, 12),
      record(57, 10, 12, 20),
      record(58, 30, 12, 20),
      record(4 | 0x80, 1, ...trace, 3, 0, 24, 14),
      record(4, 1, 0, 10, 16, 16),
    );
    const asked = [
      ['call', call(1, 4, 1, 2)],
      ['reply', reply(1, 0, 2, 1, 10, 2, 12)],
    ] as const;
    const recording = await read(streamFile([['hello', HELLO], ['block', events], ...asked]));
    const waits = WAIT_EVENTS.having(['stack', 'time']).of(recording.profile);
    deepEqual(
      [0, 1].map((row) => [
        WAIT_REASONS[waits?.reason[row] ?? 0],
        stackText(recording, waits?.stack[row] ?? -1),
        waits?.time[row],
        waits?.waited[row],
      ]),
      [
        ['enter', 'open>sell', 2100, 40],
        ['object-wait', '', 2150, 30],
      ],
    );
    const allocated = OBJECT_ALLOCATION_EVENTS.of(recording.profile);
    const className = (row: number): string =>
      stringAt(recording.program.names, recording.program.classes.name[allocated?.class[row] ?? -1] ?? -1);
    deepEqual(
      [0, 1].map((row) => [className(row), allocated?.bytes[row], stackText(recording, allocated?.stack[row] ?? -1)]),
      [
        ['Shop', 24, 'open>sell'],
        ['[I', 16, ''],
      ],
    );
    const samples = SAMPLE_EVENTS.having(['thread', 'time']).of(recording.profile);
    // The frame of the reply was handled at 2030 ns, the recording began at 1000.
    deepEqual(
      [samples?.length, stackText(recording, samples?.stack[0] ?? -1), samples?.time[0]],
      [1, 'sell>open', 1030],
    );
    equal(recording.profile && threadName(recording.profile, recording.program, samples?.thread[0] ?? -1), 'till');
  });

  it('are refused without their first bytes, and of another version', async () => {
    const bytes = streamFile([['hello', HELLO]]);
    await rejects(read(bytes.subarray(0, 12)), FormatError);
    const other = bytes.slice();
    other[8] = 2;
    await rejects(read(other), /version 2/);
    await rejects(read(new Uint8Array(0)), FormatError);
  });

  it('that lack their end, or lost events, say so', async () => {
    const bytes = streamFile([
      ['hello', HELLO],
      ['dropped', new Uint8Array([1, 0, 0, 0, 9, 0, 0, 0])],
    ]);
    const whole = await read(bytes);
    deepEqual(
      whole.problems.list.map(({ code }) => code),
      ['jvmpi-dropped'],
    );
    const cut = await read(bytes.subarray(0, bytes.length - 28));
    deepEqual([cut.complete, cut.problems.list.map(({ code }) => code)], [false, ['jvmpi-cut', 'jvmpi-dropped']]);
    const names = block(1, 2000, record(33, 0, 1, 8, ...text('a')));
    const damaged = await read(
      streamFile([
        ['hello', HELLO],
        ['block', names],
      ]),
    );
    deepEqual([damaged.complete, damaged.problems.list.map(({ code }) => code)], [false, ['jvmpi-record']]);
  });

  it('of a real program have its events, read a second time by hand', async () => {
    const bytes = new Uint8Array(readFileSync(join(ROOT, 'examples/jvmpi/contended.jvmpi')));
    const recording = await read(bytes);
    equal(
      recording.sections.reduce((sum, { entries }) => sum + entries, 0),
      plainStream(bytes).events,
    );
    const { program, profile } = await readStreamEvents(memorySource('x', bytes), ['THREAD_START', 'MONITOR_WAIT']);
    const started = profile.events[0]?.columns.started ?? [];
    // Names of threads that src/live/agent/testing/programs/Busy.java starts, and of the VM's.
    deepEqual(
      Array.from(started, (thread) => threadName(profile, program, thread)),
      ['main', 'Notification Thread', 'Common-Cleaner', 'worker', 'DestroyJavaVM', 'DestroyJavaVM'],
    );
    // LOCK.wait(20)
    equal(profile.events[1]?.columns.timeout?.[1], 20e6);
  });
});
