/** `pgo strip`: writes a part of a profile, which is read and verified before it replaces a file. */
import { defined } from '../base/defined.js';
import { UsageError } from '../base/errors.js';
import { type Phrase, phrase, theView } from '../base/phrase.js';
import type { Work } from '../base/progress.js';
import type { PartOfSymbols, RecordingPart, Unexplained } from '../formats/capabilities/entries.js';
import type { Recording } from '../models/recording.js';
import { nameHash } from './hash-names.node.js';
import { refuseOtherEnding } from './output-format.js';
import {
  isEmptied,
  type SelectedKind,
  type StripOptions,
  selectEntries,
  strippableFormat,
  stripRecording,
} from './strip.js';
import { writeRecording } from './write.node.js';

export interface StripFileOptions extends StripOptions {
  /** Replaces names by hashes, which depend on the salt; classes that match `keep` keep their names. */
  readonly anonymise?: { readonly salt?: string; readonly keep?: string };
  /** Version of the format to write; that of the recording if not given. */
  readonly version?: string;
  /** Files of the profile: they are not overwritten. */
  readonly inputs?: readonly string[];
  readonly work?: Work;
}

export interface Stripped {
  readonly kinds: readonly SelectedKind[];
  /** Kinds that `scope` does not apply to: they were written completely. */
  readonly unscoped: readonly string[];
  readonly classes: Omit<PartOfSymbols, 'rows'>;
  readonly functions: Omit<PartOfSymbols, 'rows'>;
  /** Data omitted from an anonymous file, since it could contain names. */
  readonly unexplained: Unexplained;
  /** Notes on data that the version cannot contain. */
  readonly dropped: readonly Phrase[];
  /** Uncompressed size of the file before and after. */
  readonly bytes: { readonly before: number; readonly after: number };
}

/**
 * Writes the selected part of a profile to `path` (`-` is standard output). The file appears after it was read again
 * and verified. Throws `UsageError` for a recording that is not a PGO profile, and if no entry would be left.
 */
export async function stripProfile(whole: Recording, path: string, options: StripFileOptions = {}): Promise<Stripped> {
  const { inputs = [], anonymise: naming, version, work } = options;
  const format = strippableFormat(whole);
  const selection = selectEntries(whole, options);
  if (isEmptied(selection))
    throw new UsageError(`this would remove every entry of ${inputs[0] ?? whole.name}`, {
      code: 'nothing-left',
      advice: phrase`Nothing was written; ${theView('summary')} shows the entries of each kind.`,
      action: { ask: theView('summary') },
    });
  refuseOtherEnding(path, format, 'strip');
  const names = naming && { hash: nameHash(naming.salt ?? ''), ...defined({ keep: naming.keep }) };
  const stripped = stripRecording(whole, selection, names);
  let after = 0;
  const dropped = await writeRecording(stripped.part.recording, path, {
    format: format.id,
    inputs,
    ...defined({ version, work }),
    verify: async (written) => {
      after = format.entries.fileSize(await format.entries.prove(written, stripped, work));
    },
  });
  const { kinds, unscoped } = selection;
  return {
    kinds,
    unscoped,
    ...symbolsOf(stripped.part),
    unexplained: naming === undefined ? { sections: [], elements: 0 } : format.entries.unexplained(whole),
    dropped,
    bytes: { before: format.entries.fileSize(whole), after },
  };
}

function symbolsOf({ classes, functions }: RecordingPart): Pick<Stripped, 'classes' | 'functions'> {
  const { rows: _, ...ofClasses } = classes;
  const { rows: __, ...ofFunctions } = functions;
  return { classes: ofClasses, functions: ofFunctions };
}
