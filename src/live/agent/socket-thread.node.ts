/**
 * The thread that owns the socket of the agent, so that an agent's code may wait for a reply without returning to its event loop.
 * Messages in: frames to write. Messages out: frames that arrived, in their order; `closed` when the connection has ended.
 */
import { createServer, type Socket } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { FRAME, FRAME_HEAD, LONGEST_FRAME, readHello, u32At } from '../../formats/jvmpi/index.js';

/** What the thread needs to know. */
export interface SocketTask {
  readonly path: string;
  readonly token: string;
  /** Counts messages to the main thread, which may sleep until the next one. */
  readonly counter: Int32Array;
  /** The way to the main thread. */
  readonly port: MessagePort;
}

/** What the thread says. */
export type SocketMessage =
  | { readonly kind: 'listening' }
  /** Whole frames with their heads, one after another. */
  | { readonly kind: 'frames'; readonly frames: Uint8Array }
  | { readonly kind: 'closed'; readonly problem?: string };

const task: SocketTask = workerData;
const { port } = task;

function say(message: SocketMessage, moved: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, [...moved]);
  Atomics.add(task.counter, 0, 1);
  Atomics.notify(task.counter, 0);
}

/** Cuts what arrives behind whole frames. */
class Cutter {
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes of the frame that is not complete; of its head, while that is not. */
  #wanted = FRAME_HEAD;

  /** The frames that are complete, as they arrived, in memory of their own; undefined if there is none. Throws on a frame that is too long. */
  add(chunk: Buffer): Uint8Array<ArrayBuffer> | undefined {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return undefined;
    const all = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let end = 0;
    this.#wanted = FRAME_HEAD;
    while (all.length - end >= this.#wanted) {
      const length = FRAME_HEAD + all.readUInt32LE(end);
      if (length > FRAME_HEAD + LONGEST_FRAME) throw new Error(`a frame of ${length - FRAME_HEAD} bytes`);
      this.#wanted = length;
      if (all.length - end < length) break;
      end += length;
      this.#wanted = FRAME_HEAD;
    }
    this.#parts = [all.subarray(end)];
    this.#length = all.length - end;
    return end === 0 ? undefined : new Uint8Array(all.subarray(0, end));
  }
}

/** Whether the first frame is of a program that knows the token. */
function isKnown(frames: Uint8Array): boolean {
  const content = frames.subarray(FRAME_HEAD, FRAME_HEAD + u32At(frames, 0));
  return frames[4] === FRAME.hello && readHello(content).token === task.token;
}

let agent: Socket | undefined;

/** Takes the connection of the first program that knows the token. */
function connected(socket: Socket): void {
  const cutter = new Cutter();
  let known = false;
  let problem: string | undefined;
  const receive = (frames: Uint8Array<ArrayBuffer>): void => {
    if (!known && !isKnown(frames)) throw new Error('no hello');
    if (!known) agent = socket;
    known = true;
    say({ kind: 'frames', frames }, [frames.buffer]);
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      const frames = cutter.add(chunk);
      if (frames !== undefined) receive(frames);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      socket.destroy();
    }
  });
  socket.on('error', (error) => {
    problem ??= error.message;
  });
  socket.on('close', () => {
    if (known) say(problem === undefined ? { kind: 'closed' } : { kind: 'closed', problem });
  });
}

const server = createServer(connected);
server.listen(task.path, () => say({ kind: 'listening' }));
server.on('error', ({ message }) => say({ kind: 'closed', problem: message }));

port.on('message', (bytes: Uint8Array | 'end') => {
  if (bytes !== 'end') agent?.write(bytes);
  else {
    server.close();
    agent?.destroy();
    port.close();
  }
});
