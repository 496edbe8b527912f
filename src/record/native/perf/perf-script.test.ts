/** Lines of perf script, as perf 6.1 prints them. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { KERNEL_BASE, KERNEL_ELSEWHERE } from './kernel-address.js';
import { PerfScript } from './perf-script.js';

const TEXT = `    0/0     [000]     0.000000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
   70/70    [000]    10.000000100: PERF_RECORD_MMAP2 70/70: [0x55b6dfc00000(0x1000) @ 0x1000 fe:00 1 1]: r-xp /bin/sh
   70/70    [000]    10.000000150:    1000000 cpu-clock:
\t            1010 (/bin/sh)

   70/70    [000]    10.000000200: PERF_RECORD_COMM exec: a program) (x):70/70
   70/70    [000]    10.000000300: PERF_RECORD_MMAP2 70/70: [0x400000(0x3000) @ 0x1000 fe:00 10 8]: r-xp /tmp/a program (1)
   70/70    [001]    10.000000310: PERF_RECORD_MMAP2 70/70: [0x600000(0x3000) @ 0x1000 fe:00 10 8]: rw-p /tmp/a program (1)
   70/71    [001]    10.001000000:    1000000 cpu-clock:
\tffffffff81000e06 ([kernel.kallsyms])
\tffffc90000001234 ([unknown])
\t            1ff0 (/tmp/a program (1))
\t    7f0000001234 ([unknown])

   70/70    [001]    10.001000001: PERF_RECORD_FORK(70:72):(70:70)
   70/70    [001]    10.001000002: PERF_RECORD_FORK(80:80):(70:70)
   80/80    [000]    10.002000000:    2000000 cpu-clock:
\t            1ff0 (/tmp/a program (1))

   80/80    [000]    10.003000000: PERF_RECORD_LOST lost 12
what is this`;

test('processes, mappings and stacks', () => {
  const script = new PerfScript(70, true);
  for (const line of TEXT.split('\n')) script.line(line);
  const { processes, lost, unknown } = script.finish();
  deepEqual([lost, unknown], [12, 1]);
  deepEqual(
    processes.map(({ pid, how, samples, mappings }) => [pid, how, samples, mappings.map(({ name }) => name)]),
    [
      [70, 'start', 1, ['/tmp/a program (1)']],
      [80, 'fork', 1, ['/tmp/a program (1)']],
    ],
  );
  const [first, child] = processes;
  deepEqual(first?.stacks, [
    { addresses: [KERNEL_BASE + 0x1000e06, KERNEL_ELSEWHERE, 0x400ff0, 0x7f0000001234], user: 2 },
  ]);
  deepEqual([...(first?.builders.thread.finish() ?? [])], [71]);
  deepEqual([...(first?.builders.time.finish() ?? [])], [10_001_000_000]);
  deepEqual(child?.stacks, [{ addresses: [0x400ff0], user: 0 }]);
  equal(child?.parent, first);
  deepEqual([...(child?.builders.period.finish() ?? [])], [2_000_000]);
});
