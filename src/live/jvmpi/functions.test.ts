/** The functions of JVMPI over a scripted VM: results, modes, ids, raw monitors. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mode } from '../../formats/jvmpi/document/index.js';
import * as C from '../../formats/jvmpi/document/index.js';
import { runAs } from './current.js';
import { JvmpiHost } from './host.js';
import type { JVMPI_Interface } from './interface.js';
import { type FunctionName, RULES } from './rules.js';
import { JvmpiRuleError } from './state.js';
import { CONTENTS } from './testing/contents.js';
import { FakeVm, Scene } from './testing/fake-vm.js';

/** Where the document forbids a function (§1.5, §2); the others are allowed in all modes. */
const FORBIDDEN: Readonly<Record<string, readonly Mode[]>> = {
  RawMonitorCreate: ['suspended'],
  RawMonitorEnter: ['suspended'],
  RawMonitorExit: ['suspended'],
  RawMonitorWait: ['suspended'],
  RawMonitorNotifyAll: ['suspended'],
  RawMonitorDestroy: ['suspended'],
  CreateSystemThread: ['no-gc', 'suspended'],
  RunGC: ['no-gc', 'suspended'],
  SuspendThread: ['multi'],
  SuspendThreadList: ['multi'],
  GetThreadObject: ['multi'],
  GetMethodClass: ['multi'],
  jobjectID2jobject: ['multi'],
  jobject2jobjectID: ['multi'],
};

/** A call of each function that is right but for its mode. */
const CALLS: Readonly<Record<FunctionName, (jvmpi: JVMPI_Interface) => unknown>> = {
  EnableEvent: (jvmpi) => jvmpi.EnableEvent(C.JVMPI_EVENT_THREAD_END),
  DisableEvent: (jvmpi) => jvmpi.DisableEvent(C.JVMPI_EVENT_THREAD_END),
  RequestEvent: (jvmpi) => jvmpi.RequestEvent(C.JVMPI_EVENT_MONITOR_DUMP),
  GetCallTrace: (jvmpi) => jvmpi.GetCallTrace({ env_id: 1, num_frames: 0, frames: [] }, 4),
  ProfilerExit: (jvmpi) => jvmpi.ProfilerExit(0),
  RawMonitorCreate: (jvmpi) => jvmpi.RawMonitorCreate('a'),
  RawMonitorEnter: (jvmpi) => jvmpi.RawMonitorEnter(1),
  RawMonitorExit: (jvmpi) => jvmpi.RawMonitorExit(1),
  RawMonitorWait: (jvmpi) => jvmpi.RawMonitorWait(99, 1),
  RawMonitorNotifyAll: (jvmpi) => jvmpi.RawMonitorNotifyAll(1),
  RawMonitorDestroy: (jvmpi) => jvmpi.RawMonitorDestroy(1),
  GetCurrentThreadCpuTime: (jvmpi) => jvmpi.GetCurrentThreadCpuTime(),
  SuspendThread: (jvmpi) => jvmpi.SuspendThread(1),
  ResumeThread: (jvmpi) => jvmpi.ResumeThread(1),
  SuspendThreadList: (jvmpi) => jvmpi.SuspendThreadList([1]),
  ResumeThreadList: (jvmpi) => jvmpi.ResumeThreadList([1]),
  GetThreadStatus: (jvmpi) => jvmpi.GetThreadStatus(1),
  ThreadHasRun: (jvmpi) => jvmpi.ThreadHasRun(1),
  CreateSystemThread: (jvmpi) => jvmpi.CreateSystemThread('t', C.JVMPI_NORMAL_PRIORITY, () => undefined),
  SetThreadLocalStorage: (jvmpi) => jvmpi.SetThreadLocalStorage(1, 'x'),
  GetThreadLocalStorage: (jvmpi) => jvmpi.GetThreadLocalStorage(1),
  DisableGC: (jvmpi) => jvmpi.DisableGC(),
  EnableGC: (jvmpi) => jvmpi.EnableGC(),
  RunGC: (jvmpi) => jvmpi.RunGC(),
  GetThreadObject: (jvmpi) => jvmpi.GetThreadObject(1),
  GetMethodClass: (jvmpi) => jvmpi.GetMethodClass(21),
  jobjectID2jobject: (jvmpi) => jvmpi.jobjectID2jobject(31),
  jobject2jobjectID: (jvmpi) => jvmpi.jobject2jobjectID(1031),
};

const NAMES = Object.keys(RULES).filter((name): name is FunctionName => Object.hasOwn(RULES, name));

