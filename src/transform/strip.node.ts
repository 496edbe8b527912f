/** `pgo strip`: a part of a profile as a file, read again and compared before it takes its place. */
import { defined } from '../base/defined.js';
import { UsageError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import type { Part, PartOfSymbols, Unexplained } from '../formats/format.js';
import type { Recording } from '../models/recording.js';
import { nameHash } from './hash-names.node.js';
import {
  isEmptied,
  type SelectedKind,
  type StripOptions,
  selectEntries,
  strippableFormat,
  stripRecording,
} from './strip.js';
import { refuseOtherEnding, writeRecording } from './write.node.js';

export interface StripFileOptions extends StripOptions {
  /** Hashes in place of names: other ones with another salt, and none for classes that match `keep`. */
  readonly anonymise?: { readonly salt?: string; readonly keep?: string };
  /** Version of the format to write; the recording's own where it is not given. */
  readonly version?: string;
  /** Files the profile was read from: they are not written over. */
  readonly inputs?: readonly string[];
  readonly work?: Work;
}

export interface Stripped {
  readonly kinds: readonly SelectedKind[];
  /** Kinds that `scope` could not be applied to: they were written whole. */
  readonly unscoped: readonly string[];
  readonly classes: Omit<PartOfSymbols, 'rows'>;
  readonly functions: Omit<PartOfSymbols, 'rows'>;
  /** What was left out of an anonymous file, since it could hold names. */
  readonly unexplained: Unexplained;
  /** What the written version could not hold, in words. */
  readonly dropped: readonly string[];
  /** Size of the file before and after, unpacked. */
  readonly bytes: { readonly before: number; readonly after: number };
}

/**
 * Writes what is left of a profile to `path` (`-` is standard output). The file appears when what was written has been read
 * again and is what was meant. Throws `UsageError` for a recording that is no PGO profile, and where nothing would be left.
 */
export async function stripProfile(whole: Recording, path: string, options: StripFileOptions = {}): Promise<Stripped> {
  const { inputs = [], anonymise: naming, version, work } = options;
  const format = strippableFormat(whole);
  const selection = selectEntries(whole, options);
  if (isEmptied(selection))
    throw new UsageError(
      `this would remove every entry of ${inputs[0] ?? whole.name}`,
      'Nothing was written; `summary` shows the entries of each kind.',
    );
  refuseOtherEnding(path, format, 'strip');
  const names = naming && { hash: nameHash(naming.salt ?? ''), ...defined({ keep: naming.keep }) };
  const stripped = stripRecording(whole, selection, names);
  let after = 0;
  const dropped = await writeRecording(stripped.part.recording, path, {
    format: format.id,
    inputs,
    ...defined({ version, work }),
    verify: async (written) => {
      after = format.fileSize(await format.prove(written, stripped, work));
    },
  });
  const { kinds, unscoped } = selection;
  return {
    kinds,
    unscoped,
    ...symbolsOf(stripped.part),
    unexplained: naming === undefined ? { sections: [], elements: 0 } : format.unexplained(whole),
    dropped,
    bytes: { before: format.fileSize(whole), after },
  };
}

function symbolsOf({ classes, functions }: Part): Pick<Stripped, 'classes' | 'functions'> {
  const { rows: _, ...ofClasses } = classes;
  const { rows: __, ...ofFunctions } = functions;
  return { classes: ofClasses, functions: ofFunctions };
}
