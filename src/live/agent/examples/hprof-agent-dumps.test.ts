/** Dumps of the HPROF agent (examples/jvmpi/hprof.ts): heaps, monitors and requests, in text and binary, read by our readers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { TIER } from '../../../testing/amount.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { compileInto, runAgent } from '../testing/probed.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-hprof-'));
after(() => rmSync(folder, { recursive: true }));

/** Compiles a program and runs it with the agent; gives the path of its file. Undefined where the test is skipped. */
function ran(t: TestContext, source: string, words: readonly string[], options: string, name: string) {
  if (!hasProgram(t, 'jdk-17') || !hasProgram(t, 'gcc')) return undefined;
  const home = jdkHome('17') ?? '';
  compileInto(folder, home, source);
  const file = join(folder, name);
  const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, ...words];
  const { status, stderr } = runAgent(`examples/jvmpi/hprof.ts:${options},file=${file}`, command);
  assert.deepEqual([status, stderr], [0, '']);
  return file;
}

/** What a command answers, as JSON. */
function asked(command: readonly string[]): { readonly rows: readonly Record<string, unknown>[] } {
  const { status, stdout, stderr } = spawnCommand([...command, '--json'], { env: {} });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function unblemished(file: string): void {
  const { status, stderr } = spawnCommand(['check', file], { env: {} });
  assert.equal(status, 0);
  assert.match(stderr, /no problems found/);
}

const program = (name: string): string => join(ROOT, `src/live/agent/testing/programs/${name}.java`);

describe('dumps of the HPROF agent', () => {
  const counts = { GraphDemo$Derived: 2, GraphDemo$Prims: 1, GraphDemo$Colour: 3, GraphDemo$Inner: 1 };
  const objects = (file: string): unknown => {
    const { rows } = asked(['heap', 'histogram', file, '--limit', '0']);
    const of = (type: string): unknown => rows.find((row) => row.class === type)?.objects;
    return Object.fromEntries(Object.keys(counts).map((type) => [type, of(type)]));
  };

  it('heap=dump has the objects of the program in text', (t) => {
    if (TIER === 'quick') return t.skip('in the full tier');
    const source = sharedData(t, 'hprof/programs/GraphDemo.java');
    const file = source && ran(t, source, ['GraphDemo'], 'heap=dump', 'graph.txt');
    if (file === undefined) return;
    unblemished(file);
    assert.deepEqual(objects(file), counts);
    assert.equal(readFileSync(file, 'utf8').includes('SITES BEGIN'), false);
  });

  it('heap=all with format=b has them with the values of the genuine agent, and sites', (t) => {
    const source = sharedData(t, 'hprof/programs/GraphDemo.java');
    const genuine = sharedData(t, 'hprof/agent/graph-heap-dump.hprof.gz');
    const file = source && ran(t, source, ['GraphDemo'], 'heap=all,cutoff=0,format=b', 'graph.hprof');
    if (file === undefined || genuine === undefined) return;
    unblemished(file);
    assert.deepEqual(objects(file), counts);
    const [own, other] = [file, genuine].map((each) => {
      const [found] = asked(['heap', 'objects', each, '--class', 'GraphDemo.Prims$']).rows;
      const { rows } = asked(['heap', 'inspect', each, String(found?.address)]);
      return rows.flatMap(({ name, type, value }) => (name === 'str' ? [] : [[name, type, value].join(' ')])).sort();
    });
    assert.ok((own?.length ?? 0) >= 8, own?.join());
    assert.deepEqual(own, other);
    // static byte[] megabyte
    const site = asked(['sites', file]).rows.find(({ live_bytes }) => Number(live_bytes) > 1 << 20);
    assert.match(JSON.stringify(site), /GraphDemo.<clinit>/);
  });

  it('monitor=y has waits, contention in ms, and the monitors at the end', (t) => {
    const source = sharedData(t, 'hprof/programs/ContendDemo.java');
    const file = source && ran(t, source, ['ContendDemo', '20'], 'monitor=y,depth=6', 'monitors.txt');
    if (file === undefined) return;
    unblemished(file);
    const genuine = readFileSync(sharedData(t, 'hprof/agent/contend-monitor.txt') ?? '', 'utf8');
    const own = readFileSync(file, 'utf8');
    // The holder of a gate entered it twice, and another thread waits for it; spelled as the agents of JVMPI and JVMTI do.
    const ended =
      /\n {4}MONITOR L?ContendDemo\$Gate(?:;|\([0-9a-f]+\))\n\towner: thread (\d+), entry count: (\d+)\n\twaiting to enter: thread (\d+)\n/;
    const names = (text: string): unknown[] => {
      const [, owner = '', entries, waiting = ''] = ended.exec(text.slice(text.indexOf('\nMONITOR DUMP BEGIN'))) ?? [];
      const named = (id: string): string | undefined => new RegExp(`id = ${id}, name="([^"]*)"`).exec(text)?.[1];
      return [named(owner), entries, named(waiting)];
    };
    assert.deepEqual(names(own), ['holder', '2', 'blocked']);
    assert.deepEqual(names(genuine), names(own));
    assert.match(own, /\nWAIT: MONITOR java\.lang\.Thread\([0-9a-f]+\), timeout=0, thread 1\n/);
    assert.match(own, /\nWAITED: MONITOR java\.lang\.Thread\([0-9a-f]+\), time_waited=\d+, thread 1\n/);
    const [, total = ''] = /MONITOR TIME BEGIN \(total = (\d+) ms\)/.exec(own) ?? [];
    // Six threads for 20 rounds of about a ms each: each waits for the others.
    assert.ok(Number(total) > 20 && Number(total) < 60_000, total);
    assert.match(own, /\n +1 .* ContendDemo\$(?:Gate|Ledger)\([0-9a-f]+\) \(Java\)\n/);
  });

  it('are written when SIGQUIT asks for them, too; with doe=n only then', (t) => {
    const source = program('Quit');
    const file = ran(t, source, ['Quit'], 'heap=sites,cutoff=0,lineno=n,thread=y,doe=n', 'quit.txt');
    if (file === undefined) return;
    const text = readFileSync(file, 'utf8');
    assert.equal(text.match(/^SITES BEGIN/gm)?.length, 1);
    const [, trace = ''] = / 8904 +1 +8904 +1 +(\d+) long\[\]$/m.exec(text) ?? [];
    assert.doesNotMatch(text, / 17792 +1 /);
    const main = /id = (\d+), name="main"/.exec(text)?.[1];
    assert.match(
      text,
      new RegExp(`^TRACE ${trace}: \\(thread=${main}\\)\n\tQuit.half\\(Quit.java:Unknown line\\)$`, 'm'),
    );
    if (TIER === 'quick') return;
    const again = ran(t, source, ['Quit'], 'heap=sites,cutoff=0', 'again.txt');
    assert.equal(readFileSync(again ?? '', 'utf8').match(/^SITES BEGIN/gm)?.length, 2);
    unblemished(again ?? '');
  });
});
