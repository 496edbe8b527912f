/**
 * Who may import whom: the order of the layers, and the rules that keep the core usable in a browser.
 * Type-only imports count. Run by scripts/check-layers; each rule is tried out in scripts/check-layers.test.ts.
 */
const LAYERS = [
  'base',
  'bytes',
  'models',
  'formats',
  'code',
  'questions',
  'analysis',
  'views',
  'pictures',
  'session',
  'transform',
  'peers',
  'live',
  'record',
  'store',
  'library',
  'server',
  'cli',
];

/** The layers that also run in a browser, except their `*.node.ts`. */
const BROWSER_LAYERS = [...LAYERS.slice(0, LAYERS.indexOf('transform') + 1), 'library'];

const ANY_CORE = `^src/(${BROWSER_LAYERS.join('|')})/`;
const NODE_ONLY = '[.]node[.]ts$';
const TEST = '[.]test[.]tsx?$';
/** What only tests may import. */
const TEST_HELPER = '(^|/)(testing|fixtures)/';
const NOT_PRODUCT = `${TEST}|${TEST_HELPER}`;

/** Run-time dependencies that need Node. */
const NODE_PACKAGES = ['@bomb.sh/tab', 'tar', 'yauzl', 'yocto-spinner'];

const layerOrder = LAYERS.slice(0, -1).map((layer, place) => ({
  name: `layer-${layer}`,
  comment: `${layer} may import only itself and the layers to its left: ${LAYERS.slice(0, place).join(', ') || 'none'}`,
  severity: 'error',
  // A test stands beside what it tests and asks it the way users do: through the layers above.
  from: { path: `^src/${layer}/`, pathNot: NOT_PRODUCT },
  to: { path: `^src/(${LAYERS.slice(place + 1).join('|')})/` },
}));

/** Modules of stages. All other modules of src/analysis that views import, except for types, are listed below; a new one is an error at first. */
const STAGES = '^src/analysis/.*stages[.]ts$';

/** Modules with a stage beside its algorithm, and with facts that are computed once a table (facts-of.ts). */
const STAGES_BESIDE = [
  'callgraph/(changes|path-methods)',
  'checked',
  'events/(counts|recorded)',
  'flame/(flame-nodes|flame-tree|main-packages)',
  'heap/(buffers|inspection|inspection-alone|thread-objects)',
  'identity/(overlap|united)',
  'index-objects/objects',
  'metric-facts',
  'sampling-error',
  'scope/(scoped|scoped-part)',
  'stacks/(code-groups|durations|inlining-tree)',
  'stale/stale-profile',
];

/** Constants, names, and what costs no more than a row, a page or the types of a recording. */
const OF_ROWS = [
  'callgraph/inheritance',
  'events/(event-types|time-of-day)',
  'handles/(named-locks|named-places|named-sites)',
  'heap/(dominators|members|object-sizes|object-values)',
  'heap/holders/stack-roots',
  'identity/(file-ids|named-classes|named-functions|spelling|unite|unknown-name)',
  'index-objects/event-values',
  'interval',
  'io/calls',
  'locks/monitor-label',
  'noise',
  'origin',
  'packages',
  'places/(branch-code|call-code|fit|method-code)',
  'processes/usage',
  'scope/(filter|filter-language|moment)',
  'size-sums',
  'stacks/(heaviest-nodes|node-handles)',
  'stale/staleness',
  'threads/groups',
  'timeline/timeline',
];

/** Algorithms that views run as a part of an answer that is kept (`ViewInput.kept`), or in stages of their own. */
const KEPT = [
  'callgraph/(cut/(kept-methods|smallest-cut)|edge-counts|method-filter|method-policy|neighbourhood|observed-graph|observed-methods|only-through|reach|shortest-paths)',
  'coverage/(executed|folded-branches|method-contexts|method-index|symbol-sums)',
  'events/groups',
  'gc/pauses',
  'heap/(class-levels|loaded-classes|merged-paths|sampled-paths|shortest-paths)',
  'heap/holders/holder-chain',
  'io/(files|sums)',
  'locks/(deadlocks|wait-sites)',
  'places/(branch-targets|placed-branches|placed-receivers|sites)',
  'stacks/(arc-values|cut-stacks|stack-values)',
  'threads/(changes|equal|processes|timeline)',
  'time-span',
];

