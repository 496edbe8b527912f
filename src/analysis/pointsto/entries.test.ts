/** Other entries than `main`: methods by name, of a library, of reachability metadata, of a recording. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { inFullTier } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { type Analysis, type AnalysisOptions, analyze } from './analyze.js';
import { type Registration, registrationsIn } from './metadata/registration.js';

const SOURCE = readFileSync(join(ROOT, 'src/analysis/pointsto/fixtures/Plugins.java.txt'), 'utf8');

interface Compiled {
  readonly home: string;
  readonly classes: string;
}

function compiled(t: TestContext): Compiled | undefined {
  const [home] = jdkHomes(t);
  if (home === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-entries-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'demo'));
  writeFileSync(join(folder, 'demo/Plugins.java'), SOURCE);
  const classes = join(folder, 'classes');
  jdkTool(home, 'javac', ['-nowarn', '-d', classes, join(folder, 'demo/Plugins.java')]);
  return { home, classes };
}

/** Classes of the JDK change nothing of what these programs reach of their own: only one test has them. */
async function analysed(
  { home, classes }: Compiled,
  options: Partial<AnalysisOptions>,
  withJdk = false,
): Promise<Analysis> {
  const path = await openClassPath(withJdk ? [classes, home] : [classes]);
  try {
    return await analyze(path, { cutoff: 20, ...options }, {});
  } finally {
    await path.close();
  }
}

/** `Open.call()V` of the program's methods, without `main` and what a class initialises. */
async function reachedBy(program: Compiled, options: Partial<AnalysisOptions>): Promise<string[]> {
  const { engine } = await analysed(program, options);
  return [...engine.reached]
    .map((method) => {
      const { name, descriptor } = engine.methods.selectorOf(method);
      return `${engine.types.name(engine.methods.entry(method).owner)}.${name}${descriptor}`;
    })
    .flatMap((name) => (name.startsWith('demo/Plugins$') ? [name.slice('demo/Plugins$'.length)] : []))
    .sort();
}

const MAIN = 'demo.Plugins';

test('methods by name or pattern, and those of a library', async (t) => {
  const program = compiled(t);
  if (program === undefined) return;
  deepStrictEqual(await reachedBy(program, { main: MAIN }), []);
  deepStrictEqual(await reachedBy(program, { methods: ['demo.Plugins$Hidden.call'] }), ['Hidden.call()V']);
  deepStrictEqual(await reachedBy(program, { main: MAIN, methods: ['^demo.*extra'] }), [
    'Loaded.extra(I)V',
    'Loaded.extra([Ljava/lang/String;)V',
  ]);
  deepStrictEqual(await reachedBy(program, { isLibrary: true }), ['Open.<init>()V', 'Open.call()V', 'Open.help()V']);
  await rejects(
    analysed(program, { methods: ['demo.Plugins$Hidden.cal()'] }),
    (error) => error instanceof UsageError && String(error.advice).includes('demo.Plugins$Hidden.call()'),
  );
});

test('initialisers are entries, or calls of the code that uses the class', async (t) => {
  const program = compiled(t);
  if (program === undefined) return;
  for (const initialisers of ['roots', 'edges', 'skip-jdk'] as const) {
    const options = { methods: ['demo.Plugins$User.use'], initialisers };
    deepStrictEqual(await reachedBy(program, options), [
      'Behind.<init>()V',
      'Init.<clinit>()V',
      'Init.open()V',
      'Init.seed()Ljava/lang/Object;',
      'User.use()V',
    ]);
    const { engine } = await analysed(program, options);
    const isInitialiser = (method: number): boolean => engine.methods.selectorOf(method).name === '<clinit>';
    const entries = engine.entries.filter(({ method }) => isInitialiser(method));
    equal(entries.length, initialisers === 'edges' ? 0 : 1);
    const callers = Array.from(engine.sites.caller.values.subarray(0, engine.sites.length)).filter((_, site) =>
      isInitialiser(engine.sites.declared.values[site]),
    );
    deepStrictEqual(
      callers.map((caller) => engine.methods.selectorOf(caller).name),
      initialisers === 'edges' ? ['use'] : [],
    );
  }
});

