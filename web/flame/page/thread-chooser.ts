/** The choice of threads: pools and single threads to choose from, and a field for any pattern of names, as `--thread` takes it. */
import { formatCount } from '../../../src/base/units.js';
import {
  choiceOf,
  patternOf,
  type ThreadChoice,
  threadChoices,
  threadsMatching,
} from '../../../src/pictures/thread-choices.js';
import { chooser, element } from '../../shared/dom.js';

const ALL = 'all';
/** Threads that no choice has together. */
const OTHERS = 'others';

export class ThreadChooser {
  readonly element = element('span', { class: 'page-threads' });
  /** Names of the threads that any metric has: a pattern means the same threads with all of them. */
  readonly #knownNames: readonly string[];
  readonly #input = element('input', {
    ...{ type: 'search', spellcheck: 'false', autocomplete: 'off', size: '18' },
    ...{ placeholder: 'name or pattern', 'aria-label': 'Pattern of thread names' },
  });
  readonly #select = element('span');
  readonly #choose: (pattern: string | undefined) => void;
  #pattern: string | undefined;

  /** `choose` gets a pattern; undefined for all threads. */
  constructor(allNames: readonly string[], choose: (pattern: string | undefined) => void) {
    this.#knownNames = [...new Set(allNames)];
    this.#choose = choose;
    this.element.append(this.#select, ' ', this.#input);
    this.#input.addEventListener('change', () => this.#enter());
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.#input.value = this.#pattern ?? '';
      event.preventDefault();
    });
  }

  /** Shows the threads of a metric, and those that are chosen. */
  show(names: readonly string[], pattern: string | undefined): void {
    this.#pattern = pattern;
    const choices = threadChoices(names);
    const chosen = pattern === undefined ? undefined : choiceOf(choices, names, pattern);
    const isOther = pattern !== undefined && chosen === undefined;
    const threads = formatCount(names.length);
    const count = isOther ? threadsMatching(names, pattern).reduce((sum, mark) => sum + mark, 0) : 0;
    const options: (readonly [string, string])[] = [
      [ALL, `all ${threads}`],
      ...(isOther ? [[OTHERS, `${formatCount(count)} of ${threads}`] as const] : []),
      ...choices.map(({ title }, i) => [String(i), title] as const),
    ];
    const value = pattern === undefined ? ALL : chosen === undefined ? OTHERS : String(choices.indexOf(chosen));
    const select = chooser('Thread', options, value, (id) => this.#take(choices[Number(id)], id));
    const hadFocus = this.#select.contains(document.activeElement);
    this.#input.value = pattern ?? '';
    this.#input.setAttribute('aria-invalid', 'false');
    this.element.hidden = new Set(names).size < 2;
    this.#select.replaceChildren(select);
    if (hadFocus) select.querySelector('select')?.focus();
  }

  /** Says that the pattern in the field means no thread. */
  refuse(): void {
    this.#input.setAttribute('aria-invalid', 'true');
  }

  #take(choice: ThreadChoice | undefined, id: string): void {
    if (choice !== undefined) this.#choose(patternOf(choice, this.#knownNames));
    else if (id === ALL) this.#choose(undefined);
  }

  #enter(): void {
    const text = this.#input.value;
    if (text !== (this.#pattern ?? '')) this.#choose(text === '' ? undefined : text);
  }
}
