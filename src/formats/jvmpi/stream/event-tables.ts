/** The events of one type with all their fields, for listings. */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import type { EventType } from '../../../models/event-types.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import { STACK, THREAD, TIME } from '../../../models/events/shared-fields.js';
import type { Column, Field, Table } from '../../../models/table.js';
import { eventName } from '../document/events.js';
import type { EventContents, EventName, EventOf, VmEvent } from '../document/types.js';
import { EVENT_FIELDS, type StreamField } from './event-fields.js';
import type { StreamPlace } from './kinds.js';
import type { StreamNames } from './names.js';
import { statusText } from './status.js';

const CPU: Field = {
  key: 'cpuTime',
  title: 'CPU time',
  holds: 'number',
  unit: 'ns',
  meaning: 'CPU time that the thread had used',
  wide: true,
  unknown: NONE,
};

const STATUS: Field = {
  key: 'status',
  title: 'Status',
  holds: 'string',
  unit: 'none',
  meaning: 'what the thread was doing, and whether it was suspended or interrupted',
};

/** Fields that all types have; the stack only where it was recorded. */
const COMMON = [
  { name: 'time', label: 'Time', holds: 'number', unit: 'ns' },
  { name: 'thread', label: 'Thread', holds: 'thread', unit: 'none' },
  { name: 'stack', label: 'Stack', holds: 'stack', unit: 'none' },
] as const;

/** The type of an event in listings. `bytes`: of its events in the file. */
export function describeType(name: EventName, count: number, bytes: number): EventType {
  const own = EVENT_FIELDS[name].map(({ key, label, holds, unit }) => ({ name: key, label, holds, unit }));
  return {
    name,
    label: name,
    description: `JVMPI_EVENT_${name}`,
    category: ['JVMPI'],
    count,
    bytes,
    fields: [...COMMON, ...own].map(({ name: key, label, holds, unit }) => ({
      name: key,
      label,
      description: '',
      type: holds,
      unit,
    })),
  };
}

function isOf<Name extends EventName>(name: Name, event: VmEvent): event is EventOf<Name> {
  return eventName(event.event_type) === name;
}

/** Rows of one type of events. */
export class EventRows<Name extends EventName> {
  readonly #name: Name;
  readonly #names: StreamNames;
  readonly #fields: readonly StreamField<Name>[];
  readonly #values: readonly Float64Builder[];
  readonly #time = new Float64Builder(16);
  readonly #thread = new Int32Builder(16);
  readonly #stack = new Int32Builder(16);
  readonly #cpu = new Float64Builder(16);
  readonly #status = new Int32Builder(16);
  #hasStacks = false;
  #hasCpu = false;
  #hasStatus = false;

  constructor(name: Name, names: StreamNames) {
    this.#name = name;
    this.#names = names;
    this.#fields = EVENT_FIELDS[name];
    this.#values = this.#fields.map(() => new Float64Builder(16));
  }

  add(event: VmEvent, { thread, stack, time }: StreamPlace): void {
    if (!isOf(this.#name, event)) return;
    this.#time.push(time);
    this.#thread.push(thread);
    this.#stack.push(stack);
    this.#cpu.push(event.moment?.cpu_time ?? NONE);
    this.#hasStacks ||= stack >= 0;
    this.#hasCpu ||= event.moment?.cpu_time !== undefined;
    const status = event.moment?.status;
    this.#status.push(status === undefined ? NONE : this.#names.text(statusText(status)));
    this.#hasStatus ||= status !== undefined;
    this.#content(event.u);
  }

  #content(content: EventContents[Name]): void {
    this.#fields.forEach(({ of }, place) => {
      this.#values[place]?.push(of(content, this.#names));
    });
  }

  finish(): Table {
    const columns: Record<string, Column> = {
      [TIME.key]: this.#time.finish(),
      [THREAD.key]: this.#thread.finish(),
      ...(this.#hasStacks && { [STACK.key]: this.#stack.finish() }),
      ...(this.#hasCpu && { [CPU.key]: this.#cpu.finish() }),
      ...(this.#hasStatus && { [STATUS.key]: this.#status.finish() }),
    };
    this.#fields.forEach(({ key, holds }, place) => {
      const values = this.#values[place]?.finish() ?? new Float64Array(0);
      if (holds === 'class') columns[key] = Int32Array.from(values, (id) => this.#names.class(id));
      else if (holds === 'function') columns[key] = Int32Array.from(values, (id) => this.#names.function(id));
      else columns[key] = holds === 'number' ? values : Int32Array.from(values);
    });
    const own = this.#fields.map(
      ({ key, label, holds, unit }): Field => ({
        key,
        title: label,
        holds,
        unit,
        meaning: '',
        ...(holds === 'number' && { wide: true }),
      }),
    );
    const all: Field[] = [TIME, THREAD, STACK, CPU, STATUS, ...own];
    const fields = all.filter(({ key }) => columns[key] !== undefined);
    return defineEvents(this.#name, this.#name, fields).table(columns);
  }
}
