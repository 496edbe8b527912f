/** The joined names of several recordings, as a stage that all comparisons share. */
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { type United, type UnitedPrograms, unite } from './unite.js';

const unitedStage: Stage<UnitedPrograms, void> = {
  name: 'joined names',
  version: 1,
  key: () => '',
  run: (of) => {
    // Two dumps of one recording share a program; in it even names that are only numbers are the same.
    const all = of.map(({ snapshot }) => snapshot.recording.program);
    const programs = [...new Set(all)];
    const places = all.map((program) => programs.indexOf(program));
    const { functions, classes, loadObjects } = unite(programs);
    const bySubject = (united: United): United => ({ ...united, rows: places.map((place) => united.rows[place]) });
    return {
      functions: bySubject(functions),
      classes: bySubject(classes),
      loadObjects: places.map((place) => loadObjects[place]),
    };
  },
  bytes: ({ functions, classes, loadObjects }) => bytesOf(functions) + bytesOf(classes) + rowBytes(loadObjects),
};

/** Bytes of a joined row: a spelling it has, and its match. */
const ROW = 5;

function bytesOf({ length, rows }: United): number {
  return length * ROW + rowBytes(rows);
}

/** Two runs of one program share their rows. */
function rowBytes(rows: readonly Int32Array[]): number {
  return [...new Set(rows)].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Functions, classes and load objects of the programs of the subjects, joined; `rows` in the order of the subjects. */
export function unitedUse(subjects: readonly Subject[]): StageUse<UnitedPrograms> {
  const whole = subjects.map(({ source, snapshot }) => ({ source, snapshot, scope: [] }));
  return use(unitedStage, whole, undefined);
}
