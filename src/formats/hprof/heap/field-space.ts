/**
 * Where HotSpot puts the fields of instances since JDK 15: larger ones first, in the smallest gap that the fields of super classes
 * left, else behind them; references last. Source: `fieldLayoutBuilder.cpp`.
 */
import { OBJECT_TYPE } from '../../../models/heap/heap.js';
import { recordedBytes, roundedUp } from '../../../models/heap/values.js';
import { type Contention, PADDING } from './vm-fields.js';

interface Gap {
  readonly at: number;
  readonly bytes: number;
}

/** A field of a class; those that the VM adds have no name. */
export interface SpacedField {
  readonly type: number;
  /** StringId. */
  readonly name?: number;
}

/** The contended fields of a class, group by group, and its other ones. */
export function contendedGroups(
  fields: readonly SpacedField[],
  contention: Contention | undefined,
): { readonly groups: readonly (readonly SpacedField[])[]; readonly rest: readonly SpacedField[] } {
  const groups = (contention?.groups ?? []).map((names) =>
    fields.filter(({ name }) => name !== undefined && names.includes(name)),
  );
  const grouped = new Set(groups.flat());
  return { groups, rest: fields.filter((field) => !grouped.has(field)) };
}

/** The space of the fields of an instance. Immutable: subclasses go on from that of their super class. */
export class FieldSpace {
  readonly end: number;
  readonly #gaps: readonly Gap[];
  /** Whether a class above has contended fields: then fields of subclasses fill no gaps. */
  readonly #isContended: boolean;

  constructor(end: number, gaps: readonly Gap[] = [], isContended = false) {
    this.end = end;
    this.#gaps = gaps;
    this.#isContended = isContended;
  }

  /** The space with the fields of a subclass. `reference`: bytes of a reference. */
  with(fields: readonly SpacedField[], reference: number, contention?: Contention): FieldSpace {
    const room = new Room(this.end, this.#gaps, !this.#isContended);
    const bytesOf = ({ type }: SpacedField): number => recordedBytes(type, reference);
    const add = (some: readonly SpacedField[]): void => {
      const values = some.filter(({ type }) => type !== OBJECT_TYPE).map(bytesOf);
      room.add(values.sort((a, b) => b - a));
      room.add(some.filter(({ type }) => type === OBJECT_TYPE).map(bytesOf));
    };
    const { groups, rest } = contendedGroups(fields, contention);
    if (contention?.whole === true) room.pad();
    add(rest);
    for (const group of groups) {
      room.pad();
      add(group);
    }
    if (contention !== undefined) room.pad();
    return new FieldSpace(room.end, room.gaps, this.#isContended || contention !== undefined);
  }
}

/** Space that is being filled. */
class Room {
  end: number;
  readonly gaps: Gap[];
  #fills: boolean;

  /** `fills`: whether values go into gaps. */
  constructor(end: number, gaps: readonly Gap[], fills: boolean) {
    this.end = end;
    this.gaps = [...gaps];
    this.#fills = fills;
  }

  /** Leaves bytes free. Values behind them fill no gaps, not even those that arise there. */
  pad(): void {
    this.end += PADDING;
    this.#fills = false;
  }

  /** Values of these sizes, which they are aligned to. */
  add(sizes: readonly number[]): void {
    for (const bytes of sizes) {
      const gap = this.#gapFor(bytes);
      if (gap === undefined) {
        const at = roundedUp(this.end, bytes);
        this.#free(this.end, at);
        this.end = at + bytes;
        continue;
      }
      this.gaps.splice(this.gaps.indexOf(gap), 1);
      const at = roundedUp(gap.at, bytes);
      this.#free(gap.at, at);
      this.#free(at + bytes, gap.at + gap.bytes);
    }
  }

  #gapFor(bytes: number): Gap | undefined {
    if (!this.#fills) return undefined;
    let best: Gap | undefined;
    for (const gap of this.gaps)
      if (roundedUp(gap.at, bytes) + bytes <= gap.at + gap.bytes && (best === undefined || gap.bytes < best.bytes))
        best = gap;
    return best;
  }

  #free(start: number, end: number): void {
    if (end > start) this.gaps.push({ at: start, bytes: end - start });
  }
}
