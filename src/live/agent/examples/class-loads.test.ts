/** The class-load tracer of the document (§8.1) on running JVMs, against `-Xlog:class+load` of the same runs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { amount, TIER } from '../../../testing/amount.js';
import { logged, traced } from '../testing/class-log.js';
import { compiledFor, folder, recordedAndReplayed, runAgent } from '../testing/probed.js';

const TRACER = 'examples/jvmpi/class-loads.ts';

describe('the class-load tracer', () => {
  for (const version of amount(['17', '25'], ['25']))
    it(`sees each class that JDK ${version} logs, and nothing else; and in a replay`, (t) => {
      const home = compiledFor(t, version, 'Loads');
      if (home === undefined) return;
      const log = join(folder, `loads-${version}.log`);
      const command = [join(home, 'bin/java'), `-Xlog:class+load:file=${log}`, '-cp', folder, 'Loads'];
      const names = traced(readFileSync(recordedAndReplayed(TRACER, command, `loads-${version}`), 'utf8'));
      assert.deepEqual(names, logged(readFileSync(log, 'utf8')));
      // A class with a lambda has hidden ones; Never is loaded, but never linked.
      for (const name of ['Loads', 'Loads$Never', 'java.lang.Object']) assert.ok(names.includes(name), name);
      assert.ok(names.some((name) => name.startsWith('Loads$$Lambda')));
    });

  it('runs in the other programs of a JDK, too', (t) => {
    if (TIER === 'quick') return t.skip('in the full tier');
    const home = compiledFor(t, '25', 'Loads');
    if (home === undefined) return;
    const file = join(folder, 'javac.txt');
    const { status, stdout, stderr } = runAgent(`${TRACER}:file=${file}`, [join(home, 'bin/javac'), '-version']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^javac 25/);
    assert.ok(traced(readFileSync(file, 'utf8')).some((name) => name.startsWith('com.sun.tools.javac.')));
  });

  it('names what is missing', () => {
    const run = (...words: string[]) => spawnCommand(['jvmpi', 'run', ...words]);
    const missing = run('no-such.ts', '--', 'java', '-version');
    assert.deepEqual([missing.status, missing.stderr], [2, 'kansoku: no-such.ts: there is no such agent\n']);
    const other = run(TRACER, '--', 'sh', '-c', 'true');
    assert.equal(other.status, 2);
    assert.match(other.stderr, /^kansoku: sh: the command must begin with java or another program of a JDK\n/);
  });
});
