/** Threads of this process. They start when a task needs them, about 40 ms each, and stay for the next one. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Threads } from '../../base/progress.js';
import type { ThreadAnswer, ThreadTask } from './thread-tasks.node.js';

/** The entry of a thread: beside this module as compiled, and in the bundle. */
const ENTRY = new URL('./thread-tasks.node.js', import.meta.url);

class NodeThreads implements Threads {
  readonly count = availableParallelism();
  readonly #idle: Worker[] = [];
  #starting: Promise<void> | undefined;

  prepare(): void {
    this.#starting ??= this.#start();
  }

  async #start(): Promise<void> {
    for (let started = this.#idle.length; started < this.count - 1; started++) {
      const worker = await newWorker();
      // It failed to start: a task would start another one.
      worker.once('error', () => {
        if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
      });
      worker.unref();
      this.#idle.push(worker);
    }
  }

  async run(task: string, argument: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    await this.#starting;
    const worker = this.#idle.pop() ?? (await newWorker());
    worker.ref();
    let release = (): void => undefined;
    try {
      const result = await new Promise<unknown>((resolve, reject) => {
        const stop = (): void => reject(signal?.reason);
        const answered = (answer: ThreadAnswer): void => {
          if ('error' in answer) reject(answer.error);
          else resolve(answer.result);
        };
        signal?.addEventListener('abort', stop, { once: true });
        worker.once('message', answered);
        worker.once('error', reject);
        // No other listeners: a worker has its own, without which no later message arrives.
        release = () => {
          signal?.removeEventListener('abort', stop);
          worker.off('message', answered);
          worker.off('error', reject);
        };
        worker.postMessage({ task, argument } satisfies ThreadTask);
      });
      this.#idle.push(worker);
      return result;
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      release();
      // An idle thread keeps no program running.
      worker.unref();
    }
  }
}

async function newWorker(): Promise<Worker> {
  // Most commands need none, and each module costs time at a start.
  const { Worker } = await import('node:worker_threads');
  return new Worker(ENTRY);
}

/** The threads of this process. */
export const THREADS: Threads = new NodeThreads();
