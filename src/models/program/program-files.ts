/** The files of a recording's programs: their code, their debug information, and the names that native places get from them. */
import type { ByteSource } from '../../bytes/byte-source.js';
import type { GeneratedCode } from './code.js';
import type { DebugFiles } from './debug-files.js';

export interface ProgramFiles {
  /** Opens the copy of a program, library or source file, by the path of the original; undefined if there is none. */
  readonly copyOf: (path: string) => Promise<ByteSource | undefined>;
  /** The file names of the copies, without folders. */
  readonly copyNames?: () => Promise<readonly string[]>;
  /** All bodies of the native functions with these names that were made at run time. Absent if such code is not recorded. */
  readonly generatedCode?: (names: ReadonlySet<string>) => Promise<readonly GeneratedCode[]>;
  /** Finds files of debug information for these copies. The session closes it. */
  readonly debugFiles?: DebugFiles;
  /** How native places get names from these files. Absent if they have their names. */
  readonly naming?: NativeNaming;
}

export interface NativeNaming {
  /**
   * Whether inlined calls become frames of stacks, and functions that GCC or LLVM made from others are named after these. Without, values and names are
   * those of gprofng.
   */
  readonly inlinedFrames: boolean;
  /** Whether code in stubs of the dynamic linker is a part of the call, and outlined code is called from the function that it was made from. */
  readonly impliedCalls?: boolean;
  /** Loads the demangler; without it, names stay as the linker knows them. */
  readonly demangler?: LoadDemangler | undefined;
}

/** Turns a name of the linker into that of the source; other names stay. */
export type Demangle = (name: string) => string;
export type LoadDemangler = () => Promise<Demangle>;
