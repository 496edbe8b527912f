/** The agent of `jvmpi record`: it enables events, and does nothing with them. */
import { UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import {
  EVENTS,
  eventKind,
  isEventName,
  JNI_ERR,
  JNI_OK,
  JVMPI_SUCCESS,
  JVMPI_VERSION_1_2,
} from '../../formats/jvmpi/document/index.js';
import type { AgentModule, EnvBox, EventWants } from '../jvmpi/interface.js';

/** `plain`: events without what is wanted. Throws UsageError at a name that no event has; the agent throws if the VM cannot send one. */
export function recordingAgent(names: readonly string[], plain: readonly string[], wants: EventWants): AgentModule {
  const all = new Map<string, EventWants>([
    ...plain.map((name) => [name, {}] as const),
    ...names.map((name) => [name, wants] as const),
  ]);
  for (const name of all.keys()) {
    if (!isEventName(name))
      throw new UsageError(`${name} is no event of JVMPI`, `Events: ${Object.keys(EVENTS).join(', ')}`);
    if (eventKind(name).once)
      throw new UsageError(`${name} comes on request only`, {
        code: 'on-request-only',
        advice: phrase`Record an agent that requests it (${theOption('agent')}).`,
        action: { choose: ['agent'] },
      });
  }
  return {
    JVM_OnLoad: (jvm) => {
      const box: EnvBox = {};
      if (jvm.GetEnv(box, JVMPI_VERSION_1_2) < 0 || box.env === undefined) return JNI_ERR;
      box.env.NotifyEvent = () => undefined;
      for (const [name, each] of all) {
        const code = isEventName(name) ? box.env.EnableEvent(EVENTS[name].type, each) : JVMPI_SUCCESS;
        if (code !== JVMPI_SUCCESS) throw new UsageError(`the VM cannot send ${name} (code ${code})`);
      }
      return JNI_OK;
    },
  };
}
