/**
 * Registers the tests of a file with Node's test runner. The runner follows each promise and callback to the suite or test that made it: so it
 * finds the suite that a test belongs to, and the test of an error that nothing catches. Following them while tests run is a tenth of the CPU
 * time of tests that wait much, so here it ends when the file is loaded. What would be added to no suite is refused; `test-process.ts` finds
 * the file of an error by its stack.
 */
import asyncHooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks';

const { createHook, executionAsyncId } = asyncHooks;
let follower: AsyncHook | undefined;
let isLoading = false;
let isReporting = false;

/** The runner asks where it is when something is added, and for the test of an error. */
function askedByRunner(): number {
  if (!isLoading && !isReporting)
    throw new Error('tests, suites and hooks are added while a file is loaded; in a test: t.test(), t.after() …');
  return executionAsyncId();
}

// Before the listener of the runner, which is added with its first suite.
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
function report(): void {
  isReporting = true;
  queueMicrotask(() => {
    isReporting = false;
  });
}

// The runner takes both functions when it is loaded. Everybody else gets the real ones.
Reflect.set(asyncHooks, 'executionAsyncId', askedByRunner);
Reflect.set(asyncHooks, 'createHook', (callbacks: HookCallbacks) => {
  follower = createHook(callbacks);
  return follower;
});
const { describe } = await import('node:test');
Object.assign(asyncHooks, { createHook, executionAsyncId });

/** Adds a suite with the tests that a module adds while it is loaded; functions of its suites do not wait. */
export function addFileSuite(name: string, address: string): void {
  follower?.enable();
  isLoading = true;
  describe(name, async () => {
    try {
      await import(address);
    } finally {
      isLoading = false;
      follower?.disable();
    }
  });
}
