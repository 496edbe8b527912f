/** Names of a Cypher script and its tables. */

/** The part of the set that is the script. */
export const SCRIPT = 'script';

/** `app_methods.csv` beside `app.cypher`. */
export function cypherFileName(part: string, output: string): string {
  return part === SCRIPT ? output : output.replace(/\.cypher(?:\.gz)?$/, `_${part}.csv`);
}
