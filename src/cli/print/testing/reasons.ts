/** Why we print something else than gprofng did, by file of the data. The first that fits counts. */
export interface Reason {
  readonly files: RegExp;
  readonly why: string;
}

const FIRST_PLACE =
  'gprofng reads the inlined calls of a unit after it named the first place of it, which is shown without its call';
const JAVA_OBJECTS =
  'Java: gprofng counts each class as a load object, also those without events, and shows where its methods are in the class file';
const JAVA_MACHINE = 'Java: compiled versions of a method are separate, and templates have their return type';
const JAVA_CODES = 'Java: the number by which the JVM said why it has no stack';
const REGIONS = 'OpenMP: parallel regions, whose lines count as overhead in the state of work';
const MOVED =
  'libraries without symbols: one place is in several functions, by what gprofng looked up last when an event was read';

export const REASONS: readonly Reason[] = [
  {
    files: /^killed\/(?:call|func)/,
    why: 'the experiment has no copy of the program, which gprofng found on the machine where it was recorded',
  },
  { files: /^compare\//, why: 'comparison of two experiments' },
  { files: /^java17\/(?:fsummary|functions-all-columns|object_list)$/, why: JAVA_OBJECTS },
  { files: /^java17\/(?:pcs|dump-dprofile)$/, why: JAVA_CODES },
  { files: /^java17\/header$/, why: 'warnings of mappings that overlap others' },
  { files: /^java17\/dump-dmap$/, why: 'names of compiled methods without events' },
  { files: /^java17\//, why: JAVA_MACHINE },
  { files: /^synthetic-omp\//, why: REGIONS },
  { files: /^deep-signals\//, why: MOVED },
  { files: /^(?:c-single|fortran)\/pcs$/, why: FIRST_PLACE },
  { files: /dump-dhwc$/, why: 'values that the recorder marked as wrong are read as 0' },
];

/** The reason of a file that differs; undefined if none is known. `refused`: what our command line answered. */
export function reasonOf(file: string, refused: string | undefined): string | undefined {
  const command = /unknown command (\S+)/.exec(refused ?? '')?.[1];
  if (command !== undefined) return `the command \`${command}\` is missing`;
  return REASONS.find(({ files }) => files.test(file))?.why;
}
