/** The class files that a recording has copies of, as a class path. They are read when they are asked for. */
import { uniqueName } from '../../../base/unique.js';
import type { ClassPath } from '../../../models/program/class-path.js';
import { className } from '../../../models/program/names.js';
import type { Program } from '../../../models/program/program.js';
import type { ProgramFiles } from '../../../models/program/program-files.js';
import { readWhole } from '../../read-whole.js';
import { LARGEST_CLASS } from './class-container.js';

/** The classes of a program that the files have copies of; undefined if there are none. `name`: of the recording. */
export async function copiedClasses(
  name: string,
  program: Program,
  files: ProgramFiles,
): Promise<ClassPath | undefined> {
  const copies = new Set(program.classes.length > 0 ? await files.copyNames?.() : []);
  const classes = new Set<string>();
  for (let id = 0; copies.size > 0 && id < program.classes.length; id++) {
    const binaryName = className(program, id);
    if (copies.has(`${binaryName.slice(binaryName.lastIndexOf('.') + 1)}.class`)) classes.add(binaryName);
  }
  return classes.size === 0 ? undefined : pathOf(name, files, classes);
}

function pathOf(name: string, files: ProgramFiles, classes: ReadonlySet<string>): ClassPath {
  return {
    name,
    id: uniqueName('copied classes'),
    problems: [],
    size: classes.size,
    names: () => classes,
    has: (each) => classes.has(each),
    originOf: (each) => (classes.has(each) ? name : undefined),
    moduleOf: () => undefined,
    load: async (names, visit) => {
      for (const each of names === 'all' ? classes : names) {
        const bytes = classes.has(each)
          ? await bytesOf(files, `${each.replaceAll('.', '/')}.class`, LARGEST_CLASS)
          : undefined;
        if (bytes !== undefined) visit(each, bytes);
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The bytes of a copy; undefined if there is none that can be read. */
export async function bytesOf(files: ProgramFiles, path: string, largest: number): Promise<Uint8Array | undefined> {
  const copy = await files.copyOf(path);
  if (copy === undefined) return undefined;
  const bytes = await readWhole(() => Promise.resolve(copy), largest, 'copy-unreadable');
  return 'code' in bytes ? undefined : bytes;
}