/** Packages that become part of the program: scripts/bundle.mjs. */
const BUNDLED = `node_modules/(${require('./package.json').bundled.join('|')})/`;

module.exports = {
  forbidden: [
    ...layerOrder,
    {
      name: 'known-layer',
      comment: 'a folder of src/ is a layer of the design, or holds test helpers',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: `^src/(${LAYERS.join('|')}|testing)/` },
    },
    {
      name: 'product-only',
      comment: 'src/ imports neither web/ nor bench/ nor scripts/; its tests may import test helpers there',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(web|bench|scripts)/', pathNot: TEST_HELPER },
    },
    {
      name: 'format-alone',
      comment: 'a format never imports another format: what they share lies in formats/shared, bytes or models',
      severity: 'error',
      from: { path: '^src/formats/([^/]+)/', pathNot: NOT_PRODUCT },
      to: { path: '^src/formats/', pathNot: ['^src/formats/$1/', '^src/formats/shared/', '^src/formats/capabilities/', '^src/formats/[^/]+[.]ts$'] },
    },
    {
      name: 'format-internals',
      comment:
        'what only one format knows is a capability in formats/capabilities: other code asks the registry, and no format by name',
      severity: 'error',
      from: { pathNot: ['^src/formats/', '^bench/', NOT_PRODUCT] },
      to: {
        path: '^src/formats/',
        // Detection looks at heads as the probes do.
        pathNot: ['^src/formats/capabilities/', '^src/formats/(format|passes|registry|shared/(encoding|head-text|json-outline|log-head))[.]ts$', '^src/formats/[^/]+/((document|write)/)?index[.]ts$'],
      },
    },
    {
      name: 'view-algorithms',
      comment:
        'views compute nothing over whole tables or graphs: they get the values of stages (analysis/**/stages.ts, *-stages.ts), which further questions share',
      severity: 'error',
      from: { path: '^src/views/', pathNot: NOT_PRODUCT },
      to: {
        path: '^src/analysis/',
        pathNot: [STAGES, ...[...STAGES_BESIDE, ...OF_ROWS, ...KEPT].map((module) => `^src/analysis/${module}[.]ts$`)],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-safe-node',
      comment: 'what needs Node is named *.node.ts, so that the browser can use the rest',
      severity: 'error',
      from: { path: ANY_CORE, pathNot: [NODE_ONLY, NOT_PRODUCT] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-safe-module',
      comment: 'a module that is not named *.node.ts must not import one that is',
      severity: 'error',
      from: { path: ANY_CORE, pathNot: [NODE_ONLY, NOT_PRODUCT] },
      to: { path: NODE_ONLY },
    },
    {
      name: 'browser-safe-package',
      comment: 'a module that is not named *.node.ts must not import a package that needs Node',
      severity: 'error',
      from: { path: ANY_CORE, pathNot: [NODE_ONLY, NOT_PRODUCT] },
      to: { path: `(^|/)node_modules/(${NODE_PACKAGES.join('|').replaceAll('.', '[.]')})/` },
    },
    {
      name: 'web-core',
      comment: `the page imports only ${BROWSER_LAYERS.join(', ')}`,
      severity: 'error',
      from: { path: '^web/', pathNot: NOT_PRODUCT },
      to: { path: '^(src|bench|scripts)/', pathNot: [ANY_CORE, TEST_HELPER] },
    },
    {
      name: 'web-node',
      comment: 'the page has no Node',
      severity: 'error',
      from: { path: '^web/', pathNot: NOT_PRODUCT },
      to: { path: NODE_ONLY },
    },
    {
      name: 'web-node-builtin',
      comment: 'the page has no Node',
      severity: 'error',
      from: { path: '^web/', pathNot: [NODE_ONLY, NOT_PRODUCT] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'test-helpers',
      comment: 'only tests, what runs them and benches import tests, test helpers and fixtures',
      severity: 'error',
      from: { pathNot: [NOT_PRODUCT, '^bench/', '^scripts/test-run/'] },
      to: { path: NOT_PRODUCT },
    },
    {
      name: 'no-cycle',
      comment: 'modules that import each other are one module in two files',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'the module does not exist',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-package',
      comment: 'a package that is imported is in package.json',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'development-package',
      comment: 'the product imports only what is in "bundled" of package.json',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: NOT_PRODUCT },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: BUNDLED },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
