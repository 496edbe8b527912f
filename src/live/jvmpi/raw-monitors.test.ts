/** Raw monitors: who is in them, events about contention, waiting, the order of entering. */
import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as C from '../../formats/jvmpi/document/index.js';
import { runAs } from './current.js';
import { Scene } from './testing/fake-vm.js';

describe('raw monitors', () => {
  const contention = [
    C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER,
    C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED,
    C.JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT,
  ];
  const as = <Result>(env: number, code: () => Result): Result => runAs({ env, mode: 'multi' }, code);

  it('are left and waited for by system threads while events of a collection are handled', async () => {
    const { jvmpi, host } = new Scene();
    host.deliver(C.makeEvent('JVM_INIT_DONE', 1, {}));
    const lock = jvmpi.RawMonitorCreate('lock');
    const went: string[] = [];
    jvmpi.CreateSystemThread('writer', C.JVMPI_NORMAL_PRIORITY, async () => {
      await jvmpi.RawMonitorEnter(lock);
      await new Promise(setImmediate);
      jvmpi.RawMonitorExit(lock);
      went.push('left');
      await jvmpi.RawMonitorEnter(lock);
      await jvmpi.RawMonitorWait(lock, 1);
      jvmpi.RawMonitorNotifyAll(lock);
      jvmpi.RawMonitorDestroy(lock);
      went.push('waited');
    });
    await Promise.resolve();
    host.onFailure = (error) => went.push(String(error));
    host.deliver(C.makeEvent('GC_START', 0, {}));
    for (let i = 0; i < 1000 && went.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    host.deliver(
      C.makeEvent('GC_FINISH', 0, { gc_info: { used_objects: -1, used_object_space: 1, total_object_space: 2 } }),
    );
    deepEqual([went, host.findings], [['left', 'waited'], []]);
  });

  for (const [name, sent] of [
    ['lock', [51, 53, 52]],
    ['_silent', []],
  ] as const)
    it(`of name ${name} pass to the thread that waits, with its events`, async () => {
      const scene = new Scene();
      const { jvmpi } = scene;
      for (const type of contention) equal(jvmpi.EnableEvent(type), C.JVMPI_SUCCESS);
      deepEqual(scene.vm.asked, []);
      const lock = jvmpi.RawMonitorCreate(name);
      const order: string[] = [];
      equal(
        as(1, () => jvmpi.RawMonitorEnter(lock)),
        undefined,
      );
      equal(
        as(1, () => jvmpi.RawMonitorEnter(lock)),
        undefined,
      );
      const second = as(2, async () => {
        await jvmpi.RawMonitorEnter(lock);
        order.push('2 in');
        jvmpi.RawMonitorExit(lock);
      });
      throws(() => as(2, () => jvmpi.RawMonitorExit(lock)), /not in the monitor/);
      as(1, () => jvmpi.RawMonitorExit(lock));
      await new Promise(setImmediate);
      deepEqual(order, []);
      as(1, () => jvmpi.RawMonitorExit(lock));
      await second;
      deepEqual(
        scene.events.map(({ event_type }) => event_type),
        sent,
      );
      if (name === 'lock')
        deepEqual(
          scene.events.map(({ env_id }) => env_id),
          [2, 1, 2],
        );
      as(2, () => jvmpi.RawMonitorDestroy(lock));
      throws(() => as(2, () => jvmpi.RawMonitorEnter(lock)), /no raw monitor/);
    });

  it('are left while waiting, and entered again as often as before', async () => {
    const { jvmpi, host } = new Scene();
    const lock = jvmpi.RawMonitorCreate('lock');
    const waiting = as(1, async () => {
      await jvmpi.RawMonitorEnter(lock);
      await jvmpi.RawMonitorEnter(lock);
      await jvmpi.RawMonitorWait(lock, 0);
      return host.monitors.states();
    });
    await new Promise(setImmediate);
    deepEqual(host.monitors.states()[0]?.waiting, [1]);
    as(2, () => {
      void jvmpi.RawMonitorEnter(lock);
      jvmpi.RawMonitorNotifyAll(lock);
      jvmpi.RawMonitorExit(lock);
    });
    deepEqual(await waiting, [{ tag: 0x02, id: lock, name: 'lock', owner: 1, entries: 2, entering: [], waiting: [] }]);
    // A timeout ends it, too; a thread that is not in the monitor does not wait.
    await as(1, () => jvmpi.RawMonitorWait(lock, 1));
    await as(2, () => jvmpi.RawMonitorWait(lock, 0));
    await rejects(
      as(2, () => jvmpi.RawMonitorWait(99, 0)),
      /no raw monitor/,
    );
  });

  it('that are entered in two orders are reported', () => {
    const { jvmpi, host } = new Scene();
    const [a, b] = [jvmpi.RawMonitorCreate('a'), jvmpi.RawMonitorCreate('b')];
    for (const [env, first, second] of [
      [1, a, b],
      [2, b, a],
    ] as const)
      as(env, () => {
        for (const lock of [first, second]) void jvmpi.RawMonitorEnter(lock);
        for (const lock of [second, first]) jvmpi.RawMonitorExit(lock);
      });
    deepEqual(
      host.findings.map(({ rule, message }) => [rule, message]),
      [['lock-order', "raw monitors 'a' and 'b' are entered in both orders, which may end in a deadlock"]],
    );
  });
});
