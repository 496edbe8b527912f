/** Code beside recordings: the Fibonacci example, the small loops, and the methods of real profiles as `javap` prints them. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { javapMethods } from '../../code/java/testing/javap-code.js';
import { ownJdk } from '../../code/java/testing/jdks.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { BINARY_TREE, iprofFiles, ROOT } from '../../testing/shared-data.js';
import type { OptionsOf, ResultOf, ViewName } from '../index.js';

const FIXTURES = join(ROOT, 'src', 'views', 'code', 'fixtures');
const FIB = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'fib-1.0.0.iprof');
const LOOPS = join(ROOT, 'examples', 'loops');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-code-'));
after(() => rmSync(folder, { recursive: true }));

async function asked<Name extends ViewName>(
  file: string,
  view: Name,
  options: OptionsOf<Name>,
  library: { readonly classes?: readonly string[]; readonly sources?: readonly string[] },
) {
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {}, library });
  try {
    return await ask(session, { view, options, page: { limit: 0 } });
  } finally {
    await session.close?.();
  }
}

/** The home of the JDK in PATH. */
function javaHome(t: TestContext): string | undefined {
  return hasProgram(t, 'jstack') ? ownJdk() : undefined;
}

describe('the Fibonacci example on its code', () => {
  it('the loop check at BCI 11: ten iterations, one exit, as in the description', async (t) => {
    if (!hasProgram(t, 'jstack')) return;
    const { status, stderr } = spawnSync('javac', ['-g', '-d', folder, join(FIXTURES, 'Fib.java')], {
      encoding: 'utf8',
    });
    equal(status, 0, stderr);
    const [method] = (javapMethods(['-cp', folder], ['Fib']).get('Fib') ?? []).filter(
      ({ name }) => name === 'fibonacci',
    );
    equal(method?.instructions.find(({ bci }) => bci === 11)?.text, 'if_icmpge 53');
    const source = readFileSync(join(FIXTURES, 'Fib.java'), 'utf8').trimEnd().split('\n');
    const library = { classes: [folder], sources: [FIXTURES] };

    const { rows } = await asked(FIB, 'pgo-branches', {}, library);
    const row = rows.find(({ site }) => site === 'Fib.fibonacci:11');
    deepStrictEqual(
      [row?.instruction, source[(row?.line ?? 0) - 1]?.trim(), row?.role, row?.iterations],
      ['if_icmpge', 'for (int i = 0; i < n; i++) {', 'loop condition', 10],
    );
    deepStrictEqual(
      row?.targets.map(({ name, count }) => [name, count]),
      [
        ['taken, leaves loop (53)', 1],
        ['falls through (20)', 10],
      ],
    );
    deepStrictEqual(
      row?.ways?.map(({ kind, bci, recorded }) => [kind, bci, recorded]),
      [
        ['taken', 53, [53]],
        ['through', 14, [20]],
      ],
    );

    const listing = await asked(FIB, 'disasm', { method: 'Fib.fibonacci', metric: 'samples' }, library);
    const instructions = listing.rows.filter(({ kind }) => kind === 'instruction');
    deepStrictEqual(
      instructions.map(({ bci, code }) => [bci, code.replace(/\s+/g, ' ').trim()]),
      method?.instructions.map(({ bci, text }) => [bci, text]),
    );
    // 10 samples lie in sleep, which is called at BCI 17; 34 is where print was inlined and ran ten times.
    deepStrictEqual(
      instructions.filter(({ total }) => total !== null).map(({ bci, self, total }) => [bci, self, total]),
      [
        [17, null, 10],
        [34, 1, 1],
      ],
    );
    equal(instructions.find(({ bci }) => bci === 34)?.executed, 10);

    const annotated = await asked(FIB, 'source', { name: 'Fib', metric: 'samples' }, library);
    deepStrictEqual(
      annotated.rows.map(({ code }) => code),
      source.map((line) => line.trimEnd()),
    );
    const line = (text: string) => annotated.rows.find(({ code }) => code.trim() === text);
    equal(line('Thread.sleep(10);')?.total, 10);
    equal(line('new Fib(10).fibonacci();')?.total, 11);
    equal(line('for (int i = 0; i < n; i++) {')?.executed, 11);
    equal(line('first = second;')?.executed, null);
  });
});

