/** The commands that choose events: `filters`, and those that select threads, lightweight processes, CPUs and samples. */
import { UsageError } from '../../../base/errors.js';
import { INDEX_TYPES } from '../index-objects.js';
import { distinctList, sampleList } from '../lists.js';
import type { Experiment } from '../peer/experiment.js';
import type { Printer } from '../print.js';
import type { PrintState } from '../state.js';
import { definedType } from './defined-types.js';
import { folded, unknownNames } from './evaluate.js';
import { namesIn } from './filtered.js';
import { type Expression, ExpressionError, parseExpression } from './language.js';
import { parseSelection, type Selected } from './selections.js';

/** Chooses events by an expression, and says which one holds. */
export async function changeFilter(printer: Printer, text: string): Promise<void> {
  const { state, recorded } = printer;
  const found = readExpression(state, recorded, text);
  if (typeof found !== 'string') {
    // An invalid pattern throws before anything changes.
    await printer.choose({ ...state.filter, text, expression: found });
  } else if (!recorded.strict) throw new UsageError(`filters ${text}`, found);
  else printer.note(`Error: Invalid filter specification \`${text}'\n`);
  await printer.out(`current filter setting: "${state.filter.text}"\n`);
}

/** The expression, or why it is none. */
function readExpression(state: PrintState, recorded: Experiment, text: string): Expression | string {
  try {
    const expression = parseExpression(text, recorded.strict);
    const [unknown] = unknownNames(expression, namesIn(recorded, state));
    if (unknown === undefined) return expression;
    return `Character ${unknown.at + 1}: ${unknown.name} is not a property; describe lists them.`;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return `Character ${error.at + 1}: expected ${error.message}.`;
  }
}

/** Defines a type of index objects by an expression. */
export function defineType(printer: Printer, name: string, text: string): void {
  const { state, recorded } = printer;
  const expression = nameFault(state, name) ?? readExpression(state, recorded, text);
  if (typeof expression === 'string') {
    if (!recorded.strict) throw new UsageError(`indxobj_define ${name} ${text}`, expression);
    const why = nameFault(state, name) ?? `Index Object index expression is invalid: ${text}`;
    printer.note(`indxobj_define for ${name} failed: ${why}`);
    return;
  }
  const type = definedType(name, text, folded(expression, namesIn(recorded, state), recorded.strict));
  state.indexTypes = [...state.indexTypes, type];
}

/** Why a type cannot have a name. */
function nameFault({ indexTypes }: PrintState, name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return `Index Object type name ${name} does not begin with an alphabetic character`;
  if (!/^\w+$/.test(name)) return `Index Object type name ${name} contains a non-alphanumeric character`;
  const isKnown = [...INDEX_TYPES, ...indexTypes].some((each) => each.name.toLowerCase() === name.toLowerCase());
  return isKnown ? `Memory/Index Object type name ${name} is already defined` : undefined;
}

/** Chooses threads, lightweight processes, CPUs or samples, and lists them. */
export async function changeSelection(printer: Printer, of: Selected, text: string): Promise<void> {
  const { state, recorded } = printer;
  const selection = parseSelection(
    text,
    recorded.processes.map(({ id }) => id),
  );
  await printer.choose({ ...state.filter, selections: { ...state.filter.selections, [of]: selection } });
  if (recorded.strict && !state.hasRead) state.blind.add(of);
  else state.blind.delete(of);
  state.hasRead = true;
  const isBlind = state.blind.has(of);
  await printer.out(
    of === 'sample' ? sampleList(recorded, selection) : distinctList(recorded, of, { selection, isBlind }),
  );
}
