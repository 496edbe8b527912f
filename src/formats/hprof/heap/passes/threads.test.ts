/** The threads that passes run in. */
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { THREADS } from '../../../../session/threads/threads.node.js';
import type { FilePass } from '../../../capabilities/file-pass.js';
import { PASS_TASK } from './crew.js';
import { COUNTERS } from './tasks.js';

test('a thread takes one task after the other', { timeout: 10_000 }, async () => {
  const argument: FilePass = {
    path: fileURLToPath(import.meta.url),
    task: {
      idSize: 8,
      ranges: {
        from: new Float64Array(0),
        to: new Float64Array(0),
        reached: new Float64Array(0),
        counters: new Int32Array(new SharedArrayBuffer(COUNTERS * 4)),
      },
      pass: { kind: 'scan', kernels: true, chunkClass: -1 },
    },
  };
  for (let i = 0; i < 3; i++) equal(typeof (await THREADS.run(PASS_TASK, argument)), 'object');
});
