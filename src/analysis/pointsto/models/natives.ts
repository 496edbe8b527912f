/** What native methods of the JDK do. */

import { FormatError } from '../../../base/errors.js';
import { NONE } from '../../../base/flavor.js';
import { decodeAttribute } from '../../../code/java/class-file/attributes.js';
import { attempt } from '../../../code/java/class-file/cursor.js';
import type { Engine } from '../engine.js';
import type { MethodId } from '../methods.js';

type NativeModel = (engine: Engine, method: MethodId) => void;

/** Native methods by class and name. All others return any object below the type of their result. */
const NATIVES: ReadonlyMap<string, NativeModel> = new Map<string, NativeModel>([
  ['java/lang/System.setIn0', (engine, method) => setStream(engine, method, 'in', 'Ljava/io/InputStream;')],
  ['java/lang/System.setOut0', (engine, method) => setStream(engine, method, 'out', 'Ljava/io/PrintStream;')],
  ['java/lang/System.setErr0', (engine, method) => setStream(engine, method, 'err', 'Ljava/io/PrintStream;')],
  ['java/lang/System.arraycopy', copyArray],
  ['java/lang/Object.clone', returnReceiver],
  ['java/lang/Thread.start0', runThread],
  ['java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk', calls('doStackWalk')],
  ['jdk/internal/loader/NativeLibraries.load', calls('getFromClass')],
  ['java/net/Inet4AddressImpl.lookupAllHostAddr', creates('java/net/Inet4Address')],
  ['java/net/Inet6AddressImpl.lookupAllHostAddr', creates('java/net/Inet4Address', 'java/net/Inet6Address')],
  ['jdk/internal/jimage/NativeImageBuffer.getNativeMap', creates('java/nio/DirectByteBuffer')],
  ['jdk/internal/perf/Perf.attach', creates('java/nio/DirectByteBuffer')],
  ['jdk/internal/perf/Perf.createLong', creates('java/nio/DirectByteBuffer')],
  ['java/lang/Class.getConstantPool', creates('jdk/internal/reflect/ConstantPool')],
]);

/** Calls the methods of a name of its own class. */
function calls(name: string): NativeModel {
  return (engine, method) => {
    const { methods } = engine;
    for (const each of methods.declaredBy(methods.entry(method).owner).values())
      if (methods.selectorOf(each).name === name) engine.enterWithAny(each, 'called by native code');
    returnAny(engine, method);
  };
}

/** Constructors of objects that native code creates: buffers get an address and a capacity. */
const CREATED: ReadonlySet<string> = new Set(['()V', '(JI)V', '(JJ)V']);

/** Creates objects by constructors that native code calls. */
function creates(...names: readonly string[]): NativeModel {
  return (engine, method) => {
    const { types } = engine;
    const created = names.map((name) => types.id(name));
    engine.later(() => {
      for (const type of created)
        if (types.file(type) !== undefined)
          engine.create(type, 'created by native code', ({ descriptor }) => CREATED.has(descriptor));
    });
    returnAny(engine, method);
  };
}

function returnAny(engine: Engine, method: MethodId): void {
  const { result } = engine.nodesOf(method);
  if (result >= 0) engine.flows.any(result);
}

function setStream(engine: Engine, method: MethodId, name: string, descriptor: string): void {
  const field = engine.methods.field(engine.types.id('java/lang/System'), name, descriptor);
  const [value = NONE] = engine.nodesOf(method).parameters;
  if (value >= 0) engine.flows.edge(value, engine.fields.node(field));
}

function copyArray(engine: Engine, method: MethodId): void {
  const [source = NONE, , target = NONE] = engine.nodesOf(method).parameters;
  if (source >= 0 && target >= 0) engine.arrays.store(target, engine.arrays.load(source));
}

function returnReceiver(engine: Engine, method: MethodId): void {
  const { receiver, result } = engine.nodesOf(method);
  if (receiver >= 0 && result >= 0) engine.flows.edge(receiver, result);
}

function runThread(engine: Engine, method: MethodId): void {
  const { methods } = engine;
  const { owner } = methods.entry(method);
  const run = methods.resolve(owner, methods.selector('run', '()V'));
  engine.callVirtually(method, 0, run, { args: [], receiver: engine.nodesOf(method).receiver, result: NONE });
}

/** Native code may set the fields of objects that it gets and returns, and the elements of arrays that it returns. */
function touchObjects(engine: Engine, method: MethodId): void {
  const { types, flows } = engine;
  const { parameters, result } = engine.signature(method);
  engine.fields.touch(engine.methods.entry(method).owner);
  for (const name of [...parameters, result])
    if (name !== undefined) engine.fields.touch(types.id(name.replace(/^\[+L(.*);$/, '$1')));
  createExceptions(engine, method);
  const array = result === undefined ? NONE : types.id(result);
  if (array >= 0 && types.component(array) >= 0) flows.any(engine.arrays.elements(array));
}

/** Constructors that native code calls for the exceptions that it throws: with a message, an error number, or nothing. */
const THROWN: ReadonlySet<string> = new Set(['()V', '(Ljava/lang/String;)V', '(I)V']);

/** Native code creates the exceptions that its method declares. */
function createExceptions(engine: Engine, method: MethodId): void {
  const { types, methods } = engine;
  const { info } = methods.entry(method);
  const raw = info?.attribute('Exceptions');
  if (info === undefined || raw === undefined) return;
  const attribute = attempt(() => decodeAttribute(info.owner.pool, raw));
  if (attribute instanceof FormatError || attribute.kind !== 'Exceptions') return;
  const thrown = attribute.classes.map(({ text }) => types.id(text));
  engine.later(() => {
    for (const type of thrown) {
      if (types.file(type) === undefined) continue;
      engine.fields.touch(type);
      engine.create(type, 'thrown by native code', ({ descriptor }) => THROWN.has(descriptor));
    }
  });
}

/** Adds what a native method does. */
export function buildNative(engine: Engine, method: MethodId): void {
  touchObjects(engine, method);
  const { owner } = engine.methods.entry(method);
  const model = NATIVES.get(`${engine.types.name(owner)}.${engine.methods.selectorOf(method).name}`);
  if (model !== undefined) model(engine, method);
  else returnAny(engine, method);
}
