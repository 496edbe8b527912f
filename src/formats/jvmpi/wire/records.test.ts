/** The agent's bytes: blocks written by hand after docs/jvmpi-wire.md, whole, cut and damaged. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../testing/amount.js';
import { frame, readHello, varints, WireError, WireReader } from './frames.js';
import { readBlock } from './records.js';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'hex'));

/** Two records of thread 5 from time 256 on: METHOD_ENTRY of method 300, 2 ns later MONITOR_WAIT with trace and CPU time. */
const BLOCK = bytesOf(`02000000 05000000 0001000000000000 0000000000000000
  01 00 ac02
  b9 02 03 02 07 08 09 05 8004  06 14`);

describe('blocks of the agent', () => {
  it('are events in order, with time, trace and CPU time', () => {
    const [entry, wait, ...more] = readBlock(BLOCK);
    deepEqual(more, []);
    deepEqual(entry, { event_type: 1, env_id: 5, u: { method: { method_id: 300 } }, moment: { time: 256 } });
    const trace = [
      { method_id: 7, lineno: 4 },
      { method_id: 9, lineno: -3 },
    ];
    deepEqual(wait, {
      event_type: 57,
      env_id: 5,
      u: { monitor_wait: { object: 6, timeout: 20 } },
      moment: { time: 258, trace, cpu_time: 512 },
    });
  });

  it('of GC_FINISH have the bytes of the heap, but in recordings of earlier agents', () => {
    const head = '01000000 00000000 0001000000000000 0000000000000000 3d 00';
    // Signed numbers: 150 and 2000.
    const infos = [`${head} ac02 a01f`, `${head} 01 01`, head].map((text) => {
      const [event] = readBlock(bytesOf(text));
      return event && 'gc_info' in event.u && Object.values(event.u.gc_info);
    });
    deepEqual(infos, [
      [-1, 150, 2000],
      [-1, -1, -1],
      [-1, -1, -1],
    ]);
  });

  it('that are cut or changed fail as such', () => {
    fc.assert(
      fc.property(fc.nat(BLOCK.length - 1), fc.nat(255), fc.boolean(), (place, value, cut) => {
        const bytes = cut ? BLOCK.slice(0, place) : BLOCK.slice();
        if (!cut) bytes[place] = value;
        try {
          for (const { event_type } of readBlock(bytes)) equal(event_type > 0, true);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
      }),
      runs(2000),
    );
    throws(() => [...readBlock(BLOCK.subarray(0, 20))], WireError);
    throws(() => [...readBlock(bytesOf('01000000 01000000 0000000000000000 0000000000000000 0a 00'))], WireError);
  });

  it('have numbers of 7 bits a byte', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (values) => {
        const from = new WireReader(new Uint8Array(varints(values)));
        deepEqual(
          values.map(() => from.varint()),
          values,
        );
        equal(from.left, 0);
      }),
      runs(500),
    );
  });
});

describe('frames', () => {
  it('have a length, a kind and content', () => {
    equal(Buffer.from(frame(17, bytesOf('0102'), bytesOf('03'))).toString('hex'), '0300000011000000010203');
  });

  it('of another program are no hello', () => {
    throws(() => readHello(bytesOf('474554202f20')), /no hello of the agent/);
    throws(() => readHello(bytesOf('4b4d5049 02000000')), /protocol 2 of the agent, expected 1/);
  });
});
