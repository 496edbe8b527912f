/** Copies of files in an experiment, as gprofng names them. */
import type { Experiment } from './experiment.js';

/** The name of a copy. `path`: where it is. */
export function copyName({ name }: Pick<Experiment, 'name'>, path: string): string {
  return `${name}${path.slice(path.lastIndexOf('/archives/'))}`;
}

/** The name of the copy of a file; undefined if the experiment has none. */
export async function copyOfFile(
  experiment: Pick<Experiment, 'name' | 'open'>,
  file: string,
): Promise<string | undefined> {
  const copy = await experiment.open?.(file);
  await copy?.close?.();
  return copy && copyName(experiment, copy.name);
}
