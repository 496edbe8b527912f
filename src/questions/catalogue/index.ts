/**
 * What a person can ask, for all fronts: commands, help, the man page and the documentation are made of it, and programs ask by its names. Modules are
 * loaded when a name is first asked for; a command loads its own only.
 */
import { UsageError } from '../../base/errors.js';
import type { ViewQuestion } from '../options/index.js';
import { fitting, unknownName } from '../refusal.js';
import type { AskedWith, CatalogueEntry } from './entry.js';

/** The modules of questions, by group. */
const MODULES = {
  recording: () => import('./recording.js'),
  events: () => import('./events.js'),
  process: () => import('./process.js'),
  diff: () => import('./diff.js'),
  heap: () => import('./heap.js'),
  calls: () => import('./calls.js'),
  pgo: () => import('./pgo.js'),
} as const;

/** All questions, group by group. */
export async function allQuestions(): Promise<CatalogueEntry[]> {
  const modules = await Promise.all(Object.values(MODULES).map((load) => load()));
  return modules.flatMap((module): CatalogueEntry[] => Object.values(module));
}

/** The question with this name. Throws `UsageError` with the nearest one if there is none. */
export async function questionNamed(id: string): Promise<CatalogueEntry> {
  const questions = await allQuestions();
  const entry = questions.find((each) => each.id === id);
  if (entry === undefined)
    throw unknownName(
      'question',
      id,
      questions.map((each) => each.id),
    );
  return entry;
}

/** The view that answers, with its options. Throws `UsageError` for options that do not fit, or if no view answers. */
export function viewOf(entry: CatalogueEntry, options: unknown, context: AskedWith): ViewQuestion {
  const keys = entry.compared.map(({ key }) => key);
  if (context.compared !== undefined && !keys.includes(context.compared))
    throw new UsageError(`${entry.id} takes no ${context.compared}`, {
      code: 'no-comparison',
      advice: keys.length === 0 ? 'It compares with nothing.' : `It takes ${keys.join(' or ')}.`,
    });
  return entry.view(fitting(entry.options.strict(), options, `options of ${entry.id}`), context);
}
