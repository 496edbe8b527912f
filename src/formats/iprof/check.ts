/**
 * Checks an `.iprof` file beyond its syntax: references, duplicates, and impossible numbers. The codes are listed in
 * docs/formats/iprof.md. Cost: a few passes over the columns.
 */
import { offsetAt } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { ProblemLog, type Problems, type Severity } from '../../base/problems.js';
import { formatCount } from '../../base/units.js';
import { BRANCH_EVENTS } from '../../models/events/branch.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { forEachSite } from '../../models/events/counted.js';
import type { Profile } from '../../models/profile/profile.js';
import { bciOf } from '../../models/program/places.js';
import { CLASS_KINDS, FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { Column } from '../../models/table.js';
import { ENTRY_KINDS, entriesOf } from './entry-events.js';
import { type IprofResidue, iprofResidue, type SectionResidue } from './residue.js';
import { KNOWN_VERSIONS, type ProfileSection, SECTION_WORDS } from './vocabulary.js';

/** Types a site may record in today's GraalVM; the format has no such limit. */
export const USUAL_TYPES = 8;
/** Lowest of JVMCI's marks (`INVALID_FRAMESTATE_BCI`), and the highest bytecode index a class file can have. */
const LOWEST_BCI = -6;
const HIGHEST_BCI = 65535;

const MISSING_FUNCTION = FUNCTION_KINDS.indexOf('missing');
const MISSING_CLASS = CLASS_KINDS.indexOf('missing');

/** A recording made from several files has no places to report; the files are checked themselves. */
export function checkIprof(recording: Recording): Problems {
  if (recording.residue === undefined) return { list: [], counts: {} };
  const residue = iprofResidue(recording);
  const report = new Report(residue);
  checkDocument(residue, report);
  checkSymbols(recording.program, residue, report);
  const profile = recording.profile;
  if (profile !== undefined) {
    checkContexts(recording.program, profile, report);
    checkRecords(recording.program, profile, report);
    checkTargets(profile, report);
    checkSums(profile, report);
  }
  return report.problems.finish();
}

/** Creates problems with the place of their entry in the file. */
class Report {
  readonly problems = new ProblemLog();
  readonly #residue: IprofResidue;

  constructor(residue: IprofResidue) {
    this.#residue = residue;
  }

  document(code: string, severity: Severity, message: string, section?: SectionResidue): void {
    const place = section === undefined ? {} : { offset: section.offset, path: `/${section.key}` };
    this.problems.add({ code, severity, message, ...place });
  }

  /** A problem of row (types, methods) or site (entries) `index` of the section of `kind`. */
  entry(code: string, severity: Severity, kind: ProfileSection, index: number, message: () => string): void {
    if (!this.problems.wants(code)) {
      this.problems.count(code, 1);
      return;
    }
    const section = this.#residue.sections.find((candidate) => candidate.kind === kind);
    const path =
      section === undefined
        ? ''
        : section.single
          ? `/${section.key}`
          : `/${section.key}/${this.#element(section, index)}`;
    this.problems.add({
      code,
      severity,
      message: message(),
      offset: offsetAt(this.#residue.offsets[kind], index),
      path,
    });
  }

  /** Elements without a row lie between those with one: they count in the path. */
  #element(section: SectionResidue, index: number): number {
    const { verbatim, sections } = this.#residue;
    let element = index;
    for (let i = 0; i < verbatim.length; i++) {
      if (sections[verbatim.section[i]] === section && verbatim.replaces[i] === 0 && verbatim.before[i] <= index)
        element++;
    }
    return element;
  }
}

function checkDocument(residue: IprofResidue, report: Report): void {
  const has = (kind: ProfileSection): boolean => residue.sections.some((section) => section.kind === kind);
  const version = residue.version;
  if (version === undefined) report.document('iprof-version', 'error', 'the file does not state its version');
  else if (!KNOWN_VERSIONS.some((known) => known === version)) {
    const known = KNOWN_VERSIONS.join(', ');
    report.document(
      'iprof-version',
      'warning',
      `version ${JSON.stringify(version)} is unknown (known: ${known}); read as 1.1.0`,
    );
  }
  for (const kind of ['types', 'methods'] as const) {
    if (!has(kind)) report.document('iprof-missing-section', 'error', `the mandatory section ${kind} is missing`);
  }
  for (const section of residue.sections) {
    if (section.kind === 'unknown' && !SECTION_WORDS.some((word) => word.key === section.key)) {
      report.document(
        'iprof-unknown-section',
        'info',
        `unknown section ${section.key}; kept unchanged when the file is written`,
        section,
      );
    }
    if (section.key === 'instanceofProfiles') {
      const message = 'spelled as in the published schema; GraalVM writes and reads instanceOfProfiles';
      report.document('iprof-spelling', 'info', message, section);
    }
  }
}

function checkSymbols(program: Program, residue: IprofResidue, report: Report): void {
  const { classes, functions } = program;
  checkIds(classes.fileId, residue.types, 'types', report);
  checkIds(functions.fileId, residue.methods, 'methods', report);
  for (let method = 0; method < residue.methods; method++) {
    const type = missingTypeOf(program, method);
    if (type < 0) continue;
    report.entry(
      'iprof-dangling-type',
      'error',
      'methods',
      method,
      () => `the signature names type ${classes.fileId[type]}, which is not in types`,
    );
  }
  const referred = functions.length - residue.methods;
  if (residue.methods <= 1 && residue.types <= 1 && referred > 0) {
    const message = `the symbol tables are stubs (${residue.types} types, ${residue.methods} methods) but contexts name ${formatCount(referred)} methods: this profile cannot be applied`;
    report.document('iprof-stub-symbols', 'error', message);
  }
}

function checkIds(ids: Int32Array, count: number, kind: 'types' | 'methods', report: Report): void {
  const seen = new IntTable(count);
  for (let row = 0; row < count; row++) {
    const before = seen.length;
    if (seen.add(ids[row]) < before) {
      report.entry('iprof-duplicate-id', 'error', kind, row, () => `duplicate id ${ids[row]}; the first one is used`);
    }
  }
}

/** The first class in a method's signature that the file does not define, or -1. */
function missingTypeOf(program: Program, method: number): number {
  const { class: declaring, signature, signatureStart } = program.functions;
  const { kind } = program.classes;
  if (declaring[method] >= 0 && kind[declaring[method]] === MISSING_CLASS) return declaring[method];
  for (let i = signatureStart[method]; i < signatureStart[method + 1]; i++)
    if (kind[signature[i]] === MISSING_CLASS) return signature[i];
  return -1;
}

const CONTEXT_KINDS = ['call', 'branch', 'receiver', 'instanceof', 'sample'] as const;

function checkContexts(program: Program, profile: Profile, report: Report): void {
  const { stacks } = profile;
  const { locations, functions } = program;
  /** The location nearest the root with a missing method, or with an impossible BCI, on the way to each stack. */
  const missing = new Int32Array(stacks.length).fill(-1);
  const impossible = new Int32Array(stacks.length).fill(-1);
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    const location = stacks.location[id];
    const bci = bciOf(program, location);
    missing[id] = parent >= 0 ? missing[parent] : -1;
    impossible[id] = parent >= 0 ? impossible[parent] : -1;
    if (missing[id] < 0 && functions.kind[locations.function[location]] === MISSING_FUNCTION) missing[id] = location;
    if (impossible[id] < 0 && (bci < LOWEST_BCI || bci > HIGHEST_BCI)) impossible[id] = location;
  }
  for (const kind of CONTEXT_KINDS) {
    const seen = new Uint8Array(stacks.length);
    const entries = entriesOf(profile, kind);
    if (entries === undefined) continue;
    forEachSite(entries, (site, stack) => {
      if (missing[stack] >= 0) {
        const id = (): number => functions.fileId[locations.function[missing[stack]]];
        report.entry(
          'iprof-dangling-method',
          'error',
          kind,
          site,
          () => `the context names method ${id()}, which is not in methods`,
        );
      }
      if (impossible[stack] >= 0) {
        report.entry(
          'iprof-bci',
          'error',
          kind,
          site,
          () => `the context has BCI ${bciOf(program, impossible[stack])}, which is outside the range of a method`,
        );
      }
      if (seen[stack] === 1) {
        report.entry(
          'iprof-duplicate-context',
          'warning',
          kind,
          site,
          () => 'an earlier entry has the same context; both are counted',
        );
      }
      seen[stack] = 1;
      if (kind === 'call' && bciOf(program, stacks.location[stack]) !== 0) {
        const message = (): string => 'expected BCI 0 for a call count, found another BCI';
        report.entry('iprof-leaf', 'error', kind, site, message);
      }
    });
  }
}

