/** The functions of JVMPI over a scripted VM: results, modes, ids, raw monitors. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as C from '../../formats/jvmpi/document/index.js';
import { eventKind, type Mode } from '../../formats/jvmpi/document/index.js';
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

describe('ids', () => {
  it('that name nothing are refused with the reason', () => {
    const { jvmpi, host } = new Scene();
    const trace = { env_id: 9, num_frames: 7, frames: [] };
    jvmpi.GetCallTrace(trace, 4);
    jvmpi.DisableGC();
    deepEqual(
      [trace.num_frames, jvmpi.GetThreadStatus(9), jvmpi.GetThreadObject(9), jvmpi.GetMethodClass(8)],
      [0, 0, 0, 0],
    );
    equal(jvmpi.RequestEvent(C.JVMPI_EVENT_OBJECT_DUMP, 7), C.JVMPI_FAIL);
    deepEqual(
      host.findings.map(({ place, message }) => `${place} ${message}`),
      [
        '§1.4 GetCallTrace got 9, which is the id of no thread now',
        '§1.4 GetThreadStatus got 9, which is the id of no thread now',
        '§1.4 GetThreadObject got 9, which is the id of no thread now',
        '§1.4 GetMethodClass got 8, which is the id of no method now',
        '§1.4 RequestEvent got 7, which is the id of no object now',
      ],
    );
  });

  it('that an event ended are refused, until another event defines them', () => {
    const { jvmpi, vm, host } = new Scene();
    vm.methods.set(21, 11);
    vm.addThread(1, 33, { status: C.JVMPI_THREAD_RUNNABLE });
    jvmpi.DisableGC();
    const send = (name: 'CLASS_LOAD' | 'CLASS_UNLOAD' | 'THREAD_START' | 'THREAD_END') =>
      void host.deliver({ event_type: eventKind(name).type, env_id: 1, u: CONTENTS[name] });
    send('CLASS_LOAD');
    equal(jvmpi.GetMethodClass(21), 11);
    send('CLASS_UNLOAD');
    equal(jvmpi.GetMethodClass(21), 0);
    equal(jvmpi.RequestEvent(C.JVMPI_EVENT_CLASS_LOAD, 11), C.JVMPI_FAIL);
    send('CLASS_LOAD');
    equal(jvmpi.GetMethodClass(21), 11);
    equal(jvmpi.GetThreadObject(1), 33);
    send('THREAD_END');
    deepEqual([jvmpi.GetThreadObject(1), jvmpi.GetThreadStatus(1)], [0, 0]);
    send('THREAD_START');
    equal(jvmpi.GetThreadObject(1), 33);
    deepEqual(
      host.findings.map(({ message }) => message.replace(/ got.*/, '')),
      ['GetMethodClass', 'RequestEvent', 'GetThreadObject', 'GetThreadStatus'],
    );
  });
});

