/** Changes of a question that notes and errors propose, so that a front can offer each as a button. */
import { UsageError } from '../base/errors.js';
import type { Action } from '../base/note.js';
import { parseQuestion, type QuestionData } from './schema.js';

/**
 * The question after an action; undefined if a person has to choose a value, give an input or write a file first. Throws `UsageError` if the new question
 * does not fit its schema. Actions speak of views: a question of the catalogue is resolved first (`resolveQuestion` of a session, `resolve` of a workspace).
 */
export function changedQuestion(question: QuestionData, action: Action): QuestionData | undefined {
  if (needsPerson(action)) return undefined;
  if (question.view === undefined)
    throw new UsageError(`the question ${question.question ?? ''} is not resolved`, {
      code: 'not-resolved',
      advice: 'Actions change questions to views: resolve it first.',
    });
  const { set = {}, omit = [], addStep, omitSteps = [], limit, ask } = action;
  if (ask !== undefined) {
    const { options: _options, page: _page, ...sides } = question;
    return parseQuestion({ ...sides, view: ask.view, ...(ask.options !== undefined && { options: ask.options }) });
  }
  const options = Object.entries({ ...question.options, ...set }).filter(([name]) => !omit.includes(name));
  const steps = (scope: QuestionData['scope'] = []) => scope.filter(({ kind }) => !omitSteps.includes(kind));
  return parseQuestion({
    ...question,
    options: Object.fromEntries(options),
    scope: [...steps(question.scope), ...(addStep === undefined ? [] : [addStep])],
    ...(question.baseScope !== undefined && { baseScope: steps(question.baseScope) }),
    ...(limit !== undefined && { page: { ...question.page, limit } }),
  });
}

/** Whether an action cannot be done without a choice of a person. */
function needsPerson({ choose, addSteps, give, write, ask }: Action): boolean {
  const open = ask !== undefined && (ask.choose !== undefined || Object.values(ask.inputs ?? {}).includes(null));
  return choose !== undefined || addSteps !== undefined || give !== undefined || write !== undefined || open;
}
