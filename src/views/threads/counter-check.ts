/** Allocation samples checked against the counters of threads. */
import type { ThreadAllocations } from '../../analysis/threads/allocated.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { stringAt } from '../../base/text.js';
import { formatValue, plural } from '../../base/units.js';
import { CARRIER_GROUP } from '../../models/profile/carriers.js';
import { type Profile, threadName } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Recording } from '../../models/recording.js';
import type { Side } from '../question.js';

type Checked = Pick<Side, 'recording' | 'profile'>;

/** Samples and counters that differ by less than this share agree. */
const CLOSE = 0.1;
/** Threads with less than this share of all are too small to be named. */
const SMALL = 0.01;
const MOST_NAMED = 3;

/** What the counters of threads say beside their samples, and the threads where both differ most. */
export function counterNotes(checked: Checked, counted: ThreadAllocations | undefined): Note[] {
  if (counted === undefined) return [];
  const { grownSum, sampledSum, threads } = ofScope(checked, counted);
  const bytes = (value: number): string => formatValue(value, 'bytes');
  const sums = `Counters of ${plural(threads, 'thread')} grew by ${bytes(grownSum)}; their allocation samples of the same time stand for ${bytes(sampledSum)}.`;
  const apart = threadsApart(checked, counted).map(
    ({ name, grown, sampled }) => `${name} (${bytes(grown)}, ${bytes(sampled)})`,
  );
  const rest = apart.length > MOST_NAMED ? ` and ${plural(apart.length - MOST_NAMED, 'thread')} more` : '';
  const names = apart.length === 0 ? '' : ` They differ most for ${apart.slice(0, MOST_NAMED).join(', ')}${rest}.`;
  if (threads === 0) return [];
  return [note('allocation-counters', `${sums}${names}`)];
}

/** The sums without carriers if threads were chosen: carriers count what virtual threads allocate, whose samples are not chosen with them. */
function ofScope(
  { recording, profile }: Checked,
  counted: ThreadAllocations,
): Pick<ThreadAllocations, 'grownSum' | 'sampledSum' | 'threads'> {
  if (profile === undefined || profile === recording.profile) return counted;
  const isCarrier = carriersIn(profile, recording);
  let [grownSum, sampledSum, threads] = [0, 0, 0];
  for (const [thread, grown] of counted.grown.entries()) {
    if (Number.isNaN(grown) || isCarrier(thread)) continue;
    threads++;
    grownSum += grown;
    sampledSum += counted.sampled[thread];
  }
  return { grownSum, sampledSum, threads };
}

function carriersIn(profile: Profile, { program }: Pick<Recording, 'program'>): (thread: number) => boolean {
  const group = profile.threads && THREADS.rows(profile.threads).group;
  return (thread) =>
    (group?.[thread] ?? NONE) >= 0 && stringAt(program.names, group?.[thread] ?? NONE) === CARRIER_GROUP;
}

interface ThreadApart {
  readonly name: string;
  readonly grown: number;
  readonly sampled: number;
}

/** Threads whose samples and counters differ by a tenth or more, those with the largest differences first. */
function threadsApart(
  { recording, profile }: Checked,
  { grown, sampled, grownSum }: ThreadAllocations,
): readonly ThreadApart[] {
  if (profile?.threads === undefined) return [];
  // Carriers have no samples of their own.
  const isCarrier = carriersIn(profile, recording);
  return Array.from(grown, (value, thread) => ({
    name: threadName(profile, recording.program, thread) ?? '',
    grown: value,
    sampled: sampled[thread],
  }))
    .filter((each, thread) => !isCarrier(thread) && each.sampled > 0 && each.grown > SMALL * grownSum)
    .filter((each) => Math.abs(each.grown - each.sampled) > CLOSE * each.grown)
    .sort((a, b) => Math.abs(b.grown - b.sampled) - Math.abs(a.grown - a.sampled));
}
