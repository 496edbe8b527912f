/** I/O tracing: calls that read, write, open, close and others, with what failed. */
import { IO_EVENTS, IO_OPERATIONS, type IoOperation } from '../../../models/events/io.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { BuilderOf } from '../../../models/table-kind.js';
import type { FieldReader } from '../fields.js';
import { type Packet, type PacketRun, packetIn } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { FinishedKind, KindRows } from './kind.js';

const OPERATIONS: readonly IoOperation[] = ['file-read', 'file-write', 'open', 'close', 'other-call'];
/** Types from this one on are the same calls that failed. */
const FAILED = OPERATIONS.length;

const ROWS = IO_EVENTS.having([
  'thread',
  'time',
  'read',
  'written',
  'descriptor',
  'original',
  'file_system',
  'returned',
  'read_time',
  'write_time',
  'other_time',
  'error_time',
  'reads',
  'writes',
  'others',
  'errors',
]);

const METRICS: readonly Metric[] = [
  ROWS.metric('spent', { id: 'io-time', title: 'I/O time' }),
  ROWS.metric('read', { id: 'io-read', title: 'Bytes read' }),
  ROWS.metric('written', { id: 'io-written', title: 'Bytes written' }),
  ROWS.metric('read_time', { id: 'io-read-time', title: 'Read time' }),
  ROWS.metric('write_time', { id: 'io-write-time', title: 'Write time' }),
  ROWS.metric('other_time', { id: 'io-other-time', title: 'Other I/O time' }),
  ROWS.metric('error_time', { id: 'io-error-time', title: 'I/O error time' }),
  ROWS.metric('reads', { id: 'io-reads', title: 'Reads' }),
  ROWS.metric('writes', { id: 'io-writes', title: 'Writes' }),
  ROWS.metric('others', { id: 'io-others', title: 'Other I/O calls' }),
  ROWS.metric('errors', { id: 'io-errors', title: 'I/O errors' }),
];

export class IoRows implements KindRows {
  readonly packets = [19];
  readonly #rows = ROWS.builder();
  readonly #common = new CommonColumns();
  readonly #program: ProgramBuilder;

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const [type, bytes, request] = [
      common.packetField('IOTYPE'),
      common.packetField('IONBYTE'),
      common.packetField('IORQST'),
    ];
    const [number, name] = [common.packetField('IOFD'), common.packetField('IOFNAME')];
    const [from, system] = [common.packetField('IOOFD'), common.packetField('IOFSTYPE')];
    const { stack, thread, time, descriptor, original, file_system, returned, ...rows } = this.#rows.builders;
    return (run) => {
      const [types, sizes] = [type.numbers(run), bytes.numbers(run)];
      this.#common.append(common, run, stack);
      thread?.append(common.threads(run));
      descriptor.append(number.numbers(run));
      original.append(from.numbers(run));
      file_system.append(system.numbers(run));
      returned.append(sizes);
      const requested = common.timesIn(request, run);
      const times = common.times(run);
      time?.append(times);
      for (let i = 0; i < run.length; i++) {
        const spent = request.isIn(run, i) ? Math.max(0, times[i] - requested[i]) : 0;
        addCall(rows, types[i], { spent, moved: Math.max(0, sizes[i]) });
        rows.target.push(this.#target(packetIn(run, i), name));
      }
    };
  }

  #target(packet: Packet, name: FieldReader): number {
    const [from, to] = name.known ? name.textRange(packet) : [0, 0];
    return to > from ? this.#program.names.add(packet.bytes, from, to) : -1;
  }

  finish(): FinishedKind | undefined {
    return this.#common.finish(this.#rows.finish(), METRICS);
  }
}

/** The columns that depend on the type of a call. */
type CallColumns = Omit<
  BuilderOf<typeof ROWS>['builders'],
  'stack' | 'thread' | 'time' | 'descriptor' | 'original' | 'file_system' | 'returned'
>;

function addCall(rows: CallColumns, type: number, { spent, moved }: { spent: number; moved: number }): void {
  const isKnown = type >= 0 && type < 2 * FAILED;
  const failed = isKnown && type >= FAILED;
  const what = isKnown ? type % FAILED : -1;
  const isOwn = (wanted: boolean): boolean => wanted && !failed;
  rows.operation.push(IO_OPERATIONS.indexOf(OPERATIONS[what] ?? 'other-call'));
  rows.spent.push(spent);
  rows.read?.push(isOwn(what === 0) ? moved : 0);
  rows.written?.push(isOwn(what === 1) ? moved : 0);
  rows.read_time.push(isOwn(what === 0) ? spent : 0);
  rows.write_time.push(isOwn(what === 1) ? spent : 0);
  rows.other_time.push(isOwn(what > 1) ? spent : 0);
  rows.error_time.push(failed ? spent : 0);
  rows.reads.push(isOwn(what === 0) ? 1 : 0);
  rows.writes.push(isOwn(what === 1) ? 1 : 0);
  rows.others.push(isOwn(what > 1) ? 1 : 0);
  rows.errors.push(failed ? 1 : 0);
}
