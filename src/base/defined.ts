/** Options that may be missing: absent keys and keys that are undefined are not the same to the compiler. */

type Optional<Fields> = { [Key in keyof Fields]-?: undefined extends Fields[Key] ? Key : never }[keyof Fields];

/** Fields whose values may be undefined become optional. */
type Defined<Fields> = Omit<Fields, Optional<Fields>> & {
  readonly [Key in Optional<Fields>]?: Exclude<Fields[Key], undefined>;
};

/** The fields that have a value: `defined({ a: 1, b: undefined })` is `{ a: 1 }`. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields>;
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
