/** A word of a command line, quoted for a shell if needed. */
export function shellWord(word: string): string {
  return /^[\w./+:,@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
