/** Replays of recordings that were written by hand: what an agent gets, and in which order. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { memorySource } from '../../bytes/byte-source.js';
import {
  block,
  bytesOf,
  call,
  classLoad,
  HELLO,
  record,
  reply,
  streamFile,
  threadStart,
} from '../../formats/jvmpi/testing/stream-bytes.js';
import { type AgentSetup, agent } from '../jvmpi/index.js';
import { replay } from './replay.js';

/** Enables THREAD_START, CLASS_LOAD and MONITOR_WAIT, as the agent below does, in its order. */
const ENABLED = [33, 42, 57].flatMap((event, place) => [
  ['call', call(place + 1, 1, event, 0, 0, 0)] as const,
  ['reply', reply(place + 1, 0)] as const,
]);
const START = block(1, 2000, record(33, 0, ...threadStart(1, 8, 'till')));
const LOAD = block(1, 2100, record(42, 0, ...classLoad(3, 'Shop', [[1, 'open', '()V']])));
const WAIT = block(1, 2200, record(57, 0, 12, 20));
/** HOLD 1 with MONITOR_WAIT of thread 2. */
const HELD = new Uint8Array([...bytesOf('01000000'), ...block(2, 2150, record(57, 0, 14, 30))]);

/** Replays frames to an agent, and gives what it said. */
async function heard(
  frames: Parameters<typeof streamFile>[0],
  setUp: (setup: AgentSetup, say: (words: string) => void) => void,
) {
  const said: string[] = [];
  const source = memorySource('x.jvmpi', streamFile([['hello', HELLO], ...frames]));
  const module = agent((setup) => setUp(setup, (words) => said.push(words)));
  const result = await replay({ agent: module, options: '', source, lenient: false });
  return { said, result };
}

const listen = ({ on, jvmpi }: AgentSetup, say: (words: string) => void): void => {
  on('THREAD_START', ({ thread_name, thread_env_id }) => {
    say(`start ${thread_name} ${jvmpi.GetThreadObject(thread_env_id)}`);
  });
  on('CLASS_LOAD', ({ class_name }) => say(class_name));
  on('MONITOR_WAIT', ({ object, timeout }, { env_id }) => say(`wait ${env_id} ${object} ${timeout}`));
};

describe('a replay', () => {
  it('gives events in their order and recorded answers, and those handled within a call within it', async () => {
    // GetThreadObject was asked in the handler of THREAD_START; an event that held its thread came before the reply.
    const frames = [
      ...ENABLED,
      ['block', START],
      ['call', call(4, 11, 1)],
      ['hold', HELD],
      ['reply', reply(4, 0, 8)],
      ['block', LOAD],
      ['block', WAIT],
    ] as const;
    const expected = ['wait 2 14 30', 'start till 8', 'Shop', 'wait 1 12 20'];
    for (let time = 0; time < 3; time++) {
      const { said, result } = await heard(frames, listen);
      deepEqual(said, expected);
      deepEqual([result.unanswered, result.unmade, result.problems.list, result.failure], [0, 0, [], undefined]);
    }
  });

  it('waits for the calls of timers and system threads where they were recorded', async () => {
    // Status of thread 1: asked twice by a timer, before and after MONITOR_WAIT.
    const asked = (id: number, status: number) =>
      [
        ['call', call(id, 9, 1)],
        ['reply', reply(id, 0, status)],
      ] as const;
    const frames = [
      ...ENABLED.slice(0, 2),
      ...ENABLED.slice(4),
      ['block', START],
      ...asked(4, 1),
      ['block', WAIT],
      ...asked(5, 3),
    ] as const;
    const { said, result } = await heard(frames, ({ on, jvmpi }, say) => {
      const ask = async (): Promise<void> => {
        for (let time = 0; time < 2; time++) {
          await sleep(5);
          say(`status ${jvmpi.GetThreadStatus(1)}`);
        }
      };
      on('THREAD_START', () => void ask());
      on('MONITOR_WAIT', () => say('wait'));
    });
    deepEqual(said, ['status 1', 'wait', 'status 3']);
    deepEqual([result.unanswered, result.unmade], [0, 0]);
  });

  it('to another agent enables what was recorded, and counts what has no answer', async () => {
    const frames = [
      ...ENABLED,
      ['block', START],
      ['call', call(4, 10)],
      ['reply', reply(4, 0)],
      ['block', WAIT],
    ] as const;
    const codes: number[] = [];
    const { said, result } = await heard(frames, ({ on, jvmpi }, say) => {
      on('MONITOR_WAIT', () => {
        codes.push(jvmpi.GetThreadStatus(1));
        say('wait');
      });
      codes.push(jvmpi.EnableEvent(4));
    });
    // JVMPI_NOT_AVAILABLE, and 0 for a status that nobody knows.
    deepEqual([codes, said], [[1, 0], ['wait']]);
    // The status was not asked then; RunGC and two events were not asked now.
    deepEqual([result.unanswered, result.unmade], [1, 3]);
  });

  it('ends with what the agent throws, and reports damage', async () => {
    const { result } = await heard([...ENABLED, ['block', START]], ({ on }) => {
      on('THREAD_START', () => {
        throw new Error('no');
      });
    });
    match(String(result.failure), /no/);
    const bytes = streamFile([['hello', HELLO]]);
    const source = memorySource('x.jvmpi', bytes.subarray(0, bytes.length - 3));
    const cut = await replay({ agent: agent(() => undefined), options: '', source, lenient: false });
    equal(cut.problems.list[0]?.code, 'jvmpi-cut');
  });
});
