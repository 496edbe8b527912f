/** Which constants of a chunk are read: those that wanted events refer to, through other constants as well. Others are stepped over. */
import type { Metadata, MetaType } from '../chunk/metadata.js';
import { type DecodePlan, KEY, planOf, STRINGS } from '../chunk/plan.js';

/** The fields of constants of a type that are read; undefined for all. */
export type FieldsOfConstants = (type: string) => readonly string[] | undefined;

export class ConstantPlans {
  readonly #metadata: Metadata;
  readonly #fieldsOf: FieldsOfConstants;
  readonly #plans = new Map<number, DecodePlan | undefined>();
  /** Types whose constants are read; undefined if all are. */
  readonly #needed: Set<number> | undefined;

  /** `events`: plans of the wanted events. Without `fieldsOf`, all fields of all constants are read. */
  constructor(metadata: Metadata, events: Iterable<DecodePlan>, fieldsOf?: FieldsOfConstants) {
    this.#metadata = metadata;
    this.#fieldsOf = fieldsOf ?? (() => undefined);
    if (fieldsOf === undefined) return;
    const open = [...events].flatMap(typesOfKeys);
    this.#needed = new Set();
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (this.#needed.has(id)) continue;
      this.#needed.add(id);
      const type = metadata.types.get(id);
      const plan = type && this.of(type);
      if (plan !== undefined) open.push(...typesOfKeys(plan));
    }
  }

  /** Any text may be the key of a pooled string. */
  isNeeded({ id, name }: MetaType): boolean {
    return name === STRINGS || this.#needed?.has(id) !== false;
  }

  /** Undefined if the metadata lack a type. */
  of(type: MetaType): DecodePlan | undefined {
    if (this.#plans.has(type.id)) return this.#plans.get(type.id);
    const fields = this.#fieldsOf(type.name);
    const plan = planOf(this.#metadata, type, fields && { wanted: new Set(fields) });
    this.#plans.set(type.id, plan);
    return plan;
  }
}

function typesOfKeys({ columns, arrays }: DecodePlan): number[] {
  const keys = columns.filter(({ operation }) => operation === KEY).map(({ field }) => field.type);
  return [...keys, ...arrays.flatMap(typesOfKeys)];
}
