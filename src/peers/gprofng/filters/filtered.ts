/** An experiment with some of its events: those that an expression and the chosen threads, CPUs and samples leave. */
import { eventEnds } from '../../../analysis/index-objects/event-values.js';
import { spanAt } from '../../../analysis/processes/usage.js';
import { usingPattern } from '../../../base/parsing/pattern.js';
import type { EventFacts } from '../../../formats/experiment/index.js';
import { openedRecording } from '../../../models/open-recording.js';
import type { Profile } from '../../../models/profile/profile.js';
import { selectRows, type Table } from '../../../models/table.js';
import { sessionOfOpen } from '../../../session/session.js';
import { javaThreads } from '../facts/java-threads.js';
import { nameIn } from '../functions.js';
import { INDEX_TYPES } from '../index-objects.js';
import { factsOf, PACKETS, processorOf } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { selectedRows } from '../several/descendants.js';
import type { PrintState } from '../state.js';
import { folded, type Names, type Values } from './evaluate.js';
import { passes } from './fast.js';
import { type Matcher, parseExpression } from './language.js';
import { isProperty, numberOfFunction, numberOfThread, TableProperties } from './properties.js';
import { type EventFilter, isSelected, type Selections } from './selections.js';

/** What an expression can name in an experiment, with the names of functions as they are shown. */
export function namesIn(
  { functions, processes, strict }: Experiment,
  state: Pick<PrintState, 'names' | 'indexTypes'>,
): Names {
  const numbersOf = (of: Matcher, fits: (name: string) => boolean): bigint[] => {
    if (of === 'FNAME')
      return functions.flatMap((each, id) => (fits(nameIn(state, each)) ? [numberOfFunction(id)] : []));
    if (of !== 'JGROUP' && of !== 'JPARENT') return [];
    const name = of === 'JGROUP' ? 'grpname' : 'prntname';
    return processes.flatMap((process) =>
      javaThreads(process).flatMap((thread, i) =>
        fits(thread.get(name) ?? '') ? [numberOfThread(process.id, i + 1)] : [],
      ),
    );
  };
  return {
    isProperty,
    definition: (name) => {
      const type = [...INDEX_TYPES, ...state.indexTypes].find((each) => each.name.toUpperCase() === name);
      return type && parseExpression(type.formula, strict);
    },
    matches: (of, pattern): Values => {
      const whole = wholeName(pattern, strict);
      const found = whole === undefined ? [] : numbersOf(of, (name) => whole.test(name));
      // Lists of gprofng begin with the last one.
      return found.length === 0 ? [0n] : found.reverse();
    },
  };
}

/** The pattern of a whole name; `strict`: undefined if it is none, as in gprofng, else an error. */
function wholeName(pattern: string, strict: boolean): RegExp | undefined {
  try {
    return usingPattern(`not a regular expression: ${pattern}`, () => new RegExp(`^(?:${pattern})$`, 'u'));
  } catch (error) {
    if (strict) return undefined;
    throw error;
  }
}

/** The experiment with the events that pass. `profile`: its events with the stacks of the current view mode. Close the whole one only. */
export function filteredExperiment(
  experiment: Experiment,
  profile: Profile,
  state: Pick<PrintState, 'names' | 'indexTypes'>,
  { expression, selections }: EventFilter,
): Experiment {
  const filter = expression && folded(expression, namesIn(experiment, state), experiment.strict);
  const width = experiment.strict ? 'unsigned' : 'signed';
  const events = new Map(experiment.details.events);
  const rows = new Map(experiment.chosenOf?.rows);
  const processes = new Map(experiment.processes.map((process) => [process.index, process]));
  const tables = experiment.profile.events.map((table) => {
    const facts = factsOf(experiment.details, table.kind);
    const shown = profile.events.find(({ kind }) => kind === table.kind);
    if (facts === undefined || shown === undefined) return table;
    const properties = new TableProperties({ experiment, profile, table: shown, facts });
    const isLeft = filter === undefined ? () => true : passes(filter, properties, width);
    const isIn = isWhole(selections) ? () => true : (row: number) => isChosen(selections, processes, table, facts, row);
    const kept = new Int32Array(table.length);
    let count = 0;
    for (let row = 0; row < table.length; row++) if (isIn(row) && isLeft(row)) kept[count++] = row;
    if (count === table.length) return table;
    const before = rows.get(table.kind);
    rows.set(table.kind, before === undefined ? kept.slice(0, count) : kept.slice(0, count).map((row) => before[row]));
    events.set(PACKETS[table.kind] ?? -1, selectedRows(facts, kept.subarray(0, count)));
    return selectRows(table, kept.slice(0, count));
  });
  const own = { ...experiment.profile, events: tables };
  const [recording] = experiment.session.recordings;
  if (recording === undefined) throw new Error('an experiment without a recording');
  const { open } = experiment;
  const session = sessionOfOpen([openedRecording({ ...recording, profile: own }, open && { files: { copyOf: open } })]);
  const details = { ...experiment.details, events };
  const chosenOf = { whole: experiment.chosenOf?.whole ?? experiment, rows };
  return { ...experiment, session, profile: own, details, chosenOf, get: (use) => session.derived.get(use) };
}

function isWhole(selections: Selections): boolean {
  return Object.keys(selections).length === 0;
}

function isChosen(
  { thread, lwp, cpu, sample }: Selections,
  processes: ReadonlyMap<number, PrintedProcess>,
  table: Table,
  facts: EventFacts,
  row: number,
): boolean {
  const process = processes.get(facts.process[row]);
  if (process === undefined) return true;
  const { id } = process;
  if (!isSelected(thread, id, facts.thread[row]) || !isSelected(lwp, id, facts.lwp[row])) return false;
  if (!isSelected(cpu, id, processorOf(table)(row))) return false;
  if (sample === undefined) return true;
  const number = spanAt(process.samples, eventEnds(table)[row] - process.shift);
  return number > 0 ? isSelected(sample, id, number) : !sample.has(id);
}
