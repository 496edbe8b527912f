/** The events and constants of JVMPI, against the lists of the document and Sun's header. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventName, JVMPI_Branch } from '../../formats/jvmpi/document/index.js';
import * as constants from '../../formats/jvmpi/document/index.js';
import { EVENTS, eventKind, eventName, isEventName, type Mode } from '../../formats/jvmpi/document/index.js';
import { CONTENTS } from './testing/contents.js';
import { Scene } from './testing/fake-vm.js';

/** Numbers as Sun's `jvmpi.h` has them. */
const NUMBERS = `METHOD_ENTRY 1, METHOD_ENTRY2 2, METHOD_EXIT 3, OBJECT_ALLOC 4, OBJECT_FREE 5, OBJECT_MOVE 6,
  COMPILED_METHOD_LOAD 7, COMPILED_METHOD_UNLOAD 8, INSTRUCTION_START 9, THREAD_START 33, THREAD_END 34,
  CLASS_LOAD_HOOK 35, HEAP_DUMP 37, JNI_GLOBALREF_ALLOC 38, JNI_GLOBALREF_FREE 39, JNI_WEAK_GLOBALREF_ALLOC 40,
  JNI_WEAK_GLOBALREF_FREE 41, CLASS_LOAD 42, CLASS_UNLOAD 43, DATA_DUMP_REQUEST 44, DATA_RESET_REQUEST 45,
  JVM_INIT_DONE 46, JVM_SHUT_DOWN 47, ARENA_NEW 48, ARENA_DELETE 49, OBJECT_DUMP 50, RAW_MONITOR_CONTENDED_ENTER 51,
  RAW_MONITOR_CONTENDED_ENTERED 52, RAW_MONITOR_CONTENDED_EXIT 53, MONITOR_CONTENDED_ENTER 54,
  MONITOR_CONTENDED_ENTERED 55, MONITOR_CONTENDED_EXIT 56, MONITOR_WAIT 57, MONITOR_WAITED 58, MONITOR_DUMP 59,
  GC_START 60, GC_FINISH 61`;

const OTHERS = `JVMPI_VERSION_1 0x10000001, JVMPI_VERSION_1_1 0x10000002, JVMPI_VERSION_1_2 0x10000003, JVMPI_SUCCESS 0,
  JVMPI_NOT_AVAILABLE 1, JVMPI_FAIL -1, JNI_OK 0, JNI_ERR -1, JVMPI_REQUESTED_EVENT 0x10000000,
  JVMPI_MAX_EVENT_TYPE_VAL 61, JVMPI_THREAD_RUNNABLE 1, JVMPI_THREAD_MONITOR_WAIT 2, JVMPI_THREAD_CONDVAR_WAIT 3,
  JVMPI_THREAD_INTERRUPTED 0x4000, JVMPI_THREAD_SUSPENDED 0x8000, JVMPI_MINIMUM_PRIORITY 1, JVMPI_NORMAL_PRIORITY 5,
  JVMPI_MAXIMUM_PRIORITY 10, JVMPI_NORMAL_OBJECT 0, JVMPI_CLASS 2, JVMPI_BOOLEAN 4, JVMPI_CHAR 5, JVMPI_FLOAT 6,
  JVMPI_DOUBLE 7, JVMPI_BYTE 8, JVMPI_SHORT 9, JVMPI_INT 10, JVMPI_LONG 11, JVMPI_MONITOR_JAVA 1, JVMPI_MONITOR_RAW 2,
  JVMPI_GC_ROOT_UNKNOWN 0xff, JVMPI_GC_ROOT_JNI_GLOBAL 1, JVMPI_GC_ROOT_JNI_LOCAL 2, JVMPI_GC_ROOT_JAVA_FRAME 3,
  JVMPI_GC_ROOT_NATIVE_STACK 4, JVMPI_GC_ROOT_STICKY_CLASS 5, JVMPI_GC_ROOT_THREAD_BLOCK 6,
  JVMPI_GC_ROOT_MONITOR_USED 7, JVMPI_GC_ROOT_THREAD_OBJ 8, JVMPI_GC_CLASS_DUMP 0x20, JVMPI_GC_INSTANCE_DUMP 0x21,
  JVMPI_GC_OBJ_ARRAY_DUMP 0x22, JVMPI_GC_PRIM_ARRAY_DUMP 0x23, JVMPI_DUMP_LEVEL_0 0, JVMPI_DUMP_LEVEL_1 1,
  JVMPI_DUMP_LEVEL_2 2, JVMPI_EVENT_LOAD_COMPILED_METHOD 7, JVMPI_EVENT_UNLOAD_COMPILED_METHOD 8,
  JVMPI_EVENT_NEW_ARENA 48, JVMPI_EVENT_DELETE_ARENA 49, JVMPI_EVENT_DUMP_DATA_REQUEST 44,
  JVMPI_EVENT_RESET_DATA_REQUEST 45, JVMPI_EVENT_OBJ_ALLOC 4, JVMPI_EVENT_OBJ_FREE 5, JVMPI_EVENT_OBJ_MOVE 6`;

/** The modes of handlers (§3): without collections, suspended; all others run in the multi-threaded mode. */
const WITHOUT_GC = `CLASS_LOAD CLASS_UNLOAD HEAP_DUMP MONITOR_DUMP OBJECT_DUMP JNI_GLOBALREF_ALLOC
  JNI_WEAK_GLOBALREF_ALLOC METHOD_ENTRY2 MONITOR_CONTENDED_ENTER MONITOR_CONTENDED_ENTERED MONITOR_CONTENDED_EXIT
  MONITOR_WAIT MONITOR_WAITED OBJECT_ALLOC THREAD_START`.split(/\s+/);
