/** Files of patterns or names: one a line, behind `#` comments. */
import { readFileSync } from 'node:fs';
import { cannotOpen } from '../../bytes/file.node.js';

/** The lines with a pattern, trimmed. Throws `UnreadableError` if there is no such file. */
export function patternsIn(path: string): readonly string[] {
  return textOf(path)
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotOpen(path, error);
  }
}
