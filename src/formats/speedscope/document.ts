/**
 * Walks a speedscope document item by item: a key, a sample, a weight, an event, a frame. Keys may come in any order.
 *
 * Each item is taken completely or not at all, so that one at the end of the window is read again from a larger or
 * later window. Invalid JSON ends its profile; reading continues at the next text that can only be the beginning of a
 * profile, of `profiles` or of `shared`.
 */
import type { ProblemLog } from '../../base/problems.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from '../shared/json-bytes.js';
import { LONGEST_BEGINNING, nextBeginning } from '../shared/json-resync.js';
import { BAD, MORE, type Scanner } from '../shared/json-scanner.js';
import { ENDED, nextItem, passJson, passKey } from '../shared/json-walk.js';
import type { WindowedDocument } from '../shared/json-windows.js';
import { FrameTable } from './frames.js';
import { ItemReader } from './items.js';
import { ProfileRows } from './profiles.js';

type State =
  | 'start'
  | 'root'
  | 'shared'
  | 'frames'
  | 'profiles'
  | 'profile'
  | 'samples'
  | 'weights'
  | 'events'
  | 'lost'
  | 'ended'
  | 'given up';

/** State after the container closes. */
const OUTSIDE: Partial<Record<State, State>> = {
  root: 'ended',
  shared: 'root',
  frames: 'shared',
  profiles: 'root',
  profile: 'profiles',
  samples: 'profile',
  weights: 'profile',
  events: 'profile',
};
const LISTS: ReadonlySet<State> = new Set(['frames', 'profiles', 'samples', 'weights', 'events']);
const IN_PROFILE: ReadonlySet<State> = new Set(['profile', 'samples', 'weights', 'events']);

/** Keys of the outermost object with metadata of the recording. */
const METADATA_KEYS: ReadonlySet<string> = new Set(['name', 'exporter', 'activeProfileIndex', 'version', '$schema']);

