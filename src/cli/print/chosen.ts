/** Functions that commands name. */
import type { Printer } from './print.js';

/** The number of the function of a name, or of one of several by their number; undefined, and a message, if there is none. */
export function functionNamed(printer: Printer, name: string, number: string | undefined): number | undefined {
  const { functions } = printer.experiment;
  const found = functions.flatMap((each, id) => (each.name === name || each.short === name ? [id] : []));
  const wanted = number === undefined ? 1 : Number(number);
  if (found.length > 1 && number === undefined) {
    const lines = found.map((id, i) => {
      const of = functions[id];
      return `${String(i + 1).padStart(8)}) ${of?.name ?? ''} ${of?.path ?? ''}:0x${(of?.start ?? 0).toString(16)}`;
    });
    printer.note(['Available name list:', `${'0'.padStart(8)}) Cancel`, ...lines].join('\n'));
    return undefined;
  }
  const chosen = found[wanted - 1] ?? (found.length === 1 ? found[0] : undefined);
  if (chosen === undefined) printer.note(`Error: No function with given name \`${name}' found.`);
  return chosen;
}
