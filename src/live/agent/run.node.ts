/** Runs a program of Java with an agent in TypeScript. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { UsageError } from '../../base/errors.js';
import type { VmEvent } from '../../formats/jvmpi/document/index.js';
import { JNI_OK } from '../../formats/jvmpi/document/index.js';
import { readBlock } from '../../formats/jvmpi/index.js';
import { JvmpiHost } from '../jvmpi/host.js';
import type { AgentModule } from '../jvmpi/interface.js';
import type { Finding } from '../jvmpi/state.js';
import { agentLibrary, programOf } from './build.node.js';
import { Channel } from './channel.node.js';
import { Delivery } from './delivery.js';
import { HotSpotVm } from './hotspot.js';
import type { StreamRecorder } from './stream-recorder.node.js';

export interface RunTask {
  readonly agent: AgentModule;
  /** Keeps the frames between the VM and Kansoku. */
  readonly recorder?: StreamRecorder;
  /** The agent only enables events, to record them: nothing is handed to it. */
  readonly deaf?: boolean;
  readonly options: string;
  /** The program and its words. */
  readonly command: readonly string[];
  readonly lenient: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What happened in a run. */
export interface RunResult {
  /** Of the program; 128 and the signal if one ended it. */
  readonly exitCode: number;
  /** Calls of the agent that broke a rule. */
  readonly findings: readonly Finding[];
  /** Events that were not sent since the queue was full, by their number (0: any). */
  readonly dropped: ReadonlyMap<number, number>;
  /** What the agent threw first. */
  readonly failure?: unknown;
}

/** The class file that a handler of CLASS_LOAD_HOOK set; undefined for all others. */
function newClassFile({ u }: VmEvent): Uint8Array | undefined {
  if (!('class_load_hook' in u)) return undefined;
  const { class_data, new_class_data, new_class_data_len } = u.class_load_hook;
  return new_class_data === class_data ? undefined : new_class_data.subarray(0, new_class_data_len);
}

/** `java -agentpath:… words`. */
function withAgent([program = '', ...words]: readonly string[], library: string, folder: string): string[] {
  return [program, `-agentpath:${library}=${folder}`, ...words];
}

/** Runs the command until it ends and all events are handled. Throws UsageError where it cannot start. */
export async function runWithAgent(task: RunTask): Promise<RunResult> {
  const [program = ''] = task.command;
  const java = programOf(program, task.env);
  if (java === undefined) throw new UsageError(`${program}: there is no such program`);
  if (basename(program) !== 'java')
    throw new UsageError(
      `${program}: the command must begin with java`,
      'kansoku jvmpi run AGENT.ts -- java -jar app.jar',
    );
  const library = agentLibrary(java, task.env);
  const dropped = new Map<number, number>();
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let hasAgent = false;
  const channel = await Channel.open({
    hello: () => {
      hasAgent = true;
      start();
    },
    block: (bytes) => {
      if (task.deaf) return;
      for (const event of readBlock(bytes)) void delivery.event(event);
    },
    hold: async (bytes) => {
      if (task.deaf) return undefined;
      const [event] = readBlock(bytes);
      if (event === undefined) return undefined;
      await delivery.event(event);
      return newClassFile(event);
    },
    dropped: (event, count) => dropped.set(event, (dropped.get(event) ?? 0) + count),
    closed: () => close(),
    frame: (kind, bytes) => task.recorder?.frame(kind, bytes),
  });
  const host = new JvmpiHost(new HotSpotVm(channel), { lenient: task.lenient });
  const delivery = new Delivery(host);
  const start = (): void => {
    try {
      channel.go(host.load(task.agent, task.options) === JNI_OK);
    } catch (error) {
      delivery.failed(error);
      channel.go(false);
    }
  };
  try {
    const exitCode = await ended(spawned(withAgent(task.command, library, channel.folder), task));
    if (hasAgent) await closed;
    await delivery.all();
    task.recorder?.end(exitCode);
    const result = { exitCode, findings: host.findings, dropped };
    return delivery.failure === undefined ? result : { ...result, failure: delivery.failure };
  } finally {
    await channel.close();
  }
}

function spawned([program = '', ...words]: readonly string[], { env, signal }: RunTask): ChildProcess {
  const child = spawn(program, words, { stdio: 'inherit', env: { ...env } });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', stop));
  return child;
}

/** The exit code of a process, as shells show it. */
function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0))),
    );
  });
}
