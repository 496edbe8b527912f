/**
 * Chooses the sections of a written `.iprof` file, and their spelling. Vocabulary of each version:
 * docs/formats/iprof.md and `vocabulary.ts`; the order of sections is that of the versions' own writers.
 */
import { UsageError } from '../../../base/errors.js';
import type { Recording } from '../../../models/recording.js';
import { fragment } from '../../shared/json-writer.js';
import type { IprofResidue, SectionResidue } from '../residue.js';
import { type ContextKey, KNOWN_VERSIONS, type NameKey, type ProfileSection, SECTION_WORDS } from '../vocabulary.js';
import { type DropLog, ENTRY_NAMES } from './drop-log.js';

/** A section to write. `source` is its index in the residue's sections, -1 if it is made from the models alone. */
export interface SectionPlan {
  readonly key: string;
  readonly kind: ProfileSection | 'raw';
  readonly nameKey: NameKey;
  readonly contextKey: ContextKey;
  readonly single: boolean;
  readonly source: number;
  /** For `raw`: the JSON text of its value. */
  readonly raw?: Uint8Array;
}

/**
 * copy: as in the file. convert: in the spelling of another version. salvage: in the spelling of its own version,
 * without violations of the schema.
 */
export interface WriteTarget {
  readonly how: 'copy' | 'convert' | 'salvage';
  /** Version to write; undefined if a copy keeps that of the file. */
  readonly version: string | undefined;
  /** Whether a conversion also omits violations of the schema. */
  readonly strict: boolean;
}

const NEWEST = '1.1.0';
const LEGACY = '0.2.0';
const VERSION_SHAPE = /^\d+\.\d+\.\d+$/;

const MODERN_KEYS: readonly (readonly [ProfileSection, string])[] = [
  ['types', 'types'],
  ['methods', 'methods'],
  ['call', 'callCountProfiles'],
  ['branch', 'conditionalProfiles'],
  ['receiver', 'virtualInvokeProfiles'],
  ['monitor', 'monitorProfiles'],
  ['sample', 'samplingProfiles'],
];
/** The published schema spells it `instanceofProfiles`; this is the spelling of real files. */
const INSTANCEOF_KEY: readonly [ProfileSection, string] = ['instanceof', 'instanceOfProfiles'];
const LEGACY_KEYS: readonly (readonly [ProfileSection, string])[] = [
  ['types', 'types'],
  ['methods', 'methods'],
  ['call', 'hotnessPoints'],
  ['branch', 'conditionalPoints'],
  ['receiver', 'invokePoints'],
  ['monitor', 'monitorsProfile'],
];

const VOCABULARY: ReadonlySet<string> = new Set(SECTION_WORDS.map((word) => word.key));

/** The sections of a version, in the order of its writers. Unknown versions have the newest layout. */
export function layoutOf(version: string): readonly (readonly [ProfileSection, string])[] {
  if (version === LEGACY) return LEGACY_KEYS;
  return version === '0.4.0' || version === '1.0.0' ? MODERN_KEYS : [...MODERN_KEYS, INSTANCEOF_KEY];
}

/** The target for the requested `version`. Throws `UsageError` for an unknown version. */
export function targetOf(
  recording: Recording,
  residue: IprofResidue | undefined,
  version: string | undefined,
  salvage: boolean,
): WriteTarget {
  const own = residue === undefined ? statedVersion(recording) : residue.version;
  const wanted = version ?? own;
  if (version !== undefined && version !== own && !isKnown(version)) {
    throw new UsageError(`unknown .iprof version ${version}`, {
      code: 'unknown-version',
      advice: `Supported versions: ${KNOWN_VERSIONS.join(', ')}.`,
    });
  }
  if (residue === undefined) return { how: 'convert', version: wanted ?? NEWEST, strict: salvage };
  if (wanted !== own) return { how: 'convert', version: wanted, strict: salvage };
  if (!salvage) return { how: 'copy', version: own, strict: false };
  const stated = own !== undefined && VERSION_SHAPE.test(own);
  return { how: 'salvage', version: stated ? own : likelyVersion(residue), strict: true };
}

function isKnown(version: string): boolean {
  return KNOWN_VERSIONS.some((known) => known === version);
}

