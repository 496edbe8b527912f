/**
 * The standalone page that `kansoku flame -o out.html` writes: reads the flame results in the file, and shows one of
 * them, or one made of them, with its notes.
 *
 * Large graphs are made by a worker that runs the same script (page/variants.ts).
 */
import { UsageError } from '../../src/base/errors.js';
import { showCarried } from '../shared/carried.js';
import type { FlameGraph } from './flame.js';
import { Page } from './page/page.js';
import { answerAsWorker, type Carried } from './page/variants.js';

declare global {
  /** The component on the page, for tests and benchmarks. */
  var kansokuFlame: FlameGraph | undefined;
}

if (typeof document === 'undefined') answerAsWorker();
else
  showCarried<Carried>('flame', 'flame graph', (carried) => {
    const [first] = carried.results;
    if (first === undefined) throw new UsageError('it carries no data');
    new Page(carried, first);
  });
