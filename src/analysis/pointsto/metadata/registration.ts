/**
 * Reachability metadata of native images: what code uses by reflection, JNI, proxies and serialisation.
 *
 *   reachability-metadata.json                    all kinds in one object (GraalVM 23.1 and newer)
 *   reflect-, jni-, proxy-, serialization-config.json   a kind a file, as the tracing agent of older versions writes them
 */
import { z } from 'zod';
import { internalName } from '../../../code/java/class-file/descriptor.js';

/** A member that metadata name. `parameters`: Java source types, undefined where all methods of the name are meant. */
export interface RegisteredMethod {
  readonly name: string;
  readonly parameters: readonly string[] | undefined;
}

/** What is used of one type. */
export interface Registration {
  /** Internal name; undefined of proxies. */
  readonly type: string | undefined;
  /** Internal names of the interfaces of a proxy. */
  readonly proxy: readonly string[];
  /** Internal name of the type that must be reached before, and whether it must be initialised for that. */
  readonly condition: { readonly type: string; readonly isInitialised: boolean } | undefined;
  readonly methods: readonly RegisteredMethod[];
  readonly fields: readonly string[];
  /** Sets of members, by the words of the metadata: `allDeclaredMethods`. */
  readonly all: readonly string[];
  /** Objects are created without a constructor: by Unsafe, or from a stream. */
  readonly isCreated: boolean;
  /** Why, as entries of a report say it. */
  readonly reason: string;
}

const ALL_MEMBERS = [
  'allDeclaredMethods',
  'allPublicMethods',
  'allDeclaredConstructors',
  'allPublicConstructors',
  'allDeclaredFields',
  'allPublicFields',
] as const;

const FLAG = z.boolean().default(false);
const CONDITION = z.object({ typeReached: z.string().optional(), typeReachable: z.string().optional() }).optional();
const MEMBERS = {
  condition: CONDITION,
  methods: z.array(z.object({ name: z.string(), parameterTypes: z.array(z.string()).optional() })).default([]),
  fields: z.array(z.object({ name: z.string() })).default([]),
  allDeclaredMethods: FLAG,
  allPublicMethods: FLAG,
  allDeclaredConstructors: FLAG,
  allPublicConstructors: FLAG,
  allDeclaredFields: FLAG,
  allPublicFields: FLAG,
  unsafeAllocated: FLAG,
  serializable: FLAG,
};
const PROXY = z.object({ proxy: z.array(z.string()) });
const ENTRY = z.object({
  name: z.string().optional(),
  // Lambdas have no name that a class path knows.
  type: z.union([z.string(), PROXY, z.looseObject({})]).optional(),
  ...MEMBERS,
});
const PROXY_ENTRY = z.union([
  z.array(z.string()).transform((interfaces) => ({ interfaces, condition: undefined })),
  z.object({ interfaces: z.array(z.string()), condition: CONDITION }),
]);
const ENTRIES = z.array(ENTRY).default([]);
const SERIALISED = z.union([z.array(ENTRY), z.object({ types: ENTRIES }).transform(({ types }) => types)]);
const ALL_KINDS = z.object({ reflection: ENTRIES, jni: ENTRIES, serialization: ENTRIES });

/** The names of the files that have such metadata, at any place. */
export const METADATA_FILE = /(?:^|\/)(?:reachability-metadata|(?:reflect|jni|proxy|serialization)-config)\.json$/;

/** What a file registers. Throws `SyntaxError` or a `ZodError` if it is none. */
export function registrationsIn(path: string, text: string): Registration[] {
  const [, kind = ''] = /([a-z]+)-(?:config|metadata)\.json$/.exec(path) ?? [];
  const json: unknown = JSON.parse(text);
  const reason = (words: string): string => `${words} (${path})`;
  switch (kind) {
    case 'reflect':
      return registrations(ENTRIES.parse(json), reason('registered for reflection'));
    case 'jni':
      return registrations(ENTRIES.parse(json), reason('registered for JNI'));
    case 'serialization':
      return registrations(SERIALISED.parse(json), reason('registered for serialisation'), true);
    case 'proxy':
      return z
        .array(PROXY_ENTRY)
        .parse(json)
        .map(({ interfaces, condition }) => ({
          ...NOTHING,
          proxy: interfaces.map((name) => internalName(name)),
          condition: conditionOf(condition),
          reason: reason('registered proxy'),
        }));
    default: {
      const { reflection, jni, serialization } = ALL_KINDS.parse(json);
      return [
        ...registrations(reflection, reason('registered for reflection')),
        ...registrations(jni, reason('registered for JNI')),
        ...registrations(serialization, reason('registered for serialisation'), true),
      ];
    }
  }
}

const NOTHING = {
  type: undefined,
  proxy: [],
  condition: undefined,
  methods: [],
  fields: [],
  all: [],
  isCreated: false,
} as const satisfies Omit<Registration, 'reason'>;

function registrations(
  entries: readonly z.output<typeof ENTRY>[],
  reason: string,
  isSerialised = false,
): Registration[] {
  return entries.flatMap(({ name, type = name, ...entry }) => {
    const proxy = PROXY.safeParse(type).data?.proxy ?? [];
    if (typeof type !== 'string' && proxy.length === 0) return [];
    return {
      type: typeof type === 'string' ? internalName(type) : undefined,
      proxy: proxy.map((each) => internalName(each)),
      condition: conditionOf(entry.condition),
      methods: entry.methods.map((method) => ({ name: method.name, parameters: method.parameterTypes })),
      fields: entry.fields.map((field) => field.name),
      all: ALL_MEMBERS.filter((key) => entry[key]),
      isCreated: isSerialised || entry.unsafeAllocated || entry.serializable,
      reason,
    };
  });
}

function conditionOf(condition: z.output<typeof CONDITION>): Registration['condition'] {
  const name = condition?.typeReached ?? condition?.typeReachable;
  return name === undefined
    ? undefined
    : { type: internalName(name), isInitialised: condition?.typeReached !== undefined };
}