describe('threads', () => {
  it('have local storage until their end: the method counter of the document (§1.5)', () => {
    const scene = new Scene();
    const printed: string[] = [];
    scene.handler = (event) => {
      const { jvmpi } = scene;
      const { env_id } = event;
      const counter = jvmpi.GetThreadLocalStorage(env_id);
      if (event.event_type === C.JVMPI_EVENT_THREAD_START) jvmpi.SetThreadLocalStorage(env_id, 0);
      else if (typeof counter !== 'number') throw new Error(`no counter of thread ${env_id}`);
      else if (event.event_type === C.JVMPI_EVENT_METHOD_ENTRY) jvmpi.SetThreadLocalStorage(env_id, counter + 1);
      else printed.push(`Thread ${env_id} executed ${counter} methods`);
    };
    for (const name of ['THREAD_START', 'METHOD_ENTRY', 'THREAD_END'] as const)
      scene.jvmpi.EnableEvent(eventKind(name).type);
    for (const env of [1, 2]) void scene.send('THREAD_START', env, CONTENTS.THREAD_START);
    for (const env of [1, 2, 2, 1, 2]) void scene.send('METHOD_ENTRY', env, CONTENTS.METHOD_ENTRY);
    for (const env of [1, 2]) void scene.send('THREAD_END', env, {});
    deepEqual(printed, ['Thread 1 executed 2 methods', 'Thread 2 executed 3 methods']);
    equal(scene.jvmpi.GetThreadLocalStorage(1), undefined);
  });

  it('have traces and CPU time, those of the moment of an event first', () => {
    const scene = new Scene();
    const trace = [
      { method_id: 21, lineno: 4 },
      { method_id: 22, lineno: -3 },
    ];
    scene.vm.addThread(5, 33, { trace, cpu: 700 });
    const got = { env_id: 5, num_frames: 0, frames: [] };
    scene.jvmpi.GetCallTrace(got, 1);
    deepEqual(got, { env_id: 5, num_frames: 1, frames: trace.slice(0, 1) });
    const ask = (): unknown => {
      scene.jvmpi.GetCallTrace(got, 9);
      return [got.num_frames, scene.jvmpi.GetCurrentThreadCpuTime()];
    };
    deepEqual(scene.in('METHOD_ENTRY', 5, CONTENTS.METHOD_ENTRY, ask), [2, 700]);
    const seen: unknown[] = [];
    scene.handler = () => void seen.push(ask());
    const moment = { time: 1, trace: [], cpu_time: 600, status: C.JVMPI_THREAD_MONITOR_WAIT };
    void scene.host.deliver({ event_type: 1, env_id: 5, u: CONTENTS.METHOD_ENTRY, moment });
    scene.handler = () => void seen.push(scene.jvmpi.GetThreadStatus(5), scene.jvmpi.GetThreadStatus(6));
    scene.vm.addThread(6, 34);
    void scene.host.deliver({ event_type: 1, env_id: 5, u: CONTENTS.METHOD_ENTRY, moment });
    // Of another thread, it is that of the moment of the call.
    deepEqual(seen, [[0, 600], C.JVMPI_THREAD_MONITOR_WAIT, C.JVMPI_THREAD_RUNNABLE]);
  });

  it('of the system may start in the handler of JVM_INIT_DONE', () => {
    const scene = new Scene();
    const codes: number[] = [];
    const start = (): number => scene.jvmpi.CreateSystemThread('s', C.JVMPI_NORMAL_PRIORITY, () => undefined);
    scene.handler = () => void codes.push(start());
    throws(start, /only after JVM_INIT_DONE/);
    scene.jvmpi.EnableEvent(C.JVMPI_EVENT_JVM_INIT_DONE);
    scene.vm.addThread(101, 0);
    void scene.send('JVM_INIT_DONE', 1, {});
    deepEqual(codes, [C.JNI_OK]);
  });

  it('of the system run after JVM_INIT_DONE only, and end with their code', async () => {
    const { jvmpi, vm, ...scene } = new Scene();
    const start = (code: () => void | Promise<void>) => jvmpi.CreateSystemThread('s', C.JVMPI_MAXIMUM_PRIORITY, code);
    throws(() => start(() => undefined), /only after JVM_INIT_DONE/);
    void scene.host.deliver({ event_type: C.JVMPI_EVENT_JVM_INIT_DONE, env_id: 1, u: {} });
    let cpu = 0;
    const done = new Promise<void>((resolve) => {
      equal(
        start(async () => {
          await Promise.resolve();
          cpu = jvmpi.GetCurrentThreadCpuTime();
          resolve();
        }),
        C.JNI_OK,
      );
      vm.addThread(101, 0, { cpu: 55 });
    });
    await done;
    await new Promise(setImmediate);
    equal(cpu, 55);
    deepEqual(vm.asked, ['thread s 10', 'end 101']);
    vm.refused.set('THREAD_START', C.JVMPI_FAIL);
    equal(
      start(() => undefined),
      C.JNI_ERR,
    );
  });

  it('exit, collect and convert through the VM', () => {
    const { jvmpi, vm } = new Scene();
    jvmpi.RunGC();
    jvmpi.ProfilerExit(3);
    deepEqual(vm.asked, ['gc', 'exit 3']);
    jvmpi.DisableGC();
    deepEqual([jvmpi.jobjectID2jobject(31), jvmpi.jobject2jobjectID(1031)], [1031, 31]);
  });
});

describe('ids', () => {
  it('of JNI references that are freed are refused, until another one has them', () => {
    const scene = new Scene();
    const { jvmpi, host } = scene;
    jvmpi.DisableGC();
    const seen: unknown[] = [];
    const ask = (): unknown => seen.push(jvmpi.jobject2jobjectID(0x7f10));
    void scene.send('JNI_GLOBALREF_ALLOC', 1, { jni_globalref_alloc: { obj_id: 31, ref_id: 0x7f10 } });
    ask();
    void scene.send('JNI_GLOBALREF_FREE', 1, { jni_globalref_free: { ref_id: 0x7f10 } });
    ask();
    deepEqual(
      host.findings.map(({ message }) => message),
      ['jobject2jobjectID got the id of a JNI reference that ended by JNI_GLOBALREF_FREE: 32528'],
    );
    void scene.send('JNI_WEAK_GLOBALREF_ALLOC', 1, { jni_globalref_alloc: { obj_id: 32, ref_id: 0x7f10 } });
    ask();
    deepEqual(seen, [31, 0, 32]);
  });

  it('of objects in a deleted arena are refused', () => {
    const scene = new Scene();
    const { jvmpi, host } = scene;
    jvmpi.DisableGC();
    const allocated = (arena_id: number, obj_id: number): void =>
      void scene.send('OBJECT_ALLOC', 1, { obj_alloc: { arena_id, class_id: 5, is_array: 0, size: 16, obj_id } });
    for (const object of [31, 32]) allocated(7, object);
    const move = { arena_id: 7, obj_id: 32, new_arena_id: 8, new_obj_id: 32 };
    void scene.send('OBJECT_MOVE', 1, { obj_move: move });
    void scene.send('ARENA_DELETE', 1, { delete_arena: { arena_id: 7 } });
    deepEqual([jvmpi.jobjectID2jobject(31), jvmpi.jobjectID2jobject(32)], [0, 1032]);
    deepEqual(
      host.findings.map(({ message }) => message),
      ['jobjectID2jobject got the id of an object that ended by ARENA_DELETE: 31'],
    );
    allocated(9, 31);
    equal(jvmpi.jobjectID2jobject(31), 1031);
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
