/** The command that asks what the page shows. */
import { shellLine } from '../../src/base/parsing/shell-word.js';
import { commandWords } from '../../src/questions/command-words.js';
import type { Store } from './store.js';

export function commandOf({ form, question, recording, base }: Store): string {
  if (form === undefined || recording === undefined) return '';
  return shellLine(['kansoku', ...commandWords(form, question, { recording: recording.name, base: base?.name })]);
}