/** The version stated by a recording that was made from `.iprof` files. */
function statedVersion(recording: Recording): string | undefined {
  if (recording.format !== 'iprof') return undefined;
  const stated = recording.metadata.find((entry) => entry.key === 'version')?.value;
  return stated !== undefined && isKnown(stated) ? stated : undefined;
}

/** The version of a file that does not state it, guessed from its spelling. */
function likelyVersion(residue: IprofResidue): string {
  const legacy = residue.sections.some(
    (section) =>
      section.nameKey !== 'name' ||
      SECTION_WORDS.some((word) => word.legacy && word.key === section.key && word.kind === section.kind),
  );
  return legacy ? LEGACY : NEWEST;
}

function noPlace(version: string): string {
  return `not supported by version ${version}`;
}

/** The sections to write, in order; `entries`: number in the models of each kind. */
export function planSections(
  residue: IprofResidue | undefined,
  target: WriteTarget,
  entries: ReadonlyMap<ProfileSection, number>,
  complete: boolean,
  drops: DropLog,
): readonly SectionPlan[] {
  const version = target.version ?? (residue === undefined ? NEWEST : likelyVersion(residue));
  if (residue === undefined) return planModels(version, entries, drops);
  const plans = residue.sections
    .map((section, index) =>
      target.how === 'copy' ? copied(section, index) : respelled(section, index, target, version, drops),
    )
    .filter((plan) => plan !== undefined);
  return target.how === 'copy' && complete ? plans : withMandatory(plans, version);
}

/** The version, types and methods that every file must have, if they are missing. */
function withMandatory(plans: readonly SectionPlan[], version: string): readonly SectionPlan[] {
  const missing = [versionPlan(version), planned('types', 'types', version), planned('methods', 'methods', version)];
  return [...missing.filter((plan) => plans.every((other) => other.key !== plan.key)), ...plans];
}

function planModels(
  version: string,
  entries: ReadonlyMap<ProfileSection, number>,
  drops: DropLog,
): readonly SectionPlan[] {
  const layout = layoutOf(version);
  for (const [kind, count] of entries) {
    if (layout.every(([known]) => known !== kind)) drops.add(count, ENTRY_NAMES[kind], noPlace(version));
  }
  const present = layout.filter(([kind]) => kind === 'types' || kind === 'methods' || entries.has(kind));
  return [versionPlan(version), ...present.map(([kind, key]) => planned(kind, key, version))];
}

function planned(kind: ProfileSection, key: string, version: string, source = -1): SectionPlan {
  const legacy = version === LEGACY;
  const legacyName: NameKey = kind === 'types' ? 'typeName' : 'methodName';
  return {
    key,
    kind,
    nameKey: legacy ? legacyName : 'name',
    contextKey: legacy ? 'methodBciList' : 'ctx',
    single: legacy && kind === 'monitor',
    source,
  };
}

function versionPlan(version: string): SectionPlan {
  return rawPlan('version', fragment(JSON.stringify(version)));
}

function rawPlan(key: string, raw: Uint8Array): SectionPlan {
  return { key, kind: 'raw', nameKey: 'name', contextKey: 'ctx', single: false, source: -1, raw };
}

function copied(section: SectionResidue, source: number): SectionPlan | undefined {
  const { key, kind, nameKey, contextKey, single, raw } = section;
  if (kind === 'version' || kind === 'unknown') return raw === undefined ? undefined : rawPlan(key, raw);
  return { key, kind, nameKey, contextKey, single, source };
}

function respelled(
  section: SectionResidue,
  source: number,
  target: WriteTarget,
  version: string,
  drops: DropLog,
): SectionPlan | undefined {
  const { kind, key, raw } = section;
  // Written in front, so that of two the correct one counts.
  if (kind === 'version') return undefined;
  if (kind === 'unknown') {
    if (raw !== undefined && !VOCABULARY.has(key)) return rawPlan(key, raw);
    drops.add(1, ['section', 'sections'], `${JSON.stringify(key)} is a duplicate or not an array`);
    return undefined;
  }
  const known = layoutOf(version).find(([other]) => other === kind)?.[1];
  // A file may have sections that its version does not define: a salvaged file keeps them, a conversion does not.
  if (target.how === 'salvage') {
    return planned(kind, known === undefined || kind === 'instanceof' ? key : known, version, source);
  }
  if (known !== undefined) return planned(kind, known, version, source);
  drops.add(section.elements, ENTRY_NAMES[kind], noPlace(version));
  return undefined;
}
