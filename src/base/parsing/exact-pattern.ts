/** The pattern that means one name and no other, as the matcher of names takes it. */
export function exactPattern(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}
