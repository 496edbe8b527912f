/** Brings an agent in TypeScript into a JVM that runs already. */
import { chownSync, copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UnreadableError } from '../../base/errors.js';
import { attachCommand } from '../attach/attach.node.js';
import { type AttachTarget, targetOf } from '../attach/target.node.js';
import { agentLibrary } from './build.node.js';
import { type AgentResult, type AgentTask, Conversation } from './conversation.node.js';

export interface AttachTask extends AgentTask {
  readonly pid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the connection: the program goes on. */
  readonly signal: AbortSignal;
  /** Called when the agent is there; the connection ends then. */
  readonly ready?: (conversation: Conversation) => void;
}

/** The library where the target can read it: beside the socket if it has other files than we. */
function visibleLibrary(library: string, target: AttachTarget, folder: string): string {
  if (!target.isContained && target.user === (process.geteuid?.() ?? target.user)) return library;
  const copy = join(folder, basename(library));
  copyFileSync(library, copy);
  chownSync(copy, target.user, target.group);
  return copy.slice(target.root.length);
}

/** Loads the library into a VM. Throws UnreadableError with what the VM says if it refuses. */
async function load(target: AttachTarget, library: string, options: string, signal: AbortSignal): Promise<void> {
  const { code, text } = await attachCommand(target, ['load', library, 'true', options], signal);
  // The code of Agent_OnAttach is in the text.
  const inner = Number(/^(?:return code: )?(-?\d+)$/m.exec(text)?.[1] ?? (code === 0 ? 0 : -1));
  if (code === 0 && inner === 0) return;
  const why = text.trim().replaceAll('\n', ' ');
  throw new UnreadableError(
    `process ${target.pid}: the VM could not load the agent: ${inner === -1 && code === 0 ? 'it failed' : why}`,
    'what it says itself is on its standard error',
  );
}

/** Runs an agent in a JVM until the JVM ends or the signal comes. Throws UnreadableError if it cannot be reached. */
export async function attachAgent(task: AttachTask): Promise<AgentResult> {
  const { pid, env, signal } = task;
  const target = targetOf(pid);
  const library = agentLibrary(undefined, env, target.libc);
  const conversation = await Conversation.open(task, target);
  const { channel } = conversation;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    const path = visibleLibrary(library, target, channel.folder);
    try {
      await load(target, path, channel.folder.slice(target.root.length), signal);
    } catch (error) {
      // What the agent threw is the reason why it could not be loaded.
      const result = await conversation.result();
      if (result.failure === undefined) throw error;
      return result;
    }
    if (task.ready === undefined) await Promise.race([conversation.closed, stopped]);
    else task.ready(conversation);
    return await conversation.result();
  } finally {
    await channel.close();
  }
}
