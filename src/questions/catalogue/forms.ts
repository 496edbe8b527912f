/** The catalogue as plain data, for fronts that live elsewhere: which questions there are, and what can be chosen. */
import type { ScopeStep } from '../../models/scope.js';
import { type OptionDefinition, optionDefinitions } from '../options/option.js';
import type { CatalogueEntry } from './entry.js';
import { allQuestions } from './index.js';

/** A question as a form shows it. */
export interface QuestionForm extends Pick<CatalogueEntry, 'id' | 'title' | 'page' | 'hasScope' | 'compared'> {
  /** Key of the option that is given without its name. */
  readonly subject?: string;
  readonly options: readonly OptionDefinition[];
  /** Kinds of steps of the scope that it takes; all if not given. */
  readonly steps?: readonly ScopeStep['kind'][];
}

/** All questions, in the order of the catalogue. */
export async function questionForms(): Promise<QuestionForm[]> {
  return (await allQuestions()).map(({ id, title, page, hasScope, compared, subject, options, steps }) => ({
    id,
    title,
    page,
    hasScope,
    compared,
    options: optionDefinitions(options),
    ...(subject !== undefined && { subject }),
    ...(steps !== undefined && { steps }),
  }));
}