/** Where reading continues after damage. A quote after a backslash belongs to a string. */
const PROFILE = /\{\s*"type"\s*:\s*"(?:sampled|evented)"/g;
const PROFILES = /(?<!\\\\)"profiles"\s*:/g;
const SHARED = /(?<!\\\\)"shared"\s*:/g;

export class DocumentReader implements WindowedDocument {
  base = 0;
  position = 0;
  readonly program = new ProgramBuilder();
  readonly frames = new FrameTable(this.program);
  readonly rows = new ProfileRows();
  /** Offset of the first use of the largest frame number. */
  largestFrameAt = 0;
  readonly metadata = new Map<string, string>();
  readonly #scanner: Scanner;
  readonly #problems: ProblemLog;
  readonly #items: ItemReader;
  #state: State = 'start';
  #first = true;
  #sound = true;
  #profiled = false;

  constructor(scanner: Scanner, problems: ProblemLog) {
    this.#scanner = scanner;
    this.#problems = problems;
    const complain = (position: number, code: string, severity: 'error' | 'warning', message: string): void =>
      this.#complain(position, code, severity, message);
    this.#items = new ItemReader(scanner, this.rows, this.frames, complain);
  }

  /** Whether all of the document was read. */
  get complete(): boolean {
    return this.#sound && this.#state === 'ended';
  }

  step(): void {
    for (;;) {
      if (this.#state === 'lost') {
        if (!this.#find()) return;
        continue;
      }
      if (this.#state === 'ended' || this.#state === 'given up') {
        this.#trailing();
        return;
      }
      const after = this.#advance();
      if (after === MORE) return;
      if (after === BAD) this.#damaged();
      else this.position = after;
    }
  }

  finish(): void {
    const end = this.#scanner.end;
    if (this.#state === 'ended' || this.#state === 'given up') return;
    if (this.#state === 'start' && end === 0) return;
    if (IN_PROFILE.has(this.#state)) this.rows.end(false, () => undefined);
    if (this.#state !== 'lost')
      this.#complain(end, 'speedscope-truncated', 'error', 'the file is truncated; the part before is read');
    this.#state = 'given up';
  }

  tooLarge(limit: number): void {
    this.#complain(
      this.position,
      'speedscope-too-large',
      'error',
      `a value is larger than ${limit >> 20} MiB; the rest of the file is skipped`,
    );
    if (IN_PROFILE.has(this.#state)) this.rows.end(false, () => undefined);
    this.#state = 'given up';
  }

  #advance(): number {
    const scanner = this.#scanner;
    if (this.#state === 'start') {
      const mark =
        this.base === 0 && scanner.window[0] === 0xef && scanner.window[1] === 0xbb && scanner.window[2] === 0xbf;
      const at = scanner.space(mark ? 3 : this.position);
      if (scanner.window[at] !== OPEN_OBJECT) return scanner.fail(at, 'a JSON object');
      return this.#enter('root', at + 1);
    }
    const close = LISTS.has(this.#state) ? CLOSE_LIST : CLOSE_OBJECT;
    const at = nextItem(scanner, this.position, close, this.#first);
    if (at === ENDED) return this.#leave();
    return at < 0 ? at : this.#take(at);
  }

  #enter(state: State, position: number): number {
    this.#state = state;
    this.#first = true;
    return position;
  }

  #leave(): number {
    if (this.#state === 'profile')
      this.rows.end(true, (code, severity, message) => this.#complain(this.position, code, severity, message));
    if (this.#state === 'root' && !this.#profiled)
      this.#complain(this.position, 'speedscope-schema', 'error', 'the object has no profiles');
    this.#state = OUTSIDE[this.#state] ?? 'given up';
    this.#first = false;
    return this.#scanner.space(this.position) + 1;
  }

  /** Takes the item that begins at `at`. */
  #take(at: number): number {
    const { frames } = this.rows;
    const after = this.#takeItem(at);
    if (this.rows.frames > frames) this.largestFrameAt = this.base + at;
    // An entered container has no item yet.
    if (after >= 0 && !this.#entered) this.#first = false;
    this.#entered = false;
    return after;
  }

  /** Whether the last item is a container that was entered. */
  #entered = false;

  #takeItem(at: number): number {
    switch (this.#state) {
      case 'profiles':
        if (this.#scanner.window[at] !== OPEN_OBJECT) return this.#wrong(at, 'a profile is not an object');
        this.rows.begin();
        return this.#open('profile', at + 1);
      case 'frames':
        return this.#items.frame(at);
      case 'samples':
        return this.#items.sample(at);
      case 'weights':
        return this.#items.weight(at);
      case 'events':
        return this.#items.event(at);
      default:
        return this.#key(at);
    }
  }

  #open(state: State, position: number): number {
    this.#entered = true;
    return this.#enter(state, position);
  }

  #key(at: number): number {
    const scanner = this.#scanner;
    const behind = passKey(scanner, at);
    if (behind < 0) return behind;
    const key = scanner.stringText() ?? '';
    const value = scanner.space(behind);
    if (value >= scanner.end) return MORE;
    const opener = scanner.window[value];
    if (this.#state === 'root') return this.#rootKey(key, value, opener);
    if (this.#state === 'profile') return this.#profileKey(key, value, opener);
    if (key === 'frames' && opener === OPEN_LIST && this.frames.length === 0) return this.#open('frames', value + 1);
    return key === 'frames' ? this.#wrong(value, 'frames is a duplicate or not an array') : passJson(scanner, value);
  }

  #rootKey(key: string, value: number, opener: number): number {
    if (key === 'profiles') {
      this.#profiled = true;
      return opener === OPEN_LIST ? this.#open('profiles', value + 1) : this.#wrong(value, 'profiles is not an array');
    }
    if (key === 'shared')
      return opener === OPEN_OBJECT ? this.#open('shared', value + 1) : this.#wrong(value, 'shared is not an object');
    const after = passJson(this.#scanner, value);
    if (after >= 0 && METADATA_KEYS.has(key)) this.metadata.set(key, this.#items.scalarText(value, after));
    return after;
  }

  #profileKey(key: string, value: number, opener: number): number {
    const list = key === 'samples' || key === 'weights' || key === 'events' ? key : undefined;
    if (list !== undefined && opener === OPEN_LIST) {
      if (list === 'samples') this.rows.hasSamples = true;
      if (list === 'weights') this.rows.hasWeights = true;
      return this.#open(list, value + 1);
    }
    return list === undefined ? this.#items.profileKey(key, value) : this.#wrong(value, `${list} is not an array`);
  }

  /** A value of the wrong kind: reported and skipped. */
  #wrong(at: number, what: string): number {
    const after = passJson(this.#scanner, at);
    if (after >= 0) this.#complain(at, 'speedscope-schema', 'error', what);
    return after;
  }

  #damaged(): void {
    const { failedAt, expected } = this.#scanner;
    this.#complain(failedAt, 'speedscope-syntax', 'error', `not JSON: expected ${expected}`);
    if (IN_PROFILE.has(this.#state)) this.rows.end(false, () => undefined);
    this.#state = this.#state === 'start' ? 'given up' : 'lost';
    this.position = Math.max(this.position, failedAt);
  }

  /** Looks for the next beginning; false if the window has none. */
  #find(): boolean {
    const patterns = this.frames.length > 0 ? [PROFILE, PROFILES] : [PROFILE, PROFILES, SHARED];
    const found = nextBeginning(this.#scanner, this.position, patterns);
    if (found === undefined) {
      this.position = Math.max(this.position, this.#scanner.end - LONGEST_BEGINNING);
      return false;
    }
    this.position = found.position;
    this.#enter(found.pattern === PROFILE ? 'profiles' : 'root', this.position);
    return true;
  }

  #trailing(): void {
    const { window, end } = this.#scanner;
    const at = this.#scanner.space(this.position);
    if (this.#state === 'ended' && at < end && window[at] !== undefined) {
      this.#complain(at, 'speedscope-trailing', 'error', 'text after the end of the object');
      this.#state = 'given up';
    }
    this.position = end;
  }

  #complain(position: number, code: string, severity: 'error' | 'warning', message: string): void {
    if (severity === 'error') this.#sound = false;
    this.#problems.add({ code, severity, offset: this.base + position, message });
  }
}
