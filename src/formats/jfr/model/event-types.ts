/** The event types of all chunks: types of one name are one, with the fields of the last one that has events. */
import { note } from '../../../base/note.js';
import type { EventType, EventTypeField } from '../../../models/event-types.js';
import { unitOf } from '../chunk/chunk-data.js';
import type { ChunkData } from '../chunk/chunk-options.js';
import type { MetaField, MetaType } from '../chunk/metadata.js';

export class EventTypes {
  readonly #types = new Map<string, EventType>();

  add({ counts, types }: ChunkData): void {
    for (const { type, count, bytes } of counts) {
      const known = this.#types.get(type.name);
      const described = known !== undefined && count === 0 ? known : describe(type, types);
      const sums = { count: (known?.count ?? 0) + count, bytes: (known?.bytes ?? 0) + bytes };
      this.#types.set(type.name, { ...described, ...sums });
    }
  }

  finish(): readonly EventType[] {
    return [...this.#types.values()];
  }
}

/** By type and field. */
const REMARKS: ReadonlyMap<string, Pick<EventTypeField, 'remark'>> = new Map([
  [
    'jdk.ObjectAllocationSample weight',
    {
      remark: note(
        'recorded-weights',
        'Weights are those of the file: that of the first sample of a thread that is older than the recording covers the time before it, too. Allocated bytes of other views leave it out.',
      ),
    },
  ],
]);

function describe(
  { name, label, description, category, fields }: MetaType,
  types: ReadonlyMap<number, MetaType>,
): EventType {
  return {
    name,
    label,
    description,
    category,
    count: 0,
    bytes: 0,
    fields: fields.map((field) => ({ ...describeField(field, types), ...REMARKS.get(`${name} ${field.name}`) })),
  };
}

function describeField(field: MetaField, types: ReadonlyMap<number, MetaType>): EventTypeField {
  const { name, label, description, type, array } = field;
  return {
    name,
    label,
    description,
    type: `${types.get(type)?.name ?? `type ${type}`}${array ? '[]' : ''}`,
    unit: unitOf(field),
  };
}
