/** The end of a process in which an agent ran: its timers do not keep the process, its files are written. */
import { setTimeout as wait } from 'node:timers/promises';

/** How long files may take. */
const LONGEST_MS = 10_000;
/** Requests of Node that are under way: reading, writing and closing files, writing to streams. */
const REQUEST = /^(FSReq|FILEHANDLECLOSEREQ|CloseReq|WriteWrap|ShutdownWrap)/;

function isWriting(process: NodeJS.Process): boolean {
  return process.getActiveResourcesInfo().some((name) => REQUEST.test(name));
}

/** Waits until all files and then the standard streams are written. */
export async function lastWrites(process: NodeJS.Process): Promise<void> {
  const until = performance.now() + LONGEST_MS;
  while (isWriting(process) && performance.now() < until) await wait(1);
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((done) => void stream.write('', () => done()));
}
