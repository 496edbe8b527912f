/** Contention of a recording within its scope, as stages. */
import { WAIT_EVENTS } from '../../models/events/wait.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import type { WaitGrouping } from '../../questions/options/recording.js';
import type { ScopedRecording } from '../scope/scoped.js';
import { scopedPart } from '../scope/scoped-part.js';
import { type WaitSites, type WaitTimes, waitSites, waitTimes } from './wait-sites.js';

/** The waits with a duration along stacks, if there are any; HPROF text lists waits that were no contention. */
export function recordedWaits(profile: Profile | undefined): Table | undefined {
  const waits = WAIT_EVENTS.of(profile);
  // Asking for the column alone does not unpack it.
  return profile !== undefined && waits !== undefined && 'contended' in waits
    ? eventTable(profile, WAIT_EVENTS.kind)
    : undefined;
}

/** What a function makes of the waits of a scoped recording; undefined if there are none. */
function ofWaits<Value>(make: (waits: Table, stacks: Profile['stacks'], program: Program) => Value) {
  return ({ recording, profile }: ScopedRecording): Value | undefined => {
    const waits = recordedWaits(profile);
    return profile && waits && make(waits, profile.stacks, recording.program);
  };
}

/** Bytes of a site and of a thread that others waited for. */
const SITE = 100;
const OWNER = 40;

/** `waitSites` within the scope, by locks or sites; undefined if it has no waits with a duration. */
export const waitSitesUse = scopedPart<WaitSites | undefined, WaitGrouping>({
  name: 'contention',
  version: 2,
  key: (by) => by,
  run: (scoped, by) => ofWaits((waits, stacks, program) => waitSites(waits, stacks, program, by))(scoped),
  bytes: (value) => value?.sites.reduce((sum, { owners }) => sum + SITE + owners.length * OWNER, 0) ?? 0,
});

/** `waitTimes` within the scope; undefined likewise. */
export const waitTimesUse = scopedPart<WaitTimes | undefined>({
  name: 'contention by function',
  version: 1,
  key: () => '',
  run: ofWaits(waitTimes),
  bytes: (value) => value?.byFunction.byteLength ?? 0,
});