describe('functions in the three modes', () => {
  it('are the 28 of the document', () => {
    // Those of JVMPI_VERSION_1_2 included: 24 of the first version, two conversions, two lists.
    equal(NAMES.length, 28);
    const { jvmpi } = new Scene();
    deepEqual(new Set([...NAMES, 'version', 'NotifyEvent']), new Set(Object.keys(jvmpi)));
  });

  for (const name of NAMES)
    for (const mode of ['multi', 'no-gc', 'suspended'] satisfies Mode[])
      it(`${name} in mode ${mode}`, () => {
        const scene = new Scene(true);
        scene.vm.addThread(1, 33);
        void scene.send('JVM_INIT_DONE', 1, {});
        void runAs({ env: 1, mode }, () => CALLS[name](scene.jvmpi));
        const broken = scene.host.findings.filter(({ rule }) => rule === 'mode').map(({ place }) => place);
        deepEqual(broken, FORBIDDEN[name]?.includes(mode) ? [`§2 ${name}`] : []);
      });

  it('a broken rule throws, with its place; --lenient only reports it', () => {
    const strict = new Scene();
    throws(
      () => strict.jvmpi.GetMethodClass(21),
      (error) => {
        ok(error instanceof JvmpiRuleError);
        equal(
          error.message,
          'JVMPI §2 GetMethodClass: GetMethodClass is not allowed in multi-threaded mode with the GC enabled: ids of objects may end during a collection: call DisableGC first',
        );
        return true;
      },
    );
    const lenient = new Scene(true);
    lenient.vm.methods.set(21, 11);
    equal(lenient.jvmpi.GetMethodClass(21), 11);
    equal(lenient.jvmpi.GetMethodClass(21), 11);
    equal(lenient.host.findings.length, 1);
  });

  it('DisableGC nests, and EnableGC must match it', () => {
    const { jvmpi, host, vm } = new Scene();
    vm.methods.set(21, 11);
    jvmpi.DisableGC();
    jvmpi.DisableGC();
    jvmpi.EnableGC();
    equal(jvmpi.GetMethodClass(21), 11);
    jvmpi.EnableGC();
    equal(host.state.mode(), 'multi');
    throws(() => jvmpi.EnableGC(), /EnableGC without a DisableGC before it/);
  });

  it('a suspended thread keeps the process in thread-suspended mode', () => {
    const { jvmpi, vm, host } = new Scene();
    const thread = vm.addThread(7, 33, { status: C.JVMPI_THREAD_MONITOR_WAIT });
    jvmpi.DisableGC();
    jvmpi.SuspendThread(7);
    equal(host.state.mode(), 'suspended');
    equal(jvmpi.GetThreadStatus(7), C.JVMPI_THREAD_MONITOR_WAIT);
    throws(() => jvmpi.RawMonitorCreate('x'), /thread-suspended mode/);
    throws(() => jvmpi.EnableGC(), /before all threads are resumed/);
    // Nothing before the first suspension is known.
    equal(jvmpi.ThreadHasRun(7), true);
    jvmpi.ResumeThread(7);
    equal(host.state.mode(), 'no-gc');
    throws(() => jvmpi.ThreadHasRun(7), /not suspended/);
    jvmpi.SuspendThread(7);
    equal(jvmpi.ThreadHasRun(7), false);
    jvmpi.ResumeThread(7);
    thread.cpu += 5;
    jvmpi.SuspendThread(7);
    equal(jvmpi.ThreadHasRun(7), true);
    deepEqual(jvmpi.SuspendThreadList([7, 8]), [14, 10]);
    deepEqual(jvmpi.ResumeThreadList([7, 8]), [0, 10]);
  });
});

it('a thread that ends although it was suspended is suspended no more', () => {
  const { vm, jvmpi, host } = new Scene();
  for (const env of [7, 8]) vm.addThread(env, 33);
  jvmpi.DisableGC();
  deepEqual(jvmpi.SuspendThreadList([7, 8]), [0, 0]);
  vm.threads.delete(7);
  void host.deliver({ event_type: C.JVMPI_EVENT_THREAD_END, env_id: 8, u: {} });
  equal(host.state.mode(), 'suspended');
  deepEqual(jvmpi.ResumeThreadList([7]), [10]);
  equal(host.state.mode(), 'no-gc');
  jvmpi.EnableGC();
  deepEqual(host.findings, []);
});

