/** What commands do that write an answer as a picture. */
import { writeDocument } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { remarks } from '../render/render.js';

interface Picture {
  readonly text: string;
  /** Path, or `-` for standard output. */
  readonly output: string;
  /** The inputs, which are not overwritten. */
  readonly files: readonly string[];
  /** What it shows, behind its path: `12 tracks`. */
  readonly extent: string;
}

/** Writes a picture, and says what it shows and what its answer remarks. Sets the exit code of an answer that is not complete. */
export async function writePicture(
  invocation: Invocation,
  { text, output, files, extent }: Picture,
  result: Parameters<typeof remarks>[0],
  hasAllNotes: boolean,
): Promise<void> {
  await writeDocument(text, output, files);
  if (output !== '-') note(invocation, `${output}: ${extent}`);
  for (const remark of remarks(result, hasAllNotes)) note(invocation, remark);
  if (!result.complete) invocation.exitCode = EXIT.partial;
}
