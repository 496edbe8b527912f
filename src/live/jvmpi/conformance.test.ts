/** The table of docs/jvmpi.md against the interface, and against what the agent can switch on. */
import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EVENTS } from '../../formats/jvmpi/document/index.js';
import { ROOT } from '../../testing/shared-data.js';
import { RULES } from './rules.js';

/** Name → fidelity, from the table with this heading. */
function table(heading: string): Map<string, string> {
  const page = readFileSync(join(ROOT, 'docs/jvmpi.md'), 'utf8');
  const rows =
    page
      .split(`\n| ${heading} |`)[1]
      ?.split('\n\n')[0]
      ?.split('\n')
      .slice(2)
      .filter((row) => row.startsWith('|')) ?? [];
  return new Map(
    rows.map((row) => {
      const [, name = '', fidelity = ''] = row.split('|').map((cell) => cell.trim());
      return [name, fidelity];
    }),
  );
}

describe('the conformance table', () => {
  it('has each function and event once, with its fidelity', () => {
    const [functions, events] = [table('function'), table('event')];
    deepEqual(new Set(functions.keys()), new Set(['NotifyEvent', ...Object.keys(RULES)]));
    deepEqual(new Set(events.keys()), new Set(Object.keys(EVENTS)));
    for (const fidelity of [...functions.values(), ...events.values()])
      ok(['exact', 'near', 'partly', 'missing'].includes(fidelity), fidelity);
  });

  it('says missing of the events that neither the agent nor the interface sends', () => {
    const source = readFileSync(join(ROOT, 'agent/switches.c'), 'utf8');
    const rows = source.split('} ROWS[] = {')[1]?.split('};')[0] ?? '';
    const sent = new Set([...rows.matchAll(/^ +\{JVMPI_EVENT_([A-Z0-9_]+),/gm)].map(([, name]) => name));
    // Dumps are made when they are requested.
    const requests = readFileSync(join(ROOT, 'agent/functions.c'), 'utf8');
    for (const [, name] of requests.matchAll(/type == JVMPI_EVENT_([A-Z]+_DUMP)\b/g)) sent.add(name);
    const missing = [...table('event')].filter(([, fidelity]) => fidelity === 'missing').map(([name]) => name);
    const expected = Object.keys(EVENTS).filter((name) => !sent.has(name) && !name.startsWith('RAW_MONITOR_'));
    deepEqual(missing, expected);
  });

  it('has a test for each row that is not missing', () => {
    const folders = [
      'src/live/jvmpi',
      'src/live/jvmpi/testing',
      'src/live/agent',
      'src/live/agent/examples',
      'agent/testing',
      'agent/testing/c',
    ];
    // Tests of the interface run over a scripted VM, those of the agents in JVMs; all.c is an agent that a test runs.
    const tests = folders
      .flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => join(folder, file)))
      .filter((file) => /[.](?:test[.]ts|mts|c)$/.test(file) && !file.endsWith('conformance.test.ts'))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n');
    const rows = [...table('function'), ...table('event')].filter(([, fidelity]) => fidelity !== 'missing');
    const untested = rows.filter(([name]) => !new RegExp(`(?:\\b|_)${name}\\b`).test(tests)).map(([name]) => name);
    deepEqual(untested, []);
  });
});
