/** The receivers of a profile with the code of their calls and type checks. */
import type { Work } from '../../base/progress.js';
import { share } from '../../base/share.js';
import { type ClassSet, loadClasses } from '../../code/java/class-path/class-set.js';
import { forEachSite } from '../../models/events/counted.js';
import { INSTANCEOF_EVENTS } from '../../models/events/instanceof.js';
import { RECEIVER_EVENTS } from '../../models/events/receiver.js';
import { className } from '../../models/program/names.js';
import type { LocationId, Program } from '../../models/program/program.js';
import { type CallCode, type CheckCode, callAt, checkAt, methodText, selectedMethod, targetText } from './call-code.js';
import type { WeightedFinding } from './fit.js';
import { isFinding, ProgramCode, type SiteFinding } from './method-code.js';
import { classesOfSites, type ProfiledClasses } from './sites.js';

export type ReceiverKind = 'virtual' | 'instanceof';

/** The events of each kind of receivers. */
export const RECEIVER_KINDS = { virtual: RECEIVER_EVENTS, instanceof: INSTANCEOF_EVENTS } as const;

/** A receiver class and its count. */
export interface MetClass {
  readonly type: number;
  readonly count: number;
}

/** A site with its code. */
export interface PlacedReceiver {
  readonly line: number | null;
  readonly instruction: string | null;
  /** The method or type that the call or check names. */
  readonly declared: string | null;
  /** The outcome of each class, in their order: the method that runs, or whether the check succeeds; null if unknown. */
  readonly outcomes: readonly (string | null)[];
  readonly findings: readonly WeightedFinding[];
}

/** The classes with the sites, the classes their calls name, the receivers, and all their superclasses and interfaces. */
export async function classesOfReceivers(profiled: ProfiledClasses, kind: ReceiverKind, work: Work): Promise<ClassSet> {
  const { profile, program } = profiled;
  const counted = RECEIVER_KINDS[kind];
  const classes = await classesOfSites(profiled, counted, work);
  const events = counted.of(profile);
  if (events === undefined) return classes;
  const names = new Set(classes.names());
  for (const type of new Set(events.type)) names.add(className(program, type));
  const code = new ProgramCode(classes, program);
  forEachSite(events, (_site, stack) => {
    const location = profile.stacks.location[stack];
    const found = kind === 'virtual' ? callAt(code, program, location) : checkAt(code, program, location);
    if (!isFinding(found)) names.add('target' in found ? found.target.owner : found.type);
  });
  const wanted = [...names].map((name) => name.replace(/(\[\])+$/, ''));
  return loadClasses(profiled.classes, [...wanted, 'java.lang.Object'], work, { supers: true });
}

export class PlacedReceivers {
  readonly #classes: ClassSet;
  readonly #program: Program;
  readonly #code: ProgramCode;
  readonly #kind: ReceiverKind;

  constructor(classes: ClassSet, program: Program, kind: ReceiverKind) {
    this.#classes = classes;
    this.#program = program;
    this.#code = new ProgramCode(classes, program);
    this.#kind = kind;
  }

  of(location: LocationId, met: readonly MetClass[], calls: number): PlacedReceiver {
    if (this.#kind === 'virtual') {
      const call = callAt(this.#code, this.#program, location);
      return isFinding(call) ? nothing(call, met, calls) : this.#call(call, met);
    }
    const check = checkAt(this.#code, this.#program, location);
    return isFinding(check) ? nothing(check, met, calls) : this.#check(check, met);
  }

  #call({ instruction, line, target }: CallCode, met: readonly MetClass[]): PlacedReceiver {
    const findings: WeightedFinding[] = [];
    const outcomes = met.map(({ type, count }) => {
      const name = className(this.#program, type);
      if (this.#classes.isSubtype(name, target.owner) === false) {
        findings.push({
          finding: { reason: 'no subtype', text: `${name} is not a subtype of ${target.owner}` },
          weight: count,
        });
        return null;
      }
      const method = selectedMethod(this.#classes, name, target);
      return typeof method === 'string' ? null : methodText(method);
    });
    const declared = targetText(target);
    return { line: line ?? null, instruction: instruction.mnemonic, declared, outcomes, findings };
  }

  #check({ instruction, line, type: checked }: CheckCode, met: readonly MetClass[]): PlacedReceiver {
    const outcomes = met.map(({ type }) => {
      const is = this.#classes.isSubtype(className(this.#program, type), checked);
      return is === undefined ? null : is ? 'yes' : 'no';
    });
    return { line: line ?? null, instruction: instruction.mnemonic, declared: checked, outcomes, findings: [] };
  }
}

function nothing(finding: SiteFinding, met: readonly MetClass[], calls: number): PlacedReceiver {
  const findings = [{ finding, weight: calls }];
  return { line: null, instruction: null, declared: null, outcomes: met.map(() => null), findings };
}

/** Combines the outcomes of the classes. */
export function outcomeParts(outcomes: readonly (string | null)[], met: readonly MetClass[], calls: number) {
  const counts = new Map<string, number>();
  for (const [place, { count }] of met.entries()) {
    const name = outcomes[place] ?? 'not known';
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  return most.map(([name, count]) => ({ name, count, share: share(count, calls) }));
}
