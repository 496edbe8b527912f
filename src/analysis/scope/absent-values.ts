/** Words of a filter that no event has: a scope that selects nothing says so, with the words that events have. */
import { type Note, note } from '../../base/note.js';
import { phrase } from '../../base/phrase.js';
import { formatCount } from '../../base/units.js';
import { fieldText, isTextual } from '../../models/profile/field-values.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import type { ScopeStep } from '../../models/scope.js';
import type { Table } from '../../models/table.js';
import { comparedField, comparisonsOf, fitsComparison } from './filter.js';
import { type Comparison, parseFilter } from './filter-language.js';

/** Words that a note names. */
const MOST_NAMED = 3;

/** A note for each comparison of a `filter` step with a text that no event of the profile has. The profile is the one before the scope. */
export function absentValueNotes(program: Program, profile: Profile, steps: readonly ScopeStep[]): Note[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'filter') return [];
    const expression = { text: step.expression, step: step.kind };
    return comparisonsOf(parseFilter(expression)).flatMap((comparison) => {
      const tables = profile.events.filter((table) => isCompared(table, comparison));
      const context = { program, profile, expression };
      if (tables.length === 0 || tables.some((table) => fitsComparison(context, table, comparison).includes(1)))
        return [];
      const words = frequentWords(program, profile, tables, comparison);
      return words.length === 0 ? [] : [absentValueNote(comparison, words)];
    });
  });
}

/** Whether the table has the field, with texts that are compared as such. */
function isCompared(table: Table, comparison: Comparison): boolean {
  const { kind } = comparison.value;
  const field = kind === 'text' || kind === 'pattern' ? comparedField(table, comparison) : undefined;
  return field !== undefined && isTextual(field) && field.holds !== 'stack';
}

/** The most frequent texts of the field with their numbers of events. */
function frequentWords(
  program: Program,
  profile: Profile,
  tables: readonly Table[],
  comparison: Comparison,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const field = comparedField(table, comparison);
    if (field === undefined) continue;
    const countByValue = new Map<number, number>();
    for (const value of table.columns[field.key] ?? []) countByValue.set(value, (countByValue.get(value) ?? 0) + 1);
    for (const [value, count] of countByValue) {
      const text = fieldText(program, profile, field, value);
      if (text !== null) counts.set(text, (counts.get(text) ?? 0) + count);
    }
  }
  return [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
}

function absentValueNote({ field, value }: Comparison, words: readonly (readonly [string, number])[]): Note {
  const wordTexts = words.slice(0, MOST_NAMED).map(([text, count]) => `${text} (${formatCount(count)})`);
  const rest = words.length > MOST_NAMED ? `, and ${formatCount(words.length - MOST_NAMED)} more` : '';
  const text = value.kind === 'unknown' ? '' : value.text;
  return note('absent-value', phrase`No event has ${text} as ${field}. Events have ${wordTexts.join(', ')}${rest}.`);
}
