/**
 * MPI tracing. Only recorders of Solaris wrote it, and no such file is known to exist: fields and functions are as the manual of Sun Studio 12 describes
 * them, with names of our own (docs/formats/experiment.md). The recorder counts by the rules of that manual: a function with a root sends to all, or
 * receives from all, itself included; one without has each process communicate with each.
 */
import { MPI_EVENTS } from '../../../models/events/mpi.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { PacketRun } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { FinishedKind, KindRows } from './kind.js';

/** By number: functions that send, that receive, that do both, and others. */
export const MPI_CALLS = [
  ...['Bsend', 'Isend', 'Rsend', 'Send', 'Ssend'],
  ...['Irecv', 'Recv'],
  ...['Allgather', 'Allgatherv', 'Allreduce', 'Alltoall', 'Alltoallv', 'Bcast', 'Gather', 'Gatherv', 'Reduce'],
  ...['Reduce_scatter', 'Scan', 'Scatter', 'Scatterv', 'Sendrecv', 'Sendrecv_replace'],
  ...['Barrier', 'Wait', 'Waitall', 'Waitany', 'Waitsome', 'Win_fence', 'Win_lock'],
] as const;

const ROWS = MPI_EVENTS.having(['thread', 'time']);

const METRICS: readonly Metric[] = [
  ROWS.metric('spent', { id: 'mpi-time', title: 'MPI time' }),
  ROWS.metric('sends', { id: 'mpi-sends', title: 'MPI sends' }),
  ROWS.metric('sent', { id: 'mpi-sent', title: 'MPI bytes sent' }),
  ROWS.metric('receives', { id: 'mpi-receives', title: 'MPI receives' }),
  ROWS.metric('received', { id: 'mpi-received', title: 'MPI bytes received' }),
  ROWS.metric('others', { id: 'mpi-others', title: 'Other MPI calls' }),
];

export class MpiRows implements KindRows {
  readonly packets = [6];
  readonly #rows = ROWS.builder();
  readonly #common = new CommonColumns();
  readonly #program: ProgramBuilder;

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const field = (name: string) => common.packetField(name);
    const [type, request] = [field('MPITYPE'), field('MPIRQST')];
    const counts = [field('MPISENDS'), field('MPISBYTES'), field('MPIRECVS'), field('MPIRBYTES')] as const;
    const names = MPI_CALLS.map((name) => this.#program.name(`MPI_${name}`));
    const { stack, thread, time, call, spent, sends, sent, receives, received, others } = this.#rows.builders;
    return (run) => {
      this.#common.append(common, run, stack);
      thread?.append(common.threads(run));
      const requested = common.timesIn(request, run);
      const granted = common.times(run);
      time?.append(granted);
      const types = type.numbers(run);
      const [out, outBytes, into, intoBytes] = counts.map((each) => each.numbers(run));
      for (let i = 0; i < run.length; i++) {
        call.push(names[types[i]] ?? -1);
        spent.push(request.isIn(run, i) ? Math.max(0, granted[i] - requested[i]) : 0);
        sends.push(Math.max(0, out?.[i] ?? 0));
        sent.push(Math.max(0, outBytes?.[i] ?? 0));
        receives.push(Math.max(0, into?.[i] ?? 0));
        received.push(Math.max(0, intoBytes?.[i] ?? 0));
        others.push((out?.[i] ?? 0) > 0 || (into?.[i] ?? 0) > 0 ? 0 : 1);
      }
    };
  }

  finish(): FinishedKind | undefined {
    return this.#common.finish(this.#rows.finish(), METRICS);
  }
}
