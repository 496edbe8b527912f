/** Words for a shell. */

/** A word of a command line, quoted if needed. */
export function shellWord(word: string): string {
  return /^[\w./+:,@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A line for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
