/**
 * The examples of the Performance Analyzer's manual (Sun Studio 12, chapter 7), written as experiments: what `print --strict` shows of them is what the
 * manual says, and byte for byte what gprofng prints where that is installed.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MPI_CALLS } from '../../formats/experiment/kinds/mpi.js';
import { MadeExperiment, type MadeStack } from '../../formats/experiment/testing/made-experiment.js';
import { HAS_PEER, ownTexts, peerText, rowsOf, writeMade } from './testing/made.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-seed-'));
after(() => rmSync(folder, { recursive: true }));

const STEP = 10_000_000;
const LISTS = ['-functions', '-callers-callees', '-calltree'];
const FACTS = ['-metric_list', '-overview', '-lines', '-pcs', '-fsummary', '-threads', '-samples', '-header all'];

const stackOf = (native: string, more: Partial<MadeStack> = {}): MadeStack => ({ native: native.split(' '), ...more });

/** An experiment with ticks of 10 ms: stack, ticks, microstate. */
function clocked(events: readonly (readonly [stack: MadeStack, ticks: number, state?: number])[]): MadeExperiment {
  const made = new MadeExperiment();
  for (const [i, [stack, ticks, state = 0]] of events.entries())
    made.clock({ stack, time: (i + 1) * STEP }, ticks, state);
  return made;
}

/** Prints an experiment; the same as gprofng does, if that is here. */
async function printed(name: string, made: MadeExperiment, commands: readonly string[]) {
  const path = join(folder, `${name}.er`);
  writeMade(made, path);
  const own = await ownTexts(path, commands);
  for (const command of HAS_PEER ? commands : []) {
    const { out, err } = own.get(command) ?? { out: '', err: '' };
    const peer = peerText(path, command);
    deepEqual([command, out, err.trim()], [command, peer.out, peer.err.trim()]);
  }
  return (command: string): string => own.get(command)?.out ?? '';
}

describe('exclusive, inclusive and attributed values', () => {
  test('of recursion: the outermost call has the inclusive time, calls by each other are callers of each other', async () => {
    const text = await printed(
      'recursion',
      clocked([
        [stackOf('_start main A'), 3],
        [stackOf('_start main A B'), 2],
        [stackOf('_start main A A B'), 1],
        [stackOf('_start main A B A B A'), 4],
        [stackOf('_start main B A'), 1],
        [stackOf('_start main'), 2],
      ]),
      [...LISTS, ...FACTS, '-csingle A 1', '-csingle main -cappend A -cappend B'],
    );
    const rows = rowsOf(text('-functions'));
    deepEqual(rows, {
      '<Total>': '0.130 100.00 0.130 100.00',
      A: '0.080 61.54 0.110 84.62',
      B: '0.030 23.08 0.080 61.54',
      main: '0.020 15.38 0.130 100.00',
      _start: '0. 0. 0.130 100.00',
    });
    // 3 + 2 + 1 + 4 + 1 ticks with A: it was called by main in 5 of them last, by B in 5, by itself in 1.
    const [callers = '', fragment = ''] = text('-csingle A 1').split('Stack Fragment');
    deepEqual(rowsOf(callers), { main: '0.050 45.45', B: '0.050 45.45', A: '0.010 9.09' });
    const [own = '', callees = ''] = fragment.split('Callees');
    deepEqual([rowsOf(own), rowsOf(callees)], [{ A: '0.080 72.73' }, { B: '0.030 27.27', A: '0. 0.' }]);
    // Only the chain main → A → B counts.
    const chain = text('-csingle main -cappend A -cappend B').split('Stack Fragment').at(-1) ?? '';
    deepEqual(rowsOf(chain), { B: '0.020 33.33', A: '0.040 66.67' });
  });

  test('of tail calls: A → B → C → D is A that calls each of them', async () => {
    const text = await printed(
      'tails',
      clocked([
        [stackOf('_start A B'), 2],
        [stackOf('_start A C'), 3],
        [stackOf('_start A D'), 4],
      ]),
      LISTS,
    );
    const tree = text('-calltree').split('\n').slice(5, -1);
    deepEqual(
      tree.map((line) => line.replace(/^[\d. ]+/, '').trim()),
      ['+-<Total>', '+-_start', '+-A', '+-D', '+-C', '+-B'],
    );
    equal(rowsOf(text('-functions')).A, '0. 0. 0.090 100.00');
  });
});