const SUSPENDED = ['OBJECT_FREE', 'OBJECT_MOVE', 'ARENA_DELETE'];
const ON_REQUEST = ['HEAP_DUMP', 'MONITOR_DUMP', 'OBJECT_DUMP'];

const listed = (text: string): [string, number][] =>
  text.split(',').map((line) => {
    const [name = '', value] = line.trim().split(' ');
    return [name, Number(value)];
  });

const modeOf = (name: string): Mode =>
  SUSPENDED.includes(name) ? 'suspended' : WITHOUT_GC.includes(name) ? 'no-gc' : 'multi';

const names: EventName[] = listed(NUMBERS).flatMap(([name]) => (isEventName(name) ? [name] : []));

describe('constants', () => {
  it('have the values of the header', () => {
    // The module has the table of events and functions, too.
    const isConstant = ([name]: readonly [string, unknown]): boolean => /^(?:JVMPI|JNI|NATIVE)_/.test(name);
    const all = new Map<string, unknown>(Object.entries(constants).filter(isConstant));
    const expected = [
      ...listed(OTHERS),
      ...listed(NUMBERS).map(([name, value]) => [`JVMPI_EVENT_${name}`, value] as const),
    ];
    for (const [name, value] of expected) equal(all.get(name), value, name);
    // Two are JNI's and HotSpot's.
    deepEqual(new Set(all.keys()), new Set([...expected.map(([name]) => name), 'JNI_EVERSION', 'NATIVE_LINE']));
  });
});

describe('events', () => {
  it('are the 37 of the document', () => {
    deepEqual(
      Object.entries(EVENTS).map(([name, { type }]) => [name, type]),
      listed(NUMBERS),
    );
    equal(names.length, 37);
    equal(eventName(0x10000000 | 42), 'CLASS_LOAD');
    deepEqual([eventName(36), eventName(0), eventName(62)], [undefined, undefined, undefined]);
  });

  for (const name of names)
    it(`${name} arrives with its contents, in its mode`, () => {
      const scene = new Scene();
      const { type } = eventKind(name);
      void scene.send(name, 5, CONTENTS[name]);
      equal(scene.events.length, 0, 'not enabled');
      if (name === 'GC_START') void scene.send('GC_FINISH', 5, CONTENTS.GC_FINISH);
      const once = ON_REQUEST.includes(name);
      equal(scene.jvmpi.EnableEvent(type), once ? constants.JVMPI_NOT_AVAILABLE : constants.JVMPI_SUCCESS);
      equal(
        scene.in(name, 5, CONTENTS[name], () => scene.host.state.mode()),
        modeOf(name),
      );
      const [event] = scene.events;
      ok(event !== undefined);
      deepEqual([event.event_type, event.env_id, event.u], [type, 5, CONTENTS[name]]);
      equal(scene.jvmpi.DisableEvent(type), once ? constants.JVMPI_NOT_AVAILABLE : constants.JVMPI_SUCCESS);
      if (once) return;
      void scene.send(name, 5, CONTENTS[name]);
      equal(scene.events.length, 1, 'disabled');
    });

  it('INSTRUCTION_START has what its branch does, by the kind of instruction', () => {
    const branches: readonly JVMPI_Branch[] = [
      { if_info: { is_true: true } },
      { tableswitch_info: { key: 4, low: 1, hi: 9 } },
      { lookupswitch_info: { chosen_pair_index: 2, pairs_total: 2, is_default: true } },
      {},
    ];
    const scene = new Scene();
    scene.jvmpi.EnableEvent(constants.JVMPI_EVENT_INSTRUCTION_START);
    for (const u of branches) void scene.send('INSTRUCTION_START', 5, { instruction: { method_id: 21, offset: 3, u } });
    deepEqual(
      scene.events.map((event) => 'instruction' in event.u && event.u.instruction.u),
      branches,
    );
  });

  it('that the VM refuses have its code, and do not arrive', () => {
    const { vm, jvmpi, ...scene } = new Scene();
    vm.refused.set('METHOD_ENTRY', constants.JVMPI_NOT_AVAILABLE).set('GC_START', constants.JVMPI_FAIL);
    equal(jvmpi.EnableEvent(constants.JVMPI_EVENT_METHOD_ENTRY), constants.JVMPI_NOT_AVAILABLE);
    equal(jvmpi.EnableEvent(constants.JVMPI_EVENT_GC_START), constants.JVMPI_FAIL);
    void scene.host.deliver({ event_type: 1, env_id: 1, u: CONTENTS.METHOD_ENTRY });
    equal(scene.events.length, 0);
    for (const type of [0, 10, 36, 62, -1, constants.JVMPI_REQUESTED_EVENT | 42])
      equal(jvmpi.EnableEvent(type), constants.JVMPI_NOT_AVAILABLE, String(type));
  });

  it('of a collection are in thread-suspended mode from the end of the handler of GC_START on, those of other threads are not', async () => {
    const scene = new Scene();
    const mode = () => scene.host.state.mode();
    const later: string[] = [];
    const both = () => {
      void Promise.resolve().then(() => later.push(mode()));
      return mode();
    };
    equal(scene.in('GC_START', 0, {}, both), 'multi');
    await new Promise(setImmediate);
    deepEqual(later, ['suspended']);
    equal(scene.in('OBJECT_FREE', 0, CONTENTS.OBJECT_FREE, mode), 'suspended');
    equal(scene.in('THREAD_END', 1, {}, mode), 'multi');
    equal(scene.in('GC_FINISH', 0, CONTENTS.GC_FINISH, mode), 'multi');
    equal(scene.in('THREAD_END', 2, {}, mode), 'multi');
  });
});
