import { usingPattern } from '../../base/parsing/pattern.js';

/** Whether a name matches `--match`; all do without. Throws `UsageError` for a text that is no regular expression. */
export function nameFilter(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const expression = usingPattern(`not a regular expression: ${pattern}`, () => new RegExp(pattern, 'u'));
  return (name) => expression.test(name);
}
