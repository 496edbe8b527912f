/** Each rule of .dependency-cruiser.cjs and check-c.mjs is broken once in a small tree of its own, and must be named. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './testing/programs.js';

type Tree = Record<string, string>;

const EMPTY = 'export {};';
const CORE = '#include "agent.h"\nint wide = 1;\nint core(void) {\n  return other() + wide;\n}';

/** Keeps every rule. */
const SOUND: Tree = {
  'package.json': '{"type":"module","dependencies":{"zod":"1","tar":"1"},"devDependencies":{"typescript":"1"}}',
  'src/base/a.ts': 'export const a = 1;',
  'src/base/a.test.ts': "import 'node:test'; import './a.js'; import '../testing/help.js'; import '../views/v.js';",
  'src/testing/help.ts': "import 'node:fs'; import '../session/index.js';",
  'src/bytes/file.node.ts': "import 'node:fs'; import '../base/a.js'; import 'tar';",
  'src/formats/format.ts': 'export interface Format { readonly id: string }',
  'src/formats/capabilities/events.ts': 'export interface Events { readonly id: string }',
  'src/formats/one/index.ts':
    "import type { Format } from '../format.js'; import type { Events } from '../capabilities/events.js'; import '../../base/a.js';",
  'src/formats/two/index.ts': EMPTY,
  'src/formats/registry.ts': "import './one/index.js'; import './two/index.js';",
  'src/code/c.ts': "import '../formats/one/index.js';",
  'src/views/v.ts': "import { z } from 'zod'; import '../code/c.js';",
  'src/session/index.ts':
    "import '../views/v.js'; import '../formats/registry.js'; import type { Events } from '../formats/capabilities/events.js';",
  'src/library/index.ts': "import '../session/index.js';",
  'src/cli/main.ts': "import 'node:process'; import '../session/index.js'; import '../server/s.js';",
  'src/server/s.ts': "import '../session/index.js'; import '../bytes/file.node.js';",
  'web/app/page.ts': "import '../../src/session/index.js';",
  'scripts/tool.ts': "import 'typescript';",
  'agent/agent.h': 'typedef struct { int wide; } event;\nextern int wide;\nint core(void);\nint other(void);',
  'agent/core.c': CORE,
  // A comment, a text, a member and a local variable have the names of functions and variables of others, which this does not use.
  'agent/other.c':
    '#include "agent.h"\n/* core() */\nstatic const char *text = "core()";\nint other(void) {\n  event one = {.wide = 2};\n  int far = one.wide;\n  return far;\n}',
  'agent/remote/remote.h': '#include "../agent.h"\nint far(void);',
  'agent/remote/far.c': '#include "remote.h"\nint far(void) {\n  return core() + other();\n}',
  'agent/main.c': '#include "remote/remote.h"\nint main(void) {\n  return far();\n}',
};

