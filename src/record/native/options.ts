/** What to record of a native program, in words that fit any recorder, and what each recorder can do of it. */
import { constants } from 'node:os';
import { UsageError } from '../../base/errors.js';

export const NATIVE_RECORDERS = ['gprofng', 'perf', 'valgrind'] as const;
export type NativeRecorder = (typeof NATIVE_RECORDERS)[number];

/** What is copied into the experiment, by the words of `gprofng collect app -a`. */
export const COPIES = {
  none: 'off',
  objects: 'ldobjects',
  sources: 'src',
  'used-objects': 'usedldobjects',
  'used-sources': 'usedsrc',
  all: 'on',
} as const;
export type Copies = keyof typeof COPIES;

/** Who calls what is traced of synchronisation, by the letters of `gprofng collect app -s`. */
export const SYNC_CALLERS = { native: 'n', java: 'j', both: 'nj' } as const;
export type SyncCallers = keyof typeof SYNC_CALLERS;

export interface NativeOptions {
  /** gprofng if not given, and perf for processes that run already. */
  readonly recorder?: NativeRecorder;
  /** Directory of the experiment; `test.N.er` if not given. */
  readonly output?: string;
  readonly overwrite?: boolean;
  /** A process that runs already. */
  readonly pid?: number;
  /** Nanoseconds between two samples of the clock; `off` is none. Each recorder has its own usual one. */
  readonly interval?: number | 'off';
  /** Hardware counters as gprofng names them, comma-separated. */
  readonly counters?: string;
  /** Waits of at least so long are recorded: `on` (calibrated), `all`, or a number of microseconds. */
  readonly sync?: string;
  readonly syncCallers?: SyncCallers;
  readonly heap?: boolean;
  readonly io?: boolean;
  /** `on`, `off`, or `=REGEX`: those whose names fit. */
  readonly descendants?: string;
  /** `on`, `off`, or the folder of a JDK. */
  readonly java?: string;
  readonly javaOptions?: string;
  readonly comments?: readonly string[];
  readonly copies?: Copies;
  /** Nanoseconds between two samples of what the system counts; `off` is none. */
  readonly usagePeriod?: number | 'off';
  readonly sampleSignal?: string;
  readonly pauseSignal?: string;
  /** Begins paused, until `pauseSignal` comes. */
  readonly paused?: boolean;
  /** Nanoseconds after which recording ends; the program goes on. */
  readonly duration?: number;
  /** How perf finds callers. */
  readonly unwinding?: Unwinding;
}

/** `dwarf`: by the unwinding tables of programs, from copies of their stacks; `frame-pointers`: by the frame pointers that code keeps. */
export const UNWINDING = ['dwarf', 'frame-pointers'] as const;
export type Unwinding = (typeof UNWINDING)[number];

/** Those of the options by their names that are given, as flags with commas; empty if none is. */
export function givenFlags(options: NativeOptions, keys: readonly (keyof NativeOptions)[]): string {
  const flags = keys.flatMap((key) => (options[key] === undefined ? [] : [`--${key.replace(/[A-Z]/g, dashed)}`]));
  return flags.join(', ');
}

function dashed(letter: string): string {
  return `-${letter.toLowerCase()}`;
}

const MICROSECOND = 1000;
const SECOND = 1e9;
/** Comments that gprofng takes. */
const MOST_COMMENTS = 10;

/** The words of `gprofng collect app` for options, without the program. Throws UsageError for what it cannot do. */
export function gprofngWords(options: NativeOptions, output: string): string[] {
  const { interval, sync, syncCallers, copies, usagePeriod, pauseSignal, paused, duration, comments = [] } = options;
  if (options.unwinding !== undefined)
    throw new UsageError('gprofng chooses how it finds callers', 'Leave out --unwinding, or record --with perf.');
  if (comments.length > MOST_COMMENTS) throw new UsageError(`gprofng keeps ${MOST_COMMENTS} comments at most`);
  if (paused === true && pauseSignal === undefined)
    throw new UsageError('recording that begins paused is resumed by a signal', 'Name it: --pause-signal USR2.');
  if (syncCallers !== undefined && sync === undefined)
    throw new UsageError('--sync-callers is about --sync', 'Add --sync on.');
  const word = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value]);
  return [
    ...[options.overwrite === true ? '-O' : '-o', output],
    ...word('-p', interval === undefined || interval === 'off' ? interval : microseconds(interval)),
    ...word('-h', options.counters),
    ...word('-s', sync === undefined ? undefined : `${sync}${syncCallers ? `,${SYNC_CALLERS[syncCallers]}` : ''}`),
    ...word('-H', options.heap === true ? 'on' : undefined),
    ...word('-i', options.io === true ? 'on' : undefined),
    ...word('-F', options.descendants),
    ...word('-j', options.java),
    ...word('-J', options.javaOptions),
    ...comments.flatMap((text) => ['-C', text]),
    ...word('-a', copies && COPIES[copies]),
    ...word('-S', usagePeriod === undefined ? undefined : usagePeriod === 'off' ? 'off' : whole(usagePeriod)),
    ...word('-l', options.sampleSignal && signalName(options.sampleSignal)),
    ...word('-y', pauseSignal === undefined ? undefined : `${signalName(pauseSignal)}${paused === true ? '' : ',r'}`),
    ...word('-t', duration === undefined ? undefined : whole(duration)),
  ];
}

/** `USR2` and `SIGUSR2` are the same. gprofng ignores names that it does not know. */
function signalName(text: string): string {
  const name = text.startsWith('SIG') ? text : `SIG${text}`;
  if (!Object.hasOwn(constants.signals, name)) throw new UsageError(`${text} is no signal`, 'Name one, such as USR2.');
  return name;
}

/** As gprofng takes intervals of the clock: `2500u`. */
function microseconds(nanos: number): string {
  const micros = Math.round(nanos / MICROSECOND);
  if (micros < 1) throw new UsageError('an interval is a microsecond or more');
  return `${micros}u`;
}

/** gprofng knows whole seconds only. */
function whole(nanos: number): string {
  const seconds = nanos / SECOND;
  if (Number.isInteger(seconds) && seconds > 0) return String(seconds);
  throw new UsageError(`gprofng counts whole seconds, not ${seconds} s`);
}
