/** What `--json` prints keeps to the published schemas. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { amount } from '../testing/amount.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { allViews } from '../views/index.js';
import { runCommand } from './testing/run-command.js';

const views = await allViews();

const folder = mkdtempSync(join(tmpdir(), 'kansoku-cli-'));
after(() => rmSync(folder, { recursive: true }));

const DAMAGED = join(folder, 'cut.iprof');
const whole = readFileSync(BINARY_TREE);
writeFileSync(DAMAGED, whole.subarray(0, whole.length * 0.6));

const [BEFORE, AFTER] = ['before', 'after'].map((name) => join(ROOT, 'examples', 'histogram', `${name}.txt`));
const [SHOP, SHOP_2] = ['shop.iprof', 'shop-2.jar'].map((name) => join(ROOT, 'examples', 'stale', name));
const CALLS = join(ROOT, 'src', 'formats', 'call-tree', 'testing', 'fixtures', 'current.txt');
const SHOPS = [1, 2].map((version) => join(ROOT, 'examples', 'points-to', `call_tree_shop-${version}.txt`));
const TRACE = join(ROOT, 'examples', 'points-to', 'trace_types_shop.txt');
const GRAPH = join(ROOT, 'examples', 'heap', 'graph.hprof.gz');
const DEADLOCK = join(ROOT, 'examples', 'deadlock-jstack.txt');
const CHURN = join(ROOT, 'examples', 'jfr', 'churn-g1.jfr.gz');
const SHOP_JFR = join(ROOT, 'examples', 'jfr', 'shop.jfr.gz');
const DUMPS = [1, 2].map((number) => join(ROOT, 'examples', 'threads', `dump-${number}.txt`));
const LOOPS = join(ROOT, 'examples', 'loops', 'loops.iprof');
const STORE = join(ROOT, 'examples', 'experiment', 'store.er.tar.gz');
const CODE = ['--classes', join(ROOT, 'examples', 'loops'), '--source-path', join(ROOT, 'examples', 'loops')];

describe('schemas', () => {
  const questions: Record<string, readonly string[]> = {
    summary: ['summary', BINARY_TREE],
    check: ['check', DAMAGED],
    functions: ['functions', BINARY_TREE],
    callers: ['callers', BINARY_TREE, 'java.lang.String.hashCode'],
    tree: ['tree', SHOP_JFR, '--metric', 'blocked', '--durations'],
    flame: ['flame', BINARY_TREE, '--inverted'],
    sites: ['sites', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt')],
    diff: ['diff', BEFORE, AFTER],
    'calls-why': ['calls', 'why', CALLS, 'shop.Book.price'],
    'calls-reasons': ['calls', 'why', TRACE, '--paths', '0'],
    'calls-callers': ['callers', CALLS, 'shop.Book.price'],
    'calls-tree': ['tree', CALLS, '--limit', '5'],
    'calls-graph': ['calls', 'graph', CALLS, 'shop.Book.price'],
    'calls-entries': ['calls', 'entries', CALLS, '--limit', '5'],
    'calls-groups': ['calls', 'methods', CALLS, '--by', 'class'],
    'calls-smallest-cut': [
      'calls',
      'cut',
      CALLS,
      '--bytes',
      '20',
      '--classes',
      join(ROOT, 'examples/points-to/shop.jar'),
    ],
    'calls-check': ['calls', 'check', CALLS, '--forbid', 'shop.tax.*'],
    'calls-diff': ['diff', ...SHOPS],
    'calls-unreached': ['calls', 'unreached', CALLS, '--observed', BINARY_TREE],
    'calls-cut': ['calls', 'cut', CALLS, '--package', 'shop'],
    'heap-histogram': ['heap', 'histogram', BEFORE],
    'heap-dominators': ['heap', 'dominators', GRAPH],
    'heap-inspect': ['heap', 'inspect', GRAPH, '0xfe0708a0'],
    'heap-objects': ['heap', 'objects', GRAPH, '--limit', '5'],
    'heap-suspects': ['heap', 'suspects', join(ROOT, 'examples/heap/out-of-memory.hprof.gz')],
    'heap-paths': ['heap', 'paths', GRAPH, '--class', 'GraphDemo.Derived'],
    threads: ['threads', DUMPS[1], '--base', DUMPS[0]],
    'thread-groups': ['threads', DEADLOCK, '--group', 'stack'],
    'event-types': ['events', DEADLOCK],
    events: ['events', DEADLOCK, 'state'],
    'event-groups': ['events', DEADLOCK, 'state', '--group-by', 'state'],
    monitors: ['monitors', DEADLOCK],
    'io-sizes': ['io', 'sizes', STORE],
    memory: ['memory', STORE],
    processes: ['processes', STORE],
    usage: ['usage', STORE],
    'index-objects': ['index', STORE, '--by', 'process'],
    'io-files': ['io', 'files', STORE],
    timeline: ['timeline', CHURN],
    gc: ['gc', CHURN],
    'gc-groups': ['gc', CHURN, '--by', 'cause'],
    'pgo-coverage': ['pgo', 'coverage', BINARY_TREE],
    'pgo-hot': ['pgo', 'hot', BINARY_TREE, '--ids'],
    'pgo-methods': ['pgo', 'methods', BINARY_TREE],
    'pgo-types': ['pgo', 'types', BINARY_TREE],
    'pgo-branches': ['pgo', 'branches', BINARY_TREE, '--contexts'],
    'pgo-receivers': ['pgo', 'receivers', BINARY_TREE, '--ids'],
    'pgo-stale': ['pgo', 'stale', SHOP, '--classes', SHOP_2],
    source: ['source', LOOPS, 'Loops', ...CODE],
    disasm: ['disasm', LOOPS, 'Loops.gcd', ...CODE],
    'pgo-inlining': ['pgo', 'inlining', BINARY_TREE, 'java.util.HashMap.putVal'],
  };
  const published = join(ROOT, 'docs', 'schema');

  it('exist for each view, for questions, and nothing else', () => {
    const names = [...views.map((view) => `${view.name}-v${view.version}.schema.json`), 'question.schema.json'];
    deepStrictEqual(readdirSync(published).sort(), names.sort());
    equal(
      spawnSync(process.execPath, [join(ROOT, 'dist', 'scripts', 'schemas.js'), '--check'], { stdio: 'inherit' })
        .status,
      0,
    );
  });

  it('accept questions of the catalogue, and reject what `ask` refuses', () => {
    const schema = JSON.parse(readFileSync(join(published, 'question.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const scope = [
      { kind: 'focus', pattern: 'HashMap' },
      { kind: 'time', from: 1e9 },
    ];
    const question = { question: 'functions', recording: 'r1', scope, options: { by: 'line' }, page: { limit: 5 } };
    ok(validate(question), JSON.stringify(validate.errors));
    ok(validate({ question: 'heap inspect', options: { object: '0x10', without: ['weak'] } }));
    ok(!validate({ ...question, options: { by: 'lines' } }));
    ok(!validate({ ...question, options: { bye: 'line' } }));
    ok(!validate({ ...question, scope: [{ kind: 'focuss', pattern: 'x' }] }));
    ok(!validate({ ...question, page: { limit: -1 } }));
    ok(!validate({ question: 'heap inspect', options: {} }));
    ok(!validate({ question: 'functons' }));
  });

  for (const view of views.filter((_, i) => i % amount(1, 2) === 0)) {
    it(`accept real output of ${view.name}, and reject changed output`, async () => {
      const schema = JSON.parse(readFileSync(join(published, `${view.name}-v${view.version}.schema.json`), 'utf8'));
      const validate = new Ajv2020({ strict: false }).compile(schema);
      const result: Record<string, unknown> = JSON.parse(
        (await runCommand([...(questions[view.name] ?? []), '--json'])).stdout,
      );
      ok(validate(result), JSON.stringify(validate.errors));
      ok(!validate({ ...result, surprise: 1 }));
      ok(!validate({ ...result, complete: 'yes' }));
    });
  }
});
