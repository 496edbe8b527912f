/** Code that a JVM or a program made at run time, several times: each is a function of its own for gprofng, and for `print --strict`. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MadeExperiment } from '../../../formats/experiment/testing/made-experiment.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { HAS_PEER, ownTexts, peerText, rowsOf, writeMade } from '../testing/made.js';

const JAVA_THREAD = 2;

/** A thread of Java with three compiled versions of `run`, and code that replaced other code of its size, or of another one. */
function madeExperiment(folder: string): string {
  const made = new MadeExperiment(undefined, [JAVA_THREAD]);
  const at = (...native: string[]) => ({ stack: { native, java: ['run'] }, thread: JAVA_THREAD, time: 5e8 });
  made.clock(at('start', 'first'), 1).clock(at('start', 'second'), 2).clock(at('start', 'third'), 4);
  for (const [i, name] of ['stub - call', 'adapter', 'grown'].entries())
    made.clock({ stack: { native: ['start', name] }, time: 5e8 }, 8 << i);
  const path = join(folder, 'made.er');
  writeMade(made, path);
  const map = readFileSync(join(path, 'map.xml'), 'utf8');
  const lineOf = (name: string): string => new RegExp(`^.*name="${name}".*\\n`, 'm').exec(map)?.[0] ?? '';
  const changed = ['first', 'second', 'third'].reduce((text, name) => {
    const method = lineOf(name).replace('"function"', '"jcm"').replace(`name="${name}"`, 'methodId="0x1"');
    return text.replace(lineOf(name), method);
  }, map);
  const later = (line: string): string => line.replace('0.000000000', '0.250000000');
  const shorter = later(lineOf('stub - call')).replace('stub - call', 'call');
  const other = later(lineOf('adapter')).replace('adapter', 'other_name');
  const smaller = later(lineOf('grown')).replace('"grown"', '"grow"').replace('size="256"', 'size="128"');
  writeFileSync(join(path, 'map.xml'), changed + shorter + other + smaller);
  return path;
}

test('compiled versions of a method, and code at the place of other code', async (t) => {
  const path = madeExperiment(await temporaryFolder(t));
  const commands = ['-viewmode machine -functions', '-viewmode expert -functions', '-viewmode user -functions'];
  const strict = await ownTexts(path, commands);
  if (HAS_PEER) for (const [command, { out }] of strict) equal(out, peerText(path, command).out, command);
  const machine = strict.get(commands[0] ?? '')?.out ?? '';
  const versions = [...machine.matchAll(/^([\d.]+) .* Made\.run\(\)$/gm)].map(([, self]) => self);
  deepEqual(versions, ['0.040', '0.020', '0.010']);
  // What is mapped over code of the same place and size is not read if its name is part of the other one.
  deepEqual(Object.keys(rowsOf(machine)).sort(), [
    '<Total>',
    'Made.run()',
    'grow',
    'other_name',
    'start',
    'stub - call',
  ]);
  const right = (await ownTexts(path, commands, false)).get(commands[0] ?? '')?.out ?? '';
  const rows = rowsOf(right);
  deepEqual(Object.keys(rows).sort(), ['<Total>', 'Made.run()', 'call', 'grow', 'other_name', 'start']);
  equal(rows['Made.run()']?.split(' ')[0], '0.070');
});
