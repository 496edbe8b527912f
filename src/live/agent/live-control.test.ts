/** An agent that controls a running JVM: collections, unloaded and changed classes, suspended threads, dumps on request, the exit. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { amount, TIER } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { compiledFor, folder, runAgent } from './testing/probed.js';

describe('an agent controls the VM', () => {
  for (const version of amount(['17', '25'], ['25']))
    it(`JDK ${version}`, (t) => {
      const home = compiledFor(t, version, 'Control');
      if (home === undefined) return;
      const file = join(folder, `control-${version}.json`);
      const agent = `${join(ROOT, 'agent/testing/control.mts')}:${file}`;
      const compiles = ['-Xcomp', '-XX:CompileCommand=quiet', '-XX:CompileCommand=compileonly,Control$Victim::say'];
      const command = [join(home, 'bin/java'), ...compiles, '-XX:+UseSerialGC', '-cp', folder, 'Control'];
      const { status, stdout, stderr } = runAgent(agent, command);
      // ProfilerExit(7) ends the program before its last line.
      assert.deepEqual(
        [status, stdout, stderr],
        [7, 'VICTIM\nsuspended: true\nresumed: true\n', 'kansoku: the program ended with exit code 7\n'],
      );
      // 0 is success, 1 JVMPI_THREAD_RUNNABLE: the status before the suspension.
      const { counts, results } = JSON.parse(readFileSync(file, 'utf8'));
      const { compiled, 'code unloaded': unloaded, ...others } = counts;
      assert.deepEqual(others, { hook: 1, load: 1, 'start of GC': 2, 'end of GC': 2, unload: 1, dump: 1 });
      // Each compiler's code goes with its class. Line 7 is the only one of say().
      assert.ok(compiled >= 1 && unloaded === compiled, `${compiled} ${unloaded}`);
      assert.deepEqual(results, { code: true, lines: [7], suspend: [0], status: 1, resume: [0] });
    });
});

it('the end of the VM waits for a handler that goes on calling', (t) => {
  if (TIER === 'quick') return t.skip('it waits 12 s');
  const home = compiledFor(t, '25', 'Control') && jdkHome('25');
  if (home === undefined) return;
  const file = join(folder, 'late-calls.json');
  const agent = join(folder, 'late-calls.mts');
  writeFileSync(
    agent,
    `import { writeFileSync } from 'node:fs';
    import { agent, EVENTS } from 'kansoku/jvmpi';
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
    export const { JVM_OnLoad } = agent(({ jvmpi, on }) => on('JVM_SHUT_DOWN', () => {
      const request = () => { jvmpi.DisableGC(); pause(); return jvmpi.RequestEvent(EVENTS.HEAP_DUMP.type); };
      writeFileSync(${JSON.stringify(file)}, JSON.stringify([request(), request()]));
    }));`,
  );
  const { status, stderr } = runAgent(agent, [join(home, 'bin/java'), '--version']);
  assert.deepEqual([status, stderr], [0, '']);
  // 0 is JVMPI_SUCCESS.
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), [0, 0]);
});

describe('deadlines', () => {
  const late = (name: string, code: string): ReturnType<typeof runAgent> => {
    const agent = join(folder, `${name}.mts`);
    writeFileSync(
      agent,
      `import { agent } from 'kansoku/jvmpi';
      const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_000);
      export const { JVM_OnLoad } = agent(({ on }) => { ${code} });`,
    );
    return runAgent(agent, [join(jdkHome('25') ?? '', 'bin/java'), '--version']);
  };

  it('a VM does not start with an agent whose JVM_OnLoad takes more than 10 s', (t) => {
    if (TIER === 'quick') return t.skip('it waits 11 s');
    if (!hasProgram(t, 'jdk-25') || !hasProgram(t, 'gcc')) return;
    const { status, stdout, stderr } = late('late-load', 'pause();');
    assert.deepEqual([status, stdout.includes('OpenJDK')], [1, false]);
    assert.match(stderr, /^kansoku: JVM_OnLoad was silent for 11\.\d s: the VM waits 10 s$/m);
  });

  it('a thread waits 10 s for a handler, which is reported', (t) => {
    if (TIER === 'quick') return t.skip('it waits 11 s');
    if (!hasProgram(t, 'jdk-25') || !hasProgram(t, 'gcc')) return;
    const { status, stdout, stderr } = late('late-handler', "on('JVM_INIT_DONE', () => pause(), { blocking: true });");
    assert.deepEqual([status, stdout.includes('OpenJDK')], [0, true]);
    assert.match(
      stderr,
      /^kansoku: JVMPI blocking: a handler of JVM_INIT_DONE was silent for 11\.\d s: its thread waits 10 s, then it goes on$/m,
    );
  });
});

/** Characters that an agent writes at its end. */
const LENGTH = 4_000_000;

it('a run ends with its program, though the agent has a timer and a system thread', (t) => {
  if (!hasProgram(t, 'jdk-25') || !hasProgram(t, 'gcc')) return;
  const agent = join(folder, 'endless.mts');
  const file = join(folder, 'written.txt');
  writeFileSync(
    agent,
    `import { writeFile } from 'node:fs';
    import { agent } from 'kansoku/jvmpi';
    export const { JVM_OnLoad } = agent(({ jvmpi, on }) => {
      setInterval(() => {}, 5);
      on('JVM_INIT_DONE', () => void jvmpi.CreateSystemThread('endless', 1, async () => {
        for (;;) await new Promise((resolve) => setTimeout(resolve, 5));
      }));
      on('JVM_SHUT_DOWN', () => {
        writeFile(${JSON.stringify(file)}, 'x'.repeat(${LENGTH}), () => process.stdout.write('written\\n'));
        process.stdout.write('y'.repeat(${LENGTH}) + '\\n');
      });
    });`,
  );
  const { status, stdout, stderr } = runAgent(agent, [join(jdkHome('25') ?? '', 'bin/java'), '--version']);
  assert.deepEqual([status, stderr], [0, '']);
  const lines = stdout.split('\n');
  assert.ok(lines.includes('y'.repeat(LENGTH)));
  assert.ok(lines.includes('written'));
  assert.equal(readFileSync(file, 'latin1').length, LENGTH);
});
