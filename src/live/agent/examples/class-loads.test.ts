/** The class-load tracer of the document (§8.1) on running JVMs, against `-Xlog:class+load` of the same runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { amount } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';
import { logged, traced } from '../testing/class-log.js';
import { runAgent } from '../testing/probed.js';

const TRACER = 'examples/jvmpi/class-loads.ts';
const PROGRAM = join(ROOT, 'src/live/agent/testing/programs/Loads.java');

const folder = mkdtempSync(join(tmpdir(), 'kansoku-loads-'));
after(() => rmSync(folder, { recursive: true }));

describe('the class-load tracer', () => {
  for (const version of amount(['17', '25'], ['25']))
    it(`sees each class that JDK ${version} logs, and nothing else`, (t) => {
      if (!hasProgram(t, `jdk-${version}`) || !hasProgram(t, 'gcc')) return;
      const home = jdkHome(version) ?? '';
      const classes = join(folder, version);
      mkdirSync(classes);
      const compiled = spawnSync(join(home, 'bin/javac'), ['-d', classes, PROGRAM], { encoding: 'utf8' });
      assert.equal(compiled.status, 0, compiled.stderr);
      const [trace, log] = [join(classes, 'trace.txt'), join(classes, 'log.txt')];
      const command = [join(home, 'bin/java'), `-Xlog:class+load:file=${log}`, '-cp', classes, 'Loads'];
      const { status, stdout, stderr } = runAgent(`${TRACER}:file=${trace}`, command);
      assert.deepEqual([status, stderr, stdout], [0, '', 'done\n']);
      const names = traced(readFileSync(trace, 'utf8'));
      assert.deepEqual(names, logged(readFileSync(log, 'utf8')));
      // A class with a lambda has hidden ones; Never is loaded, but never linked.
      for (const name of ['Loads', 'Loads$Never', 'java.lang.Object']) assert.ok(names.includes(name), name);
      assert.ok(names.some((name) => name.startsWith('Loads$$Lambda')));
    });

  it('names what is missing', () => {
    const run = (...words: string[]) => spawnCommand(['jvmpi', 'run', ...words]);
    const missing = run('no-such.ts', '--', 'java', '-version');
    assert.deepEqual([missing.status, missing.stderr], [2, 'kansoku: no-such.ts: there is no such agent\n']);
    const other = run(TRACER, '--', 'sh', '-c', 'true');
    assert.equal(other.status, 2);
    assert.match(other.stderr, /^kansoku: sh: the command must begin with java\n/);
  });
});
