/** Maps of lists, and lists of numbers as columns. */

/** Appends to the list of a key, creating the list if needed. */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Numbers by group, 4 bytes a number and 4 a group: group `g` has `members[start[g]]` up to `members[start[g + 1] - 1]`, in rising order. */
export interface GroupMembers {
  readonly start: Int32Array;
  readonly members: Int32Array;
}

/** The members of `groups` groups; those with the group -1 are in none. */
export function membersOf(groupOf: Int32Array, groups: number): GroupMembers {
  const start = new Int32Array(groups + 1);
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] >= 0) start[groupOf[i] + 1]++;
  for (let group = 0; group < groups; group++) start[group + 1] += start[group];
  const next = start.slice();
  const members = new Int32Array(start[groups]);
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] >= 0) members[next[groupOf[i]]++] = i;
  return { start, members };
}

/** The members of a group. */
export function membersIn({ start, members }: GroupMembers, group: number): Int32Array {
  return members.subarray(start[group], start[group + 1]);
}