describe('the small loops', () => {
  const library = { classes: [LOOPS], sources: [LOOPS] };
  const file = join(LOOPS, 'loops.iprof');

  it('calls have their declared target and the methods that ran for their receivers', async () => {
    const { rows, code } = await asked(file, 'pgo-receivers', {}, library);
    const [row] = rows;
    deepStrictEqual([row?.instruction, row?.declared], ['invokeinterface', 'Loops$Shape.area()']);
    deepStrictEqual(
      row?.classes.map(({ name, count, outcome }) => [name, count, outcome]),
      [
        ['Loops$Square', 2, 'Loops$Square.area()'],
        ['Loops$Strip', 1, 'Loops$Strip.area()'],
      ],
    );
    deepStrictEqual([code?.fitting, code?.findings.length], [1, 0]);
  });

  it('a method is shown with its head and its end, its bytecode below each line', async () => {
    const { rows, methods } = await asked(file, 'source', { name: 'Loops.gcd', disasm: true }, library);
    deepStrictEqual(methods, ['Loops.gcd']);
    const lines = rows.filter(({ kind }) => kind === 'line').map(({ code }) => code.trim());
    deepStrictEqual([lines[0], lines.at(-1)], ['static int gcd(int a, int b) {', '}']);
    const check = rows.find(({ bci }) => bci === 1);
    deepStrictEqual([check?.code.trim(), check?.executed], ['ifeq          15', 72]);
  });

  it('calls of a PGO profile are shown instead of its few samples, also in a comparison', async () => {
    equal((await asked(file, 'source', { name: 'Loops' }, library)).metric?.id, 'calls');
    const session = await openInputs([FIB, FIB], { cache: false, announce: () => undefined, work: {} });
    const { metric } = await ask(session, { view: 'diff', recording: 'r2', base: 'r1' });
    await session.close?.();
    equal(metric.id, 'calls');
  });

  it('methods are found with and without blanks after commas, with and without the class', async () => {
    for (const method of ['Loops.find(int[],int)', 'find(int[],int)', 'find(int[], int)']) {
      equal((await asked(file, 'disasm', { method }, library)).method, 'Loops.find(int[], int)');
      equal((await asked(file, 'callers', { function: method }, {})).total, 2, method);
    }
  });

  it('counts at instructions that cannot have them are marked, and not shown at source lines', async () => {
    const moved = join(folder, 'moved.iprof');
    // The branch of gcd, 72 times at BCI 1, at BCI 4 instead: an iload on line 21.
    writeFileSync(moved, readFileSync(file, 'utf8').replace('"ctx":"1:1<0:47"', '"ctx":"1:4<0:47"'));
    const listing = await asked(moved, 'disasm', { method: 'Loops.gcd' }, library);
    const row = listing.rows.find(({ bci }) => bci === 4);
    equal(row?.executed, null);
    deepStrictEqual(
      row?.observed.map(({ name, count }) => [name, count]),
      [
        ['not a branch: 15', 20],
        ['not a branch: 4', 52],
      ],
    );
    const annotated = await asked(moved, 'source', { name: 'Loops.gcd' }, library);
    const line = annotated.rows.find((one) => one.line === 21);
    deepStrictEqual([line?.executed, line?.observed], [null, []]);
    for (const { notes } of [listing, annotated])
      match(
        noteTexts(notes).join('\n'),
        /The code has 1 of 2 sites, [^\n]*\n.*other instruction 1 with 72 \(Loops\.gcd:4: BCI 4 is iload_0/,
      );
    ok(
      !noteTexts((await asked(file, 'source', { name: 'Loops' }, library)).notes).some((note) =>
        /The code has/.test(note),
      ),
    );
  });

  it('a method that is not in the classes is an error', async () => {
    const renamed = join(folder, 'renamed.iprof');
    writeFileSync(renamed, readFileSync(file, 'utf8').replace('"name":"gcd"', '"name":"lcm"'));
    await rejects(asked(renamed, 'source', { name: 'Loops.lcm' }, library), /Loops has no int lcm\(int, int\)/);
    await rejects(asked(file, 'source', { name: 'Loops.none' }, library), /Loops has no none/);
  });

  it('a source of another build than the classes is reported', async () => {
    const other = join(folder, 'other');
    const text = readFileSync(join(LOOPS, 'Loops.java'), 'utf8');
    mkdirSync(other);
    writeFileSync(join(other, 'Loops.java'), text.replace('int gcd(', 'int lcm('));
    const sources = { classes: [LOOPS], sources: [other] };
    const odd = /^The source at lines 20–25 does not look like Loops\.gcd: check that it is from the same build\.$/;
    for (const name of ['Loops', 'Loops.gcd']) {
      equal(
        noteTexts((await asked(file, 'source', { name }, sources)).notes).filter((note) => odd.test(note)).length,
        1,
        name,
      );
      ok(
        !noteTexts((await asked(file, 'source', { name }, library)).notes).some((note) =>
          /does not look like/.test(note),
        ),
      );
    }
  });

  it('missing code is an error with advice, and several candidates are listed', async () => {
    await rejects(asked(file, 'disasm', { method: 'gcd' }, {}), /no class path given/);
    await rejects(asked(file, 'source', { name: 'Loops' }, {}), /no source path given/);
    await rejects(
      asked(file, 'source', { name: 'Loops' }, { sources: [LOOPS] }),
      /bytecode indexes of Loops, but no lines/,
    );
    await rejects(
      asked(file, 'disasm', { method: 'Loops' }, library),
      (error: Error & { lines?: readonly string[] }) => {
        match(error.message, /ambiguous: \d+ methods match/);
        match((error.lines ?? []).join('\n'), /Loops\.find\(int\[\], int\)\n {2}Loops\.gcd\(int, int\)/);
        return true;
      },
    );
    await rejects(asked(file, 'disasm', { method: 'Loops.none' }, library), /has a method Loops.none/);
  });

  it('sites that are not in the code are counted and listed', async () => {
    const { rows, code } = await asked(BINARY_TREE, 'pgo-branches', {}, library);
    equal(code?.fitting, 0);
    equal(code?.sites, rows.length);
    equal(
      code?.findings.reduce((sum, { weight }) => sum + weight, 0),
      rows.reduce((sum, { executed }) => sum + executed, 0),
    );
    ok(rows.every(({ finding }) => finding !== null));
  });
});

describe('real profiles on the code of a JDK', () => {
  const CLASSES = [
    'java.lang.String',
    'java.util.HashMap',
    'java.lang.Integer',
    'java.util.concurrent.ConcurrentHashMap',
  ];

  it('the methods of the profile are listed as javap prints them', async (t) => {
    const home = javaHome(t);
    if (home === undefined) return;
    const javapOutput = javapMethods(['--module', 'java.base'], CLASSES);
    const session = await openInputs([BINARY_TREE], {
      cache: false,
      announce: () => undefined,
      work: {},
      library: { classes: [home] },
    });
    // Cases are printed on lines of their own; numbers that are not whole are spelled in another way since JDK 19.
    const plain = (text: string): string =>
      text
        .replace(/^(\w*switch) \{.*$/, '$1')
        .replace(/(\/\/ (?:float|double)) .*/, '$1')
        .replace(/\s+/g, ' ')
        .trim();
    let compared = 0;
    for (const [name, methods] of javapOutput) {
      for (const method of methods.filter(({ instructions }) => instructions.length > 0)) {
        const overloads = methods.filter((other) => other.name === method.name);
        if (overloads.length > 1 || /^[<l]/.test(method.name) || compared === 40) continue;
        const options = { method: `${name}.${method.name}` };
        const { rows } = await ask(session, { view: 'disasm', options, page: { limit: 0 } });
        deepStrictEqual(
          rows.map(({ bci, code }) => [bci, plain(code)]),
          method.instructions.map(({ bci, text }) => [bci, plain(text)]),
          options.method,
        );
        compared++;
      }
    }
    await session.close?.();
    ok(compared === 40, `${compared} methods`);
  });

  it('branches that fit the code have the outcomes of their instructions', async (t) => {
    const home = javaHome(t);
    if (home === undefined) return;
    for (const file of iprofFiles().filter((name) => !name.includes('jspy'))) {
      const result: ResultOf<'pgo-branches'> = await asked(file, 'pgo-branches', {}, { classes: [home] });
      const inJdk = result.rows.filter(
        ({ finding }) => finding === null || !finding.endsWith('is not among the classes'),
      );
      const fitting = inJdk.filter(({ finding }) => finding === null);
      // Made with other builds of the JDK, the profiles fit only in part; far more would be misread than that.
      ok(fitting.length > inJdk.length / 2, `${file}: ${fitting.length} of ${inJdk.length}`);
      equal(result.code?.fitting, fitting.length);
      for (const { ways, executed, instruction, site } of fitting) {
        equal(
          ways?.reduce((sum, { count }) => sum + count, 0),
          executed,
          site,
        );
        if (instruction?.startsWith('if') === true) ok((ways?.length ?? 0) <= 2, site);
      }
    }
  });
});

describe('samples by line', () => {
  const samples = join(ROOT, 'examples', 'hprof', 'cpu-samples.txt');

  /** A source with this number of lines in a folder of its own; the content does not matter. */
  function sourceOf(lines: number): string {
    const sources = mkdtempSync(join(folder, 'sources-'));
    const text = Array.from({ length: lines }, (_, i) => (i === 0 ? '\tone\ttab' : `line ${i + 1}`));
    writeFileSync(join(sources, 'CpuDemo.java'), `${text.join('\n')}\n`);
    return sources;
  }

  it('every line is shown, with its values from the stacks', async () => {
    const { rows, metric, notes } = await asked(samples, 'source', { name: 'CpuDemo' }, { sources: [sourceOf(24)] });
    equal(rows.length, 24);
    equal(rows[0]?.code, '        one     tab');
    // By the TRACEs in the text: hot is the innermost frame of 106 samples; round called the functions of 117 of all
    // 142.
    deepStrictEqual([rows[5]?.self, rows[5]?.total, rows[11]?.total, metric?.sum], [106, 107, 117, 142]);
    equal(
      rows.reduce((sum, { self }) => sum + (self ?? 0), 0),
      134,
    );
    ok(!noteTexts(notes).some((note) => /behind the end/.test(note)));
  });

  it('lines after the end of the file are reported as another source', async () => {
    const { notes } = await asked(samples, 'source', { name: 'CpuDemo' }, { sources: [sourceOf(6)] });
    ok(
      noteTexts(notes).some((note) => /^\d+ are on lines after the end of this file/.test(note)),
      noteTexts(notes).join('\n'),
    );
  });

  it('stacks without lines are reported', async () => {
    const stacks = join(folder, 'stacks.collapsed');
    writeFileSync(stacks, 'demo/Main.main;demo/CpuDemo.hot 3\ndemo/Main.main 1\n');
    const sources = join(folder, 'of-stacks');
    cpSync(sourceOf(3), join(sources, 'demo'), { recursive: true });
    await rejects(asked(stacks, 'source', { name: 'CpuDemo' }, { sources: [sources] }), /neither lines nor bytecode/);
  });
});
