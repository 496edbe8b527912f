/** Next steps for a PGO profile: commands with the names of the file and of the listed items. */
import type { CodeLibrary } from '../../models/program/library.js';

/** A word, quoted for a shell if needed. */
function quoted(word: string): string {
  return /^[\w./+:,@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `kansoku` with arguments, quoted for a shell if needed. */
export function command(...words: readonly string[]): string {
  return `kansoku ${words.map(quoted).join(' ')}`;
}

/** `--classes` with the path of the session, else a placeholder. */
export function classesArguments({ classes }: CodeLibrary): [string, string] {
  return ['--classes', classes?.name ?? 'CLASSPATH'];
}

/** `--old-classes`, in the same way. */
export function oldClassesArguments({ oldClasses }: CodeLibrary): [string, string] {
  return ['--old-classes', oldClasses?.name ?? 'OLD_CLASSPATH'];
}

/** A method as commands take it: without its parameter types. */
export function methodArgument(signature: string): string {
  return signature.replace(/\(.*$/s, '');
}

/** A note for each step: its purpose, and the command. */
export function nextNotes(steps: readonly { readonly why: string; readonly run: string }[]): string[] {
  return steps.map(({ why, run }) => `Next, ${why}: ${run}`);
}
