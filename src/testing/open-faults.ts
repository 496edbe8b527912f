/**
 * Faults of readers that are known and not yet mended: where damage to a fixture gets a wrong answer today. The smallest
 * input of each is in `open-faults.test.ts`; whoever mends one takes its lines out of both.
 */
export interface OpenFault {
  readonly fixture: string;
  readonly code: string;
  /** The damage begins between the beginning of this text and the end of that one (one character a byte). */
  readonly from: string;
  readonly to: string;
}

const VERSIONS = ['legacy-0.2.0.iprof', 'minified-0.4.0.iprof', 'pretty-1.0.0.iprof', 'unusual-1.1.0.iprof'].map(
  (fixture) => ({ fixture, code: 'silent', from: '"version"', to: ',' }),
);
const MONITORS = ['minified-0.4.0.iprof', 'pretty-1.0.0.iprof', 'unusual-1.1.0.iprof'].map((fixture) => ({
  fixture,
  code: 'silent',
  from: '"monitorProfiles"',
  to: '"records"',
}));

export const OPEN_FAULTS: readonly OpenFault[] = [
  // The text of a version is not checked.
  ...VERSIONS,
  // The text of a monitor's dummy context is not checked.
  ...MONITORS,
  // Sections that are not known are kept as they stand, whether they are JSON or not.
  { fixture: 'unusual-1.1.0.iprof', code: 'silent', from: '{"name":"k', to: '"version"' },
  { fixture: 'unusual-1.1.0.iprof', code: 'silent', from: '"ceConditionalProfilesV2"', to: '"virtualInvoke' },
  { fixture: 'pretty-1.0.0.iprof', code: 'silent', from: '"x-tool"', to: '}' },
  // Keys of an entry that are not known are not checked, nor is the UTF-8 of their values.
  { fixture: 'unusual-1.1.0.iprof', code: 'silent', from: '"loader"', to: '}' },
  { fixture: 'unusual-1.1.0.iprof', code: 'silent', from: '"flags":{', to: '}' },
  { fixture: 'unusual-1.1.0.iprof', code: 'silent', from: '"note"', to: ']"' },
  // Behind the first byte of a byte order mark any two bytes are accepted.
  { fixture: 'pretty-1.0.0.iprof', code: 'silent', from: '\u00ef', to: '{' },
  // The spelling of a whole section is taken from its first entry.
  { fixture: 'legacy-0.2.0.iprof', code: 'differs', from: '"typeName"', to: '"void"' },
  { fixture: 'legacy-0.2.0.iprof', code: 'differs', from: '"methodName"', to: '"main"' },
];
