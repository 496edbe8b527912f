/** Agents as people write them today: handlers by the name of their event, in place of one NotifyEvent with a switch. */
import type { EventContents, EventMoment, EventName, JNIEnv } from '../../formats/jvmpi/document/index.js';
import {
  EVENTS,
  eventKind,
  eventName,
  JNI_ERR,
  JNI_OK,
  type JVMPI_Event,
  JVMPI_REQUESTED_EVENT,
  JVMPI_SUCCESS,
  JVMPI_VERSION_1_2,
} from '../../formats/jvmpi/document/index.js';
import type { AgentModule, EnvBox, EventWants, JVMPI_Interface } from './interface.js';

/** Where an event happened. */
export interface EventPlace {
  readonly env_id: JNIEnv;
  readonly requested: boolean;
  readonly moment?: EventMoment | undefined;
}

/** The structure of an event's contents; an empty object if it has none. */
type Content<Name extends EventName> =
  EventContents[Name] extends Readonly<Record<string, never>>
    ? Readonly<Record<string, never>>
    : EventContents[Name][keyof EventContents[Name]];

export interface AgentSetup {
  readonly jvmpi: JVMPI_Interface;
  /** What follows the agent's name and a colon on the command line. */
  readonly options: string;
  /** Sets the handler of an event and enables it (dumps come on request). Throws if the VM cannot send it. */
  on<Name extends EventName>(
    name: Name,
    handler: (content: Content<Name>, place: EventPlace) => void | Promise<void>,
    wants?: EventWants,
  ): void;
  /** Sets the handler of events that `RequestEvent` asks for, in place of that of `on`. Enables nothing. */
  onRequested<Name extends EventName>(
    name: Name,
    handler: (content: Content<Name>, place: EventPlace) => void | Promise<void>,
  ): void;
}

type AnyHandler = (event: JVMPI_Event) => void | Promise<void>;

/** Whether an event's contents are those of a name: they are if the event is. */
function isOf<Name extends EventName>(name: Name, event: JVMPI_Event, content: unknown): content is Content<Name> {
  return eventName(event.event_type) === name && content !== undefined;
}

/** Makes `JVM_OnLoad` of a function that sets the handlers: `export const { JVM_OnLoad } = agent(({ on }) => { … })`. */
export function agent(setUp: (setup: AgentSetup) => void): AgentModule {
  return {
    JVM_OnLoad: (jvm, options) => {
      const box: EnvBox = {};
      if (jvm.GetEnv(box, JVMPI_VERSION_1_2) < 0 || box.env === undefined) return JNI_ERR;
      const jvmpi = box.env;
      const handlers = new Map<EventName, AnyHandler>();
      const requested = new Map<EventName, AnyHandler>();
      jvmpi.NotifyEvent = (event) => dispatch(handlers, requested, event);
      setUp({
        jvmpi,
        options,
        on: (name, handler, wants = {}) => {
          handlers.set(name, handlerOf(name, handler));
          if (eventKind(name).once) return;
          const code = jvmpi.EnableEvent(EVENTS[name].type, wants);
          if (code !== JVMPI_SUCCESS) throw new Error(`the VM cannot send ${name} (code ${code})`);
        },
        onRequested: (name, handler) => void requested.set(name, handlerOf(name, handler)),
      });
      return JNI_OK;
    },
  };
}

function handlerOf<Name extends EventName>(
  name: Name,
  handler: (content: Content<Name>, place: EventPlace) => void | Promise<void>,
): AnyHandler {
  return (event) => {
    const [content = {}]: unknown[] = Object.values(event.u);
    return isOf(name, event, content) ? handler(content, placeOf(event)) : undefined;
  };
}

type Handlers = ReadonlyMap<EventName, AnyHandler>;

function dispatch(handlers: Handlers, requested: Handlers, event: JVMPI_Event): void | Promise<void> {
  const name = eventName(event.event_type);
  if (name === undefined) return undefined;
  const special = isRequested(event) ? requested.get(name) : undefined;
  return (special ?? handlers.get(name))?.(event);
}

function isRequested({ event_type }: JVMPI_Event): boolean {
  return (event_type & JVMPI_REQUESTED_EVENT) !== 0;
}

function placeOf(event: JVMPI_Event): EventPlace {
  return { env_id: event.env_id, requested: isRequested(event), moment: event.moment };
}
