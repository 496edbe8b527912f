/**
 * Judges a profile by one class path: an entry fits as long as nothing in the code contradicts it. Cost: the
 * instructions of each method with counts, about 100 bytes each.
 */
import { addToList } from '../../base/columns/lists.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { cachedTypes, type MethodKey, methodKey } from '../../models/program/method-key.js';
import { className } from '../../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import { packagePart } from '../packages.js';
import { methodText } from '../places/call-code.js';
import { type ClassScope, isGenerated, simpleName } from './class-scope.js';
import { type Checked, isFinding, PlaceCheck, type PlaceUse } from './place-check.js';
import type { ProfiledPlace, ProfiledPlaces } from './profiled-places.js';
import { EXEMPT, FITS, type Judge, type MethodVerdict, type PlaceVerdict, stale } from './verdict.js';

/** In images, com.oracle.svm.core.hub.DynamicHub has this name: the code that was counted is in no class file. */
const HUB = 'java.lang.Class';

export class FitJudge implements Judge {
  readonly #program: Program;
  readonly #places: ProfiledPlaces;
  readonly #classes: ClassSet;
  readonly #scope: ClassScope;
  readonly #check: PlaceCheck;
  readonly #types = cachedTypes();
  /** By function. */
  readonly #verdicts: (MethodVerdict | undefined)[];
  /** By place: whether it was checked, and the result. */
  readonly #isChecked: Uint8Array;
  readonly #checked: Checked[];
  /** By function. */
  readonly #keys: (MethodKey | undefined)[];
  /** A method that the profile names already is not the new name of another one. */
  #listed: ListedMethods | undefined;
  /** Class name without package → classes on the path. */
  #simple: Map<string, string[]> | undefined;

  constructor(program: Program, places: ProfiledPlaces, classes: ClassSet, scope: ClassScope) {
    this.#program = program;
    this.#places = places;
    this.#classes = classes;
    this.#scope = scope;
    this.#check = new PlaceCheck(classes, scope);
    this.#verdicts = new Array(program.functions.length);
    this.#keys = new Array(program.functions.length);
    this.#isChecked = new Uint8Array(places.places.length);
    this.#checked = new Array(places.places.length);
  }

  method(id: FunctionId): MethodVerdict {
    this.#verdicts[id] ??= this.#judge(id);
    return this.#verdicts[id];
  }

  place(place: ProfiledPlace): PlaceVerdict {
    if (place.bci < 0) return EXEMPT;
    const { method, state } = this.method(place.function);
    if (method === undefined) return EXEMPT;
    const checked = this.#checkPlace(method, place);
    return state === 'moved' && isFinding(checked) ? { state, why: checked.why } : verdictOf(checked);
  }

