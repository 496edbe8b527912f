/** Returns the residue of a recording to the format that created it. */
import type { Recording } from '../../models/recording.js';

/** The residue of a recording that was read with one of the formats; throws for any other, a programming error. */
export function residueOf<Residue>(recording: Recording, ...formats: readonly string[]): Residue {
  if (!formats.includes(recording.format))
    throw new Error(`${recording.name} was read as ${recording.format}, not ${formats.join(' or ')}`);
  // Only the format knows the shape, and it wrote the value.
  return recording.residue as Residue;
}
