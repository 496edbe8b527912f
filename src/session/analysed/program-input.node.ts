/** Which inputs are class files of a program, not recordings. */
import { delimiter, join } from 'node:path';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { type FileTree, isFileTree } from '../../bytes/file-tree.js';
import { isJImage } from '../../code/java/jimage/jimage-header.js';
import { exists } from '../../code/path-elements.node.js';
import { claimedSets, detect } from '../inputs/detect.js';
import { openInput } from '../inputs/inputs.node.js';

const HEAD_BYTES = 8;
/** Files beside classes that may be recordings. */
const MOST_BESIDE = 1000;

/**
 * Whether a name is that of a program: a class path of several entries, a JDK, an image of modules, an archive with classes, or a directory with
 * classes and without recordings beside them.
 */
export async function isProgram(name: string): Promise<boolean> {
  if (!(await exists(name))) return isPath(name);
  if (await exists(join(name, 'lib', 'modules'))) return true;
  const input = await openInput(name);
  try {
    if (!isFileTree(input)) return isJImage(await readHead(input, HEAD_BYTES));
    const { members, carrier } = input;
    if (!members.some(({ path, kind }) => kind === 'file' && path.endsWith('.class'))) return false;
    return carrier !== 'directory' || !(await hasRecordings(input));
  } finally {
    await input.close?.();
  }
}

/** Several entries as for `java -cp`, of which the first is there; or all jars of a folder. */
async function isPath(name: string): Promise<boolean> {
  const [first = '', ...others] = name.split(delimiter);
  if (others.length > 0) return (await exists(first)) || isPath(first);
  return first.endsWith('/*') && exists(first.slice(0, -1));
}

/** Recordings that are files of the directory itself, or sets of files in it. */
async function hasRecordings(tree: FileTree): Promise<boolean> {
  if ((await claimedSets(tree)).length > 0) return true;
  const beside = tree.members.filter(
    ({ path, kind }) => kind === 'file' && !path.includes('/') && !path.endsWith('.class'),
  );
  for (const { path } of beside.slice(0, MOST_BESIDE)) if (await isRecording(await tree.open(path))) return true;
  return false;
}

async function isRecording(source: ByteSource): Promise<boolean> {
  return detect(source).then(
    () => true,
    () => false,
  );
}
