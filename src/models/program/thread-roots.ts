/**
 * Functions that begin a thread: nothing calls them that a profiler shows, so a stack that begins in one has all its frames,
 * however deep it is. This is the only list of them; docs/inputs.md explains its use.
 *
 * A subclass of `Thread` may call `super.run()` in its own `run`: a stack that was cut between the two passes for whole and lacks
 * that one frame.
 */

/** Java, as `class.method`: what the VM calls in a thread that has no Java frame yet. */
const JAVA = new Set([
  'java.lang.Thread.run',
  'java.lang.Thread.exit',
  'java.lang.VirtualThread.run',
  'java.lang.ref.Reference$ReferenceHandler.run',
  'java.lang.ref.Finalizer$FinalizerThread.run',
  'java.util.TimerThread.run',
  'java.util.concurrent.ForkJoinWorkerThread.run',
  'java.awt.EventDispatchThread.run',
  'jdk.internal.misc.InnocuousThread.run',
]);

/** Native functions, of glibc, musl, macOS, Windows and the Linux kernel. */
const NATIVE = new Set([
  '_start',
  'start_thread',
  'clone',
  'clone3',
  '__clone',
  '__clone3',
  'thread_start',
  'RtlUserThreadStart',
  'ret_from_fork',
  'ret_from_fork_asm',
]);

const MAIN = /\.main$/;
const RUN_OR_MAIN = /\.(?:run|runWith|main)$/;

/**
 * Whether a function begins its thread. `name`: `class.method` or that of a native function, without parameters.
 * `thread`: the name of the thread if known; `main` of a class begins the main thread only.
 */
export function isThreadRoot(name: string, thread?: string): boolean {
  return JAVA.has(name) || NATIVE.has(name) || (MAIN.test(name) && (thread === undefined || thread === 'main'));
}

/** Whether a Java method may begin a thread: also `run` of any class, which may be a subclass of `Thread`. */
export function mayBeThreadRoot(name: string): boolean {
  return isThreadRoot(name) || RUN_OR_MAIN.test(name);
}
