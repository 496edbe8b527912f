/** Whether a folder may hold what is used without a further look: copies of recordings, the library of the agent. */
import { statSync } from 'node:fs';

/** Writing by the group or by others, in the mode of a file. */
const WRITE_OF_OTHERS = 0o022;
const ROOT = 0;

/**
 * Why others may have placed files into one of the folders, the first such one; undefined if only their owners could, who are the user of this
 * process or root. A folder that does not exist yet is trusted. Symbolic links count as the folder that they lead to. Windows has other rights,
 * which are not checked.
 */
export function untrustedFolder(...folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const reason = reasonAgainst(folder);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function reasonAgainst(folder: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.uid !== user && stats.uid !== ROOT) return `${folder} belongs to another user`;
  return (stats.mode & WRITE_OF_OTHERS) === 0 ? undefined : `other users may write to ${folder}`;
}
