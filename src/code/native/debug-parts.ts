/**
 * The parts of a program that name its places, wherever they are: in its file, in its debug file, in the file that dwz moved common parts to, in the
 * files of split units or a package of them. What is missing or damaged is collected as text, for the report of the recording.
 */
import { KansokuError } from '../../base/errors.js';
import { type ByteSource, isRandom, memorySource, type RandomSource } from '../../bytes/byte-source.js';
import type { DebugFiles, DebugFileWanted } from '../../models/program/debug-files.js';
import { readWhole } from '../read-whole.js';
import { alternateLinkOf, buildIdOf, debugLinkOf, embeddedSymbols } from './debug-links.js';
import { DebugInfo, type SplitWanted } from './dwarf/debug-info.js';
import { type DwarfFile, dwarfFile } from './dwarf/file.js';
import { readPackage, type SplitPackage } from './dwarf/package.js';
import { type ElfFile, readElf, SHT_NOBITS, SHT_SYMTAB } from './elf.js';

/** Opens the file of a load object by its path; undefined if there is none. */
export type OpenObject = (path: string) => Promise<ByteSource | undefined>;

/** Where the files of a recording's programs are. */
export interface NativeFiles {
  readonly copyOf?: OpenObject | undefined;
  readonly debugFiles?: DebugFiles | undefined;
}

/** Larger files that cannot be read at any place are not read. */
const MOST_BYTES = 1 << 28;
/** Names of a section with debug information, plain and compressed in the old way. */
const INFO: ReadonlySet<string> = new Set(['.debug_info', '.zdebug_info']);

/** Files that name the places of one program, opened as they are needed. */
export class DebugParts {
  /** What could not be read. */
  readonly problems: string[] = [];
  /** What is unknown, and the file that would tell. */
  readonly missing: string[] = [];
  readonly #path: string;
  readonly #elf: ElfFile;
  readonly #files: NativeFiles;
  readonly #opened: ByteSource[] = [];
  #package: Promise<SplitPackage | undefined> | undefined;
  /** The debug file; null if it was looked for and not found. */
  #separate: { readonly elf: ElfFile; readonly path: string | undefined } | null | undefined;

  constructor(path: string, elf: ElfFile, files: NativeFiles) {
    this.#path = path;
    this.#elf = elf;
    this.#files = files;
  }

