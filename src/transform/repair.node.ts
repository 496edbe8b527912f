/**
 * `pgo stale --repair`: a PGO profile written again for newer classes. What was written is read again before it takes its
 * place: it must be what was meant, entry by entry, and what was moved must fit the new classes as it fitted the old ones.
 */

import type { ClassSide } from '../analysis/stale/judge-by-change.js';
import { type Relocation, type RelocationCount, relocate } from '../analysis/stale/relocate.js';
import { classSide, judgeProfile, loadSide } from '../analysis/stale/stale-profile.js';
import { ENTRY_FATES, fittingShare, type Staleness, sumOf } from '../analysis/stale/staleness.js';
import { UsageError } from '../base/errors.js';
import type { Work } from '../base/progress.js';
import { formatValue, plural } from '../base/units.js';
import type { ByteSource } from '../bytes/byte-source.js';
import type { IprofResidue } from '../formats/iprof/residue.js';
import { SECTION_WORDS } from '../formats/iprof/vocabulary.js';
import { eventTable, type Profile } from '../models/profile/profile.js';
import { bciOf } from '../models/program/places.js';
import type { Recording } from '../models/recording.js';
import { column, hasField } from '../models/table.js';
import { detect } from '../session/detect.js';
import type { CodeLibrary } from '../views/question.js';
import { writeRecording } from './write.node.js';

export interface Repair {
  /** One a kind of entries; kept + moved + dropped are all there were. */
  readonly counts: readonly RelocationCount[];
  /** Entries that were moved, and those of them that the new classes contradict although the old ones did not. */
  readonly moved: number;
  readonly contradicted: number;
  /** Why the class paths may be the wrong ones, or in the wrong order. */
  readonly doubts: readonly string[];
  /** What the written file has not that the old one had, beside entries. */
  readonly dropped: readonly string[];
}

export interface RepairOptions {
  /** Files the profile was read from: they are not written over. */
  readonly inputs: readonly string[];
  readonly work: Work;
}

/** Writes the profile for `library.classes` to `path`. Throws `UsageError` unless both class paths are there and
 * have something of the profile. */
export async function repairProfile(
  recording: Recording,
  library: CodeLibrary,
  path: string,
  { inputs, work }: RepairOptions,
): Promise<Repair> {
  const { classes, oldClasses } = library;
  if (classes === undefined || oldClasses === undefined)
    throw new UsageError(
      'a profile is repaired from the classes it was made with to newer ones: both are needed',
      'One class path shows what does not fit, not where it went: --old-classes OLD --classes NEW.',
    );
  const { profile, program, format } = recording;
  if (format !== 'iprof' || profile === undefined)
    throw new UsageError(`${recording.name} is no .iprof profile: only those are repaired`);
  const now = await side(loadSide(program, classes, work, oldClasses));
  const old = await side(loadSide(program, oldClasses, work));
  const judged = judgeProfile(program, profile, now, old);
  refuseOtherPrograms(judged.staleness);
  const relocation = relocate(recording, profile, judged.places, judged.judge, judged.staleness);
  const before = judgeProfile(program, profile, old).staleness;
  let contradicted = 0;
  const dropped = await writeRecording(relocation.recording, path, {
    inputs,
    made: true,
    work,
    verify: async (written) => {
      const read = await readAgain(written, work);
      sameEntries(relocation.recording, read, path);
      contradicted = contradictions(read, now, relocation, judged.staleness, before);
    },
  });
  const moved = relocation.counts.reduce((sum, count) => sum + count.moved, 0);
  return {
    counts: relocation.counts,
    moved,
    contradicted,
    doubts: doubtsOf(judged.staleness, before, judgeProfile(program, profile, now).staleness),
    dropped: [...dropped, ...beyondModels(recording)],
  };
}

function refuseOtherPrograms({ kinds }: Staleness): void {
  const { outside, ...told } = sumOf(kinds.map(({ entries }) => entries));
  if (outside === 0 || Object.values(told).some((entries) => entries > 0)) return;
  throw new UsageError(
    'no entry of the profile is of a method that both class paths can tell of: there is nothing to repair',
    'Are --old-classes and --classes of the program the profile was made of?',
  );
}

