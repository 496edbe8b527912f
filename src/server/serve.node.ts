/** The server of the workbench page: loopback only, a random port unless one is given, and an end when no page is there any more. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { UsageError } from '../base/errors.js';
import type { Workspace } from '../session/workspace/workspace.js';
import { serverApp } from './app.node.js';

const ADDRESS = '127.0.0.1';

export interface ServerOptions {
  readonly workspace: Workspace;
  readonly page: () => string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Milliseconds without a request after which it ends; 0 for never. An open page asks every minute. */
  readonly idle: number;
}

export interface RunningServer {
  readonly port: number;
  /** With the token: for one browser, once. */
  readonly url: string;
  /** Settles when it has ended, by `close` or for want of requests. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

/** Starts to listen. Throws `UsageError` if the port is taken. */
export async function startServer({ workspace, page, port: chosenPort, idle }: ServerOptions): Promise<RunningServer> {
  const [token = '', session = ''] = Array.from({ length: 2 }, () => randomBytes(32).toString('base64url'));
  let port = chosenPort;
  let touchedAt = Date.now();
  const touched = (): void => {
    touchedAt = Date.now();
  };
  const app = serverApp({ workspace, page, touched, token, session, port: () => port });
  const server = createServer(getRequestListener(app.fetch));
  const ended = new Promise<void>((resolve) => server.on('close', () => resolve()));
  server.listen(chosenPort, ADDRESS);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(
      `port ${chosenPort} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      {
        code: 'port-taken',
        advice: 'Name another one, or none.',
      },
    );
  }
  const address = server.address();
  if (typeof address === 'object' && address !== null) port = address.port;
  const close = (): void => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  };
  const look = (): void => {
    if (Date.now() - touchedAt > idle) close();
  };
  const timer = idle > 0 ? setInterval(look, Math.max(50, Math.min(10_000, idle / 4))) : undefined;
  return { port, url: `http://${ADDRESS}:${port}/?token=${token}`, ended, close };
}
