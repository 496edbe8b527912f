/**
 * `pgo stale --repair`: writes a PGO profile for newer classes. The result is read and verified before it replaces a
 * file: it must match the expected content, entry by entry, and moved entries must fit the new classes as they fitted
 * the old ones.
 */
import type { ClassSide } from '../analysis/stale/change-judge.js';
import { type Relocation, type RelocationCount, relocate } from '../analysis/stale/relocate.js';
import { classSide, judgeProfile, loadSide } from '../analysis/stale/stale-profile.js';
import { ENTRY_STATES, fittingShare, type Staleness, sumOf } from '../analysis/stale/staleness.js';
import { UsageError } from '../base/errors.js';
import { type Note, note } from '../base/note.js';
import { type Phrase, phrase, theInput } from '../base/phrase.js';
import type { Work } from '../base/progress.js';
import { formatValue, plural } from '../base/units.js';
import type { Unexplained } from '../formats/capabilities/entries.js';
import type { Format } from '../formats/format.js';
import { FORMATS, formatOf } from '../formats/registry.js';
import type { Profile } from '../models/profile/profile.js';
import type { CodeLibrary } from '../models/program/library.js';
import type { Recording } from '../models/recording.js';
import { refuseOtherEnding } from './output-format.js';
import { writeRecording } from './write.node.js';

export interface Repair {
  /** One per kind of entries; kept + moved + dropped are all entries. */
  readonly counts: readonly RelocationCount[];
  /** Moved entries, and the number of them that contradict the new classes but not the old ones. */
  readonly moved: number;
  readonly contradicted: number;
  /** Reasons to suspect wrong or swapped class paths. */
  readonly doubts: readonly Note[];
  /** Data of the old file that the written one lacks, besides entries. */
  readonly dropped: readonly Phrase[];
}

export interface RepairOptions {
  /** Files of the profile: they are not overwritten. */
  readonly inputs?: readonly string[];
  readonly work?: Work;
}

/**
 * Writes the profile for `library.classes` to `path`. Throws `UsageError` unless both class paths are given and contain
 * methods of the profile.
 */
export async function repairProfile(
  recording: Recording,
  library: CodeLibrary,
  path: string,
  { inputs = [], work = {} }: RepairOptions = {},
): Promise<Repair> {
  const { classes, oldClasses } = library;
  if (classes === undefined || oldClasses === undefined)
    throw new UsageError('repairing a profile needs two class paths: the profiled classes and the newer ones', {
      code: 'needs-classes',
      advice: phrase`Give both: ${theInput('oldClasses', { choose: 'OLD' })} ${theInput('classes', { choose: 'NEW' })}.`,
      action: { give: ['oldClasses', 'classes'] },
    });
  const { profile, program } = recording;
  const format = formatOf(recording.format);
  if (format === undefined || !isRepairable(format) || profile === undefined) {
    const endings = FORMATS.filter(isRepairable).flatMap(({ extensions }) => extensions);
    throw new UsageError(`${recording.name} is not an .${endings.join(' or .')} profile; only those can be repaired`, {
      code: 'not-repairable',
    });
  }
  refuseOtherEnding(path, format, 'repair');
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
      const read = await format.entries.prove(written, { whole: relocation.recording }, work);
      contradicted = contradictions(read, now, relocation, judged.staleness, before);
    },
  });
  const moved = relocation.counts.reduce((sum, count) => sum + count.moved, 0);
  return {
    counts: relocation.counts,
    moved,
    contradicted,
    doubts: doubtsOf(judged.staleness, before, judgeProfile(program, profile, now).staleness),
    dropped: [...dropped, ...unexplainedLines(format.entries.unexplained(recording))],
  };
}

type RepairableFormat = Format & Required<Pick<Format, 'entries' | 'writer'>>;

function isRepairable(format: Format): format is RepairableFormat {
  return format.entries !== undefined && format.writer !== undefined;
}

function refuseOtherPrograms({ kinds }: Staleness): void {
  const { outside, ...inside } = sumOf(kinds.map(({ entries }) => entries));
  if (outside === 0 || Object.values(inside).some((entries) => entries > 0)) return;
  throw new UsageError('no entry of the profile belongs to a method in both class paths; nothing to repair', {
    code: 'other-program',
    advice: phrase`Check that ${theInput('oldClasses')} and ${theInput('classes')} belong to the profiled program.`,
    action: { give: ['oldClasses', 'classes'] },
  });
}

/** Swapped paths: the profile fits its own classes less than the others. */
function doubtsOf({ kinds, contradictsOld }: Staleness, before: Staleness, after: Staleness): Note[] {
  const { fits, moved, stale } = sumOf(kinds.map(({ executions }) => executions));
  const most = contradictsOld.executions * 2 > fits + moved + stale;
  const [old, now] = [before, after].map((each) => fittingShare(sumOf(each.kinds.map(({ executions }) => executions))));
  if (!most && (old ?? 1) >= (now ?? 0)) return [];
  return [
    note(
      'classes-swapped',
      phrase`${formatValue(old ?? 0, 'ratio')} of the executions fit ${theInput('oldClasses')}, ${formatValue(now ?? 0, 'ratio')} fit ${theInput('classes')}: check that the two are not swapped or wrong`,
      { action: { give: ['oldClasses', 'classes'] } },
    ),
  ];
}

/** Data that cannot be moved: it may contain bytecode indexes, so it is omitted. */
function unexplainedLines({ sections, elements }: Unexplained): string[] {
  return [
    ...sections.map((name) => `section ${JSON.stringify(name)}, which is not part of the format`),
    ...(elements === 0 ? [] : [`the parts of ${plural(elements, 'element')} that are not part of the format`]),
  ];
}

async function side(loading: ReturnType<typeof loadSide>): Promise<ClassSide> {
  const { classes, packages } = await loading;
  return classSide(classes, packages);
}

/** Moved entries that are stale with only the new classes, but were not with only the old ones. */
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
    const [states, was, is] = [judged.states.get(kind), before.states.get(kind), after.states.get(kind)];
    if (states === undefined || was === undefined || is === undefined) continue;
    from.forEach((old, row) => {
      const failed = isBad(is[row]) && !isBad(was[old]);
      if (ENTRY_STATES[states[old]] === 'moved' && failed) found++;
    });
  }
  return found;
}

const NO_PROFILE: Profile = {
  stacks: { length: 0, parent: new Int32Array(0), location: new Int32Array(0), ending: new Uint8Array(0) },
  events: [],
  metrics: [],
};

function isBad(state: number): boolean {
  return ENTRY_STATES[state] === 'stale' || ENTRY_STATES[state] === 'moved';
}
