/** The other end of net=host:port of the HPROF agent: keeps what one agent sends, and sends it commands. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { KansokuError, UsageError } from '../../base/errors.js';
import { commandBytes } from './commands.js';

export interface ListenOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
  /** File for what the agent sends. */
  readonly output: string;
  /** Lines of commands; a wrong one is reported, and the next one counts. Absent: none are sent. */
  readonly commands?: Readable;
  readonly signal: AbortSignal;
  readonly onListening: (port: number) => void;
  readonly onConnection: () => void;
  readonly onRefusal: (error: UsageError) => void;
}

/**
 * Waits for one agent and keeps what it sends, until it ends its connection. Gives the number of bytes. Throws UsageError where the port cannot be
 * had, and what writing the file throws.
 */
export async function listenForAgent(options: ListenOptions): Promise<number> {
  const server = createServer();
  server.maxConnections = 1;
  server.listen(options.port, options.host);
  try {
    await once(server, 'listening', { signal: options.signal });
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.name !== 'AbortError'
      ? new UsageError(`${options.host}:${options.port}: ${error.message}`, 'choose another port')
      : error;
  }
  const address = server.address();
  options.onListening(typeof address === 'object' && address !== null ? address.port : options.port);
  try {
    const [socket]: unknown[] = await once(server, 'connection', { signal: options.signal });
    if (!(socket instanceof Socket)) throw new TypeError('a connection has no socket');
    server.close();
    options.onConnection();
    return await conversation(socket, options);
  } finally {
    server.close();
  }
}

async function conversation(socket: Socket, { output, commands, signal, onRefusal }: ListenOptions): Promise<number> {
  const file = createWriteStream(output);
  const lines = commands === undefined ? undefined : createInterface({ input: commands });
  lines?.on('line', (line) => {
    if (line.trim() === '') return;
    try {
      socket.write(commandBytes(line));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      onRefusal(error);
    }
  });
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop);
  try {
    socket.pipe(file);
    await finished(file);
  } catch (error) {
    throw new KansokuError(`${output}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener('abort', stop);
    lines?.close();
    socket.destroy();
  }
  return file.bytesWritten;
}
