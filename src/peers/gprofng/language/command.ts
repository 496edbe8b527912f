/** What a command of the language is. */
import type { Printer } from '../print.js';

export interface Command {
  /** How many words follow it. */
  readonly words: number;
  /** Whether another word may follow: the number of one of several functions. */
  readonly optional?: boolean;
  /** gprofng runs it before all others, wherever it stands. */
  readonly isEarly?: boolean;
  readonly run: (printer: Printer, words: readonly string[]) => Promise<void> | void;
}
