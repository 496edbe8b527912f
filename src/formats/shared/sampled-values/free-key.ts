/** The first of `name`, `name_2`, `name_3` … that is not used; `joint` stands before the number. */
export function freeKey(name: string, used: ReadonlySet<string>, joint: string): string {
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name}${joint}${number}`)) number++;
  return `${name}${joint}${number}`;
}
