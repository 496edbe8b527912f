/** Why we print something else than gprofng did, by file of the data. The first that fits counts. */
export interface Reason {
  readonly files: RegExp;
  readonly why: string;
}

export const REASONS: readonly Reason[] = [
  { files: /^compare\/compare-source$/, why: 'calls that the other build inlined on lines of the same source' },
];

/** The reason of a file that differs; undefined if none is known. `refused`: what our command line answered. */
export function reasonOf(file: string, refused: string | undefined): string | undefined {
  const command = /unknown command (\S+)/.exec(refused ?? '')?.[1];
  if (command !== undefined) return `the command \`${command}\` is missing`;
  return REASONS.find(({ files }) => files.test(file))?.why;
}
