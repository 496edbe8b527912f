/** What a file had beyond the models, given back to the format that put it there. */
import type { Recording } from '../../models/recording.js';

/** The residue of a recording that was read with `format`; a programming error for any other. */
export function residueOf<Residue>(recording: Recording, format: string): Residue {
  if (recording.format !== format) throw new Error(`${recording.name} was read as ${recording.format}, not ${format}`);
  // The recording does not know the shape: only its format does, and that wrote it.
  return recording.residue as Residue;
}
