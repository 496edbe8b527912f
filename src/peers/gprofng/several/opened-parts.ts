/** Experiments that are opened together: each by itself, and all as one recording. */
import { UsageError } from '../../../base/errors.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import { type ExperimentDetails, experimentDetails } from '../../../formats/experiment/index.js';
import { type OpenRecording, openedRecording } from '../../../models/open-recording.js';
import type { Profile } from '../../../models/profile/profile.js';
import type { PathMap } from '../../../models/program/debug-files.js';
import type { Recording } from '../../../models/recording.js';
import { expandGroups } from '../../../session/inputs/groups.node.js';
import { openInputs } from '../../../session/open.node.js';
import { type Session, sessionOfOpen } from '../../../session/session.js';
import { joinRecordings } from '../../../session/together/join-recordings.js';
import { copyAmong, generatedAmong } from '../../../session/together/joined-files.js';
import { type NumberedKeys, objectKeys } from '../../../session/together/object-keys.node.js';

/** One experiment as it was read. */
export interface OpenedPart {
  /** `c-single.er`. */
  readonly name: string;
  /** As the user wrote it, or as a group lists it. */
  readonly path: string;
  /** Number of the word of the command line that names it, from 0 on. */
  readonly group: number;
  /** What comparisons call the group: `both.erg`. */
  readonly groupName: string;
  readonly session: Session;
  readonly source: OpenRecording;
  readonly recording: Recording;
  readonly profile: Profile;
  readonly details: ExperimentDetails;
}

export interface PartOptions {
  readonly maps: readonly PathMap[];
  readonly work: Work;
}

/** Opens the experiments that words of a command line name; a group (`.erg`) names several. Throws as `openInputs` does, and a usage error for other recordings. */
export async function openParts(words: readonly string[], options: PartOptions): Promise<readonly OpenedPart[]> {
  const parts: OpenedPart[] = [];
  try {
    for (const [group, word] of words.entries())
      for (const path of await expandGroups([word]))
        parts.push({ ...(await openPart(path, options)), group, groupName: experimentName(word) });
    return parts;
  } catch (error) {
    for (const { session } of parts) await session.close();
    throw error;
  }
}

async function openPart(path: string, { maps, work }: PartOptions): Promise<Omit<OpenedPart, 'group' | 'groupName'>> {
  const debug = { folders: [], servers: [], maps };
  const session = await openInputs([path], {
    cache: false,
    announce: () => undefined,
    work,
    inlinedFrames: false,
    details: true,
    debug,
  });
  const [source, ...others] = session.sources;
  if (others.length > 0) {
    const names = session.sources.map((each) => each.current().recording.name).join(', ');
    await session.close();
    throw new UsageError(
      `${path} holds ${others.length + 1} experiments; print takes one`,
      `Name one of them: ${names}.`,
    );
  }
  const recording = source?.current().recording;
  const details = recording && experimentDetails(recording);
  if (source === undefined || recording?.profile === undefined || details === undefined) {
    await session.close();
    throw new UsageError(`${path}: print reads experiments of gprofng only`);
  }
  return { name: experimentName(path), path, session, source, recording, profile: recording.profile, details };
}

/** `c-single.er` of `../c-single.er.tar.gz`. */
function experimentName(path: string): string {
  const file = path.replace(/\/+$/, '').replace(/^.*\//, '');
  return file.replace(/\.(?:tar\.gz|tgz|tar)$/, '');
}

/** Opens the copy of a file; with a load object, that of an experiment with this object if it has one. */
export type OpenCopy = (path: string, object?: string) => Promise<ByteSource | undefined>;

/** All experiments as one. */
export interface JoinedParts {
  readonly session: Session;
  readonly source: OpenRecording;
  readonly open: OpenCopy | undefined;
  /** What the load objects of a path are called in the program, by number of the experiment. */
  readonly keyOf: NumberedKeys['keyOf'];
  /** By path of a copy, the name of the experiment that has it; those of the only experiment are missing. */
  readonly copyNames: ReadonlyMap<string, string>;
}

/** `strict`: load objects are the same where path and check sum are, as in gprofng. */
export async function joinParts(parts: readonly OpenedPart[], strict: boolean): Promise<JoinedParts> {
  const copyNames = new Map<string, string>();
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0)
    return { ...only, open: only.source.files?.copyOf, keyOf: (_, path) => path, copyNames };
  const compared = parts.map(({ details, source }) => ({ details, copyOf: source.files?.copyOf }));
  const keys = await objectKeys(compared, strict);
  const { recording } = joinRecordings(parts, keys.keyOf);
  const naming = only?.source.files?.naming;
  const files = parts.map((part) => part.source.files);
  const open: OpenCopy = async (path, object) => {
    const copied = await copyAmong(files, keys, { path, object });
    const name = copied && parts[copied.part]?.name;
    if (copied !== undefined && name !== undefined) copyNames.set(copied.copy.name, name);
    return copied?.copy;
  };
  const source = openedRecording(recording, {
    files: {
      copyOf: (path) => open(path),
      generatedCode: (names) => generatedAmong(files, names),
      ...(naming && { naming }),
    },
  });
  const close = async (): Promise<void> => {
    for (const { session } of parts) await session.close();
  };
  return { session: sessionOfOpen([source], { close }), source, open, keyOf: keys.keyOf, copyNames };
}
