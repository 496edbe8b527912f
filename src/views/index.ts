/** All views by name. A new one is added here and nowhere else. */
import type { z } from 'zod';
import { functionsView } from './functions.js';

export const VIEWS = {
  functions: functionsView,
} as const;

export type ViewName = keyof typeof VIEWS;
export type OptionsOf<Name extends ViewName> = z.input<(typeof VIEWS)[Name]['options']>;
export type ResultOf<Name extends ViewName> = z.output<(typeof VIEWS)[Name]['result']>;
