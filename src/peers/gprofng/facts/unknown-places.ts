/** `dunkpc`: the places of stacks whose functions are unknown. */
import { bciOf } from '../../../models/program/places.js';
import { refusalOf } from '../../../models/program/program.js';
import { unmappedAddress } from '../code/places.js';
import { hex } from '../numbers.js';
import type { Experiment } from '../peer/experiment.js';

const UNKNOWN = '<Unknown>';
const REFUSED = '<no Java callstack recorded>';

/** `isRead`: whether another command needed values before, without which gprofng knows no place. */
export function unknownPlaces(experiment: Experiment, isRead: boolean): string {
  const { program, functions, profile } = experiment;
  const used = isRead ? [...new Set(profile.stacks.location)].sort((a, b) => a - b) : [];
  const nameOf = (id: number): string | undefined => functions[program.locations.function[id]]?.name;
  const unknown = used.flatMap((id) => (nameOf(id) === UNKNOWN ? (unmappedAddress(experiment, id) ?? []) : []));
  const codes = used.flatMap((id) => (nameOf(id) === REFUSED ? (refusalOf(bciOf(program, id))?.code ?? []) : []));
  const none = isRead && functions.some(({ name }) => name === REFUSED);
  // The last ones are the first in the JVM's own order.
  const refused = codes.sort((a, b) => b - a).map((code) => hex(code >>> 0, 8));
  return [
    unknown.length > 0
      ? unknown.map((address) => `0x${address} -- I ${UNKNOWN}\n`).join('')
      : `No nodes associated with ${UNKNOWN}\n`,
    refused.length > 0
      ? refused.map((code) => `${code} -- I ${REFUSED}\n`).join('')
      : none
        ? `No nodes associated with ${REFUSED}\n`
        : `No ${REFUSED} functions found\n`,
  ].join('');
}
