/** Ids end with the events of the document (§1.4), and may be used again; what handlers learn of threads. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as C from '../../formats/jvmpi/document/index.js';
import { eventKind } from '../../formats/jvmpi/document/index.js';
import { CONTENTS } from './testing/contents.js';
import { Scene } from './testing/fake-vm.js';

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
