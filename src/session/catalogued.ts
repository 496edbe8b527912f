/** Questions of the catalogue that are asked of a session: the view that answers is chosen by what its recordings have. */
import { UsageError } from '../base/errors.js';
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
  { question, view = '', comparison, ...rest }: QuestionData,
  recordingOf: (id: string | undefined) => Recording,
): Promise<ViewedQuestion> {
  if (question === undefined) return { view, ...rest };
  const { recording, runs = [], base, baseRuns = [], options = {} } = rest;
  const entry = await questionNamed(question);
  if (comparison !== undefined && base === undefined)
    throw new UsageError(`question: no base is the ${comparison}`, { code: 'no-comparison' });
  const ids = [recording, ...runs, ...(base === undefined ? [] : [base, ...baseRuns])];
  const [only, ...others] = entry.compared.map(({ key }) => key);
  const key = comparison ?? (others.length === 0 ? only : 'base');
  const chosen = viewOf(entry, options, {
    traits: ids.map((id) => traitsOf(recordingOf(id))),
    ...((base !== undefined || comparison !== undefined) && { compared: key ?? 'base' }),
  });
  return { ...rest, view: chosen.view, options: { ...chosen.options } };
}
