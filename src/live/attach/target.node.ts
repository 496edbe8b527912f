/** The JVM of a process, as the kernel shows it: its user, its number in its own namespace, its files. */
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { UnreadableError, UsageError } from '../../base/errors.js';

/** A running JVM. */
export interface AttachTarget {
  readonly pid: number;
  /** Its number in its own PID namespace, by which it names its socket. */
  readonly ownPid: number;
  readonly user: number;
  readonly group: number;
  /** The folder that is `/` for it: empty where it is ours. */
  readonly root: string;
  /** True if it has a mount namespace of its own, as in a container. */
  readonly isContained: boolean;
  readonly libc: Libc;
}

/** The C library of a process: a library that is built for one cannot be loaded with the other. */
export type Libc = 'glibc' | 'musl';

/** The C library by the files that a process has mapped. */
export function libcOf(maps: string): Libc {
  return /\/(?:ld-musl-|libc\.musl-)[^/]*$/m.test(maps) ? 'musl' : 'glibc';
}

const SIGQUIT = 3;

function read(path: string, pid: number): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ESRCH') throw new UnreadableError(`there is no process ${pid}`);
    if (code === 'EACCES' || code === 'EPERM')
      throw new UnreadableError(`process ${pid} belongs to another user`, 'run kansoku as its user, or as root');
    throw error;
  }
}

/** The numbers of a line of /proc/PID/status. */
function numbers(status: string, name: string): number[] {
  const line = new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return line.split(/\s+/).map(Number);
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Throws an UnreadableError if the signal would end the process: only a JVM that has started handles it. */
function checkHandlesQuit(status: string, pid: number): void {
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  if ((caught >> BigInt(SIGQUIT - 1)) % 2n === 0n)
    throw new UnreadableError(
      `process ${pid} does not handle SIGQUIT: it was started with -Xrs, or is still starting`,
      'start it with the agent: kansoku jvmpi run',
    );
}

/** Throws UnreadableError if there is no such process, it is another user's, or no HotSpot JVM. `proc` is where processes are shown. */
export function targetOf(pid: number, proc = '/proc'): AttachTarget {
  if (process.platform !== 'linux')
    throw new UsageError(`only JVMs on Linux can be attached to, this is ${process.platform}`);
  const folder = `${proc}/${pid}`;
  const status = read(`${folder}/status`, pid);
  const [, user = -1] = numbers(status, 'Uid');
  const [, group = -1] = numbers(status, 'Gid');
  const own = process.geteuid?.() ?? -1;
  if (own !== 0 && own !== user)
    throw new UnreadableError(
      `process ${pid} belongs to user ${user}, this is user ${own}`,
      'run kansoku as its user, or as root',
    );
  const maps = read(`${folder}/maps`, pid);
  if (!maps.includes('/libjvm.so')) throw new UnreadableError(`process ${pid} is no JVM: libjvm.so is not loaded`);
  checkHandlesQuit(status, pid);
  const isContained = link(`${folder}/ns/mnt`) !== link(`${proc}/self/ns/mnt`);
  const root = isContained ? `${folder}/root` : '';
  if (isContained && !existsSync(`${root}/tmp`))
    throw new UnreadableError(
      `process ${pid} runs in a container whose /tmp cannot be reached from here`,
      'run kansoku as root, or inside',
    );
  return { pid, ownPid: numbers(status, 'NSpid').at(-1) ?? pid, user, group, root, isContained, libc: libcOf(maps) };
}

/** The words that started a process. */
export function wordsOf(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`, pid).split('\0');
}

/** Whether the socket of a JVM is there. Throws UnreadableError if something else has its name, or it is another user's. */
export function hasSocket(path: string, { pid, user }: AttachTarget): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isSocket()) throw new UnreadableError(`${path} is no socket: process ${pid} did not make it`, 'remove it');
  if (found.uid !== user && found.uid !== 0)
    throw new UnreadableError(`${path} belongs to user ${found.uid}, but process ${pid} to user ${user}`, 'remove it');
  return true;
}