describe('RequestEvent', () => {
  const dump = { event_type: C.JVMPI_EVENT_HEAP_DUMP, env_id: 0, u: CONTENTS.HEAP_DUMP };

  it('sends the event before it returns, on the thread that asks, with the bit', () => {
    const scene = new Scene();
    scene.vm.requestable.set('HEAP_DUMP 2', dump).set('HEAP_DUMP 0', dump);
    const code = runAs({ env: 5, mode: 'multi' }, () => scene.jvmpi.RequestEvent(C.JVMPI_EVENT_HEAP_DUMP, null));
    equal(code, C.JVMPI_SUCCESS);
    deepEqual(scene.events, [{ ...dump, env_id: 5, event_type: 0x10000000 + 37 }]);
    equal(scene.jvmpi.RequestEvent(C.JVMPI_EVENT_HEAP_DUMP, { heap_dump_level: 0 }), C.JVMPI_SUCCESS);
    equal(scene.jvmpi.RequestEvent(C.JVMPI_EVENT_HEAP_DUMP, { heap_dump_level: 3 }), C.JVMPI_FAIL);
    deepEqual(scene.vm.asked, ['request HEAP_DUMP 2', 'request HEAP_DUMP 0']);
  });

  it('gives defining events by the id of an object, while the GC is disabled', () => {
    const scene = new Scene();
    const u = CONTENTS.CLASS_LOAD;
    scene.vm.requestable.set('CLASS_LOAD 11', { event_type: C.JVMPI_EVENT_CLASS_LOAD, env_id: 0, u });
    const ask = (id: number | null) => scene.jvmpi.RequestEvent(C.JVMPI_EVENT_CLASS_LOAD, id);
    throws(() => ask(11), /RequestEvent takes the id of an object, so the GC must be disabled/);
    scene.jvmpi.DisableGC();
    deepEqual([ask(11), ask(12), ask(0), ask(null)], [C.JVMPI_SUCCESS, C.JVMPI_FAIL, C.JVMPI_FAIL, C.JVMPI_FAIL]);
    deepEqual(
      scene.events.map(({ event_type }) => event_type),
      [0x10000000 + 42],
    );
  });

  it('of MONITOR_DUMP has the raw monitors, too', () => {
    const scene = new Scene();
    const { jvmpi, vm } = scene;
    const java = { tag: 0x01, object: 31, owner: 1, entries: 1, entering: [], waiting: [] } as const;
    const contents = { ...CONTENTS.MONITOR_DUMP.monitor_dump, data: C.writeMonitors([java], vm.form) };
    const event = { event_type: C.JVMPI_EVENT_MONITOR_DUMP, env_id: 0, u: { monitor_dump: contents } };
    vm.requestable.set('MONITOR_DUMP 0', event);
    const id = jvmpi.RawMonitorCreate('lock');
    runAs({ env: 5, mode: 'multi' }, () => {
      void jvmpi.RawMonitorEnter(id);
      equal(jvmpi.RequestEvent(C.JVMPI_EVENT_MONITOR_DUMP), C.JVMPI_SUCCESS);
    });
    const raw = { tag: 0x02, name: 'lock', id, owner: 5, entries: 1, entering: [], waiting: [] };
    const [got] = scene.events;
    ok(got !== undefined && 'monitor_dump' in got.u);
    deepEqual(C.readMonitors(got.u.monitor_dump.data, vm.form), [java, raw]);
  });

  it('is not available for other events, or where the VM refuses', () => {
    const scene = new Scene();
    scene.vm.refused.set('MONITOR_DUMP', C.JVMPI_NOT_AVAILABLE);
    for (const type of [C.JVMPI_EVENT_METHOD_ENTRY, C.JVMPI_EVENT_GC_START, C.JVMPI_EVENT_MONITOR_DUMP, 36])
      equal(scene.jvmpi.RequestEvent(type), C.JVMPI_NOT_AVAILABLE, String(type));
  });
});

describe('JVM_OnLoad', () => {
  const load = (JVM_OnLoad: (jvm: { GetEnv: (box: object, version: number) => number }, options: string) => number) =>
    new JvmpiHost(new FakeVm()).load({ JVM_OnLoad }, 'depth=4');

  it('gets the options, and an interface of a compatible version', () => {
    const seen: unknown[] = [];
    const code = load((jvm, options) => {
      const box: { env?: JVMPI_Interface } = {};
      const versions = [0x10000000, 0x10000001, 0x10000003, 0x10000004];
      seen.push(options, ...versions.map((version) => jvm.GetEnv(box, version)), box.env?.version);
      return C.JNI_ERR;
    });
    equal(code, C.JNI_ERR);
    deepEqual(seen, ['depth=4', C.JNI_EVERSION, 0, 0, C.JNI_EVERSION, C.JVMPI_VERSION_1_2]);
  });

  it('must set NotifyEvent', () => {
    throws(() => load(() => C.JNI_OK), /NotifyEvent of the interface is not set/);
  });
});
