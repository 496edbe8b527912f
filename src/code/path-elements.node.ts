/**
 * The elements of class and source paths, as users write them for `java -cp`. Cost: one file system check per element.
 */
import { readdir, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { UsageError } from '../base/errors.js';

/**
 * The elements of the entries of a path: an entry may be several joined by the path separator of this machine, and
 * `FOLDER/*` stands for the jars of a folder, sorted by name. An entry that exists is one element, whatever its name;
 * an empty part is the working directory. Throws `UsageError` for an empty entry and for a folder without jars.
 */
export async function pathElements(entries: readonly string[]): Promise<string[]> {
  const elements: string[] = [];
  for (const entry of entries) {
    if (entry === '') throw new UsageError('the path has an empty entry', { code: 'empty-path' });
    const isOne = !entry.includes(delimiter) || (await exists(entry));
    for (const part of isOne ? [entry] : entry.split(delimiter)) {
      const isWildcard = (part === '*' || part.endsWith('/*')) && !(await exists(part));
      elements.push(...(isWildcard ? await jarsOf(part) : [part === '' ? '.' : part]));
    }
  }
  return elements;
}

async function jarsOf(wildcard: string): Promise<string[]> {
  const jars = await filesOf(wildcard.slice(0, -1), /\.jar$/i);
  if (jars.length === 0)
    throw new UsageError(`${wildcard}: no such folder, or it contains no jars`, { code: 'no-jars' });
  return jars;
}

/** Files of a folder with matching names, sorted; none if the folder does not exist. */
export async function filesOf(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder === '' ? '.' : folder).catch(() => []);
  return names
    .filter((each) => name.test(each))
    .sort()
    .map((each) => join(folder, each));
}

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
