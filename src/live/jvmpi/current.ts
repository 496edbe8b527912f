/** The thread for which an agent's code runs, also after an `await`: as in the VM, each call of the interface has a current thread. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventMoment, EventName, JNIEnv, Mode } from '../../formats/jvmpi/document/index.js';

export interface Current {
  readonly env: JNIEnv;
  /** The mode of the handler that runs; `multi` outside handlers. */
  readonly mode: Mode;
  /** The event whose handler runs; undefined in `JVM_OnLoad` and system threads. */
  readonly event?: EventName;
  readonly moment?: EventMoment | undefined;
}

/** Code that no thread of the VM runs. */
const NONE: Current = { env: 0, mode: 'multi' };

const storage = new AsyncLocalStorage<Current>();

export function current(): Current {
  return storage.getStore() ?? NONE;
}

export function runAs<Result>(as: Current, code: () => Result): Result {
  return storage.run(as, code);
}
