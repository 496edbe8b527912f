/**
 * Judges a profile by two class paths: the classes it was made with, and the new ones. The change of each place follows
 * from both versions of the code (`class-change.ts`), not from the profile. Entries that do not fit the old classes
 * (`fit-judge.ts`) are stale: the code they were counted in is unknown.
 *
 * Methods missing from the old classes (made by the VM, or substituted by native-image) are outside: their old code is
 * unknown. Cost: both versions of each class with counts.
 */
import { addToList } from '../../base/columns/lists.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { className } from '../../models/program/names.js';
import type { ClassId, FunctionId, Program } from '../../models/program/program.js';
import { packagePart } from '../packages.js';
import { methodText } from '../places/call-code.js';
import { type ClassChange, compareClasses, type MethodChange, methodId } from './class-change.js';
import { type ClassScope, simpleName } from './class-scope.js';
import { checkType, FitJudge } from './fit-judge.js';
import { isFinding, PlaceCheck } from './place-check.js';
import type { ProfiledPlace, ProfiledPlaces } from './profiled-places.js';
import { contradictsOld, EXEMPT, FITS, type Judge, type MethodVerdict, type PlaceVerdict, stale } from './verdict.js';

/** Classes in memory, and the reasons why others are missing. */
export interface ClassSide {
  readonly classes: ClassSet;
  readonly scope: ClassScope;
}

/** A method's verdict with its change from the comparison of its class. */
interface ComparedVerdict extends MethodVerdict {
  readonly change?: MethodChange;
}

export class ChangeJudge implements Judge {
  readonly #program: Program;
  readonly #old: FitJudge;
  readonly #oldClasses: ClassSet;
  readonly #oldCheck: PlaceCheck;
  readonly #new: ClassSide;
  readonly #newCheck: PlaceCheck;
  readonly #verdicts = new Map<FunctionId, ComparedVerdict>();
  readonly #places = new Map<ProfiledPlace, PlaceVerdict>();
  readonly #changes = new Map<ClassFile, ClassChange | undefined>();
  /** Classes that only the new path has, by name without package. */
  readonly #newcomers = new Map<string, string[]>();
  /** The same classes by package. */
  readonly #newcomersIn = new Map<string, string[]>();
  readonly #successors = new Map<ClassFile, ClassChange | undefined>();

