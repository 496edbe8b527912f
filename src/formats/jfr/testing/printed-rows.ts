/** The rows of all events of a recording as texts, whatever numbers its names, stacks and threads have: equal recordings have equal texts. */
import { stringAt } from '../../../base/text.js';
import { type Profile, threadName } from '../../../models/profile/profile.js';
import { className, functionName } from '../../../models/program/names.js';
import { bciOf, lineOf } from '../../../models/program/places.js';
import type { Program } from '../../../models/program/program.js';
import { column, type FieldMeaning } from '../../../models/table.js';

/** In the order of their texts. */
export function printedRows(program: Program, profile: Profile): readonly string[] {
  const texts = profile.events.flatMap((table) =>
    Array.from({ length: table.length }, (_, row) => {
      const cells = table.fields.map(({ key, holds }) => {
        const value = column(table, key)[row] ?? Number.NaN;
        return `${key}=${printedValue(program, profile, holds, value)}`;
      });
      return `${table.kind} ${cells.sort().join(' ')}`;
    }),
  );
  return texts.sort();
}

function printedValue(program: Program, profile: Profile, holds: FieldMeaning, value: number): string {
  if (holds === 'number' || holds === 'row' || value < 0) return String(value);
  if (holds === 'string') return stringAt(program.names, value);
  if (holds === 'class') return className(program, value);
  if (holds === 'function') return functionName(program, value);
  if (holds === 'thread') return threadName(profile, program, value) ?? '';
  const { parent, location, ending } = profile.stacks;
  let text = `ending ${ending[value]}`;
  for (let stack = value; stack >= 0; stack = parent[stack]) {
    const place = location[stack];
    const name = functionName(program, program.locations.function[place]);
    text += ` < ${name}:${lineOf(program, place)}:${bciOf(program, place)}:${program.locations.mode?.[place] ?? 0}`;
  }
  return text;
}
