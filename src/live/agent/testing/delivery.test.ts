import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { EVENTS, type VmEvent } from '../../../formats/jvmpi/document/index.js';
import { Delivery } from '../delivery.js';

function waitEvent(env: number, timeout: number): VmEvent {
  return { event_type: EVENTS.MONITOR_WAIT.type, env_id: env, u: { monitor_wait: { object: 0, timeout } } };
}

describe('delivery of events to an agent', () => {
  it('keeps the order of each thread while handlers wait', async () => {
    const order: string[] = [];
    const delivery = new Delivery({
      onFailure: () => {},
      deliver: async ({ env_id, u }) => {
        if (!('monitor_wait' in u)) return;
        await setImmediate();
        order.push(`${env_id}:${u.monitor_wait.timeout}`);
      },
    });
    for (const timeout of [1, 2, 3]) void delivery.event(waitEvent(1, timeout));
    void delivery.event(waitEvent(2, 1));
    // The first handler is done, the second one waits, and the third event waits for it.
    while (order.length < 2) await setImmediate();
    void delivery.event(waitEvent(1, 4));
    await delivery.all();
    assert.deepEqual(
      order.filter((each) => each.startsWith('1:')),
      ['1:1', '1:2', '1:3', '1:4'],
    );
    assert.ok(order.indexOf('2:1') < order.indexOf('1:2'));
    assert.equal(delivery.failure, undefined);
  });
});
