/** The class-load tracer of the JVMPI document (§8.1): a line for each class. The option `file=PATH` writes them to a file. */
import { appendFileSync, writeFileSync } from 'node:fs';
import {
  type JavaVM,
  JNI_ERR,
  JNI_OK,
  JVMPI_EVENT_CLASS_LOAD,
  type JVMPI_Event,
  type JVMPI_Interface,
  JVMPI_SUCCESS,
  JVMPI_VERSION_1,
} from 'kansoku/jvmpi';

let jvmpi_interface: JVMPI_Interface | undefined;
let file: string | undefined;

function notifyEvent(event: JVMPI_Event): void {
  switch (event.event_type) {
    case JVMPI_EVENT_CLASS_LOAD: {
      const line = `Class Load : ${event.u.class_load.class_name}\n`;
      if (file === undefined) process.stdout.write(line);
      else appendFileSync(file, line);
    }
  }
}

export function JVM_OnLoad(jvm: JavaVM, options: string): number {
  const box: { env?: JVMPI_Interface } = {};
  if (jvm.GetEnv(box, JVMPI_VERSION_1) < 0) return JNI_ERR;
  jvmpi_interface = box.env;
  if (jvmpi_interface === undefined) return JNI_ERR;
  file = /^file=(.+)$/.exec(options)?.[1];
  if (file !== undefined) writeFileSync(file, '');
  jvmpi_interface.NotifyEvent = notifyEvent;
  return jvmpi_interface.EnableEvent(JVMPI_EVENT_CLASS_LOAD, null) === JVMPI_SUCCESS ? JNI_OK : JNI_ERR;
}
