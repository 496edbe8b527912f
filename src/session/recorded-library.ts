/** The class files and Java sources that a recording has copies of: nobody need name them. */
import { uniqueName } from '../base/unique.js';
import { bytesOf, copiedClasses } from '../code/java/class-path/copied-classes.js';
import { decodeSource, linesOf } from '../code/sources/source-text.js';
import type { OpenRecording } from '../models/open-recording.js';
import type { SourceFinder } from '../models/program/code.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { ProgramFiles } from '../models/program/program-files.js';

/** Larger sources are not read. */
const LARGEST_SOURCE = 64 << 20;
const SOURCE = '.java';

/** What the recording has copies of; nothing where it has none. */
export async function recordedLibrary({
  files,
  current,
}: Pick<OpenRecording, 'files' | 'current'>): Promise<Pick<CodeLibrary, 'classes' | 'sources'>> {
  if (files === undefined) return {};
  const { program, name } = current().recording;
  const classes = await copiedClasses(name, program, files);
  const hasSources = (await files.copyNames?.())?.some((copy) => copy.endsWith(SOURCE)) ?? false;
  return { ...(classes && { classes }), ...(hasSources && { sources: copiedSources(name, files) }) };
}

function copiedSources(name: string, files: ProgramFiles): SourceFinder {
  return {
    name,
    id: uniqueName('copied sources'),
    find: async ({ file, folder }) => {
      const path = folder === '' ? file : `${folder}/${file}`;
      const bytes = path.endsWith(SOURCE) ? await bytesOf(files, path, LARGEST_SOURCE) : undefined;
      return bytes && { name: path, lines: linesOf(decodeSource(bytes).text) };
    },
  };
}
