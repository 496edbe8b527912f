/** Names of classes as JFR spells them → `Class.getName()`. */
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import { toBinaryName } from '../../../models/program/binary-name.js';

/** HotSpot appends the identity hash of a hidden class: `A$$Lambda$1+0x0800/1234`. */
const IDENTITY = /([.+/]0x[0-9a-f]+)\/\d+$/;
/** async-profiler has a dot before the address of a hidden class. */
const DOTTED_ADDRESS = /\.(?=0x[0-9a-f]+$)/;

export function className(recorded: string): string {
  if (recorded === '') return '<unknown>';
  const bytes = encodeUtf8(recorded.replace(IDENTITY, '$1').replace(DOTTED_ADDRESS, '+'));
  toBinaryName(bytes, bytes.length);
  return decodeUtf8(bytes, 0, bytes.length);
}
