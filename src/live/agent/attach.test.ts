/** Agents in JVMs that run already: twice in the same one, and refused where there is none. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { MAIN, spawnCommand, spawnEnvironment } from '../../cli/testing/spawn-command.js';
import { JVMPI_VERSION_1 } from '../../formats/jvmpi/document/index.js';
import { amount, inFullTier } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { attachReply, attachRequest } from '../attach/attach.node.js';
import type { Libc } from '../attach/target.node.js';
import { compiledAgent, printed } from './testing/c-agents.js';
import { compiledFor, folder } from './testing/probed.js';

const AGENT = join(ROOT, 'agent/testing/late.mts');

/** A JVM that runs Late, whose main has begun. */
async function running(t: TestContext, home: string, ...options: string[]): Promise<ChildProcess> {
  const { JAVA_TOOL_OPTIONS: _, ...env } = process.env;
  const words = [...options, '-XX:+UseSerialGC', '-cp', folder, 'Late'];
  const java = spawn(join(home, 'bin/java'), words, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => java.kill('SIGKILL'));
  assert.ok(java.stdout);
  await once(java.stdout, 'readable');
  return java;
}

/** Ends it, and gives its exit code with what it printed. */
async function ended(java: ChildProcess): Promise<[number | null, string, string]> {
  const { stdout, stderr, stdin } = java;
  assert.ok(stdout && stderr && stdin);
  const texts = Promise.all([text(stdout), text(stderr)]);
  stdin.end('end\n');
  await once(java, 'exit');
  return [java.exitCode, ...(await texts)];
}

