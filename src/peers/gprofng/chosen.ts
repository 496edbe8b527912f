/** Functions that commands name. */

import { plainPath } from '../../session/together/marked-path.js';
import { functionOf, functionsNamed } from './code/named.js';
import { TOTAL } from './peer/peer-program.js';
import type { Printer } from './print.js';
import type { ChosenFunction } from './state.js';

export const NOT_USED = -2;

/** The function of a name, or the one of several with a number; undefined, and a message, if there is none. */
export async function functionNamed(
  printer: Printer,
  name: string,
  number: string | undefined,
): Promise<ChosenFunction | undefined> {
  if (name === TOTAL.name) return { id: -1, name };
  const choices = await candidates(printer, name);
  if (choices.length > 1 && number === undefined) {
    const lines = choices.map((each, i) => `${String(i + 1).padStart(8)}) ${each.name} ${each.where}`);
    printer.note(['Available name list:', `${'0'.padStart(8)}) Cancel`, ...lines].join('\n'));
    return undefined;
  }
  const chosen = choices[Number(number ?? 1) - 1] ?? (choices.length === 1 ? choices[0] : undefined);
  if (chosen === undefined) printer.note(`Error: No function with given name \`${name}' found.`);
  return chosen;
}

async function candidates(
  { experiment }: Printer,
  name: string,
): Promise<(ChosenFunction & { readonly where: string })[]> {
  const { functions } = experiment;
  const codes = await functionsNamed(experiment, name);
  const withCode = codes.map((each) => {
    const of = functionOf(experiment, each.object, each.function);
    const where = `${plainPath(each.object)}:0x${each.function.start.toString(16)}`;
    const id = of === undefined ? NOT_USED : functions.indexOf(of);
    return { id, name: of?.name ?? each.function.name, where };
  });
  const ids = new Set(withCode.map(({ id }) => id));
  const others = functions.flatMap((each, id) =>
    (each.name === name || each.short === name) && !ids.has(id)
      ? [{ id, name: each.name, where: plainPath(each.path ?? each.pseudoPath ?? '') }]
      : [],
  );
  return [...withCode, ...others];
}