test('functions that compilers made: named after their origin, in the inclusive time of their callers', async () => {
  const text = await printed(
    'made-functions',
    clocked([
      // Bodies of a parallel region and of a loop, as the chapter names them.
      [stackOf('_start main bardo_ _$p1C9.bardo_'), 4],
      [stackOf('_start main atomsum_ _$d1A7.atomsum_'), 3],
      [stackOf('_start main atomsum_'), 1],
      // A function and its clone are apart.
      [stackOf('_start main scale'), 2],
      [stackOf('_start main _$c1A.scale'), 5],
      // Outlined code is jumped to: the analyzer makes it a call of its function.
      [stackOf('_start main check _$o1A12.check'), 6],
      // The body of a subroutine with a second entry has one of its names, which its calls are from.
      [stackOf('_start main sub_ callee'), 7],
      [stackOf('_start main alt_'), 1],
    ]),
    [...LISTS, '-csingle atomsum_ 1', '-csingle callee 1'],
  );
  // gprofng reads the names of linkers only where they are symbols of files.
  const strict = rowsOf(text('-functions'));
  equal(strict['_$p1C9.bardo_'], '0.040 13.79 0.040 13.79');
  const [own] = (await ownTexts(join(folder, 'made-functions.er'), ['-functions'], false)).values();
  deepEqual(rowsOf(own?.out ?? ''), {
    '<Total>': '0.290 100.00 0.290 100.00',
    callee: '0.070 24.14 0.070 24.14',
    'check -- outline code from line 12 [_$o1A12.check]': '0.060 20.69 0.060 20.69',
    'scale -- cloned version [_$c1A.scale]': '0.050 17.24 0.050 17.24',
    'bardo_ -- OMP parallel region from line 9 [_$p1C9.bardo_]': '0.040 13.79 0.040 13.79',
    'atomsum_ -- Parallel loop from line 7 [_$d1A7.atomsum_]': '0.030 10.34 0.030 10.34',
    scale: '0.020 6.90 0.020 6.90',
    alt_: '0.010 3.45 0.010 3.45',
    atomsum_: '0.010 3.45 0.040 13.79',
    _start: '0. 0. 0.290 100.00',
    bardo_: '0. 0. 0.040 13.79',
    check: '0. 0. 0.060 20.69',
    main: '0. 0. 0.290 100.00',
    sub_: '0. 0. 0.070 24.14',
  });
  const [callers = ''] = text('-csingle callee 1').split('Stack Fragment');
  deepEqual(rowsOf(callers), { sub_: '0.070 100.00' });
});

/** Table 7-2, with traps apart as gprofng has them: state, metric, ticks. */
const MICROSTATES = [
  'user',
  'system',
  'trap',
  'textpfault',
  'datapfault',
  'kernelpfault',
  'lock',
  'sleep',
  'wait',
  'stop',
] as const;

test('microstates: each is a metric, CPU time is user, system and traps, and all are the time of threads', async () => {
  const made = clocked(MICROSTATES.map((_, state) => [stackOf(`_start main f${state}`), state + 1, state]));
  const columns = [...MICROSTATES, 'totalcpu', 'total'].map((id) => `e.${id}`).join(':');
  const command = `-metrics ${columns}:name -functions`;
  const text = await printed('microstates', made, [...LISTS, ...FACTS, command]);
  const rows = rowsOf(text(command));
  for (const [state, id] of MICROSTATES.entries()) {
    const spent = `0.${String((state + 1) * 10).padStart(3, '0')}`;
    const cells = [...MICROSTATES, 'totalcpu', 'total'].map((each) => {
      const isOwn = each === id || each === 'total' || (each === 'totalcpu' && state < 3);
      return isOwn ? spent : '0.';
    });
    equal(rows[`f${state}`], cells.join(' '), id);
  }
  equal(rows['<Total>']?.endsWith('0.060 0.550'), true);
});

test('system time without --strict has traps, as the manual says', async () => {
  const path = join(folder, 'traps.er');
  writeMade(
    clocked([
      [stackOf('main syscall'), 2, 1],
      [stackOf('main trap'), 3, 2],
    ]),
    path,
  );
  const command = '-metrics e.system:name -functions';
  const own = await ownTexts(path, [command], false);
  equal(rowsOf(own.get(command)?.out ?? '')['<Total>'], '0.050');
});

test('pseudo functions of hardware counters are functions as others', async () => {
  const names = [
    'collector_not_program_related',
    'collector_lost_hwc_overflow',
    'collector_lost_sigemt',
    'collector_hwc_ABORT',
    'collector_final_counters',
    'collector_record_counters',
  ];
  const made = new MadeExperiment({ littleEndian: true, word: 8 }, [], ['cycles', 'insts']);
  for (const [i, name] of names.entries()) {
    made.counter({ stack: stackOf(`_start main ${name}`), time: (2 * i + 1) * STEP }, 1000 * (i + 1), 0);
    made.counter({ stack: stackOf(`_start main ${name}`), time: (2 * i + 2) * STEP }, 500 * (i + 1), 1);
  }
  const text = await printed('counters', made, [
    ...LISTS,
    '-metric_list',
    '-overview',
    '-metrics e+cycles:e+insts:IPC:CPI:name -functions',
  ]);
  const rows = rowsOf(text('-metrics e+cycles:e+insts:IPC:CPI:name -functions'));
  for (const [i, name] of names.entries())
    equal(rows[name], `${1000 * (i + 1)} ${500 * (i + 1)} 0.500 0.500 2.000 2.000`);
});