/** The temporary files of a Kansoku that is killed while its agent is in the JVM. */
async function leftByKilled(java: ChildProcess): Promise<string[]> {
  const agent = join(folder, 'staying.mts');
  writeFileSync(
    agent,
    `export function JVM_OnLoad(jvm) {
      const box = {};
      jvm.GetEnv(box, ${JVMPI_VERSION_1});
      box.env.NotifyEvent = () => {};
      console.log('loaded');
      return 0;
    }`,
  );
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const kansoku = spawn(process.execPath, [MAIN, 'jvmpi', 'attach', `${java.pid}`, agent], {
    env: spawnEnvironment({ TMPDIR: temporary }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(kansoku.stdout);
  await once(kansoku.stdout, 'readable');
  kansoku.kill('SIGKILL');
  await once(kansoku, 'exit');
  return readdirSync(temporary);
}

describe('attaching to a running JVM', () => {
  for (const version of ['25'])
    it(`JDK ${version}: an agent comes, goes and comes again`, async (t) => {
      const home = compiledFor(t, version, 'Late');
      if (home === undefined) return;
      const java = await running(t, home);
      const failing = join(folder, 'failing.mts');
      const refused = spawnCommand(['jvmpi', 'attach', `${java.pid}`, 'examples/jvmpi/method-counter.ts']);
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /^kansoku: process \d+ cannot send METHOD_ENTRY: HotSpot grants .*\n/);
      assert.match(refused.stderr, /\nkansoku: JVM_OnLoad failed: the VM cannot send METHOD_ENTRY\n$/);
      writeFileSync(failing, 'export const JVM_OnLoad = () => { throw new Error("too late"); };\n');
      const thrown = spawnCommand(['jvmpi', 'attach', `${java.pid}`, failing]);
      assert.equal(thrown.status, 1);
      assert.match(thrown.stderr, /^kansoku: the agent failed: Error: too late\n {4}at \S*JVM_OnLoad/);
      for (let i = 0; i < amount(2, 1); i++) {
        const { status, stdout, stderr } = spawnCommand(['jvmpi', 'attach', `${java.pid}`, AGENT]);
        assert.deepEqual(
          [status, stdout, stderr],
          [
            0,
            '{"refused":1,"done":1,"classes":true,"gcs":true}\n',
            `kansoku: process ${java.pid} cannot send METHOD_ENTRY: HotSpot grants their capability only at its start (kansoku jvmpi run), or to one agent at a time\n`,
          ],
        );
      }
      assert.deepEqual(await leftByKilled(java), []);
      const [code, stdout, stderr] = await ended(java);
      assert.deepEqual([code, stdout], [0, 'started\nended\n']);
      // The VM goes on after an agent that failed. JDK 21 and later warn, too.
      assert.match(stderr, /kansoku: the agent cannot start: JVM_OnLoad failed\n/);
    });

  it('an agent in C comes late, too', async (t) => {
    if (!inFullTier(t, 'attach')) return;
    const home = compiledFor(t, '17', 'Late');
    if (home === undefined) return;
    const java = await running(t, home);
    const { attachCommand } = await import('../attach/attach.node.js');
    const { targetOf } = await import('../attach/target.node.js');
    const words = ['load', printed(), 'true', `c,${compiledAgent(home, 'late')}`] as const;
    const reply = await attachCommand(targetOf(java.pid ?? 0), words, new AbortController().signal);
    assert.deepEqual([reply.code, reply.text.trim()], [0, 'return code: 0']);
    const { status, stdout: table } = spawnCommand(['jvmpi', 'capabilities', `${java.pid}`, '--format', 'tsv']);
    // An agent is there: Kansoku is refused.
    assert.deepEqual([status, table], [3, '']);
    const [code, stdout] = await ended(java);
    assert.equal(code, 0);
    assert.match(stdout, /^late agent: init 1, classes 1, threads 1$/m);
  });

  it('shows what it grants: nothing of methods to an agent that comes late', (t) => {
    const home = compiledFor(t, '25', 'Late');
    if (home === undefined) return;
    const { status, stdout } = spawnCommand(['jvmpi', 'capabilities', '--vm', home, '--json'], {
      env: { JAVA_TOOL_OPTIONS: undefined },
    });
    assert.equal(status, 0);
    const { rows }: { rows: { name: string; available: string; fidelity: string }[] } = JSON.parse(stdout);
    const granted = new Map(rows.map(({ name, available }) => [name, available]));
    const some = ['METHOD_ENTRY', 'SuspendThread', 'CLASS_LOAD', 'OBJECT_MOVE'].map((name) => granted.get(name));
    assert.deepEqual(some, ['yes', 'yes', 'yes', 'no']);
    assert.equal(rows.length, 29 + 37);
  });

  it('reaches a JVM in a PID and a mount namespace of its own, whose /tmp is another folder', async (t) => {
    if (!inFullTier(t, 'attach')) return;
    const home = compiledFor(t, '17', 'Late');
    if (home === undefined) return;
    const own = ['--pid', '--fork', '--mount', '--mount-proc'];
    if (spawnSync('unshare', [...own, 'true']).status !== 0) return t.skip('unshare: no namespaces may be made here');
    const start = `mount --bind "$1" /tmp && exec "$2" -XX:+UseSerialGC -cp /tmp/c Late`;
    const outside = join(ROOT, 'dist/late-class');
    cpSync(join(folder, 'Late.class'), join(outside, 'c/Late.class'));
    t.after(() => rmSync(outside, { recursive: true }));
    const { JAVA_TOOL_OPTIONS: _, ...env } = process.env;
    const words = [...own, '--kill-child', 'sh', '-c', start, 'sh', outside, join(home, 'bin/java')];
    const contained = spawn('unshare', words, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    t.after(() => contained.kill('SIGKILL'));
    assert.ok(contained.stdout);
    await once(contained.stdout, 'readable');
    const children = readFileSync(`/proc/${contained.pid}/task/${contained.pid}/children`, 'utf8');
    const pid = children.trim();
    assert.match(readFileSync(`/proc/${pid}/status`, 'utf8'), /^NSpid:\s+\d+\s+1$/m);
    const { status, stdout, stderr } = spawnCommand(['jvmpi', 'attach', pid, AGENT]);
    assert.deepEqual([status, stdout], [0, '{"refused":1,"done":1,"classes":true,"gcs":true}\n'], stderr);
    const [code, printed] = await ended(contained);
    assert.deepEqual([code, printed], [0, 'started\nended\n']);
  });

  it('gets replies while events wait for the end of its JVM_OnLoad', async (t) => {
    if (!inFullTier(t, 'attach')) return;
    const home = compiledFor(t, '17', 'Late');
    if (home === undefined) return;
    const java = await running(t, home);
    const slow = join(folder, 'slow.mts');
    // Events of collections, one every 10 ms, are under way after 100 ms; the agent gets them when it has been loaded.
    writeFileSync(
      slow,
      `import { agent } from 'kansoku/jvmpi';
      export const { JVM_OnLoad } = agent(({ on }) => {
        on('GC_FINISH', () => {});
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
        let late = 0;
        on('THREAD_START', ({ thread_name }) => {
          if (thread_name.startsWith('late ') && ++late === 8) process.kill(process.pid, 'SIGINT');
        });
      });\n`,
    );
    const { status, stderr } = spawnCommand(['jvmpi', 'attach', `${java.pid}`, slow]);
    assert.equal(status, 0, stderr);
    assert.deepEqual((await ended(java))[0], 0);
  });

  it('is refused with the reason', async (t) => {
    const attach = (pid: string) => spawnCommand(['jvmpi', 'attach', pid, AGENT]);
    assert.match(attach('0x').stderr, /^kansoku: 0x is not the number of a process\n/);
    assert.match(attach('4194305').stderr, /^kansoku: there is no process 4194305\n/);
    assert.match(attach(`${process.pid}`).stderr, /^kansoku: process \d+ is no JVM: libjvm.so is not loaded\n/);
    const home = compiledFor(t, '17', 'Late');
    if (home === undefined) return;
    const java = await running(t, home, '-XX:+DisableAttachMechanism');
    assert.match(
      attach(`${java.pid}`).stderr,
      /^kansoku: process \d+: it was started with -XX:\+DisableAttachMechanism\n/,
    );
    assert.deepEqual(await ended(java), [0, 'started\nended\n', '']);
  });
});

/** What the kernel shows of a JVM with this C library. */
async function shown(libc: string): Promise<Libc> {
  const { targetOf } = await import('../attach/target.node.js');
  const proc = join(folder, `proc-${libc.replaceAll('/', '-')}`);
  mkdirSync(join(proc, '7'), { recursive: true });
  const user = process.geteuid?.() ?? 0;
  const ids = `Uid:\t${user}\t${user}\nGid:\t0\t0\nNSpid:\t7\t1\nSigCgt:\t0000000000000004\n`;
  writeFileSync(join(proc, '7/status'), ids);
  const line = (file: string) => `7f0000000000-7f0000001000 r-xp 00000000 08:01 1                  ${file}\n`;
  writeFileSync(join(proc, '7/maps'), line('/opt/jdk/lib/server/libjvm.so') + line(libc));
  return targetOf(7, proc).libc;
}

describe('JVMs with another C library', () => {
  it('are recognised by what they have mapped', async () => {
    assert.equal(await shown('/usr/lib/x86_64-linux-gnu/libc.so.6'), 'glibc');
    assert.equal(await shown('/lib/ld-musl-x86_64.so.1'), 'musl');
    assert.equal(await shown('/lib/libc.musl-aarch64.so.1'), 'musl');
  });

  it('are refused where no compiler builds the agent for them', async () => {
    const { compilerFor } = await import('./build.node.js');
    assert.throws(
      () => compilerFor('musl', 'glibc', { PATH: folder }),
      /the JVM runs with musl, this machine with glibc: musl-gcc builds the agent for it, and is missing/,
    );
    assert.throws(() => compilerFor('glibc', 'musl', process.env), /the JVM runs with glibc, this machine with musl/);
  });

  it('get an agent that their C library loads', async (t) => {
    if (!hasProgram(t, 'musl-gcc')) return;
    const { agentLibrary } = await import('./build.node.js');
    const library = agentLibrary(undefined, process.env, 'musl');
    const source = join(folder, 'loads.c');
    writeFileSync(
      source,
      `#include <dlfcn.h>
      #include <stdio.h>
      int main(int count, char **words) {
        void *library = dlopen(words[1], RTLD_NOW);
        puts(library != NULL && dlsym(library, "Agent_OnAttach") != NULL ? "loaded" : dlerror());
        return count - 2;
      }\n`,
    );
    const program = join(folder, 'loads');
    assert.equal(spawnSync('musl-gcc', ['-o', program, source]).status, 0);
    const { status, stdout } = spawnSync(program, [library], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, 'loaded\n']);
  });
});

describe('the attach protocol', () => {
  it('has a version, a command and three arguments, each with a zero behind it', () => {
    const request = Buffer.from(attachRequest('load', ['/a.so', 'true'])).toString();
    assert.equal(request, '1\0load\0/a.so\0true\0\0');
    assert.throws(() => attachRequest('load', ['a', 'b', 'c', 'd']), /4 arguments, the VM takes 3/);
    assert.throws(() => attachRequest('load', ['x'.repeat(1024)]), /more than 1023 bytes/);
    assert.throws(() => attachRequest('load', ['a\0b']), /zero byte/);
  });

  it('answers with a code in the first line', () => {
    const reply = (words: string) => attachReply(new Uint8Array(Buffer.from(words)));
    assert.deepEqual(reply('0\nreturn code: 0\n'), { code: 0, text: 'return code: 0\n' });
    assert.deepEqual(reply('101'), { code: 101, text: '' });
    for (const words of ['', 'x\n', '1.5\n']) assert.throws(() => reply(words), /without a code/);
  });
});
