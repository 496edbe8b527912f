/**
 * Reads OTLP profiles (docs/formats/otlp.md) in the three layouts that are in the wild. Profiles are kept until the dictionary is read, which may
 * come after them: it tells the layout. Cost: memory of the file, its rows and its distinct stacks.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { readMessage } from '../shared/protobuf/windows.js';
import { LENGTH, VARINT, WireReader } from '../shared/protobuf/wire.js';
import { TablePlaces } from '../shared/sampled-values/places.js';
import { OtlpDictionary } from './dictionary.js';
import { LayoutEvidence } from './layout.js';
import { toRecording } from './model.js';
import { OtlpRows } from './profiles.js';

const CODES = { syntax: 'otlp-syntax', truncated: 'otlp-truncated', tooLarge: 'otlp-too-large' };
const MOST_RESOURCES = 64;

/** Reads all profiles. Throws `FormatError` if there is none. */
export async function readOtlp(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const file = new OtlpFile(problems);
  const whole = await readMessage(source, file.take, problems, { work, codes: CODES });
  const { dictionary, profiles } = file;
  if (profiles.length === 0) {
    const [first] = problems.finish().list;
    throw new FormatError({
      format: 'otlp',
      offset: first?.offset ?? 0,
      expected: 'a profile within resources and scopes',
      found: first === undefined ? 'none' : first.message,
    });
  }
  const evidence = new LayoutEvidence(dictionary.attributeKey.length);
  for (const profile of profiles) collect(profile, evidence);
  const { layout, isCertain } = evidence.decide(dictionary.stackMessages, dictionary.unitMessages);
  const places = new TablePlaces(dictionary.tables);
  const rows = new OtlpRows(layout, dictionary, places, file.report);
  for (const profile of profiles) rows.add(profile);
  const content = { dictionary, places, rows, layout, isCertain, resources: file.resources };
  return toRecording(source.name, content, problems, whole && !file.isDamaged);
}

/** What the profile says of the layout. */
function collect(profile: Uint8Array, evidence: LayoutEvidence): void {
  const reader = new WireReader().set(profile, 0, profile.length);
  while (reader.next())
    if (reader.field === 2 && reader.wire === LENGTH) evidence.sample(profile, reader.start, reader.stop);
    else evidence.profileField(reader.field, reader.wire);
}

/** The outermost messages: resources with scopes with profiles, and the dictionary. */
class OtlpFile {
  readonly dictionary: OtlpDictionary;
  /** Copies of the messages, as the window moves on. */
  readonly profiles: Uint8Array[] = [];
  readonly resources: MetadataEntry[] = [];
  isDamaged = false;
  readonly #problems: ProblemLog;
  #offset = 0;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
    this.dictionary = new OtlpDictionary(this.report);
  }

  readonly report = (message: string): void => {
    this.isDamaged = true;
    this.#problems.add({ code: 'otlp-schema', severity: 'error', offset: this.#offset, message });
  };

  readonly take = (field: WireReader, offset: number): void => {
    this.#offset = offset;
    const { bytes, start, stop } = field;
    if (field.wire !== LENGTH || field.field > 2)
      this.report(`field ${field.field} is neither resources nor the dictionary`);
    else if (field.field === 2) this.dictionary.add(bytes, start, stop);
    else
      this.#inside(field, 'a resource', (inner) => {
        if (inner.field === 1) this.#resource(inner);
        else if (inner.field === 2) this.#scope(inner);
      });
  };

  #scope(field: WireReader): void {
    this.#inside(field, 'a scope', (inner) => {
      if (inner.field === 2) this.profiles.push(inner.bytes.slice(inner.start, inner.stop));
    });
  }

  /** Attributes of a resource: `service.name` and the like. */
  #resource(field: WireReader): void {
    this.#inside(field, 'a resource', (inner) => {
      if (inner.field !== 1 || this.resources.length >= MOST_RESOURCES) return;
      let [key, value] = ['', ''];
      this.#inside(inner, 'an attribute', (part) => {
        if (part.field === 1) key = decodeUtf8(part.bytes, part.start, part.stop);
        else if (part.field === 2) value = anyValue(part);
      });
      if (key !== '' && value !== '') this.resources.push({ key, value });
    });
  }

  /** Visits the messages within a message. */
  #inside({ bytes, start, stop }: WireReader, name: string, visit: (inner: WireReader) => void): void {
    const reader = new WireReader().set(bytes, start, stop);
    while (reader.next()) if (reader.wire === LENGTH) visit(reader);
    if (reader.fault !== 'none') this.report(`${name} is damaged; the rest of it is not read`);
  }
}

function anyValue({ bytes, start, stop }: WireReader): string {
  const reader = new WireReader().set(bytes, start, stop);
  if (!reader.next()) return '';
  if (reader.field === 1 && reader.wire === LENGTH) return decodeUtf8(bytes, reader.start, reader.stop);
  if (reader.field === 2 && reader.wire === VARINT) return reader.low === 0 ? 'false' : 'true';
  return reader.field === 3 && reader.wire === VARINT ? String(reader.signed) : '';
}
