/**
 * One program or library with everything that names its places: symbols, lines and inlined calls. Places are offsets in the file; debug information
 * counts in the addresses that the linker gave, which the segments of the file translate.
 */
import { KansokuError } from '../../base/errors.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { buildIdOf } from './debug-links.js';
import { DebugParts, elfFrom, type NativeFiles } from './debug-parts.js';
import type { DebugInfo, DwarfFrame } from './dwarf/debug-info.js';
import type { ElfFile } from './elf.js';
import { type ElfFunctions, elfFunctions } from './functions.js';
import { SectionError } from './sections.js';

export interface NativeObject {
  readonly elf: ElfFile;
  /** Undefined if the file has none that can be read. */
  readonly buildId: string | undefined;
  readonly functions: ElfFunctions;
  /** Undefined if no file with debug information was found. */
  readonly debug: DebugInfo | undefined;
  /** What could not be read of it. */
  readonly problems: readonly string[];
  /** What is unknown since a file was not found. */
  readonly missing: readonly string[];
  /** Its files stay open until then. */
  close(): Promise<void>;
}

/** Opens a program by its path, and the files with its debug information; a text that says why if it cannot be read. */
export async function openNative(path: string, files: NativeFiles): Promise<NativeObject | string> {
  let source: ByteSource | undefined;
  let parts: DebugParts | undefined;
  const close = async (): Promise<void> => {
    await parts?.close();
    await source?.close?.();
  };
  try {
    source = await files.copyOf?.(path);
    if (source === undefined) return 'the recording has no copy of the file';
    const elf = await elfFrom(source);
    if (typeof elf === 'string') {
      await close();
      return elf;
    }
    parts = new DebugParts(path, elf, files);
    const functions = await elfFunctions(elf, await parts.symbolFiles());
    const debug = await parts.debugInfo();
    const buildId = await legibleBuildId(elf);
    return { elf, buildId, functions, debug, problems: parts.problems, missing: parts.missing, close };
  } catch (error) {
    await close();
    if (error instanceof KansokuError) return error.message;
    throw error;
  }
}

/** A damaged note costs the id only, not the names. */
async function legibleBuildId(elf: ElfFile): Promise<string | undefined> {
  try {
    return await buildIdOf(elf);
  } catch (error) {
    if (error instanceof SectionError) return undefined;
    throw error;
  }
}

/** The link-time address of an offset in the file; undefined if no segment loads it. */
export function addressOf({ segments }: ElfFile, offset: number): number | undefined {
  const part = segments.find((each) => offset >= each.offset && offset - each.offset < each.size);
  return part === undefined ? undefined : part.address + (offset - part.offset);
}

/** The offset in the file of a link-time address; undefined if no segment loads it. */
export function offsetOf({ segments }: ElfFile, address: number): number | undefined {
  const part = segments.find((each) => address >= each.address && address - each.address < each.size);
  return part === undefined ? undefined : part.offset + (address - part.address);
}

/** The function of an offset in the file and the calls inlined there, outermost first; none without debug information. */
export async function framesAt({ elf, debug }: NativeObject, offset: number): Promise<readonly DwarfFrame[]> {
  const address = addressOf(elf, offset);
  return address === undefined ? [] : ((await debug?.at(address)) ?? []);
}
