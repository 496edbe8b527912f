/** Where files of native code are looked for beside a recording: files with debug information, and those of another machine. */
import type { ByteSource } from '../../bytes/byte-source.js';

/** The file of debug information that a program, or another such file, names. */
export interface DebugFileWanted {
  /** In lower-case hexadecimal. The file has the same one, if it has any. */
  readonly buildId: string | undefined;
  /** Name and CRC-32 of the file. */
  readonly link?: { readonly name: string; readonly checksum: number } | undefined;
  /** Path of the program on the recorded machine. */
  readonly program: string;
  /** A path that only the build id can confirm. A relative one begins in the folder of the file that names it. */
  readonly path?: string | undefined;
  /** Path on this machine of the file that names it, if it is not the program. */
  readonly from?: string | undefined;
}

/** What is below `from` on the recorded machine is below `to` on this one. */
export interface PathMap {
  readonly from: string;
  readonly to: string;
}

/** Where files are looked for. */
export interface DebugPlaces {
  /** Folders as `/usr/lib/debug`: with a folder `.build-id`, or with files by name. */
  readonly folders?: readonly string[];
  /** URLs of debuginfod servers. */
  readonly servers?: readonly string[];
  readonly maps?: readonly PathMap[];
}

export interface DebugFiles {
  /** Where it looks, for messages. */
  readonly places: string;
  /** Opens the first file that fits; undefined if there is none. */
  find(wanted: DebugFileWanted): Promise<ByteSource | undefined>;
  /** Opens the file beside one that was found, by its path and a suffix; undefined if there is none. */
  beside(path: string, suffix: string): Promise<ByteSource | undefined>;
  /** Opens the file of this machine that a path of the recorded one stands for; undefined if no rule maps the path, or there is no file. */
  mapped(path: string): Promise<ByteSource | undefined>;
  close(): Promise<void>;
}
