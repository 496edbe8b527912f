/** `dstacks`: the tree of call stacks of each process. Nodes are numbers of ours; gprofng has addresses in its memory. */
import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import { bciOf } from '../../../models/program/places.js';
import { columnOf } from '../../../models/table.js';
import type { CodePlace } from '../code/places.js';
import { codePlaces, lineName, unmappedAddress } from '../code/places.js';
import { hex } from '../numbers.js';
import { factsOf } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { DYNAMIC_FUNCTIONS } from '../peer/generated.js';
import { hasRegions, IMPLICIT_REGION, regionName, regionStacks } from '../regions.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { stackPath } from './stack-text.js';

/** `isRead`: whether values were asked for before, without which gprofng has only the root and the parallel regions of OpenMP. */
export async function stacksText(asked: Asked, state: PrintState, isRead: boolean): Promise<string> {
  const { experiment } = asked;
  const profile = await asked.profile();
  const places = hasRegions(experiment) ? await codePlaces(experiment) : [];
  let first = 1;
  const trees = experiment.processes.map((process, i) => {
    const nodes = new Nodes(first);
    if (hasRegions(experiment)) addRegions(nodes, asked, state, places);
    if (isRead) addStacks(nodes, experiment, profile, process);
    first = nodes.end;
    return `Experiment ${i} -- ${process.name}\n${nodes.text()}`;
  });
  return trees.join('');
}

/** The lines of a tree, in the order in which nodes were added. */
class Nodes {
  /** The number of the root. */
  readonly root: number;
  readonly #lines: string[] = [];

  constructor(root: number) {
    this.root = root;
    this.add(0, '0000000100000000', 'I', '<Total>');
  }

  /** The number of the next node. */
  get end(): number {
    return this.root + this.#lines.length;
  }

  /** Adds a node below another one; its number. `place`: 16 digits. */
  add(above: number, place: string, kind: 'I' | 'O', name: string): number {
    const number = this.end;
    this.#lines.push(`node: ${hex(number, 16)} anc: ${hex(above, 16)} -- 0x${place}:  ${kind} ${name}\n`);
    return number;
  }

  text(): string {
    return `CallStack: nodes = ${this.#lines.length}\n\n${this.#lines.join('')}md = 0, mw = 0\n`;
  }
}

/** Lines of sources have a mark of their own. */
const LINE_MARK = 0x0an << 56n;

/** The parallel regions of OpenMP, each below the one around it. */
function addRegions(nodes: Nodes, asked: Asked, state: PrintState, places: readonly CodePlace[]): void {
  const { stacks } = asked.experiment.profile;
  const implicit = nodes.add(nodes.root, '0'.repeat(16), 'O', IMPLICIT_REGION);
  const numbers = new Map<number, number>();
  const files: (string | undefined)[] = [];
  for (const leaf of regionStacks(asked.experiment))
    for (const stack of stackPath(stacks, leaf).reverse()) {
      if (numbers.has(stack)) continue;
      const { file, line = 0 } = places[stacks.location[stack]] ?? {};
      if (!files.includes(file)) files.push(file);
      const place = LINE_MARK | (BigInt(files.indexOf(file) + 1) << 32n) | BigInt(Math.max(0, line));
      const name = regionName(lineName(asked, state, stacks.location[stack], places));
      const above = numbers.get(stacks.parent[stack]) ?? implicit;
      numbers.set(stack, nodes.add(above, digits(place), 'O', name));
    }
}

function addStacks(nodes: Nodes, experiment: Experiment, profile: Profile, process: PrintedProcess): void {
  const { parent, location } = profile.stacks;
  const used = stacksOf(experiment, profile, process);
  const numbers = new Int32Array(used.length);
  for (let id = 0; id < used.length; id++) {
    if (used[id] === 0) continue;
    const above = parent[id] < 0 ? nodes.root : numbers[parent[id]];
    const name = experiment.functions[experiment.program.locations.function[location[id]]]?.name ?? '';
    numbers[id] = nodes.add(above, placeText(experiment, location[id]), 'I', name);
  }
}

function digits(place: bigint): string {
  return place.toString(16).toUpperCase().padStart(16, '0');
}

/** 1 for the stacks of a process, and for those that they go on from. */
function stacksOf({ details }: Experiment, { stacks, events }: Profile, { index }: PrintedProcess): Uint8Array {
  const used = new Uint8Array(stacks.length);
  for (const table of events) {
    const [facts, own] = [factsOf(details, table.kind), columnOf(table, STACK)];
    for (let row = 0; row < table.length; row++)
      for (
        let id = own?.[row] ?? -1;
        id >= 0 && used[id] === 0 && facts?.process[row] === index;
        id = stacks.parent[id]
      )
        used[id] = 1;
  }
  return used;
}

/** The number of the load object, then the offset in it: 16 digits; the address where nothing was mapped. */
function placeText(experiment: Experiment, id: number): string {
  const { program, functions } = experiment;
  const { function: of, offset } = program.locations;
  const { object = 0, start = 0, java, path } = functions[of[id]] ?? {};
  const bci = java === undefined ? 0 : Math.max(0, bciOf(program, id));
  const isMoved = java !== undefined || path === DYNAMIC_FUNCTIONS;
  const at = Math.max(0, offset?.[id] ?? 0) + bci + (isMoved ? start : 0);
  const place = (BigInt(object) << 32n) + BigInt(at);
  return unmappedAddress(experiment, id) ?? digits(place);
}
