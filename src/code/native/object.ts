/**
 * One program or library with everything that names its places: symbols, lines and inlined calls. Places are offsets in the file; debug information
 * counts in the addresses that the linker gave, which the segments of the file translate.
 */
import { KansokuError } from '../../base/errors.js';
import { type ByteSource, isRandom, memorySource, type RandomSource } from '../../bytes/byte-source.js';
import { readWhole } from '../read-whole.js';
import { DebugInfo, type DwarfFrame } from './dwarf/debug-info.js';
import { type DwarfFile, dwarfFile } from './dwarf/file.js';
import { type ElfFile, readElf } from './elf.js';
import { type ElfFunctions, elfFunctions } from './functions.js';

/** Opens the file of a load object by its path; undefined if there is none. */
export type OpenObject = (path: string) => Promise<ByteSource | undefined>;

/** Larger files that cannot be read at any place are not read. */
const MOST_BYTES = 1 << 28;

export interface NativeObject {
  readonly elf: ElfFile;
  readonly functions: ElfFunctions;
  /** Undefined if the file has no debug information. */
  readonly debug: DebugInfo | undefined;
  /** What could not be read of it. */
  readonly problems: readonly string[];
  /** The file itself stays open until then. */
  close(): Promise<void>;
}

/** Opens a file by its path; a text that says why if it cannot be read. */
export async function openNative(path: string, open: OpenObject): Promise<NativeObject | string> {
  let source: ByteSource | undefined;
  try {
    source = await open(path);
    if (source === undefined) return 'the recording has no copy of the file';
    const { close } = source;
    const random = await atAnyPlace(source);
    const elf = typeof random === 'string' ? random : await readElf(random);
    if (typeof elf === 'string') {
      await close?.();
      return elf;
    }
    const problems: string[] = [];
    const functions = await elfFunctions(elf);
    const debug = await debugOf(elf, open, problems);
    return { elf, functions, debug, problems, close: async () => close?.() };
  } catch (error) {
    await source?.close?.();
    if (error instanceof KansokuError) return error.message;
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

async function debugOf(elf: ElfFile, open: OpenObject, problems: string[]): Promise<DebugInfo | undefined> {
  if (!elf.sections.some(({ name }) => name === '.debug_info' || name === '.zdebug_info')) return undefined;
  try {
    const openSplit = (directory: string, name: string): Promise<DwarfFile | undefined> =>
      splitFile(name.startsWith('/') ? name : `${directory}/${name}`, open, problems);
    return new DebugInfo(await dwarfFile(elf), elf, openSplit);
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/** The other half of split units; undefined if the file is not there. */
async function splitFile(path: string, open: OpenObject, problems: string[]): Promise<DwarfFile | undefined> {
  const source = await open(path);
  if (source === undefined) return undefined;
  try {
    const random = await atAnyPlace(source);
    const elf = typeof random === 'string' ? random : await readElf(random);
    if (typeof elf !== 'string') return await dwarfFile(elf, undefined, '.dwo');
    problems.push(`${path}: ${elf}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    problems.push(`${path}: ${error.message}`);
    return undefined;
  } finally {
    await source.close?.();
  }
}

async function atAnyPlace(source: ByteSource): Promise<RandomSource | string> {
  if (isRandom(source)) return source;
  const { close: _, ...open } = source;
  const whole = await readWhole(() => Promise.resolve(open), MOST_BYTES, 'native-symbols-missing');
  return whole instanceof Uint8Array ? memorySource(source.name, whole) : whole.message;
}
