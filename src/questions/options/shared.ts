/** Options that several questions have. */
import { z } from 'zod';
import { count, flag, optionalText, text } from './option.js';

export const METRIC = optionalText('Metric', 'metric to show', {
  value: 'id',
  usual: 'the usual one; summary lists them',
});
export const ERROR = flag('Error', '95 % intervals of sampled numbers');
export const DURATIONS = flag(
  'Durations',
  'number, longest and percentiles of the durations of single events, such as waits',
);
export const IDS = flag(
  'Ids',
  'add numbers of the file: of functions, types and contexts; "#4669" names the one with this number',
);
export const INVERTED = flag('Inverted', 'bottom-up: functions first, their callers below');
export const DEPTH = count(0, 'Depth', 'number of levels; 0 for all', 'levels');
export const CLASS = optionalText('Class', 'only classes with a matching name', { value: 'regex' });
export const METHOD = text('Method', 'name, Class.method, method filter or regular expression', 'method');

/** The rows of methods of a program. */
export const GROUPINGS = ['package', 'class', 'module', 'method'] as const;
export type MethodGrouping = (typeof GROUPINGS)[number];

/** Options of a question that has none. */
export const NO_OPTIONS = z.object({});
