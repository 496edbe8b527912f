/** Reads reachability metadata: those of a class path, and files or folders that a tracing agent wrote. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { METADATA_FILE, type Registration, registrationsIn } from '../../analysis/pointsto/metadata/registration.js';
import { UsageError } from '../../base/errors.js';
import type { Problem } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import { cannotOpen } from '../../bytes/file.node.js';
import type { JoinedClassPath } from '../../code/java/class-path/joined-class-path.js';

/** Where libraries have their metadata. */
const IN_LIBRARIES = new RegExp(`^META-INF/native-image/.*${METADATA_FILE.source}`);
/** A larger file is none that a tool writes: the largest of the public repository of metadata have 1 MB. */
const MOST_BYTES = 64 << 20;

export interface ReadMetadata {
  readonly registrations: readonly Registration[];
  readonly problems: readonly Problem[];
}

/** `paths`: files, or folders with such files. Throws `UnreadableError` for a path that is not there, and `UsageError` for one without metadata. */
export async function readMetadata(
  classes: JoinedClassPath,
  paths: readonly string[],
  work: Work,
): Promise<ReadMetadata> {
  const registrations: Registration[] = [];
  const problems: Problem[] = [];
  const add = (path: string, text: () => string): void => {
    try {
      for (const registration of registrationsIn(path, text())) registrations.push(registration);
    } catch (error) {
      const reason =
        error instanceof SyntaxError ? error.message : 'it does not have the form of reachability metadata';
      problems.push({ code: 'analysis-metadata', severity: 'warning', message: `${path}: not used: ${reason}`, path });
    }
  };
  await classes.files(IN_LIBRARIES, (path, bytes) => add(path, () => decodeUtf8(bytes, 0, bytes.length)), work);
  for (const path of paths.flatMap((each) => filesOf(each))) add(path, () => textOf(path));
  return { registrations, problems };
}

function filesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => METADATA_FILE.test(name));
    if (files.length > 0) return files.sort().map((name) => join(path, name));
  } catch (error) {
    throw cannotOpen(path, error);
  }
  throw new UsageError(`${path} has no reachability metadata`, {
    code: 'no-metadata',
    advice: 'Files are called reachability-metadata.json, or reflect-, jni-, proxy-, serialization-config.json.',
  });
}

function textOf(path: string): string {
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new SyntaxError(`it has ${size} bytes, at most ${MOST_BYTES} are read`);
  return readFileSync(path, 'utf8');
}