  constructor(program: Program, places: ProfiledPlaces, old: ClassSide, now: ClassSide) {
    this.#program = program;
    this.#old = new FitJudge(program, places, old.classes, old.scope);
    this.#oldClasses = old.classes;
    this.#oldCheck = new PlaceCheck(old.classes, old.scope);
    this.#new = now;
    this.#newCheck = new PlaceCheck(now.classes, now.scope);
    for (const name of now.classes.names()) {
      if (old.scope.of(name) === 'there') continue;
      addToList(this.#newcomers, simpleName(name), name);
      addToList(this.#newcomersIn, packagePart(name), name);
    }
  }

  method(id: FunctionId): ComparedVerdict {
    let verdict = this.#verdicts.get(id);
    if (verdict === undefined) {
      verdict = this.#judge(id);
      this.#verdicts.set(id, verdict);
    }
    return verdict;
  }

  /** Methods that only the new version of a class with counts has. */
  added(): MethodInfo[] {
    return [...this.#changes.values()].flatMap((change) => change?.added ?? []);
  }

  place(place: ProfiledPlace): PlaceVerdict {
    let verdict = this.#places.get(place);
    if (verdict === undefined) {
      verdict = this.#judgePlace(place);
      this.#places.set(place, verdict);
    }
    return verdict;
  }

  #judgePlace(place: ProfiledPlace): PlaceVerdict {
    const { change } = this.method(place.function);
    if (place.bci < 0 || change === undefined) return EXEMPT;
    const contradiction = this.#old.contradiction(change.from, place);
    if (contradiction !== undefined) return contradictsOld(contradiction);
    if (change.to === undefined) return EXEMPT;
    const { map, state } = change;
    if (state === 'unchanged') return FITS;
    // Without code in one of the versions there is nothing to compare; the counts are those of code that the VM made.
    if (map === undefined) return EXEMPT;
    // Calls are inlined independent of their arguments; branch outcomes and receiver classes depend on values.
    const bci = map.place(place.bci, place.kind !== 'caller' && place.kind !== 'sample');
    if (bci === undefined) return stale(this.#whyNot(change.from, place.bci));
    const targets = place.kind === 'branch' ? [...place.targets] : [];
    const now = targets.map((target) => map.target(place.bci, target));
    if (now.includes(undefined)) return stale(`the code at a target of the branch at ${place.bci} changed`);
    const stays = bci === place.bci && targets.every((target, i) => target === now[i]);
    return { state: stays ? 'fits' : 'moved', bci };
  }

  target(place: ProfiledPlace, target: number): number | undefined {
    const { change } = this.method(place.function);
    return target < 0 || change?.map === undefined ? target : change.map.target(place.bci, target);
  }

  /** The verdict on a receiver or checked type: whether it contradicts the old classes, or only the new ones. */
  type(place: ProfiledPlace, type: ClassId): PlaceVerdict {
    const { change } = this.method(place.function);
    const { bci } = this.place(place);
    if (change?.to === undefined || place.bci < 0) return EXEMPT;
    const name = className(this.#program, type);
    const before = checkType(this.#oldCheck, change.from, place, name);
    if (isFinding(before)) return contradictsOld(before.why);
    const now = checkType(this.#newCheck, change.to, { ...place, bci: bci ?? place.bci }, name);
    if (now === undefined) return FITS;
    if (now === 'cannot tell') return EXEMPT;
    return before === undefined ? stale(now.why) : EXEMPT;
  }

  #whyNot(method: MethodInfo, bci: number): string {
    return this.#oldCheck.instructions(method)?.has(bci)
      ? `the code at ${bci} changed`
      : `no instruction begins at ${bci} in the old classes`;
  }

  #judge(id: FunctionId): ComparedVerdict {
    const from = this.#old.find(id);
    if ('state' in from)
      return { ...from, state: 'outside', candidates: [], why: from.why.map((why) => `old classes: ${why}`) };
    const change = this.#changeOf(from.owner)?.methods.get(methodId(from));
    if (change === undefined) return this.#withoutClass(from);
    const { to, map, state } = change;
    const renamed = to !== undefined && to.name !== from.name ? to.name : undefined;
    const kept = state === 'changed' && map !== undefined ? map.kept : undefined;
    const why = [
      ...(renamed === undefined ? [] : [`renamed to ${renamed}`]),
      ...(kept === undefined ? [] : [`${kept.instructions} of ${kept.of} instructions kept`]),
    ];
    return {
      state: state === 'unchanged' && renamed !== undefined ? 'moved' : state,
      why: state === 'gone' ? ['no such method in its class'] : why,
      candidates: change.candidates.map(methodText),
      shift: map?.shift ?? null,
      change,
      ...(to === undefined ? {} : { method: to }),
      ...(renamed === undefined ? {} : { renamed }),
    };
  }

  #changeOf(old: ClassFile): ClassChange | undefined {
    if (!this.#changes.has(old)) {
      const now = this.#new.classes.get(old.name);
      this.#changes.set(old, now === undefined ? undefined : this.#compare(old, now));
    }
    return this.#changes.get(old);
  }

  #compare(old: ClassFile, now: ClassFile): ClassChange {
    return compareClasses(old, now, this.#oldClasses, this.#new.classes);
  }

  /** The verdict for a class that is not on the new path: gone, unless the path has no class of its package. */
  #withoutClass(from: MethodInfo): ComparedVerdict {
    const { name } = from.owner;
    const likely = this.#successor(from.owner);
    if (this.#new.scope.of(name) === 'outside' && likely === undefined)
      return { state: 'outside', why: ['nothing of its package on the new class path'], candidates: [], shift: null };
    const method = likely?.methods.get(methodId(from))?.to;
    const candidates = method === undefined ? [] : [methodText(method)];
    return { state: 'gone', why: [`no class ${name}`], candidates, shift: null };
  }

  /**
   * The class that may have replaced one: the only new one of its name, else the only new one of its package with the
   * same code.
   */
  #successor(old: ClassFile): ClassChange | undefined {
    if (!this.#successors.has(old)) {
      const changes = (names: readonly string[] = []): ClassChange[] =>
        names.flatMap((name) => {
          const file = this.#new.classes.get(name);
          return file === undefined ? [] : [this.#compare(old, file)];
        });
      const named = changes(this.#newcomers.get(simpleName(old.name)));
      const found = named.length > 0 ? named : changes(this.#newcomersIn.get(packagePart(old.name))).filter(isSameCode);
      this.#successors.set(old, found.length === 1 ? found[0] : undefined);
    }
    return this.#successors.get(old);
  }
}

function isSameCode({ methods }: ClassChange): boolean {
  return [...methods.values()].every(({ state }) => state === 'unchanged' || state === 'moved');
}
