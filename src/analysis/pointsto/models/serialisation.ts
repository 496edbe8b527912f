/**
 * What serialisation calls by reflection: once an ObjectOutputStream may exist, `writeObject` and `writeReplace` of all objects that may be
 * written; once an ObjectInputStream may, `readObject`, `readResolve`, the constructors that it calls, and what brings lambdas back.
 */
import { ACCESS } from '../../../code/java/class-file/access.js';
import type { Engine } from '../engine.js';
import { OBJECT, type TypeId } from '../types.js';

const OUTPUT = 'java/io/ObjectOutputStream';
const INPUT = 'java/io/ObjectInputStream';
const SERIALIZABLE = 'java/io/Serializable';
const EXTERNALIZABLE = 'java/io/Externalizable';
const RECORD = 'java/lang/Record';
const REPLACE = '()Ljava/lang/Object;';
const WRITERS: readonly (readonly [name: string, descriptor: string])[] = [
  ['writeObject', `(L${OUTPUT};)V`],
  ['writeReplace', REPLACE],
];
const READERS: readonly (readonly [name: string, descriptor: string])[] = [
  ['readObject', `(L${INPUT};)V`],
  ['readObjectNoData', '()V'],
  ['readResolve', REPLACE],
];
const LAMBDA = ['$deserializeLambda$', '(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;'] as const;

/** Types that the model asks for. */
export const SERIALISATION_TYPES: readonly string[] = [OUTPUT, INPUT, SERIALIZABLE, EXTERNALIZABLE, RECORD];

/** Follows what serialisation calls from now on. */
export function followSerialisation(engine: Engine): void {
  const { flows, types } = engine;
  const serialisable = types.id(SERIALIZABLE);
  const onFirst = (stream: string, visit: (type: TypeId) => void): void => {
    let isFollowed = false;
    flows.eachBelow(types.id(stream), () => {
      if (isFollowed) return;
      isFollowed = true;
      engine.later(() => flows.eachBelow(serialisable, visit));
    });
  };
  onFirst(OUTPUT, (type) => enterEach(engine, type, WRITERS, 'called by the serialisation of objects'));
  onFirst(INPUT, (type) => {
    enterEach(engine, type, READERS, 'called where objects are read back');
    touchFields(engine, type);
    enterConstructors(engine, type);
    enterLambda(engine, type);
  });
}

/** Enters the methods that a type and the serialisable classes above it declare. */
function enterEach(
  engine: Engine,
  type: TypeId,
  names: readonly (readonly [name: string, descriptor: string])[],
  reason: string,
): void {
  const { types, methods } = engine;
  for (let each = type; each >= 0 && types.name(each) !== OBJECT; each = types.superType(each))
    for (const [name, descriptor] of names) {
      const method = methods.declared(each, name, descriptor);
      if (method !== undefined && (methods.access(method) & (ACCESS.static | ACCESS.abstract)) === 0)
        engine.enterWithAny(method, reason);
    }
}

/** Fields get what the stream has. */
function touchFields(engine: Engine, type: TypeId): void {
  for (let each = type; each >= 0; each = engine.types.superType(each)) engine.fields.touch(each);
}

/** The constructor of the first class that is not serialisable; of an externalisable class and of a record its own. */
function enterConstructors(engine: Engine, type: TypeId): void {
  const { types, methods } = engine;
  if (types.file(type) === undefined) return;
  const reason = 'constructor that is called where objects are read back';
  if (types.isSubtype(type, types.id(RECORD))) {
    for (const method of methods.declaredBy(type).values())
      if (methods.selectorOf(method).name === '<init>') engine.enterWithAny(method, reason);
    return;
  }
  let each = type;
  if (!types.isSubtype(type, types.id(EXTERNALIZABLE)))
    while (each >= 0 && types.isSubtype(each, types.id(SERIALIZABLE))) each = types.superType(each);
  const method = each < 0 ? undefined : methods.declared(each, '<init>', '()V');
  if (method !== undefined) engine.enterWithAny(method, reason);
}

/** The class that has a lambda brings it back. */
function enterLambda(engine: Engine, type: TypeId): void {
  const { types, methods } = engine;
  const name = types.name(type);
  const end = name.indexOf('$$Lambda$');
  const owner = end < 0 ? undefined : types.loaded(name.slice(0, end));
  const method = owner === undefined ? undefined : methods.declared(owner, ...LAMBDA);
  if (method !== undefined) engine.enterWithAny(method, 'reads a lambda back');
}
