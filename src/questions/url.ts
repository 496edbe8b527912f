/**
 * A question as the query of a URL: `view=functions&scope=focus:HashMap&option.metric=cpu&limit=5`. Steps keep their order. A step with a
 * pattern only is written `KIND:PATTERN`, any other as JSON; an option is written as it is if it is a text that JSON would not read.
 */
import { UsageError } from '../base/errors.js';
import { parseQuestion, type QuestionData } from './schema.js';

const OPTION = 'option.';
type Step = NonNullable<QuestionData['scope']>[number];

/** The query of a question, without `?`. */
export function questionQuery({ scope = [], baseScope, page = {}, options = {}, ...sides }: QuestionData): string {
  const query = new URLSearchParams();
  const add = (key: string, value: string | number | undefined): void => {
    if (value !== undefined) query.append(key, String(value));
  };
  add('view', sides.view);
  add('question', sides.question);
  add('comparison', sides.comparison);
  add('recording', sides.recording);
  add('base', sides.base);
  for (const id of sides.runs ?? []) add('runs', id);
  for (const id of sides.baseRuns ?? []) add('baseRuns', id);
  for (const step of scope) add('scope', stepText(step));
  for (const step of baseScope ?? []) add('baseScope', stepText(step));
  // No steps for the base are something else than those of the recording.
  if (baseScope?.length === 0) add('baseScope', '');
  for (const [key, value] of Object.entries(options)) if (value !== undefined) add(`${OPTION}${key}`, valueText(value));
  add('offset', page.offset);
  add('limit', page.limit);
  add('sort', page.sort);
  return query.toString();
}

/** The question of a query. Throws `UsageError` as `parseQuestion` does. */
export function questionOfQuery(text: string): QuestionData {
  const query = new URLSearchParams(text);
  const question: Record<string, unknown> = {};
  const page: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const key of new Set(query.keys())) {
    const values = query.getAll(key);
    const [value = '', ...others] = values;
    if (key === 'scope' || key === 'baseScope') question[key] = values.filter((each) => each !== '').map(stepOfText);
    else if (key === 'runs' || key === 'baseRuns') question[key] = values;
    else if (others.length > 0)
      throw new UsageError(`question › ${key}: given ${values.length} times`, { code: 'question-invalid' });
    else if (key === 'offset' || key === 'limit') page[key] = jsonOrText(value);
    else if (key === 'sort') page[key] = value;
    else if (key.startsWith(OPTION)) options[key.slice(OPTION.length)] = jsonOrText(value);
    else question[key] = value;
  }
  if (Object.keys(page).length > 0) question.page = page;
  if (Object.keys(options).length > 0) question.options = options;
  return parseQuestion(question);
}

function stepText(step: Step): string {
  return 'pattern' in step ? `${step.kind}:${step.pattern}` : JSON.stringify(step);
}

function stepOfText(text: string): unknown {
  if (text.startsWith('{')) return jsonOrText(text);
  const colon = text.indexOf(':');
  return colon < 0 ? { kind: text } : { kind: text.slice(0, colon), pattern: text.slice(colon + 1) };
}

function valueText(value: unknown): string {
  return typeof value === 'string' && jsonOrText(value) === value ? value : JSON.stringify(value);
}

/** The JSON value of a text, or the text itself if it is no JSON. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
