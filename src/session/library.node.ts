/** Opens the class and source paths of a session. They stay open until the session is closed. */
import { capstoneDisassembler } from '../code/native/capstone.node.js';
import type { CodeLibrary } from '../models/program/library.js';

/** Paths from the user; each entry may be several, joined as for `java -cp`. */
export interface LibraryPaths {
  /** Directories, jars, jmods, images of modules, homes of JDKs. */
  readonly classes?: readonly string[];
  /** The same for the recorded program, if `classes` are of a newer one. */
  readonly oldClasses?: readonly string[];
  /** Directories, archives of sources, homes of JDKs with their src.zip. */
  readonly sources?: readonly string[];
}

export interface OpenLibrary extends CodeLibrary {
  close(): Promise<void>;
}

/** Throws `UnreadableError` or `FormatError` for a path that cannot be read at all. */
export async function openLibrary(paths: LibraryPaths, announce: (message: string) => void): Promise<OpenLibrary> {
  const opened = await openClasses(paths.classes, announce);
  const old = await openClasses(paths.oldClasses, announce);
  const sources = paths.sources === undefined ? undefined : await openSources(paths.sources);
  for (const { message } of sources?.problems ?? []) announce(message);
  return {
    ...(opened === undefined ? {} : { classes: opened.classes }),
    ...(old === undefined ? {} : { oldClasses: old.classes }),
    ...(sources === undefined ? {} : { sources }),
    disassembler: capstoneDisassembler(),
    close: async () => {
      await opened?.close();
      await old?.close();
      await sources?.close();
    },
  };
}

// Most sessions have neither: the modules are loaded when needed.
async function openSources(paths: readonly string[]) {
  const { openSourcePath } = await import('../code/sources/source-path.node.js');
  return openSourcePath(paths);
}

async function openClasses(paths: readonly string[] | undefined, announce: (message: string) => void) {
  if (paths === undefined) return undefined;
  const { openClassPath } = await import('../code/java/class-path/class-path.node.js');
  const classes = await openClassPath(paths, announce);
  const toldMessages = new Set<string>();
  const tell = (): void => {
    for (const { message } of classes.problems) {
      if (!toldMessages.has(message)) announce(message);
      toldMessages.add(message);
    }
  };
  tell();
  return {
    classes,
    close: async () => {
      // Class files are read on demand, so their problems appear only then.
      tell();
      await classes.close();
    },
  };
}
