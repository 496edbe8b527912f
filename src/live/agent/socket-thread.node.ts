/**
 * The thread that owns the socket of the agent, so that an agent's code may wait for a reply without returning to its event loop.
 * Messages in: frames to write. Messages out: frames that arrived, in their order; `closed` when the connection has ended.
 */
import { createServer, type Socket } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { FRAME, FRAME_HEAD, LONGEST_FRAME, readHello } from '../../formats/jvmpi/index.js';

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
  | { readonly kind: 'frame'; readonly frame: number; readonly bytes: Uint8Array }
  | { readonly kind: 'closed'; readonly problem?: string };

const task: SocketTask = workerData;
const { port } = task;

function say(message: SocketMessage): void {
  port.postMessage(message);
  Atomics.add(task.counter, 0, 1);
  Atomics.notify(task.counter, 0);
}

/** Splits what arrives into frames. */
class Splitter {
  #rest: Buffer = Buffer.alloc(0);
  #wanted = FRAME_HEAD;
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** Calls `each` with the frames that are complete. Throws on a frame that is too long. */
  add(chunk: Buffer, each: (kind: number, bytes: Uint8Array) => void): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return;
    this.#rest = Buffer.concat(this.#parts);
    this.#parts.length = 0;
    let at = 0;
    this.#wanted = FRAME_HEAD;
    while (this.#rest.length - at >= FRAME_HEAD) {
      const length = this.#rest.readUInt32LE(at);
      if (length > LONGEST_FRAME) throw new Error(`a frame of ${length} bytes`);
      this.#wanted = FRAME_HEAD + length;
      if (this.#rest.length - at < this.#wanted) break;
      each(this.#rest[at + 4] ?? 0, new Uint8Array(this.#rest.subarray(at + FRAME_HEAD, at + this.#wanted)));
      at += this.#wanted;
      this.#wanted = FRAME_HEAD;
    }
    const rest = this.#rest.subarray(at);
    this.#parts.push(rest);
    this.#length = rest.length;
  }
}

let agent: Socket | undefined;

/** Takes the connection of the first program that knows the token. */
function connected(socket: Socket): void {
  const splitter = new Splitter();
  let known = false;
  let problem: string | undefined;
  const receive = (frame: number, bytes: Uint8Array): void => {
    if (!known && (frame !== FRAME.hello || readHello(bytes).token !== task.token)) throw new Error('no hello');
    if (!known) agent = socket;
    known = true;
    say({ kind: 'frame', frame, bytes });
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      splitter.add(chunk, receive);
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
