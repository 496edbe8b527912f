/**
 * Which layout a file of OTLP profiles has. Three share the name `v1development` and parse as each other without an error:
 *
 *   1.7          samples point into the profile's list of locations; several types of values a profile
 *   1.8 – 1.9    stack = 1, values = 2, attributes = 3, link = 4, timestamps = 5
 *   1.10 – 1.11  stack = 1, attributes = 2, link = 3, values = 4, timestamps = 5
 *
 * A list is written packed, a link is a single number: so the wire types of fields 3 and 4 tell the last two apart. Where no sample has either,
 * field 2 is a list of values or of attributes: as many values as timestamps, or attributes that the dictionary has.
 */
import { FIXED64, LENGTH, VARINT, WireReader } from '../shared/protobuf/wire.js';

export const LAYOUTS = ['1.7', '1.8–1.9', '1.10–1.11'] as const;
export type OtlpLayout = (typeof LAYOUTS)[number];

/** What was seen of all samples of a file. */
export class LayoutEvidence {
  /** Profiles whose field 3 is a list of locations, as in 1.7; and a time of 8 bytes, as later. */
  listsOfLocations = 0;
  times = 0;
  /** Samples by the wire type of their fields 3 and 4. */
  readonly #packed = [0, 0, 0, 0, 0];
  readonly #single = [0, 0, 0, 0, 0];
  /** Numbers of field 2 in samples without fields 3 and 4: whether they may be values, and attributes. */
  #maybeValues = true;
  #maybeAttributes = true;
  readonly #inner = new WireReader();
  readonly #attributes: number;

  /** `attributes`: how many the dictionary has. */
  constructor(attributes: number) {
    this.#attributes = attributes;
  }

  /** A field of a profile that is none of its samples. */
  profileField(field: number, wire: number): void {
    if (field === 3 && wire === LENGTH) this.listsOfLocations++;
    if (field === 3 && wire === FIXED64) this.times++;
  }

  sample(bytes: Uint8Array, start: number, end: number): void {
    const reader = this.#inner.set(bytes, start, end);
    const second: number[] = [];
    let [timestamps, hasMore] = [0, false];
    const lists: { start: number; stop: number }[] = [];
    while (reader.next()) {
      const { field, wire } = reader;
      if (field === 3 || field === 4) {
        hasMore = true;
        if (wire === LENGTH) this.#packed[field]++;
        if (wire === VARINT) this.#single[field]++;
      } else if (field === 2 && wire === VARINT) second.push(reader.unsigned);
      else if (field === 2 && wire === LENGTH) lists.push({ start: reader.start, stop: reader.stop });
      else if (field === 5) timestamps += wire === LENGTH ? (reader.stop - reader.start) / 8 : 1;
    }
    for (const { start: first, stop } of lists) {
      reader.set(bytes, first, stop);
      while (reader.at < reader.end && reader.varint()) second.push(reader.unsigned);
    }
    if (hasMore || second.length === 0) return;
    if (second.length !== Math.max(1, timestamps)) this.#maybeValues = false;
    if (second.some((row) => row >= this.#attributes || row === 0)) this.#maybeAttributes = false;
  }

  /** The layout, and whether others fit as well. `stacks` and `units`: messages of field 7 of the dictionary. */
  decide(stacks: number, units: number): { readonly layout: OtlpLayout; readonly isCertain: boolean } {
    if (this.listsOfLocations > this.times || (stacks === 0 && (units > 0 || this.times === 0)))
      return { layout: '1.7', isCertain: this.listsOfLocations > 0 || units > 0 };
    const older = (this.#packed[3] ?? 0) + (this.#single[4] ?? 0);
    const newer = (this.#packed[4] ?? 0) + (this.#single[3] ?? 0);
    if (older !== newer)
      return { layout: older > newer ? '1.8–1.9' : '1.10–1.11', isCertain: older === 0 || newer === 0 };
    if (this.#maybeAttributes !== this.#maybeValues)
      return { layout: this.#maybeValues ? '1.8–1.9' : '1.10–1.11', isCertain: older === 0 };
    return { layout: this.#maybeAttributes ? '1.10–1.11' : '1.8–1.9', isCertain: false };
  }
}