/** Branches: impossible targets and numbers. */
function checkTargets(profile: Profile, report: Report): void {
  const branches = BRANCH_EVENTS.of(profile);
  if (branches === undefined) return;
  const { length, site, target, index } = branches;
  for (let row = 0; row < length; row++) {
    if (target[row] >= LOWEST_BCI && target[row] <= HIGHEST_BCI && index[row] >= 0) continue;
    const message = (): string => `branch ${index[row]} to BCI ${target[row]} is impossible`;
    report.entry('iprof-target', 'error', 'branch', site[row], message);
  }
}

function checkRecords(program: Program, profile: Profile, report: Report): void {
  for (const kind of ENTRY_KINDS) {
    const entries = entriesOf(profile, kind);
    if (entries === undefined) continue;
    const { length, site, count, type } = entries;
    let first = 0;
    for (let row = 0; row < length; row++) {
      const index = site[row];
      if (count[row] < 0)
        report.entry('iprof-negative-count', 'error', kind, index, () => `negative count ${count[row]}`);
      if (type !== undefined && program.classes.kind[type[row]] === MISSING_CLASS) {
        const id = (): number => program.classes.fileId[type[row]];
        report.entry(
          'iprof-dangling-type',
          'error',
          kind,
          index,
          () => `the record names type ${id()}, which is not in types`,
        );
      }
      if (row > 0 && site[row] !== site[row - 1]) first = row;
      if (type !== undefined && kind !== 'monitor' && row - first === USUAL_TYPES) {
        report.entry(
          'iprof-many-types',
          'info',
          kind,
          index,
          () => `more than ${USUAL_TYPES} types, the maximum that GraalVM records at a site`,
        );
      }
    }
  }
}

/**
 * A virtual call or type check runs after its method was entered or a loop in it iterated, and both are counted. So no
 * site can be reached more often than all calls and branches of the file together.
 */
function checkSums(profile: Profile, report: Report): void {
  let possible = 0;
  for (const counted of [CALL_EVENTS.of(profile), BRANCH_EVENTS.of(profile)])
    if (counted !== undefined) possible = plusPositive(possible, counted.count);
  if (possible === 0) return;
  for (const kind of ['receiver', 'instanceof'] as const) {
    const entries = entriesOf(profile, kind);
    if (entries === undefined) continue;
    const { count } = entries;
    forEachSite(entries, (site, _stack, from, to) => {
      let sum = 0;
      for (let row = from; row < to; row++) sum += count[row];
      if (sum <= possible) return;
      const message = (): string =>
        `${formatCount(sum)} exceeds all calls and branches of the file together (${formatCount(possible)})`;
      report.entry('iprof-absurd-count', 'warning', kind, site, message);
    });
  }
}

function plusPositive(start: number, counts: Column): number {
  let sum = start;
  for (let row = 0; row < counts.length; row++) sum += Math.max(0, counts[row]);
  return sum;
}
