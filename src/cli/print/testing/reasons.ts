/** Why we print something else than gprofng did, by file of the data. The first that fits counts. */
export interface Reason {
  readonly files: RegExp;
  readonly why: string;
}

const HOLES =
  'libraries without symbols: which functions gprofng makes there depends on the order in which it met places';
const JAVA = 'Java: sizes and addresses in class files, lines of methods, compiled code and adapters';
const OPENMP =
  'OpenMP: a line of a pragma in the state of work counts as overhead; stacks of lines instead of places; parallel regions';
const DYNAMIC = 'functions that were generated at run time: address, size, source';

export const REASONS: readonly Reason[] = [
  {
    files: /^killed\//,
    why: 'the experiment has no copy of the program, which gprofng found on the machine where it was recorded',
  },
  { files: /dump-dmap$/, why: 'the functions of `[vdso]` and the gaps between them' },
  { files: /^compare\//, why: 'comparison of two experiments' },
  { files: /^java17\//, why: JAVA },
  { files: /^synthetic-omp\//, why: OPENMP },
  {
    files:
      /^(?:deep-signals|io-trace|heap-leaks|threads-sync|deb240-threads-sync|openmp)\/(?:func|call|fsum|lines|pcs|dump|leaks|allocs|filter)/,
    why: HOLES,
  },
  { files: /^api-dyn\//, why: DYNAMIC },
  { files: /^heap-leaks\//, why: 'leaks: which of several blocks at one address a free ends' },
  { files: /describe$/, why: 'the fields of heap, I/O and counter packets' },
  {
    files: /^c-single(?:-O2)?\/(?:pcs|dump-dprofile)$/,
    why: 'a place at which a row of the line table begins inside of inlined code is shown without the call',
  },
  {
    files: /^fortran\//,
    why: 'a call that was inlined in several ranges is shown by its own line, without the call',
  },
  { files: /dump-dhwc$/, why: 'values that the recorder marked as wrong are read as 0' },
  { files: /^descend\//, why: 'a second load object DYNAMIC_FUNCTIONS for descendants' },
];

/** The reason of a file that differs; undefined if none is known. `refused`: what our command line answered. */
export function reasonOf(file: string, refused: string | undefined): string | undefined {
  const command = /unknown command (\S+)/.exec(refused ?? '')?.[1];
  if (command !== undefined) return `the command \`${command}\` is missing`;
  return REASONS.find(({ files }) => files.test(file))?.why;
}
