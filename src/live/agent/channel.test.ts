/** The connection to an agent, which a scripted thread plays: what a recording gets, and in which order. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { JVMPI_FAIL, JVMPI_SUCCESS } from '../../formats/jvmpi/document/index.js';
import { FRAME, frame, u32At } from '../../formats/jvmpi/index.js';
import { block, helloWith, record, reply, threadStart } from '../../formats/jvmpi/testing/stream-bytes.js';
import { Channel } from './channel.node.js';

/** Says hello, and to the n-th call what the script has; nothing more: it hangs up. */
const AGENT = `
const { connect } = require('node:net');
const { path, hello, script } = require('node:worker_threads').workerData;
const socket = connect(path, () => socket.write(hello));
let got = Buffer.alloc(0);
let calls = 0;
socket.on('data', (data) => {
  got = Buffer.concat([got, data]);
  for (let end = 0; got.length >= 8 && got.length >= (end = 8 + got.readUInt32LE(0)); got = got.subarray(end)) {
    if (got[4] !== ${FRAME.call}) continue;
    const frames = script[calls++];
    if (frames === undefined) return void socket.end();
    for (const each of frames) socket.write(each);
  }
});
socket.on('error', () => undefined);
`;

type Script = readonly (readonly Uint8Array[])[];

/** A channel whose agent follows a script; `task` runs when it is there, `hold` for each event that holds its thread. */
async function recorded(
  t: TestContext,
  script: Script,
  task: (channel: Channel) => void,
  hold: (channel: Channel) => void,
  /** What the agent sends together with its hello. */
  first: readonly Uint8Array[] = [],
) {
  const frames: string[] = [];
  const names = new Map<number, string>(Object.entries(FRAME).map(([name, kind]) => [kind, name]));
  const numbered: readonly number[] = [FRAME.call, FRAME.reply, FRAME.hold];
  let channel: Channel | undefined;
  const run = (code: (channel: Channel) => void): void => {
    if (channel !== undefined) code(channel);
  };
  await new Promise<void>((resolve) => {
    const opened = Channel.open({
      hello: () => run(task),
      block: () => undefined,
      hold: async () => {
        run(hold);
        return undefined;
      },
      dropped: () => undefined,
      closed: () => resolve(),
      frame: (kind, bytes) => frames.push(`${names.get(kind)}${numbered.includes(kind) ? ` ${u32At(bytes, 0)}` : ''}`),
    });
    void opened.then((made) => {
      channel = made;
      const path = join(made.folder, 'socket');
      const hello = helloWith(readFileSync(join(made.folder, 'token'), 'utf8'));
      const agent = new Worker(AGENT, {
        eval: true,
        workerData: { path, hello: Buffer.concat([frame(FRAME.hello, hello), ...first]), script },
      });
      t.after(() => agent.terminate());
    });
  });
  await channel?.close();
  return frames;
}

const ANY_CALL = 9;
const START = block(1, 2000, record(33, 0, ...threadStart(1, 8, 'till')));
const HELD = frame(FRAME.hold, new Uint8Array([1, 0, 0, 0, ...START]));
const replied = (id: number, ...content: number[]): Uint8Array => frame(FRAME.reply, reply(id, 0, ...content));

describe('the connection to an agent', () => {
  it('records a call within a handler within a call as it was made, even if the outer reply came first', async (t) => {
    // The reply to 1 comes with that to 2, before the handler of the held event is done.
    const script = [[HELD], [replied(1, 5), replied(2, 6)]];
    const values: number[] = [];
    const ask = (channel: Channel): void => {
      const { code, content } = channel.call(ANY_CALL, [1]);
      equal(code, JVMPI_SUCCESS);
      values.push(content.varint());
    };
    const last = (channel: Channel): void => {
      ask(channel);
      channel.call(ANY_CALL, [1]);
    };
    const frames = await recorded(t, script, last, ask);
    deepEqual(values, [6, 5]);
    deepEqual(
      frames.filter((each) => each !== 'release'),
      ['hello', 'call 1', 'hold 1', 'call 2', 'reply 2', 'reply 1', 'call 3', 'reply 3'],
    );
  });

  it('handles frames that arrived together before those that come within a call of one of them', async (t) => {
    const last = (channel: Channel): void => {
      channel.call(ANY_CALL, [1]);
      queueMicrotask(() => channel.call(ANY_CALL, [1]));
    };
    const blocks = [frame(FRAME.block, START), frame(FRAME.block, START)];
    const frames = await recorded(t, [[HELD, replied(1, 5)]], last, () => undefined, blocks);
    deepEqual(
      frames.filter((each) => each !== 'release'),
      ['hello', 'call 1', 'block', 'block', 'hold 1', 'reply 1', 'call 2', 'reply 2'],
    );
  });

  it('handles what came with a held event before what comes within a call of its handler', async (t) => {
    const together = Buffer.concat([HELD, frame(FRAME.block, START)]);
    const within = Buffer.concat([frame(FRAME.dropped, new Uint8Array(8)), replied(2, 6), replied(1, 5)]);
    const ask = (channel: Channel): void => void channel.call(ANY_CALL, [1]);
    const last = (channel: Channel): void => {
      ask(channel);
      setImmediate(() => ask(channel));
    };
    const frames = await recorded(t, [[together], [within]], last, ask);
    deepEqual(
      frames.filter((each) => each === 'block' || each === 'dropped'),
      ['block', 'dropped'],
    );
  });

  it('records what a call gave when no reply came: a replay must give the same', async (t) => {
    const codes: number[] = [];
    const twice = (channel: Channel): void => {
      for (let time = 0; time < 2; time++) codes.push(channel.call(ANY_CALL, [1]).code);
    };
    const frames = await recorded(t, [], twice, () => undefined);
    deepEqual(codes, [JVMPI_FAIL, JVMPI_FAIL]);
    deepEqual(frames, ['hello', 'call 1', 'reply 1', 'call 2', 'reply 2']);
  });
});
