/** Opens what a command line names. */

import type { Work } from '../base/progress.js';
import { fileSource } from '../bytes/file.node.js';
import { openSession, type Session } from './session.js';

export interface OpenOptions {
  readonly cache: boolean;
  readonly announce: (message: string) => void;
  readonly work: Work;
}

export async function openInputs(names: readonly string[], options: OpenOptions): Promise<Session> {
  return openSession(await Promise.all(names.map((name) => fileSource(name))), options.work);
}
