/**
 * The words of `.iprof` files in every known version. Version 0.2.0 has other names for nearly everything and joins
 * frames by commas; 0.4.0 and 1.0.0 share one layout; 1.1.0 adds instance-of profiles, whose key is spelled
 * `instanceofProfiles` in the published schema and `instanceOfProfiles` in real files.
 */

/** Content of a section, whatever its name. */
export type ProfileSection = 'types' | 'methods' | 'call' | 'branch' | 'receiver' | 'instanceof' | 'monitor' | 'sample';

/** The field of a type or method that holds its name, and the field of an entry that holds its context. */
export type NameKey = 'name' | 'typeName' | 'methodName';
export type ContextKey = 'ctx' | 'methodBciList';

export interface SectionWord {
  readonly key: string;
  readonly kind: ProfileSection;
  readonly legacy: boolean;
}

export const SECTION_WORDS: readonly SectionWord[] = [
  { key: 'types', kind: 'types', legacy: false },
  { key: 'methods', kind: 'methods', legacy: false },
  { key: 'callCountProfiles', kind: 'call', legacy: false },
  { key: 'conditionalProfiles', kind: 'branch', legacy: false },
  { key: 'virtualInvokeProfiles', kind: 'receiver', legacy: false },
  { key: 'instanceofProfiles', kind: 'instanceof', legacy: false },
  { key: 'instanceOfProfiles', kind: 'instanceof', legacy: false },
  { key: 'monitorProfiles', kind: 'monitor', legacy: false },
  { key: 'samplingProfiles', kind: 'sample', legacy: false },
  { key: 'hotnessPoints', kind: 'call', legacy: true },
  { key: 'conditionalPoints', kind: 'branch', legacy: true },
  { key: 'invokePoints', kind: 'receiver', legacy: true },
  { key: 'monitorsProfile', kind: 'monitor', legacy: true },
];

/** The versions with a layout known from real files or the published schemas. */
export const KNOWN_VERSIONS = ['0.2.0', '0.4.0', '1.0.0', '1.1.0'] as const;

/** Number of values in an entry of a section: exactly one, or a multiple of `arity`. */
export const ARITY: Record<Exclude<ProfileSection, 'types' | 'methods'>, number> = {
  call: 1,
  sample: 1,
  branch: 3,
  receiver: 2,
  instanceof: 2,
  monitor: 2,
};

/** Whether entries of this kind have exactly one number. */
export function isSingle(kind: ProfileSection): boolean {
  return kind === 'call' || kind === 'sample';
}
