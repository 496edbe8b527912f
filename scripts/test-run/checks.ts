/** The static checks of a clone, which run beside the tests. */
import type { Check } from './messages.js';

const NODE = process.execPath;

/**
 * Those that take longest come first. The compiler builds the declarations that the package needs, and checks only what has
 * changed since; `--singleThreaded`: more threads check common types more than once.
 */
export const CHECKS: readonly Check[] = [
  {
    kind: 'check',
    name: 'types',
    program: NODE,
    words: ['node_modules/typescript-native/bin/tsc', '-b', 'web', '--singleThreaded'],
  },
  { kind: 'check', name: 'layers', program: 'sh', words: ['scripts/check-layers'] },
  { kind: 'check', name: 'kernels', program: NODE, words: ['dist/scripts/kernels.js', '--check'] },
  { kind: 'check', name: 'ratchet', program: NODE, words: ['dist/scripts/ratchet.js'], spoken: true },
  { kind: 'check', name: 'schemas', program: NODE, words: ['dist/scripts/schemas.js', '--check'] },
  {
    kind: 'check',
    name: 'biome check',
    program: NODE,
    words: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
];
