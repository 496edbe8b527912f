/**
 * The method counter of the JVMPI document (§1.5): counts the methods that each thread enters, in storage of its own, and prints the number
 * when the thread ends. The option `file=PATH` writes the lines to a file.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import {
  type JavaVM,
  JNI_ERR,
  JNI_OK,
  type JNIEnv,
  JVMPI_EVENT_METHOD_ENTRY,
  JVMPI_EVENT_THREAD_END,
  JVMPI_EVENT_THREAD_START,
  type JVMPI_Event,
  type JVMPI_Interface,
  JVMPI_SUCCESS,
  JVMPI_VERSION_1,
  type jmethodID,
} from 'kansoku/jvmpi';

/** What a thread's storage holds. */
class Counter {
  value = 0;
}

let jvmpi_interface: JVMPI_Interface;
let file: string | undefined;

function print(line: string): void {
  if (file === undefined) process.stdout.write(line);
  else appendFileSync(file, line);
}

/** The counter of a thread. A thread that was announced has one. */
function counterOf(thread_id: JNIEnv): Counter | undefined {
  const counter = jvmpi_interface.GetThreadLocalStorage(thread_id);
  return counter instanceof Counter ? counter : undefined;
}

/** thread start event handler: sets up the storage for thread-local method invocation counter */
function ThreadStartHandler(thread_id: JNIEnv): void {
  jvmpi_interface.SetThreadLocalStorage(thread_id, new Counter());
}

/** method enter event handler: increments thread local method invocation counter */
function MethodEntryHandler(_method_id: jmethodID, thread_id: JNIEnv): void {
  const counter = counterOf(thread_id);
  if (counter !== undefined) counter.value++;
}

/** thread end handler: prints the number of methods executed */
function ThreadEndHandler(thread_id: JNIEnv): void {
  print(`Thread ${thread_id.toString(16)} executed ${counterOf(thread_id)?.value} methods\n`);
}

function notifyEvent(event: JVMPI_Event): void {
  const { event_type: type, env_id } = event;
  if (type === JVMPI_EVENT_THREAD_START) ThreadStartHandler(event.u.thread_start.thread_env_id);
  else if (type === JVMPI_EVENT_METHOD_ENTRY) MethodEntryHandler(event.u.method.method_id, env_id);
  else if (type === JVMPI_EVENT_THREAD_END) ThreadEndHandler(env_id);
}

export function JVM_OnLoad(jvm: JavaVM, options: string): number {
  const box: { env?: JVMPI_Interface } = {};
  if (jvm.GetEnv(box, JVMPI_VERSION_1) < 0 || box.env === undefined) return JNI_ERR;
  jvmpi_interface = box.env;
  file = /^file=(.+)$/.exec(options)?.[1];
  if (file !== undefined) writeFileSync(file, '');
  jvmpi_interface.NotifyEvent = notifyEvent;
  const events = [JVMPI_EVENT_THREAD_START, JVMPI_EVENT_METHOD_ENTRY, JVMPI_EVENT_THREAD_END];
  return events.every((type) => jvmpi_interface.EnableEvent(type, null) === JVMPI_SUCCESS) ? JNI_OK : JNI_ERR;
}
