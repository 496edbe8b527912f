/** What names native functions on this machine: the demangler, and files by their recorded paths where a stopped recorder made no copies of them. */
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import type { ByteSource } from '../bytes/byte-source.js';
import { fileSource } from '../bytes/file.node.js';
import type { Here } from '../formats/capabilities/sets.js';
import type { OpeningOptions } from './opening.js';

/** A start is recorded in whole seconds. */
const SECOND = 1000;

export function namingOptions(): Pick<OpeningOptions, 'demangler' | 'originals'> {
  return { demangler: loadDemangler, originals: { here: thisMachine(), open: unchangedFile } };
}

async function loadDemangler() {
  const { demangler } = await import('../code/native/demangle.node.js');
  return demangler();
}

/** This machine now. Node counts by the monotonic clock of the system, as recorders do. */
function thisMachine(): Here {
  return { host: hostname(), now: Date.now(), monotonic: Number(process.hrtime.bigint()) / 1e6 };
}

/** Opens a file that has not changed since a moment, in milliseconds since 1970; undefined if there is none. */
export async function unchangedFile(path: string, since: number): Promise<ByteSource | undefined> {
  if (!isAbsolute(path)) return undefined;
  const stats = await stat(path).catch(() => undefined);
  // Packages bring files with old times of their content, but new times of their entry.
  const isUnchanged = stats?.isFile() === true && Math.max(stats.mtimeMs, stats.ctimeMs) < since + SECOND;
  return isUnchanged ? fileSource(path, path, true).catch(() => undefined) : undefined;
}