test('methods that a recording saw, with and without parameters', async (t) => {
  const program = compiled(t);
  if (program === undefined) return;
  const observed = (name: string, parameters?: readonly string[]) =>
    reachedBy(program, {
      main: MAIN,
      observed: [{ class: { name: 'demo.Plugins$Loaded' }, name, ...(parameters && { parameters }) }],
    });
  deepStrictEqual(await observed('extra', ['java.lang.String[]']), ['Loaded.extra([Ljava/lang/String;)V']);
  equal((await observed('extra')).length, 2);
  deepStrictEqual(await observed('gone'), []);
});

const NEW_FORM = {
  reflection: [
    {
      type: 'demo.Plugins$Loaded',
      methods: [
        { name: '<init>', parameterTypes: [] },
        { name: 'extra', parameterTypes: ['java.lang.String[]'] },
      ],
    },
    { condition: { typeReached: 'demo.Plugins$Gate' }, type: 'demo.Plugins$Behind', allDeclaredConstructors: true },
    { type: 'demo.NotThere', allDeclaredMethods: true },
    { type: { proxy: ['demo.Plugins$Task'] } },
    { type: 'demo.Plugins$Stored', serializable: true },
    { type: { lambda: { declaringClass: 'demo.Plugins' } } },
  ],
  resources: [{ glob: 'x' }],
};
/** The same in the files of older versions. */
const OLD_FORM = {
  'reflect-config.json': NEW_FORM.reflection.slice(0, 3).map(({ type, ...rest }) => ({ ...rest, name: type })),
  'proxy-config.json': [['demo.Plugins$Task'], { interfaces: ['demo.NotThere'] }],
  'serialization-config.json': { types: [{ name: 'demo.Plugins$Stored' }], lambdaCapturingTypes: [] },
};

test('reachability metadata, in the forms of all versions, with conditions', async (t) => {
  const program = compiled(t);
  if (program === undefined) return;
  const forms: readonly (readonly Registration[])[] = [
    registrationsIn('a/reachability-metadata.json', JSON.stringify(NEW_FORM)),
    Object.entries(OLD_FORM).flatMap(([name, content]) => registrationsIn(name, JSON.stringify(content))),
  ];
  const always = ['Loaded.<init>()V', 'Loaded.extra([Ljava/lang/String;)V'];
  for (const registrations of forms) {
    deepStrictEqual(await reachedBy(program, { main: MAIN, registrations }), always);
    deepStrictEqual(await reachedBy(program, { main: MAIN, methods: ['demo.Plugins$Gate.open'], registrations }), [
      'Behind.<init>()V',
      'Gate.open()V',
      ...always,
    ]);
    // Objects that only a stream or a proxy brings are objects that a call may be on.
    const used = await reachedBy(program, { main: MAIN, methods: ['demo.Plugins$Use.use'], registrations });
    ok(used.includes('Stored.go()V') && used.includes('Task$$Proxy.go()V'), used.join(' '));
    const { missingRegistrations, unmetRegistrations } = await analysed(program, { main: MAIN, registrations });
    deepStrictEqual([missingRegistrations, unmetRegistrations], [1, 1]);
  }
});

test('by growing precision, fewer methods are reachable', async (t) => {
  if (!inFullTier(t, 'pointsto')) return;
  const program = compiled(t);
  if (program === undefined) return;
  const reached = async (options: Partial<AnalysisOptions>): Promise<Set<string>> => {
    // Tests that cannot hold are for points-to analysis alone, which also lets native code create objects then.
    const { engine } = await analysed(program, { main: MAIN, isPredicated: false, ...options }, true);
    const nameOf = (method: number): string => {
      const { name, descriptor } = engine.methods.selectorOf(method);
      return `${engine.types.name(engine.methods.entry(method).owner)}.${name}${descriptor}`;
    };
    // Lambdas are numbered as they are found.
    return new Set(Array.from(engine.reached, nameOf).filter((name) => !name.includes('$$Lambda$')));
  };
  const [hierarchy, rapid, pointsTo] = [
    await reached({ cutoff: 0, isOfHierarchy: true }),
    await reached({ cutoff: 0 }),
    await reached({ cutoff: 20 }),
  ];
  deepStrictEqual(
    [...rapid].filter((name) => !hierarchy.has(name)),
    [],
  );
  deepStrictEqual(
    [...pointsTo].filter((name) => !rapid.has(name)),
    [],
  );
  ok(hierarchy.size > rapid.size && rapid.size > pointsTo.size);
  deepStrictEqual(await reached({ cutoff: 20, initialisers: 'edges' }), pointsTo);
  const skipping = await reached({ cutoff: 20, initialisers: 'skip-jdk' });
  ok(skipping.size < pointsTo.size);
});
