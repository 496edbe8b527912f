/** The files of recordings that are one: copies of programs and sources, and code that was made at run time. */
import type { ByteSource } from '../../bytes/byte-source.js';
import type { GeneratedCode } from '../../models/program/code.js';
import type { ProgramFiles } from '../../models/program/program-files.js';
import { generatedShift } from './join-programs.js';

type PartFiles = ProgramFiles | undefined;

/** What load objects are called: see `objectKeys`. */
interface Keys {
  readonly owners: ReadonlyMap<string, readonly number[]>;
  readonly paths: ReadonlyMap<string, string>;
}

/** A copy, and the number of the recording that has it. */
export interface FoundCopy {
  readonly copy: ByteSource;
  readonly part: number;
}

/**
 * The copy of a file by the key of its load object, or its path: of the first recording that has it, of those with the same content. `object`: the key of
 * the load object that a source is of.
 */
export async function copyAmong(
  files: readonly PartFiles[],
  { owners, paths }: Keys,
  { path: key, object = '' }: { readonly path: string; readonly object?: string | undefined },
): Promise<FoundCopy | undefined> {
  for (const part of owners.get(key) ?? [...(owners.get(object) ?? []), ...files.keys()]) {
    const copy = await files[part]?.copyOf(paths.get(key) ?? key);
    if (copy !== undefined) return { copy, part };
  }
  return undefined;
}

/** The code of these functions in all recordings, at its places in the common load object. */
export async function generatedAmong(
  files: readonly PartFiles[],
  names: ReadonlySet<string>,
): Promise<readonly GeneratedCode[]> {
  const all: GeneratedCode[] = [];
  for (const [part, each] of files.entries())
    for (const code of (await each?.generatedCode?.(names)) ?? [])
      all.push({ ...code, offset: code.offset + generatedShift(part) });
  return all;
}
