/** A question of the catalogue as the words of a command: what a front shows, a shell can ask again. */
import type { ScopeStep } from '../models/scope.js';
import type { QuestionForm } from './catalogue/forms.js';
import type { OptionDefinition } from './options/option.js';
import type { QuestionData } from './schema.js';

/** The files of a question, as a command line names them. */
export interface QuestionFiles {
  readonly recording: string;
  readonly base?: string | undefined;
}

type Asked = Pick<QuestionData, 'options' | 'page'> & { readonly scope?: readonly ScopeStep[] | undefined };

/** The name of an option as a command has it: `notVia` and `not_via` as `not-via`. */
export function flagName(name: string): string {
  return name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The flag of an option, of a step or of a part of a page. */
function flagOf(name: string): string {
  return `--${flagName(name)}`;
}

/** The words behind the program's name, unquoted: command, files, options, scope, page. What is not given, or as usual, has no word. */
export function commandWords(
  { id, options: definitions, subject, compared }: QuestionForm,
  { options = {}, scope = [], page = {} }: Asked,
  { recording, base }: QuestionFiles,
): string[] {
  const subjectOption = definitions.find(({ key }) => key === subject);
  const subjectValue = subjectOption === undefined ? undefined : options[subjectOption.key];
  const [comparison] = compared;
  return [
    ...id.split(' '),
    recording,
    ...(subjectValue === undefined || subjectValue === '' ? [] : [[subjectValue].flat().join(',')]),
    ...(base === undefined ? [] : [flagOf(comparison?.key ?? 'base'), base]),
    ...definitions.flatMap((definition) =>
      definition === subjectOption ? [] : optionWords(definition, options[definition.key]),
    ),
    ...scope.flatMap(stepWords),
    ...pageWords(page),
  ];
}

function optionWords(
  { key, type, unit, cleared, repeats, default: usual }: OptionDefinition,
  value: unknown,
): string[] {
  const flag = flagOf(key);
  if (value === undefined || value === usual || value === '') return [];
  if (cleared !== undefined) return value === false ? [flagOf(`no-${key}`)] : [];
  if (type === 'flag') return value === true ? [flag] : [];
  if (unit === 'ratio' && typeof value === 'number') return [flag, String(Number((value * 100).toPrecision(15)))];
  if (!Array.isArray(value)) return [flag, String(value)];
  if (value.length === 0) return [];
  return repeats === true ? value.flatMap((each) => [flag, String(each)]) : [flag, value.join(',')];
}

/** The words of a step of a scope. A number of frames has none: no command takes it. */
export function stepWords(step: ScopeStep): string[] {
  switch (step.kind) {
    case 'filter':
      return [flagOf('filter'), step.expression];
    case 'at':
      return [flagOf('at'), step.event];
    case 'during':
      return [flagOf('during'), step.events];
    case 'time':
      return [
        flagOf('time'),
        step.words ?? `${timeText(step.from)}..${step.to === undefined ? '' : timeText(step.to)}`,
      ];
    case 'clock':
      return [flagOf('time'), `${step.from ?? ''}..${step.to ?? ''}`];
    case 'state':
      return [flagOf('state'), step.states.join(',')];
    case 'dump':
      return [flagOf('dump'), String(step.number)];
    case 'origin':
      return [flagOf('origin'), step.origins.join(',')];
    case 'view-mode':
      return [flagOf('view-mode'), step.mode];
    case 'process':
      return [flagOf('process'), step.processes];
    case 'depth':
      return [];
    default:
      return [flagOf(step.kind), step.pattern];
  }
}

/** Seconds where they say the time exactly, else nanoseconds. */
function timeText(time: number): string {
  const seconds = String(time / 1e9);
  return /^[\d.]+$/.test(seconds) && Number(seconds) * 1e9 === time ? seconds : `+${Math.round(time)}ns`;
}

function pageWords({ limit, offset = 0, sort }: NonNullable<QuestionData['page']>): string[] {
  return [
    ...(limit === undefined ? [] : [flagOf('limit'), String(limit)]),
    ...(offset === 0 ? [] : [flagOf('offset'), String(offset)]),
    ...(sort === undefined ? [] : [flagOf('sort'), sort]),
  ];
}
