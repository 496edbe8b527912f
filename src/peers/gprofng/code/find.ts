/** Finds the code of a function, or of a source file, by its name as gprofng does. */

import { plainPath } from '../../../session/together/marked-path.js';
import type { Experiment } from '../peer/experiment.js';
import { baseName, type CodeFunction, type CodeUnit } from './model.js';
import { functionsNamed, unitsOf } from './named.js';

/** What is meant by a name. */
export interface NamedCode {
  /** Path of the load object. */
  readonly object: string;
  readonly unit: CodeUnit | undefined;
  /** Undefined if a file is meant. */
  readonly function: CodeFunction | undefined;
}

/** The code of a name; `number` chooses among several. */
export async function findCode(
  experiment: Experiment,
  name: string,
  number: string | undefined,
): Promise<NamedCode | { readonly error: string }> {
  const named = await functionsNamed(experiment, name);
  const wanted = Number(number ?? (named.length > 1 ? 0 : 1));
  if (named.length > 1 && !(wanted >= 1 && wanted <= named.length)) return { error: choice(named) };
  const found = named[wanted - 1] ?? named[0];
  if (found !== undefined) return found;
  for (const unit of await unitsOf(experiment))
    if (unit.source === name || baseName(unit.source) === name)
      return { object: unit.object, unit, function: undefined };
  return { error: `Error: No function or file with given name \`${name}' found.\n` };
}

function choice(named: readonly NamedCode[]): string {
  const lines = named.map(({ object, unit, function: of }, i) => {
    const at = `${plainPath(object)}:0x${(of?.start ?? 0).toString(16)}`;
    const file = unit?.source === undefined ? '' : ` (${unit.source})`;
    return `${String(i + 1).padStart(8)}) ${of?.name ?? ''} ${at}${file}\n`;
  });
  return `Available name list:\n${'0'.padStart(8)}) Cancel\n${lines.join('')}`;
}
