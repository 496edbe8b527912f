/** Synchronization tracing: calls that waited for a lock, a condition, a barrier or another thread; in Java for a monitor. */
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import { CommonColumns } from './common-columns.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { FinishedKind, KindRows } from './kind.js';

const SYNC = {
  key: 'sync',
  title: 'Sync wait',
  holds: 'number',
  unit: 'ns',
  meaning: 'waited for an object of synchronization',
  wide: true,
  nature: 'flow',
} as const satisfies Field;

const ROWS = WAIT_EVENTS.having(['stack', 'time', 'address']).extended([SYNC]);
/** Bit of the attribute `scope`: waits of Java code only. */
const JAVA_ONLY = '2';

const METRICS: readonly Metric[] = [
  ROWS.metric('sync', { id: 'sync', title: 'Sync wait time' }),
  ROWS.rowMetric({ id: 'sync-waits', title: 'Sync waits', unit: 'count', nature: 'flow' }),
];

export class SyncRows implements KindRows {
  readonly packets = [2];
  readonly #rows = ROWS.builder();
  readonly #common = new CommonColumns();

  reader(source: EventSource): (run: PacketRun) => void {
    const common = new CommonFields(source);
    const [request, object] = [common.packetField('SRQST'), common.packetField('SOBJ')];
    // The recorder does not write which function waited.
    const isJava = source.data.attributes.get('scope') === JAVA_ONLY;
    const why = isJava ? WAIT_REASONS.indexOf('enter') : -1;
    const { stack, thread, time, reason, address, waited, sync } = this.#rows.builders;
    return (run) => {
      if (stack !== undefined) this.#common.append(common, run, stack);
      thread.append(common.threads(run));
      address?.append(object.numbers(run));
      const granted = common.times(run);
      const requested = common.timesIn(request, run);
      for (let i = 0; i < run.length; i++) {
        const isKnown = request.isIn(run, i);
        const spent = isKnown ? Math.max(0, granted[i] - requested[i]) : 0;
        time?.push(isKnown ? requested[i] : granted[i]);
        reason.push(why);
        waited.push(spent);
        sync.push(spent);
      }
    };
  }

  finish(): FinishedKind | undefined {
    return this.#common.finish(this.#rows.finish(), METRICS);
  }
}