  /** Other files with symbols of the program: its debug file, else the symbols that it holds packed. */
  async symbolFiles(): Promise<readonly ElfFile[]> {
    if (this.#elf.sections.some(({ type }) => type === SHT_SYMTAB)) return [];
    const separate = await this.#debugFile();
    if (separate?.elf.sections.some(({ type }) => type === SHT_SYMTAB)) return [separate.elf];
    const embedded = await this.#guard(this.#path, () => embeddedSymbols(this.#elf));
    return embedded === undefined ? [] : [embedded];
  }

  /** Lines and inlined calls; undefined if no file has them. */
  async debugInfo(): Promise<DebugInfo | undefined> {
    const separate = hasInfo(this.#elf) ? undefined : await this.#debugFile();
    const holder = separate?.elf ?? this.#elf;
    if (!hasInfo(holder)) return undefined;
    return this.#guard(this.#path, async () => {
      const alternate = await this.#alternate(holder, separate?.path);
      const file = await dwarfFile(holder, alternate);
      return new DebugInfo(file, this.#elf, (wanted) => this.#split(wanted, separate?.path));
    });
  }

  async close(): Promise<void> {
    for (const source of this.#opened) await source.close?.();
    this.#opened.length = 0;
  }

  async #debugFile(): Promise<{ readonly elf: ElfFile; readonly path: string | undefined } | undefined> {
    if (this.#separate === undefined) this.#separate = (await this.#findDebugFile()) ?? null;
    return this.#separate ?? undefined;
  }

  async #findDebugFile() {
    const [buildId, link] = await Promise.all([buildIdOf(this.#elf), debugLinkOf(this.#elf)]);
    if (buildId === undefined && link === undefined) return undefined;
    const found = await this.#find({ buildId, link, program: this.#path });
    if (found === undefined) {
      const names = [
        ...(link === undefined ? [] : [link.name]),
        ...(buildId === undefined ? [] : [`build id ${buildId}`]),
      ];
      this.missing.push(`lines and inlined calls are unknown: no debug file (${names.join(', ')}) ${this.#where}`);
    }
    return found;
  }

  get #where(): string {
    const places = this.#files.debugFiles?.places ?? '';
    return places === '' ? 'was looked for' : `in ${places}`;
  }

  /** The file with the parts that dwz moved there. */
  async #alternate(holder: ElfFile, from: string | undefined): Promise<DwarfFile | undefined> {
    const link = await alternateLinkOf(holder);
    if (link === undefined) return undefined;
    const found = await this.#find({ ...link, program: this.#path, from });
    if (found === undefined) {
      this.missing.push(`names, lines and inlined calls are incomplete: no file ${link.path} ${this.#where}`);
      return undefined;
    }
    return dwarfFile(found.elf);
  }

  async #find(
    wanted: DebugFileWanted,
  ): Promise<{ readonly elf: ElfFile; readonly path: string | undefined } | undefined> {
    const source = await this.#files.debugFiles?.find(wanted);
    const elf = source && (await this.#elfOf(source));
    return source && elf && { elf, path: source.path };
  }

  /** The other half of a split unit: from its own file, else from the package beside the program or its debug file. */
  async #split(wanted: SplitWanted, debugPath: string | undefined): Promise<DwarfFile | undefined> {
    const { directory, name, id } = wanted;
    const path = name.startsWith('/') ? name : `${directory}/${name}`;
    const own = await this.#openOnce(path, (elf) => dwarfFile(elf, undefined, '.dwo'));
    if (own !== undefined) return own;
    this.#package ??= this.#openPackage(debugPath);
    return (await this.#package)?.unit(id);
  }

  async #openPackage(debugPath: string | undefined): Promise<SplitPackage | undefined> {
    const beside = await this.#openOnce(`${this.#path}.dwp`, readPackage);
    if (beside !== undefined || debugPath === undefined) return beside;
    const source = await this.#files.debugFiles?.beside(debugPath, '.dwp');
    const elf = source && (await this.#elfOf(source));
    return elf && this.#guard(`${debugPath}.dwp`, () => readPackage(elf));
  }

  /** Reads all that is needed of a file that the recording, or a mapped path, has. */
  async #openOnce<Value>(path: string, read: (elf: ElfFile) => Promise<Value>): Promise<Value | undefined> {
    return this.#guard(path, async () => {
      const source = await this.#files.copyOf?.(path);
      const elf = source && (await this.#elfOf(source));
      return elf && read(elf);
    });
  }

  async #elfOf(source: ByteSource): Promise<ElfFile | undefined> {
    this.#opened.push(source);
    const elf = await elfFrom(source);
    if (typeof elf !== 'string') return elf;
    this.problems.push(`${source.name}: ${elf}`);
    return undefined;
  }

  async #guard<Value>(path: string, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof KansokuError)) throw error;
      this.problems.push(path === this.#path ? error.message : `${path}: ${error.message}`);
      return undefined;
    }
  }
}

function hasInfo({ sections }: ElfFile): boolean {
  return sections.some(({ name, type }) => INFO.has(name) && type !== SHT_NOBITS);
}

/** Reads an ELF file from any source; a text that says what is wrong. */
export async function elfFrom(source: ByteSource): Promise<ElfFile | string> {
  const random = await atAnyPlace(source);
  return typeof random === 'string' ? random : readElf(random);
}

async function atAnyPlace(source: ByteSource): Promise<RandomSource | string> {
  if (isRandom(source)) return source;
  const { close: _, ...open } = source;
  const whole = await readWhole(() => Promise.resolve(open), MOST_BYTES, 'native-symbols-missing');
  return whole instanceof Uint8Array ? memorySource(source.name, whole) : whole.message;
}
