/** `dstacks`: the tree of call stacks of each process. Nodes are numbers of ours; gprofng has addresses in its memory. */
import { STACK } from '../../../models/events/shared-fields.js';
import type { Profile } from '../../../models/profile/profile.js';
import { bciOf } from '../../../models/program/places.js';
import { columnOf } from '../../../models/table.js';
import { unmappedAddress } from '../code/places.js';
import { hex } from '../numbers.js';
import { factsOf } from '../peer/event-columns.js';
import type { Experiment, PrintedProcess } from '../peer/experiment.js';
import { DYNAMIC_FUNCTIONS } from '../peer/generated.js';
import type { Asked } from '../values.js';

/** `isRead`: whether values were asked for before, without which gprofng has only the root. */
export async function stacksText(asked: Asked, isRead: boolean): Promise<string> {
  const { experiment } = asked;
  const profile = await asked.profile();
  return experiment.processes
    .map((process, i) => `Experiment ${i} -- ${process.name}\n${treeText(experiment, profile, isRead && process)}`)
    .join('');
}

function treeText(experiment: Experiment, profile: Profile, process: PrintedProcess | false): string {
  const { parent, location } = profile.stacks;
  const used = process === false ? new Uint8Array() : stacksOf(experiment, profile, process);
  const numbers = new Int32Array(used.length);
  const nodes = [`node: ${hex(1, 16)} anc: ${hex(0, 16)} -- 0x0000000100000000:  I <Total>\n`];
  for (let id = 0; id < used.length; id++) {
    if (used[id] === 0) continue;
    const above = parent[id] < 0 ? 1 : numbers[parent[id]];
    const name = experiment.functions[experiment.program.locations.function[location[id]]]?.name ?? '';
    const place = placeText(experiment, location[id]);
    numbers[id] = nodes.push(`node: ${hex(nodes.length + 1, 16)} anc: ${hex(above, 16)} -- 0x${place}:  I ${name}\n`);
  }
  return `CallStack: nodes = ${nodes.length}\n\n${nodes.join('')}md = 0, mw = 0\n`;
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
  return unmappedAddress(experiment, id) ?? place.toString(16).toUpperCase().padStart(16, '0');
}
