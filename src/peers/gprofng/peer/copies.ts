/** Copies of files in an experiment, as gprofng names them. */
import type { Experiment } from './experiment.js';

/** The name of a copy, or of a file that stands for it. `path`: where it is. */
export function copyName({ name, copyNames }: Pick<Experiment, 'name' | 'copyNames'>, path: string): string {
  const at = path.lastIndexOf('/archives/');
  return at < 0 ? path : `${copyNames.get(path) ?? name}${path.slice(at)}`;
}

/** The name of the copy of a file, of an experiment with a load object if one has it; undefined if there is none. */
export async function copyOfFile(
  experiment: Pick<Experiment, 'name' | 'copyNames' | 'open'>,
  file: string,
  object?: string,
): Promise<string | undefined> {
  const copy = await experiment.open?.(file, object);
  await copy?.close?.();
  return copy && copyName(experiment, copy.name);
}
