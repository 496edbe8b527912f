/** Synchronization tracing: calls that waited for a lock, a condition, a barrier or another thread; in Java for a monitor. */
import { WAIT_EVENTS, WAIT_REASONS } from '../../../models/events/wait.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { Packet } from '../packets.js';
import { CommonFields, type EventSource } from './event-source.js';
import type { KindRows } from './kind.js';

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

export class SyncRows implements KindRows {
  readonly packets = [2];
  readonly #rows = ROWS.builder();

  reader(source: EventSource): (packet: Packet) => void {
    const common = new CommonFields(source);
    const [request, object] = [common.packetField('SRQST'), common.packetField('SOBJ')];
    // The recorder does not write which function waited.
    const isJava = source.data.attributes.get('scope') === JAVA_ONLY;
    const reason = isJava ? WAIT_REASONS.indexOf('enter') : -1;
    return (packet) => {
      const granted = common.time(packet);
      const from = common.timeIn(request, packet);
      const waited = request.has(packet) ? Math.max(0, granted - from) : 0;
      this.#rows.add({
        stack: common.stack(packet),
        thread: common.thread(packet),
        time: request.has(packet) ? from : granted,
        reason,
        address: object.number(packet),
        waited,
        sync: waited,
      });
    };
  }

  finish(): { readonly table: Table; readonly metrics: readonly Metric[] } | undefined {
    const table = this.#rows.finish();
    if (table.length === 0) return undefined;
    return {
      table,
      metrics: [
        ROWS.metric('sync', { id: 'sync', title: 'Sync wait time' }),
        ROWS.rowMetric({ id: 'sync-waits', title: 'Sync waits', unit: 'count', nature: 'flow' }),
      ],
    };
  }
}
