/** Why we print something else than gprofng did, by file of the data. The first that fits counts. */
export interface Reason {
  readonly files: RegExp;
  readonly why: string;
}

const FIRST_PLACE =
  'gprofng reads the inlined calls of a unit after it named the first place of it, which is shown without its call';
const JAVA_MACHINE = 'Java: compiled versions of a method are separate, and templates have their return type';
const MOVED =
  'libraries without symbols: one place is in several functions, by what gprofng looked up last when an event was read';

export const REASONS: readonly Reason[] = [
  {
    files: /^killed\/(?:call|func)/,
    why: 'the experiment has no copy of the program, which gprofng found on the machine where it was recorded',
  },
  { files: /^compare\//, why: 'comparison of two experiments' },
  {
    files: /^java17\/functions-all-columns$/,
    why: 'the order of two functions that gprofng makes of a library without symbols, with one name and one value',
  },
  { files: /^java17\//, why: JAVA_MACHINE },
  { files: /^deep-signals\//, why: MOVED },
  { files: /^(?:c-single|fortran)\/pcs$/, why: FIRST_PLACE },
];

/** The reason of a file that differs; undefined if none is known. `refused`: what our command line answered. */
export function reasonOf(file: string, refused: string | undefined): string | undefined {
  const command = /unknown command (\S+)/.exec(refused ?? '')?.[1];
  if (command !== undefined) return `the command \`${command}\` is missing`;
  return REASONS.find(({ files }) => files.test(file))?.why;
}
