/** The methods that receivers run against a program that prints them: `Receivers.java` is compiled and run here. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { memorySource } from '../../bytes/byte-source.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { javapMethods } from '../../code/java/testing/javap-code.js';
import { ownJdk } from '../../code/java/testing/jdks.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import type { ResultOf } from '../index.js';

type MetClass = ResultOf<'pgo-receivers'>['rows'][number]['classes'][number];

const folder = mkdtempSync(join(tmpdir(), 'kansoku-receivers-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a program of the JDK and returns its output. */
function run(program: string, words: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: 'utf8' });
  equal(status, 0, stderr);
  return stdout;
}

/** The call on each printed line: its method, BCI and target in javap. */
function callsByLine() {
  const calls = new Map<number, { method: string; bci: number; named: string }>();
  for (const { name, instructions, lines } of javapMethods(['-cp', folder], ['Receivers']).get('Receivers') ?? []) {
    for (const { bci, text } of instructions) {
      const [, calleeName = ''] = /^invoke(?:virtual|interface) .*Method (.*):\(/.exec(text) ?? [];
      const line = lines.filter((row) => row.bci <= bci).at(-1)?.line ?? 0;
      if (/\.(name|text|open|get)$/.test(calleeName)) calls.set(line, { method: name, bci, named: calleeName });
    }
  }
  return calls;
}

describe('receivers of a program that prints what runs', () => {
  it('every class has the method that ran for it', async (t) => {
    if (!hasProgram(t, 'jstack')) return;
    run('javac', ['-d', folder, '-g', join(ROOT, 'src', 'views', 'code', 'fixtures', 'Receivers.java')]);
    const home = ownJdk() ?? '';
    const outputLines = run('java', ['-cp', folder, 'Receivers']).trim().split('\n');
    const classesByLine = new Map<number, Map<string, { ran: string; count: number }>>();
    for (const [line = '', receiver = '', ran = ''] of outputLines.map((text) => text.split('='))) {
      const classes = classesByLine.get(Number(line)) ?? new Map<string, { ran: string; count: number }>();
      classesByLine.set(Number(line), classes);
      classes.set(receiver, { ran, count: (classes.get(receiver)?.count ?? 0) + 1 });
    }
    const calls = callsByLine();
    deepStrictEqual([...calls.keys()].sort(), [...classesByLine.keys()].sort());

    const names = [
      'Receivers',
      'void',
      'java.lang.String',
      ...new Set([...classesByLine.values()].flatMap((one) => [...one.keys()])),
    ];
    const methods = [...new Set([...calls.values()].map(({ method }) => method))];
    const profile = {
      version: '1.1.0',
      types: names.map((name, id) => ({ id, name })),
      methods: methods.map((name, id) => ({ id, name, signature: [0, 1, names.length + id] })),
      virtualInvokeProfiles: [...calls].map(([line, { method, bci }]) => ({
        ctx: `${methods.indexOf(method)}:${bci}`,
        // The last receiver is not in the list: each call has a string once.
        records: [
          ...[...(classesByLine.get(line) ?? [])].flatMap(([name, { count }]) => [names.indexOf(name), count]),
          2,
          1,
        ],
      })),
    };
    const parameters = [
      '[LReceivers$Named;',
      '[LReceivers$Own;',
      '[LReceivers$Base;',
      '[Ljava.util.function.Supplier;',
    ];
    const types = [...profile.types, ...parameters.map((name, i) => ({ id: names.length + i, name }))];
    const bytes = new TextEncoder().encode(JSON.stringify({ ...profile, types }));
    const session = await openSession([memorySource('own.iprof', bytes)]);
    const path = await openClassPath([folder, home]);
    const result = await ask({ ...session, library: { classes: path } }, { view: 'pgo-receivers', page: { limit: 0 } });
    await path.close();
    for (const [line, { method, bci, named: calleeName }] of calls) {
      const row = result.rows.find(({ site }) => site === `Receivers.${method}:${bci}`);
      ok(row !== undefined, `${method}:${bci}`);
      equal(row.line, line);
      equal(row.declared, `${calleeName.replaceAll('/', '.')}()`);
      for (const [name, { ran, count }] of classesByLine.get(line) ?? []) {
        const met: MetClass | undefined = row.classes.find((one) => one.name === name);
        deepStrictEqual([met?.outcome, met?.count], [ran, count], `${name} at line ${line}`);
      }
      const [owner] = calleeName.replaceAll('/', '.').split(/\.(?=\w+$)/);
      equal(row.finding, `java.lang.String is not a subtype of ${owner}`);
    }
    deepStrictEqual(
      result.code?.findings.map(({ reason, sites, weight }) => [reason, sites, weight]),
      [['no subtype', calls.size, calls.size]],
    );
  });
});
