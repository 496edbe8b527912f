/**
 * Finds the classes and functions of several programs with the same spelling, byte for byte, without making strings.
 * These are most names of two builds of a program, and nearly all of two runs, so the costly joining of the rest is
 * rare. Cost: names are hashed once a program; each function takes a few look-ups in tables of integers.
 */
import { ByteInterner, IntRuns, IntTable } from '../../base/hash.js';
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

export function distinctSpellings(programs: readonly Program[]): { functions: Spellings; classes: Spellings } {
  const names = new ByteInterner();
  const known = programs.map((program) => namesOf(program, names));
  const classes = classRows(programs, known);
  return {
    classes: spellingsOf(classes.rows, classes.length),
    functions: functionSpellings(programs, known, classes.rows),
  };
}

/** The StringIds of a program → numbers shared by all programs; -1 stays. */
type Names = (id: number) => number;

function namesOf({ names: { bytes, offsets } }: Program, names: ByteInterner): Names {
  const known = new Int32Array(offsets.length).fill(-1);
  return (id) => {
    if (id < 0) return -1;
    if (known[id] < 0) known[id] = names.add(bytes, offsets[id], offsets[id + 1]);
    return known[id];
  };
}

function classRows(programs: readonly Program[], names: readonly Names[]) {
  const spellings = new IntTable();
  const missing = CLASS_KINDS.indexOf('missing');
  const rows = programs.map(({ classes }, program) =>
    Int32Array.from({ length: classes.length }, (_, id) =>
      classes.kind[id] === missing
        ? spellings.add(-2 - program, id)
        : spellings.add(names[program](classes.name[id]), names[program](classes.module?.[id] ?? -1)),
    ),
  );
  return { rows, length: spellings.length };
}

function functionSpellings(
  programs: readonly Program[],
  names: readonly Names[],
  classes: readonly Int32Array[],
): Spellings {
  const spellings = new IntRuns();
  const kinds = kindSpellings(programs, names);
  const missing = FUNCTION_KINDS.indexOf('missing');
  const rows = programs.map(({ functions }, program) => {
    const nameOf = names[program];
    const classOf = classes[program];
    const kindOf = kinds[program];
    const { signature, signatureStart } = functions;
    const rows = new Int32Array(functions.length);
    for (let id = 0; id < rows.length; id++) {
      if (functions.kind[id] === missing) {
        spellings.push(-2 - program);
        spellings.push(id);
      } else {
        const declaring = functions.class[id];
        spellings.push(declaring < 0 ? -1 : classOf[declaring]);
        spellings.push(nameOf(functions.name[id]));
        spellings.push(kindOf(id));
        // A missing type is different from every other type.
        for (let i = signatureStart[id]; i < signatureStart[id + 1]; i++)
          spellings.push(signature[i] < 0 ? -1 : classOf[signature[i]]);
      }
      rows[id] = spellings.add();
    }
    return rows;
  });
  return spellingsOf(rows, spellings.length);
}

/** For each program: its functions → numbers of their kind, file and compile unit, shared by all programs. */
function kindSpellings(programs: readonly Program[], names: readonly Names[]): ((id: number) => number)[] {
  const spellings = new IntTable(16);
  const units = unitSpellings(programs, names);
  return programs.map(({ functions: { kind, file, unit } }, program) => (id) => {
    const of = unit?.[id] ?? -1;
    // A function without a unit differs from those whose unit has no name.
    return spellings.add(kind[id], names[program](file?.[id] ?? -1), of < 0 ? -1 : units[program][of]);
  });
}

/** For each program: its compile units → numbers shared by units of the same name and load object path. */
function unitSpellings(programs: readonly Program[], names: readonly Names[]): Int32Array[] {
  const spellings = new IntTable(16);
  return programs.map(({ units, loadObjects }, program) =>
    Int32Array.from({ length: units?.length ?? 0 }, (_, id) => {
      const loadObject = units?.loadObject[id] ?? -1;
      const path = loadObject < 0 ? -1 : (loadObjects?.path[loadObject] ?? -1);
      return spellings.add(names[program](units?.name[id] ?? -1), names[program](path));
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
