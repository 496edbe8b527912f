/** The source of a listing: a copy in the experiment, or a file along the search path; and the lines that say which. */
import { readFileSync } from 'node:fs';
import { readWhole } from '../../../code/read-whole.js';
import { decodeSource, linesOf } from '../../../code/sources/source-text.js';
import { plainPath } from '../../../session/together/marked-path.js';
import { copyName, copyOfFile } from '../peer/copies.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';

/** Larger source files are not read. */
const LARGEST_SOURCE = 16 << 20;

/** The name of a file without its folder. */
export function shortName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The lines of a source, and where it is. */
export interface SourceFound {
  /** Undefined if it was not found. */
  readonly lines: readonly string[] | undefined;
  /** Where it was found. */
  readonly found: string | undefined;
}

/** A source from the copies in the experiment, else from the search path. */
export async function sourceText(
  { experiment }: Asked,
  { code }: PrintState,
  path: string,
  object: string,
): Promise<SourceFound> {
  const copy = await experiment.open?.(path, object);
  // gprofng looks for a file that the experiment has no copy of along the search path first.
  const isOriginal = experiment.strict && copy?.name === path;
  const beside = isOriginal ? sourceBeside(code, path) : undefined;
  if (beside !== undefined) return beside;
  if (copy !== undefined) {
    const found = copyName(experiment, copy.name);
    const bytes = await readWhole(() => Promise.resolve(copy), LARGEST_SOURCE, 'source-unreadable');
    return 'code' in bytes
      ? { lines: undefined, found: undefined }
      : { lines: linesOf(decodeSource(bytes).text), found };
  }
  return sourceBeside(code, path) ?? { lines: undefined, found: undefined };
}

/** A source in one of the folders of the search path. */
function sourceBeside({ searchPath, folder: from }: PrintState['code'], path: string): SourceFound | undefined {
  for (const folder of searchPath) {
    if (folder === '$expts') continue;
    const place = folder === '.' ? shortName(path) : `${folder}/${shortName(path)}`;
    try {
      return { lines: linesOf(decodeSource(readFileSync(`${from}/${place}`)).text), found: place };
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The lines above a listing: the source, where it was found, and the object. */
export async function headText(
  { experiment }: Asked,
  {
    file,
    source,
    object,
  }: { readonly file: string | undefined; readonly source: string | undefined; readonly object: string },
): Promise<string> {
  const own = await copyOfFile(experiment, object);
  const path = plainPath(object);
  const loaded = own === undefined ? path : `${shortName(path)} (found as ${own})`;
  const shown = file === undefined ? '(unknown)' : located(file, source);
  return `Source file: ${shown}\nObject file: ${loaded}\nLoad Object: ${loaded}\n\n`;
}

function located(path: string, found: string | undefined): string {
  if (found === undefined) return `${path} (not found)`;
  const name = shortName(path);
  return found === path || found === name ? found : `${name} (found as ${found})`;
}
