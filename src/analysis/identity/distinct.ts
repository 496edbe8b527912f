/**
 * Finds the classes and functions of several programs with the same spelling, byte for byte, without making strings.
 * These are most names of two builds of a program, and nearly all of two runs, so the costly joining of the rest is
 * rare. Cost: names are hashed once a program; each function takes a few look-ups in tables of integers.
 */
import { ByteInterner, IntRuns, IntTable } from '../../base/columns/hash.js';
import { CLASS_KINDS, FUNCTION_KINDS, type Program } from '../../models/program/program.js';

/** Rows of several programs by their spelling. */
export interface Spellings {
  readonly length: number;
  /** For each program: its rows → spellings. */
  readonly rows: readonly Int32Array[];
  /** For each spelling, a program that has it and its row. */
  readonly program: Int32Array;
  readonly row: Int32Array;
  /** Programs that have spelling `s`: `programs[starts[s] .. starts[s + 1])`. */
  readonly starts: Int32Array;
  readonly programs: Int32Array;
}

/** The names of several programs, each once. */
export interface NameNumbers {
  readonly names: ByteInterner;
  /** For each program: its StringIds → numbers of the names. */
  readonly rows: readonly Int32Array[];
}

export function sharedNames(programs: readonly Program[]): NameNumbers {
  const names = new ByteInterner();
  const rows = programs.map(({ names: { bytes, offsets } }) => {
    const numbers = new Int32Array(offsets.length - 1);
    for (let id = 0; id < numbers.length; id++) numbers[id] = names.add(bytes, offsets[id], offsets[id + 1]);
    return numbers;
  });
  return { names, rows };
}

/** `names`: for each program its StringIds → numbers that are equal for equal names. */
export function distinctSpellings(
  programs: readonly Program[],
  names: readonly Int32Array[] = sharedNames(programs).rows,
): { functions: Spellings; classes: Spellings } {
  const classes = classRows(programs, names);
  return {
    classes: spellingsOf(classes.rows, classes.length),
    functions: functionSpellings(programs, names, classes.rows),
  };
}

function classRows(programs: readonly Program[], names: readonly Int32Array[]) {
  const spellings = new IntTable();
  const missing = CLASS_KINDS.indexOf('missing');
  const rows = programs.map(({ classes: { length, kind, name, module } }, program) => {
    const numbers = new Int32Array(length);
    const ofNames = names[program];
    for (let id = 0; id < length; id++)
      numbers[id] =
        kind[id] === missing
          ? spellings.add(-2 - program, id)
          : spellings.add(numberOf(ofNames, name[id]), numberOf(ofNames, module?.[id] ?? -1));
    return numbers;
  });
  return { rows, length: spellings.length };
}

/** -1 stays. */
function numberOf(names: Int32Array, id: number): number {
  return id < 0 ? -1 : names[id];
}

function functionSpellings(
  programs: readonly Program[],
  names: readonly Int32Array[],
  classes: readonly Int32Array[],
): Spellings {
  // Two runs of one program have nearly the same functions.
  const spellings = new IntRuns(Math.max(0, ...programs.map(({ functions }) => functions.length)), 6);
  const kinds = kindSpellings(programs, names);
  const missing = FUNCTION_KINDS.indexOf('missing');
  const rows = programs.map(({ functions }, program) => {
    const ofNames = names[program];
    const classOf = classes[program];
    const kindOf = kinds[program];
    const { length, class: declaring, name, kind, signature, signatureStart } = functions;
    const rows = new Int32Array(length);
    for (let id = 0; id < length; id++) {
      if (kind[id] === missing) {
        spellings.push(-2 - program);
        spellings.push(id);
      } else {
        spellings.push(numberOf(classOf, declaring[id]));
        spellings.push(numberOf(ofNames, name[id]));
        spellings.push(kindOf(id));
        // A missing type is different from every other type.
        for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++)
          spellings.push(numberOf(classOf, signature[i]));
      }
      rows[id] = spellings.add();
    }
    return rows;
  });
  return spellingsOf(rows, spellings.length);
}

/** For each program: its functions → numbers of their kind, file and compile unit, shared by all programs. */
function kindSpellings(programs: readonly Program[], names: readonly Int32Array[]): ((id: number) => number)[] {
  const spellings = new IntTable(16);
  const alone = FUNCTION_KINDS.map((_, kind) => spellings.add(kind, -1, -1));
  const units = unitSpellings(programs, names);
  return programs.map(({ functions: { kind, file, unit } }, program) => {
    if (file === undefined && unit === undefined) return (id) => alone[kind[id]];
    return (id) => {
      const of = unit?.[id] ?? -1;
      // A function without a unit differs from those whose unit has no name.
      return spellings.add(kind[id], numberOf(names[program], file?.[id] ?? -1), of < 0 ? -1 : units[program][of]);
    };
  });
}

/** For each program: its compile units → numbers shared by units of the same name and load object path. */
function unitSpellings(programs: readonly Program[], names: readonly Int32Array[]): Int32Array[] {
  const spellings = new IntTable(16);
  return programs.map(({ units, loadObjects }, program) =>
    Int32Array.from({ length: units?.length ?? 0 }, (_, id) => {
      const loadObject = units?.loadObject[id] ?? -1;
      const path = loadObject < 0 ? -1 : (loadObjects?.path[loadObject] ?? -1);
      return spellings.add(numberOf(names[program], units?.name[id] ?? -1), numberOf(names[program], path));
    }),
  );
}

function spellingsOf(rows: readonly Int32Array[], length: number): Spellings {
  const program = new Int32Array(length);
  const row = new Int32Array(length).fill(-1);
  const last = new Int32Array(length).fill(-1);
  const starts = new Int32Array(length + 1);
  for (const [of, spellings] of rows.entries())
    for (let id = 0; id < spellings.length; id++) {
      const spelling = spellings[id];
      if (row[spelling] < 0) {
        program[spelling] = of;
        row[spelling] = id;
      }
      if (last[spelling] !== of) starts[spelling + 1]++;
      last[spelling] = of;
    }
  for (let i = 0; i < length; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const programs = new Int32Array(starts[length]);
  last.fill(-1);
  for (const [of, spellings] of rows.entries())
    for (let id = 0; id < spellings.length; id++) {
      const spelling = spellings[id];
      if (last[spelling] !== of) programs[next[spelling]++] = of;
      last[spelling] = of;
    }
  return { length, rows, program, row, starts, programs };
}
