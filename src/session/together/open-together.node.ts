/**
 * Several experiments as one recording: that of all their processes, with equal stacks once. Each keeps its own times. Threads and processes have the name
 * of their experiment before their own: `before.er/_f1 thread 2`.
 */

import { defined } from '../../base/defined.js';
import { sha256 } from '../../base/digest.node.js';
import { UsageError } from '../../base/errors.js';
import { phrase } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { experimentDetails } from '../../formats/experiment/index.js';
import { type OpenRecording, openedRecording } from '../../models/open-recording.js';
import { type JoinedPart, joinRecordings } from './join-recordings.js';
import { copyAmong, generatedAmong } from './joined-files.js';
import { objectKeys } from './object-keys.node.js';

/** The recording of all parts, which were read with `details`; it closes them. Throws `UsageError` if one of them is no experiment. */
export async function openTogether(parts: readonly OpenRecording[]): Promise<OpenRecording> {
  const labels = labelsOf(parts);
  const read = parts.map((part, i) => partOf(part, labels[i] ?? ''));
  const files = parts.map((part) => part.files);
  const compared = read.map(({ details }, i) => ({ details, copyOf: files[i]?.copyOf }));
  // Of two programs at one path, the second one is called after its experiment.
  const keys = await objectKeys(compared, false, (path, _, part) => `${path} (${labels[part] ?? part})`);
  const { recording } = joinRecordings(read, keys.keyOf);
  const [first] = parts;
  const { naming, debugFiles } = first?.files ?? {};
  const opened = openedRecording(
    { ...recording, residue: undefined },
    {
      ...defined({ check: first?.check }),
      contentHash: (work) => hashOf(parts, work),
      files: {
        copyOf: async (path) => (await copyAmong(files, keys, { path }))?.copy,
        generatedCode: (names) => generatedAmong(files, names),
        ...defined({ naming, debugFiles }),
      },
    },
  );
  const close = async (): Promise<void> => {
    for (const part of parts) await part.close();
  };
  return { ...opened, close };
}

function partOf(part: OpenRecording, label: string): JoinedPart {
  const { recording } = part.current();
  const details = experimentDetails(recording);
  if (recording.profile === undefined || details === undefined)
    throw new UsageError(`${recording.name} cannot be opened as one with others: it is no experiment of gprofng`, {
      code: 'not-together',
      advice: phrase`${{ transform: 'merge' }} adds recordings of other kinds up.`,
    });
  return { recording, profile: recording.profile, details, label };
}

/** The name of the folder of each; of several with one name, with a number behind. */
function labelsOf(parts: readonly OpenRecording[]): readonly string[] {
  const counts = new Map<string, number>();
  return parts.map((part) => {
    const { name } = part.current().recording;
    const plain = name.replace(/\/+$/, '').replace(/^.*\//, '');
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return count === 1 ? plain : `${plain} ${count}`;
  });
}

/** The hash of the lines of the hashes of all parts. */
async function hashOf(parts: readonly OpenRecording[], work: Work | undefined): Promise<string> {
  const hasher = sha256();
  for (const { contentHash } of parts) hasher.update(new TextEncoder().encode(`${await contentHash?.(work)}\n`));
  return hasher.digest('hex');
}
