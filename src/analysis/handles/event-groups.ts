/** Events of a profile in groups that handles name, such as those of an allocation site. */
import type { HandleParts } from '../../models/handle.js';

/** Groups of events; each has a name. */
export interface EventGroups {
  readonly length: number;
  /** By kind of events the group of each row; -1 for rows of none. Kinds that are not here cannot be selected by. */
  readonly rows: ReadonlyMap<string, Int32Array>;
  /** The hash of the name of a group, as in its handle. */
  readonly hashOf: (group: number) => number;
  /** The group of a handle of this profile; -1 if none of its events are left; undefined for handles of other profiles. */
  readonly groupOf: (parts: HandleParts) => number | undefined;
}
