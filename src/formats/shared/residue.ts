/** Returns the residue of a recording to the format that created it. */
import type { Recording } from '../../models/recording.js';

/** The residue of a recording that was read with `format`; throws for any other, a programming error. */
export function residueOf<Residue>(recording: Recording, format: string): Residue {
  if (recording.format !== format) throw new Error(`${recording.name} was read as ${recording.format}, not ${format}`);
  // Only the format knows the shape, and it wrote the value.
  return recording.residue as Residue;
}
