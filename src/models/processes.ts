/**
 * The processes of a recording, as their recorder described them: what ran, where, what was recorded, and what the operating system counted. Plain data.
 * Times are nanoseconds, since the start of the process unless said otherwise; texts are empty and numbers -1 where they are unknown.
 */

export interface ProcessSpan {
  readonly from: number;
  readonly to: number;
}

/** Times that the system counts of a process; what is left of its time, it slept. */
export const USAGE_TIMES = [
  'user',
  'system',
  'trap',
  'text_faults',
  'data_faults',
  'kernel_faults',
  'locks',
  'sleep',
  'cpu_waits',
  'stopped',
] as const;
export type UsageTime = (typeof USAGE_TIMES)[number];

/** What else it counts. */
export const USAGE_COUNTS = [
  'minor_faults',
  'major_faults',
  'swaps',
  'blocks_read',
  'blocks_written',
  'messages_sent',
  'messages_received',
  'signals',
  'voluntary_switches',
  'involuntary_switches',
  'system_calls',
  'characters',
] as const;
export type UsageCount = (typeof USAGE_COUNTS)[number];

/** What the system counted of a process from its start to one moment, or between two moments. Times are nanoseconds. */
export type SystemUsage = Readonly<Record<UsageTime | UsageCount, number>>;

/** The usage with these values. */
export function usageWith(value: (key: UsageTime | UsageCount) => number): SystemUsage {
  return {
    user: value('user'),
    system: value('system'),
    trap: value('trap'),
    text_faults: value('text_faults'),
    data_faults: value('data_faults'),
    kernel_faults: value('kernel_faults'),
    locks: value('locks'),
    sleep: value('sleep'),
    cpu_waits: value('cpu_waits'),
    stopped: value('stopped'),
    minor_faults: value('minor_faults'),
    major_faults: value('major_faults'),
    swaps: value('swaps'),
    blocks_read: value('blocks_read'),
    blocks_written: value('blocks_written'),
    messages_sent: value('messages_sent'),
    messages_received: value('messages_received'),
    signals: value('signals'),
    voluntary_switches: value('voluntary_switches'),
    involuntary_switches: value('involuntary_switches'),
    system_calls: value('system_calls'),
    characters: value('characters'),
  };
}

/** A moment at which the recorder asked the system, or the user marked one. */
export interface SamplePoint {
  readonly time: number;
  readonly label: string;
}

/** Kinds of recorded data. */
export type RecordedData =
  | { readonly kind: 'memory' | 'io' | 'java' | 'openmp' }
  | { readonly kind: 'clock'; readonly interval: number }
  | { readonly kind: 'waits'; readonly threshold: number; readonly calibrated: boolean }
  | { readonly kind: 'counter'; readonly name: string; readonly interval: number };

export interface Machine {
  readonly host: string;
  readonly os: string;
  readonly architecture: string;
  readonly cpus: number;
  /** In MHz. */
  readonly clock: number;
  /** Bytes. */
  readonly memory: number;
}

export interface RecordedProcess {
  /** Of a descendant, such as `_f1`; empty for the process that the recording began with. */
  readonly name: string;
  /** The command line, without what looks like a secret. */
  readonly command: string;
  readonly directory: string;
  readonly pid: number;
  readonly parent: number;
  readonly bits: 32 | 64;
  readonly jvm: string;
  readonly machine: Machine;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** From the start of the whole recording to that of the process. */
  readonly shift: number;
  /** The last moment that the recorder wrote. */
  readonly end: number;
  /** Whether its recording ended properly. */
  readonly ended: boolean;
  readonly data: readonly RecordedData[];
  /** Events, of all kinds of data. */
  readonly events: number;
  readonly pauses: readonly ProcessSpan[];
  /** Garbage collections. */
  readonly collections: readonly ProcessSpan[];
  readonly samples: readonly SamplePoint[];
  /** What the system had counted at each of them; fewer where some were not written. */
  readonly usage: readonly SystemUsage[];
}