/** Rule → a file that breaks it. All are in one tree, so names must be unique. */
const BREACHES: Record<string, readonly [path: string, text: string]> = {
  'layer-base': ['src/base/b.ts', "import '../code/c.js';"],
  'layer-bytes': ['src/bytes/b.ts', "import type { Format } from '../formats/format.js';"],
  'layer-models': ['src/models/m.ts', "export * from '../bytes/b.js'; import '../analysis/an.js';"],
  'layer-formats': ['src/formats/three/f.ts', "import '../../code/c.js';"],
  'layer-code': ['src/code/d.ts', "import '../views/v.js';"],
  'layer-analysis': ['src/analysis/an.ts', "export const v = () => import('../session/index.js');"],
  'layer-questions': ['src/questions/q.ts', "import '../views/v.js';"],
  'view-algorithms': [
    'src/views/tree.ts',
    "import { callTree } from '../analysis/stacks/call-tree.js'; export const tree = callTree;",
  ],
  'layer-views': ['src/views/w.ts', "import '../pictures/p.js';"],
  'layer-pictures': ['src/pictures/p.ts', "import '../session/index.js';"],
  'layer-session': ['src/session/l.ts', "import '../live/l.js';"],
  'layer-transform': ['src/transform/t.ts', "import '../live/l.js';"],
  'layer-peers': ['src/peers/p.ts', "import '../live/l.js';"],
  'layer-live': ['src/live/l.ts', "import '../record/r.js';"],
  'layer-record': ['src/record/r.ts', "import '../store/s.js';"],
  'layer-store': ['src/store/s.ts', "import '../library/index.js';"],
  'layer-library': ['src/library/l.ts', "import '../cli/main.js';"],
  'layer-server': ['src/server/c.ts', "import '../cli/main.js';"],
  'known-layer': ['src/base/misc.ts', "import '../misc/m.js';"],
  'product-only': ['src/cli/tool.ts', "import '../../scripts/tool.js';"],
  'format-alone': ['src/formats/three/g.ts', "import '../one/index.js';"],
  'format-internals': ['src/session/inside.ts', "import type { Row } from '../formats/one/rows.js';"],
  'browser-safe-node': ['src/models/stats.ts', "import type { Stats } from 'node:fs';"],
  'browser-safe-module': ['src/session/s.ts', "import '../bytes/file.node.js';"],
  'browser-safe-package': ['src/bytes/tar.ts', "import 'tar';"],
  'web-core': ['web/app/cli.ts', "import '../../src/cli/main.js';"],
  'web-node': ['web/app/file.ts', "import '../../src/bytes/file.node.js';"],
  'web-node-builtin': ['web/app/fs.ts', "import 'node:fs';"],
  'test-helpers': ['src/server/helped.ts', "import '../testing/help.js';"],
  'no-cycle': ['src/base/d.ts', "import type { E } from './e.js'; export type D = E;"],
  resolvable: ['src/base/r.ts', "import './nowhere.js';"],
  'declared-package': ['src/cli/w.ts', "import 'commander';"],
  'development-package': ['src/cli/x.ts', "import 'typescript';"],
  'c-room': ['agent/upward.c', '#include "remote/remote.h"\nstatic int upward(void) { return far(); }'],
  'c-circle': ['agent/core.c', CORE],
};

const OTHER_ENDS: Tree = {
  'src/analysis/stacks/call-tree.ts': 'export const callTree = 1;',
  'src/misc/m.ts': EMPTY,
  'src/formats/one/rows.ts': 'export type Row = number;',
  'src/base/e.ts': "import type { D } from './d.js'; export type E = D[];",
  'agent/other.c': '#include "agent.h"\nint other(void) {\n  return core();\n}',
};

const BREACHED = checkLayers({ ...SOUND, ...OTHER_ENDS, ...Object.fromEntries(Object.values(BREACHES)) });

function checkLayers(tree: Tree): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-layers-'));
  try {
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const done = spawnSync('sh', [join(ROOT, 'scripts/check-layers'), folder], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { status: done.status, output: done.stdout + done.stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a sound tree passes', () => {
  const { status, output } = checkLayers(SOUND);
  assert.equal(status, 0, output);
});

test('each rule has a breach here', () => {
  const rules = [...BREACHED.output.matchAll(/error ([\w-]+):/g)].map((match) => match[1]);
  assert.notEqual(BREACHED.status, 0);
  assert.deepEqual([...new Set(rules)].sort(), Object.keys(BREACHES).sort());
  const config = readFileSync(join(ROOT, '.dependency-cruiser.cjs'), 'utf8');
  for (const [, rule] of config.matchAll(/name: '([\w-]+)'/g)) assert.ok(rule !== undefined && rule in BREACHES, rule);
});

for (const [rule, [path]] of Object.entries(BREACHES)) {
  test(`a breach of ${rule} is found`, () => {
    assert.ok(BREACHED.output.includes(`error ${rule}: ${path}`), BREACHED.output);
  });
}