  type(place: ProfiledPlace, type: ClassId): PlaceVerdict {
    const { method, state } = this.method(place.function);
    if (method === undefined || state === 'moved' || place.bci < 0) return EXEMPT;
    return verdictOf(checkType(this.#check, method, place, className(this.#program, type)));
  }

  target(): undefined {
    return undefined;
  }

  /** The contradiction at a place of a method, even if it would fit elsewhere; undefined if there is none. */
  contradiction(method: MethodInfo, place: ProfiledPlace): string | undefined {
    const checked = place.bci < 0 ? undefined : this.#checkPlace(method, place);
    return isFinding(checked) ? checked.why : undefined;
  }

  /** The method of the profile in the class path, or the verdict if it is not there. */
  find(id: FunctionId): MethodInfo | MethodVerdict {
    const key = this.#keyOf(id);
    if (key?.class === undefined) return outside('its name is not in the profile');
    if (key.class.name === HUB) return outside('native-image replaces java.lang.Class with its own class');
    const place = this.#scope.of(key.class.name);
    if (place === 'generated') return outside('generated at build or run time');
    if (place === 'outside') return outside(`nothing of package ${packagePart(key.class.name)} on the class path`);
    if (place === 'gone') return gone(`no class ${key.class.name}`, this.#classesNamed(key.class.name));
    const method = this.#classes.method(key.class.name, key.name, key.parameters, key.returns);
    if (method === 'ambiguous')
      return outside('ambiguous: several methods have this name, and the profile has no types');
    if (method !== undefined) return method;
    // native-image adds a hash to the names of some methods: they are in no class file.
    if (isGenerated(key.name)) return outside('generated at build time');
    return gone('no such method in its class', this.#methodsLike(key));
  }

  #judge(id: FunctionId): MethodVerdict {
    const method = this.find(id);
    if ('state' in method) return method;
    const places = (this.#places.byFunction.get(id) ?? []).map((place) => this.#places.places[place]);
    const why = places.flatMap((place) => {
      const finding = this.contradiction(method, place);
      return finding === undefined ? [] : [finding];
    });
    if (why.length === 0) return { state: 'fits', why, candidates: [], shift: null, method };
    const shift = this.#shiftOf(method, places);
    return { state: shift === null ? 'changed' : 'moved', why, candidates: [], shift, method };
  }

  #checkPlace(method: MethodInfo, place: ProfiledPlace): Checked {
    if (this.#isChecked[place.id] === 0) {
      this.#checked[place.id] = this.#check.place(method, place.bci, this.#useOf(place));
      this.#isChecked[place.id] = 1;
    }
    return this.#checked[place.id];
  }

  #keyOf(id: FunctionId): MethodKey | undefined {
    this.#keys[id] ??= methodKey(this.#program, id, this.#types);
    return this.#keys[id];
  }

  #useOf(place: ProfiledPlace): PlaceUse {
    switch (place.kind) {
      case 'branch':
        return { kind: 'branch', targets: [...place.targets], ways: place.ways };
      case 'caller':
        return { kind: 'caller', callee: this.#keyOf(place.callee) };
      default:
        return { kind: place.kind };
    }
  }

  /**
   * The shift of everything from the first place that does not fit; null unless exactly one shift makes all of it fit,
   * with exact targets.
   */
  #shiftOf(method: MethodInfo, all: readonly ProfiledPlace[]): number | null {
    const places = all.filter(({ bci }) => bci >= 0).sort((a, b) => a.bci - b.bci);
    const first = places.find((place) => isFinding(this.#checkPlace(method, place)))?.bci ?? 0;
    const moved = places.filter(({ bci, kind }) => bci >= first && kind !== 'sample');
    if (moved.length === 0) return null;
    const starts = this.#check.instructions(method)?.all ?? [];
    const shifts = starts.map(({ bci }) => bci - first).filter((by) => by !== 0);
    const fitting = shifts.filter((by) => {
      const shift = (bci: number): number => (bci < first ? bci : bci + by);
      return moved.every(
        (place) => this.#check.place(method, place.bci, this.#useOf(place), shift, true) === undefined,
      );
    });
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  }

  #methodsLike(key: MethodKey): string[] {
    const { class: declaring, parameters, returns, name } = key;
    const methods = declaring === undefined ? [] : (this.#classes.get(declaring.name)?.methods ?? []);
    this.#listed ??= new ListedMethods(this.#program);
    const listed = this.#listed.of(declaring?.name ?? '');
    const same = methods.filter(
      (method) =>
        method.types?.parameters.join() === parameters?.join() &&
        method.types?.returns === returns &&
        !method.name.startsWith('<') &&
        !listed.has(`${method.name} ${parameters?.join()}`),
    );
    if (same.length > 0) return same.length === 1 ? same.map(methodText) : [];
    const named = methods.filter((method) => method.name === name);
    return named.length === 1 ? named.map(methodText) : [];
  }

  #classesNamed(name: string): string[] {
    if (this.#simple === undefined) {
      this.#simple = new Map();
      for (const each of this.#classes.names()) {
        addToList(this.#simple, simpleName(each), each);
      }
    }
    const found = this.#simple.get(simpleName(name)) ?? [];
    return found.length === 1 ? found : [];
  }
}

/** The methods that a profile names, by class; names are made only for the classes asked for. */
class ListedMethods {
  readonly #program: Program;
  /** Functions sorted by class: those of class `c` from `#starts[c]` on. */
  readonly #starts: Int32Array;
  readonly #functions: Int32Array;
  /** Several classes may have one name. */
  readonly #classes = new Map<string, ClassId[]>();
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(program: Program) {
    this.#program = program;
    const { functions, classes } = program;
    const starts = new Int32Array(classes.length + 1);
    for (const of of functions.class) if (of >= 0) starts[of + 1]++;
    for (let id = 0; id < classes.length; id++) starts[id + 1] += starts[id];
    const next = starts.slice();
    this.#functions = new Int32Array(starts[classes.length]);
    functions.class.forEach((of, id) => {
      if (of >= 0) this.#functions[next[of]++] = id;
    });
    this.#starts = starts;
    for (let id = 0; id < classes.length; id++) addToList(this.#classes, className(program, id), id);
  }

  /** The methods of the classes of a name, as `name parameters`. */
  of(name: string): ReadonlySet<string> {
    let known = this.#known.get(name);
    if (known === undefined) {
      const texts = new Set<string>();
      for (const id of this.#classes.get(name) ?? [])
        for (let i = this.#starts[id]; i < this.#starts[id + 1]; i++) {
          const key = methodKey(this.#program, this.#functions[i]);
          if (key !== undefined) texts.add(`${key.name} ${key.parameters?.join()}`);
        }
      known = texts;
      this.#known.set(name, known);
    }
    return known;
  }
}

function outside(why: string): MethodVerdict {
  return { state: 'outside', why: [why], candidates: [], shift: null };
}

function gone(why: string, candidates: readonly string[]): MethodVerdict {
  return { state: 'gone', why: [why], candidates, shift: null };
}

function verdictOf(checked: Checked): PlaceVerdict {
  return checked === undefined ? FITS : checked === 'cannot tell' ? EXEMPT : stale(checked.why);
}

/** Whether a class can be a receiver or checked type at a place. */
export function checkType(check: PlaceCheck, method: MethodInfo, { kind, bci }: ProfiledPlace, type: string): Checked {
  return kind === 'receiver' ? check.receiver(method, bci, type) : check.type(type);
}
