/** Questions of the catalogue that are asked of a session: the view that answers is chosen by what its recordings have. */
import type { Recording } from '../models/recording.js';
import { questionNamed, viewOf } from '../questions/catalogue/index.js';
import { traitsOf } from '../questions/catalogue/traits.js';
import type { QuestionData } from '../questions/schema.js';

/** A question to a view. */
export type ViewedQuestion = Omit<QuestionData, 'view' | 'question' | 'comparison'> & { readonly view: string };

/**
 * The question to a view that a question leads to. `recordingOf` gives the recording with an id, the first one without. Throws `UsageError` for a name
 * or options that the catalogue does not have, or if no view answers.
 */
export async function viewedQuestion(
  { question, view = '', comparison = 'base', ...rest }: QuestionData,
  recordingOf: (id: string | undefined) => Recording,
): Promise<ViewedQuestion> {
  if (question === undefined) return { view, ...rest };
  const { recording, runs = [], base, baseRuns = [], options = {} } = rest;
  const entry = await questionNamed(question);
  const ids = [recording, ...runs, ...(base === undefined ? [] : [base, ...baseRuns])];
  const key = entry.compared.length === 1 ? entry.compared[0]?.key : comparison;
  const chosen = viewOf(entry, options, {
    traits: ids.map((id) => traitsOf(recordingOf(id))),
    ...(base !== undefined && key !== undefined && { compared: key }),
  });
  return { ...rest, view: chosen.view, options: { ...chosen.options } };
}
