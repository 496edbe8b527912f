/** The content of a recording of thread dumps, in a form that can be compared with a reading of the text. */
import { stringAt } from '../../../base/text.js';
import { NATIVE_METHOD, UNKNOWN_LINE } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';

export interface SeenThread {
  readonly dump: number;
  readonly name: string;
  readonly number: number;
  readonly status: string;
  /** Innermost first: `module class.method(source)`. */
  readonly frames: readonly string[];
}

/** The threads of all dumps, in order. */
export function seenThreads(recording: Recording): SeenThread[] {
  const { profile, program } = recording;
  const states = profile?.events.find(({ kind }) => kind === 'state');
  const threads = profile?.threads;
  if (profile === undefined || states === undefined || threads === undefined) return [];
  const text = (id: number): string => (id < 0 ? '' : stringAt(program.names, id));
  const frame = (location: number): string => {
    const of = program.locations.function[location];
    const type = program.functions.class[of];
    const line = program.locations.line?.[location] ?? 0;
    const file = text(program.functions.file?.[of] ?? -1);
    const source =
      line === NATIVE_METHOD
        ? 'Native Method'
        : line === UNKNOWN_LINE
          ? 'Unknown Source'
          : line > 0
            ? `${file}:${line}`
            : file;
    const module = text(program.classes.module?.[type] ?? -1);
    return `${module} ${text(program.classes.name[type])}.${text(program.functions.name[of])}(${source})`;
  };
  // The mark for a missing frame is not a frame.
  const isOfProgram = (location: number): boolean => program.functions.class[program.locations.function[location]] >= 0;
  return Array.from({ length: states.length }, (_, row) => {
    const thread = column(states, 'thread')[row];
    const frames: string[] = [];
    for (let id = column(states, 'stack')[row]; id >= 0; id = profile.stacks.parent[id])
      if (isOfProgram(profile.stacks.location[id])) frames.push(frame(profile.stacks.location[id]));
    return {
      dump: column(states, 'dump')[row],
      name: text(column(threads, 'name')[thread]),
      number: column(threads, 'number')[thread],
      status: text(column(states, 'status')[row]),
      frames,
    };
  });
}

/** By the index of the kind of waiting. */
const PARKING = 'parking to wait for';
const VERBS = ['waiting to lock', 'waiting on', PARKING, 'waiting to re-lock in wait()', PARKING];

/** `dump thread verb address`, of all waits and owners, sorted. */
export function seenLocks(recording: Recording): string[] {
  const { locks, profile, program } = recording;
  const threads = profile?.threads;
  if (locks === undefined || threads === undefined) return [];
  const { monitors, waits } = locks;
  const name = (thread: number): string => stringAt(program.names, column(threads, 'name')[thread]);
  const found: string[] = [];
  for (let row = 0; row < monitors.length; row++) {
    const address = column(monitors, 'address')[row].toString(16);
    const owner = column(monitors, 'owner')[row];
    if (owner >= 0 && column(monitors, 'kind')[row] !== 3)
      found.push(`${column(monitors, 'dump')[row]} ${name(owner)} locked ${address}`);
  }
  for (let row = 0; row < waits.length; row++) {
    const monitor = column(waits, 'monitor')[row];
    const address = column(monitors, 'address')[monitor];
    if (address < 0) continue;
    const verb = VERBS[column(waits, 'how')[row]];
    found.push(
      `${column(monitors, 'dump')[monitor]} ${name(column(waits, 'thread')[row])} ${verb} ${address.toString(16)}`,
    );
  }
  return found.sort();
}
