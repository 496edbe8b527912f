/** What accompanies numbers of native memory. */
import type { Note } from '../../base/note.js';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import type { Profile } from '../../models/profile/profile.js';
import { ownRemarks } from '../metric-choice.js';

/** How far the recorder of native memory knows what was freed. */
export function freedRemarks(profile: Profile | undefined): Note[] {
  const metric = profile?.metrics.find(({ table, field }) => table === NATIVE_MEMORY_EVENTS.kind && field === 'live');
  return metric === undefined || profile === undefined ? [] : ownRemarks(metric, profile);
}
