/**
 * The attach protocol of HotSpot: commands for a running JVM over a Unix socket, one a connection. The VM makes the socket when it gets
 * SIGQUIT and finds a file `.attach_pid<PID>` in its working folder or in /tmp.
 */
import { chownSync, closeSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KansokuError, UnreadableError } from '../../base/errors.js';
import { type AttachTarget, hasSocket, wordsOf } from './target.node.js';

const ARGUMENTS = 3;
/** The VM's buffer for an argument. */
const LONGEST_ARGUMENT = 1023;
const SOCKET_MS = 5000;
const REPLY_MS = 30_000;
const LONGEST_REPLY = 2 ** 28;

/** What a VM answers to a command. */
export interface AttachReply {
  /** 0: it succeeded. */
  readonly code: number;
  readonly text: string;
}

/** Makes the file that the VM looks for; gives its path. The working folder may not be writable. */
function makeTrigger({ pid, ownPid, root, user, group }: AttachTarget): string {
  const name = `.attach_pid${ownPid}`;
  const paths = [`/proc/${pid}/cwd/${name}`, `${root}/tmp/${name}`];
  for (const path of paths)
    try {
      closeSync(openSync(path, 'wx', 0o660));
      if (process.geteuid?.() === 0) chownSync(path, user, group);
      return path;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return path;
    }
  throw new UnreadableError(
    `process ${pid}: neither its working folder nor its /tmp is writable, so it cannot be asked to listen`,
  );
}

function whyNot(pid: number): string {
  if (wordsOf(pid).includes('-XX:+DisableAttachMechanism')) return 'it was started with -XX:+DisableAttachMechanism';
  return 'it made no socket in its /tmp within 5 s: it may be stopped, or its /tmp may be another folder';
}

/** The socket of a VM, which is made first where needed. Throws UnreadableError with the reason if it does not come. */
async function socketOf(target: AttachTarget, signal: AbortSignal): Promise<string> {
  const path = `${target.root}/tmp/.java_pid${target.ownPid}`;
  if (hasSocket(path, target)) return path;
  if (wordsOf(target.pid).includes('-XX:+DisableAttachMechanism'))
    throw new UnreadableError(`process ${target.pid}: ${whyNot(target.pid)}`);
  const trigger = makeTrigger(target);
  try {
    process.kill(target.pid, 'SIGQUIT');
    const until = Date.now() + SOCKET_MS;
    for (let pause = 2; Date.now() < until; pause = Math.min(pause * 2, 100)) {
      await sleep(pause, undefined, { signal });
      if (hasSocket(path, target)) return path;
    }
  } finally {
    rmSync(trigger, { force: true });
  }
  throw new UnreadableError(`process ${target.pid}: ${whyNot(target.pid)}`);
}

/** A command in version 1 of the protocol. Throws KansokuError if an argument is too long for it. */
export function attachRequest(command: string, words: readonly string[]): Uint8Array {
  if (words.length > ARGUMENTS)
    throw new KansokuError(`${command}: ${words.length} arguments, the VM takes ${ARGUMENTS}`);
  const all = [command, ...words, ...Array<string>(ARGUMENTS - words.length).fill('')];
  for (const word of all) {
    if (Buffer.byteLength(word) > LONGEST_ARGUMENT)
      throw new KansokuError(`${command}: an argument has more than ${LONGEST_ARGUMENT} bytes: ${word.slice(0, 40)}…`);
    if (word.includes('\0')) throw new KansokuError(`${command}: an argument has a zero byte`);
  }
  return new Uint8Array(Buffer.from(['1', ...all].map((word) => `${word}\0`).join('')));
}

/** The code in the first line, and the text behind it. */
export function attachReply(bytes: Uint8Array): AttachReply {
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf('\n');
  const code = Number(end < 0 ? text : text.slice(0, end));
  if (text === '' || !Number.isInteger(code))
    throw new KansokuError(`the VM answered without a code: ${text.slice(0, 60)}`);
  return { code, text: end < 0 ? '' : text.slice(end + 1) };
}

function exchange(path: string, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const parts: Buffer[] = [];
    let length = 0;
    const stop = (): void => void socket.destroy(new KansokuError('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(REPLY_MS, () =>
      socket.destroy(new KansokuError(`the VM did not answer within ${REPLY_MS / 1000} s`)),
    );
    socket.on('connect', () => socket.write(request));
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > LONGEST_REPLY) socket.destroy(new KansokuError('the answer of the VM is too long'));
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))));
    socket.on('close', () => signal.removeEventListener('abort', stop));
  });
}

/** Gives a command to a VM, and waits for its answer. Throws UnreadableError if the VM cannot be reached. */
export async function attachCommand(
  target: AttachTarget,
  [command, ...words]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<AttachReply> {
  const request = attachRequest(command, words);
  const path = await socketOf(target, signal);
  try {
    return attachReply(await exchange(path, request, signal));
  } catch (error) {
    if (error instanceof KansokuError) throw error;
    throw new UnreadableError(`process ${target.pid}: ${error instanceof Error ? error.message : error}`);
  }
}
