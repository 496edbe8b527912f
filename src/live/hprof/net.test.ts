/** net=host:port of the HPROF agent: a session with each command, and that of the genuine agent. */
import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { COMMAND_WORDS, commandBytes } from '../../record/hprof/commands.js';
import { listenForAgent } from '../../record/hprof/listen.node.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { hprofFolder } from '../agent/build.node.js';
import { compiledFor, folder } from '../agent/testing/probed.js';

/** Those of the session with the genuine agent (net-client.mjs), and the end. */
const SESSION = [
  'summary',
  'sites 0.001',
  'sites allocated 0.01',
  'sampling on',
  'samples',
  'depth 2',
  'traces',
  'gc',
  'sites new',
  'summary',
  'exit',
];

/** What the agent sent while these commands were run; the program would go on. They begin when it has samples. */
async function sessionOf(home: string, options: string, commands: readonly string[], output: string) {
  const lines = new PassThrough();
  const refusals: string[] = [];
  let program: ReturnType<typeof spawn> | undefined;
  const env = { ...process.env, LD_LIBRARY_PATH: hprofFolder(process.env), JAVA_TOOL_OPTIONS: undefined };
  const bytes = await listenForAgent({
    port: 0,
    host: '127.0.0.1',
    output,
    commands: lines,
    signal: new AbortController().signal,
    onListening: (port) => {
      const agent = `-agentlib:hprof=net=127.0.0.1:${port},verbose=n,${options}`;
      program = spawn(join(home, 'bin/java'), [agent, '-cp', folder, 'Share', '600000'], { env, stdio: 'inherit' });
    },
    onConnection: () => {
      lines.write('depth 2\n');
      const timer = setInterval(() => {
        const hasSamples = /CPU SAMPLES END/.test(readFileSync(output, 'latin1')) || options.includes('format=b');
        if (!hasSamples) lines.write('samples\n');
        else {
          clearInterval(timer);
          lines.write(`${commands.join('\n')}\n`);
        }
      }, 100);
    },
    onRefusal: ({ message }) => void refusals.push(message),
  });
  if (program !== undefined && program.exitCode === null) await once(program, 'exit');
  return { bytes, refusals, exitCode: program?.exitCode };
}

/** Kinds of the records that answer commands, ALLOC SITES with its flags, HEAP SUMMARY with its length. */
function answersIn(file: Buffer): string[] {
  const answers: string[] = [];
  for (let at = file.indexOf(0) + 13; at + 9 <= file.length; at += 9 + file.readUInt32BE(at + 5)) {
    if (file[at] === 6) answers.push(`sites ${file.readUInt16BE(at + 9)}`);
    if (file[at] === 7) answers.push(`summary ${file.readUInt32BE(at + 5)}`);
    if (file[at] === 13) answers.push('samples');
  }
  return answers;
}

async function problemsOf(t: TestContext, path: string): Promise<readonly string[]> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  t.after(() => session.close());
  return (await ask(session, { view: 'check' })).rows.map(({ code, message }) => `${code}: ${message}`);
}

test('records are sent in the order of the genuine agent', async (t) => {
  const data = sharedData(t, 'hprof');
  const home = data === undefined ? undefined : compiledFor(t, '17', 'Share');
  if (data === undefined || home === undefined) return;
  const output = join(folder, 'sent.hprof');
  const { bytes, refusals, exitCode } = await sessionOf(
    home,
    'heap=sites,cpu=samples,format=b,interval=1',
    ['no such', ...SESSION],
    output,
  );
  deepEqual(refusals, ['there is no command "no such"']);
  equal(exitCode, 0);
  const sent = readFileSync(output);
  equal(sent.length, bytes);
  const genuine = answersIn(readFileSync(join(data, 'agent/net-commands.hprof')));
  // The genuine one went on to its end, and dumped.
  deepEqual(answersIn(sent), genuine.slice(0, genuine.lastIndexOf('summary 24') + 1));
  deepEqual(await problemsOf(t, output), []);
});

for (const version of amount(['17', '25'], ['25']))
  test(`JDK ${version}: sections of text are those that were asked for`, async (t) => {
    const home = compiledFor(t, version, 'Share');
    if (home === undefined) return;
    const output = join(folder, 'sent.txt');
    const off = ['allocations off', 'sampling off', 'clear samples', 'clear sites', 'allocations on', 'heap'];
    const session = [...SESSION.slice(0, -1), ...off, 'samples', 'exit'];
    const { exitCode } = await sessionOf(home, 'heap=all,cpu=samples,interval=1,cutoff=0', session, output);
    equal(exitCode, 0);
    const text = readFileSync(output, 'latin1');
    const sections = [...text.matchAll(/^(.*) BEGIN (?:\(ordered by (\w+))?/gm)].map(([, name, by]) => by ?? name);
    // Samples were cleared, and none were taken since.
    const changes = sections.filter((name, place) => name !== sections[place - 1]);
    deepEqual(changes, ['CPU SAMPLES', 'live', 'allocated', 'CPU SAMPLES', 'live', 'HEAP DUMP']);
    match(text, /^This is a stream: /m);
    match(text, /name="HPROF listener thread"/);
    // At the usual depth of four, hardly any stack has two.
    const pairCount = text.match(/^TRACE \d+:\n\t.*\n\t.*\n(?!\t)/gm)?.length ?? 0;
    ok(pairCount > 10, `${pairCount} traces of two frames`);
    // Classes that are loaded while the heap is dumped are not in the dump, but what refers to them is.
    const problems = await problemsOf(t, output);
    deepEqual(
      problems.filter((problem) => !problem.startsWith('hprof-missing-object')),
      [],
    );
  });

test('commands are spelled as numbers of old', () => {
  const hex = (line: string): string => Buffer.from(commandBytes(line)).toString('hex');
  equal(hex('gc'), '010000000000000000');
  equal(hex(' Sites  0.5'), '030000000000000006' + '0000' + '3f000000');
  equal(hex('sampling off 0x50000012'), '080000000000000006' + '0004' + '50000012');
  equal(hex('depth 8'), '080000000000000004' + '0007' + '0008');
  for (const line of ['', 'gc 3', 'depth x', 'sites allocated new']) throws(() => commandBytes(line));
  equal(COMMAND_WORDS.length, 18);
});