/** Paths in the wrong order: the profile fits the classes it is said to be made with less than the others. */
function doubtsOf({ kinds, contradictsOld }: Staleness, before: Staleness, after: Staleness): string[] {
  const { fits, moved, stale } = sumOf(kinds.map(({ executions }) => executions));
  const most = contradictsOld.executions * 2 > fits + moved + stale;
  const [old, now] = [before, after].map((each) => fittingShare(sumOf(each.kinds.map(({ executions }) => executions))));
  if (!most && (old ?? 1) >= (now ?? 0)) return [];
  return [
    `${formatValue(old ?? 0, 'ratio')} of the executions fit --old-classes, ${formatValue(now ?? 0, 'ratio')} --classes: may the two be swapped, or others?`,
  ];
}

/** What the file had and the models have not: it may hold bytecode indexes of its own, so it does not go along. */
function beyondModels({ sections, residue }: Recording): string[] {
  const unknown = sections.filter(({ name }) => !SECTION_WORDS.some(({ key }) => key === name));
  const kept = isIprofResidue(residue) ? residue.verbatim.length : 0;
  return [
    ...unknown.map(({ name }) => `section ${JSON.stringify(name)}, which is not of the format`),
    ...(kept === 0 ? [] : [`what ${plural(kept, 'element')} of the file had beyond the format`]),
  ];
}

function isIprofResidue(residue: unknown): residue is Pick<IprofResidue, 'verbatim'> {
  return typeof residue === 'object' && residue !== null && 'verbatim' in residue;
}

async function side(loading: ReturnType<typeof loadSide>): Promise<ClassSide> {
  const { classes, packages } = await loading;
  return classSide(classes, packages);
}

async function readAgain(source: ByteSource, work: Work): Promise<Recording> {
  return (await detect(source)).read(source, work);
}

/** Throws where a file does not hold the entries that were to be written. */
function sameEntries(meant: Recording, read: Recording, path: string): void {
  const some = meant.profile?.events.filter((table) => table.length > 0) ?? [];
  for (const table of some) {
    const other = read.profile && eventTable(read.profile, table.kind);
    const same =
      other !== undefined &&
      other.length === table.length &&
      ['count', 'target', 'index'].every(
        (key) => !hasField(table, key) || column(table, key).every((value, row) => column(other, key)[row] === value),
      ) &&
      (table.kind === 'monitor' ||
        column(table, 'stack').every((stack, row) => sameStack(meant, stack, read, column(other, 'stack')[row]))) &&
      (!hasField(table, 'type') ||
        column(table, 'type').every(
          (type, row) => meant.program.classes.fileId[type] === read.program.classes.fileId[column(other, 'type')[row]],
        ));
    if (!same) throw new Error(`${path}: ${table.kind} entries read again are not those that were written`);
  }
}

function sameStack(a: Recording, from: number, b: Recording, to: number): boolean {
  const [some, others] = [a.profile?.stacks, b.profile?.stacks];
  let [stack, other] = [from, to];
  if (some === undefined || others === undefined) return false;
  for (; stack >= 0 && other >= 0; stack = some.parent[stack], other = others.parent[other])
    if (frame(a, some.location[stack]) !== frame(b, others.location[other])) return false;
  return stack < 0 && other < 0;
}

function frame({ program }: Recording, location: number): string {
  return `${program.functions.fileId[program.locations.function[location]]}:${bciOf(program, location)}`;
}

/** Entries that were moved and are stale now by the new classes alone, but were not by the old ones alone. */
function contradictions(
  read: Recording,
  now: ClassSide,
  { rows }: Relocation,
  judged: Staleness,
  before: Staleness,
): number {
  const after = judgeProfile(read.program, read.profile ?? NO_PROFILE, now).staleness;
  let found = 0;
  for (const [kind, from] of rows) {
    const [fates, was, is] = [judged.fates.get(kind), before.fates.get(kind), after.fates.get(kind)];
    if (fates === undefined || was === undefined || is === undefined) continue;
    from.forEach((old, row) => {
      const failed = isBad(is[row]) && !isBad(was[old]);
      if (ENTRY_FATES[fates[old]] === 'moved' && failed) found++;
    });
  }
  return found;
}

const NO_PROFILE: Profile = {
  stacks: { length: 0, parent: new Int32Array(0), location: new Int32Array(0), ending: new Uint8Array(0) },
  events: [],
  metrics: [],
};

function isBad(fate: number): boolean {
  return ENTRY_FATES[fate] === 'stale' || ENTRY_FATES[fate] === 'moved';
}
