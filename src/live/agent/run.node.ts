/** Runs a program of Java with an agent in TypeScript. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { programOf } from '../../code/java/jdk-home.node.js';
import { agentLibrary } from './build.node.js';
import { type AgentResult, type AgentTask, Conversation } from './conversation.node.js';

export interface RunTask extends AgentTask {
  /** The program and its words. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What happened in a run. */
export interface RunResult extends AgentResult {
  /** Of the program; 128 and the signal if one ended it. */
  readonly exitCode: number;
}

/** `java -agentpath:… words`, or `javac -J-agentpath:… words`: the other programs of a JDK hand on what follows `-J`. */
export function withAgent([program = '', ...words]: readonly string[], library: string, options: string): string[] {
  const option = `-agentpath:${library}=${options}`;
  return [program, basename(program) === 'java' ? option : `-J${option}`, ...words];
}

/** The path of a program that starts a JVM with our option. Throws UsageError for others, with `usage` as the advice. */
export function launcherPath(program: string, env: RunTask['env'], usage: string): string {
  const path = programOf(program, env);
  if (path === undefined) throw new UsageError(`${program}: there is no such program`);
  if (isLauncher(path)) return path;
  throw new UsageError(`${program}: the command must begin with java or another program of a JDK`, usage);
}

/** Whether it is `java`, or another program in the folder `bin` of a JDK. */
function isLauncher(path: string): boolean {
  return basename(path) === 'java' || existsSync(join(dirname(dirname(realpathSync(path))), 'lib/jvm.cfg'));
}

/** Runs the command until it ends and all events are handled. Throws UsageError where it cannot start. */
export async function runWithAgent(task: RunTask): Promise<RunResult> {
  const [program = ''] = task.command;
  const java = launcherPath(program, task.env, 'kansoku jvmpi run AGENT.ts -- java -jar app.jar');
  const library = agentLibrary(java, task.env);
  const conversation = await Conversation.open(task);
  const { channel } = conversation;
  try {
    const exitCode = await ended(spawned(withAgent(task.command, library, channel.folder), task));
    if (conversation.hasAgent) await conversation.closed;
    const result = await conversation.result();
    task.recorder?.end(exitCode);
    return { ...result, exitCode };
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