test('too few samples are reported, traced events are not', async () => {
  const made = clocked(Array.from({ length: 99 }, () => [stackOf('main'), 1] as const));
  made.heap({ stack: stackOf('main'), time: STEP }, 0, 0x1000, 8);
  const path = join(folder, 'few.er');
  writeMade(made, path);
  const commands = '-functions -procstats';
  const all = (await ownTexts(path, [commands])).get(commands)?.out ?? '';
  const own = all.slice(all.indexOf('PathTree'));
  const warning = "WARNING: too few clock-profile events (99) in experiment 1 (`few.er') for statistical validity";
  deepEqual(
    own.split('\n').filter((line) => line.startsWith('WARNING')),
    [warning],
  );
  const peer = HAS_PEER ? peerText(path, commands).out : own;
  // The peer also says how long it took.
  const counts = peer.slice(peer.indexOf('PathTree')).replace(/^PathTree time.*\n+/m, '');
  equal(own.trim(), counts.trim());
});

test('Java in three views', async () => {
  const made = new MadeExperiment({ littleEndian: true, word: 8 }, [1]);
  made.clock({ stack: stackOf('_start interpreter', { java: ['main', 'run'] }), thread: 1, time: STEP }, 3, 10);
  made.clock({ stack: stackOf('_start collector'), thread: 2, time: 2 * STEP }, 2, 10);
  made.clock(
    { stack: stackOf('_start interpreter native', { java: ['main', 'call!'] }), thread: 1, time: 3 * STEP },
    1,
    10,
  );
  const modes = ['user', 'expert', 'machine'];
  const text = await printed(
    'java',
    made,
    modes.flatMap((mode) => LISTS.map((list) => `-viewmode ${mode} ${list}`)),
  );
  const namesIn = (mode: string): string[] => Object.keys(rowsOf(text(`-viewmode ${mode} -functions`))).sort();
  deepEqual(namesIn('user'), ['<JVM-System>', '<Total>', 'Made.call()', 'Made.main()', 'Made.run()']);
  deepEqual(namesIn('expert'), ['<Total>', 'Made.call()', 'Made.main()', 'Made.run()', '_start', 'collector']);
  deepEqual(namesIn('machine'), ['<Total>', '_start', 'collector', 'interpreter', 'native']);
});

test('each state of OpenMP: its pseudo function, and what counts as work, wait and overhead', async () => {
  const pseudo = [
    ...['', '', '', '<OMP-implicit_barrier>', '<OMP-explicit_barrier>', '<OMP-idle>', '', '<OMP-reduction>'],
    ...['<OMP-lock_wait>', '<OMP-critical_section_wait>', '<OMP-ordered_section_wait>', '<OMP-atomic_wait>', ''],
  ];
  const made = new MadeExperiment();
  for (const state of pseudo.keys()) {
    const openmp = { state, user: ['_start', 'main', 'foo', 'foo-OMP'] };
    made.clock({ stack: stackOf('_start main foo libmtsk', { openmp }), time: (state + 1) * STEP }, state + 1, 0);
  }
  const columns = '-metrics e.ompwork:e.ompwait:e.ompovhd:name -functions';
  const modes = ['user', 'expert', 'machine'].map((mode) => `-viewmode ${mode} -functions`);
  const text = await printed('openmp', made, [columns, '-callers-callees', '-calltree', '-overview', ...modes]);
  const rows = rowsOf(text(columns));
  for (const [state, name] of pseudo.entries()) {
    const spent = `0.${String((state + 1) * 10).padStart(3, '0')}`;
    if (name !== '') equal(rows[name], state === 7 ? `${spent} 0. 0.` : `0. ${spent} 0.`, name);
  }
  equal(rows['<Total>'], '0.190 0.700 0.020');
  equal(
    Object.keys(rowsOf(text('-viewmode machine -functions'))).some((name) => name.startsWith('<OMP')),
    false,
  );
});

test('the accounts of MPI, which gprofng refuses: time, packets and bytes of Bcast, Allreduce and Barrier', async () => {
  const call = (name: (typeof MPI_CALLS)[number]): number => MPI_CALLS.indexOf(name);
  const made = new MadeExperiment();
  const at = (native: string, time: number) => ({ stack: stackOf(native), time });
  // Of four processes the root sends 1000 bytes to each, itself included; then each sends them to each.
  made.mpi(at('_start main Bcast', 1e6), call('Bcast'), 1e6, [4, 4000, 1, 1000]);
  made.mpi(at('_start main Allreduce', 3e6), call('Allreduce'), 2e6, [4, 4000, 4, 4000]);
  made.mpi(at('_start main Barrier', 7e6), call('Barrier'), 3e6, [0, 0, 0, 0]);
  const path = join(folder, 'mpi.er');
  writeMade(made, path);
  const columns = 'i.mpitime:i.mpisend:i.mpibytessent:i.mpireceive:i.mpibytesrecv:i.mpiother:name';
  const command = `-metrics ${columns} -functions`;
  const rows = rowsOf((await ownTexts(path, [command], false)).get(command)?.out ?? '');
  deepEqual(rows['<Total>'], '0.006 8 8000 5 5000 1');
  deepEqual(
    ['Bcast', 'Allreduce', 'Barrier'].map((name) => rows[name]),
    ['0.001 4 4000 1 1000 0', '0.002 4 4000 4 4000 0', '0.003 0 0 0 0 1'],
  );
});
