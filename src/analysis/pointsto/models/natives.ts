/** What native methods of the JDK do. */
import { NONE } from '../../../base/flavor.js';
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

/** Creates objects by their constructors without arguments. */
function creates(...names: readonly string[]): NativeModel {
  return (engine, method) => {
    const { types } = engine;
    const created = names.map((name) => types.id(name));
    engine.later(() => {
      for (const type of created)
        if (types.file(type) !== undefined)
          engine.create(type, 'created by native code', ({ descriptor }) => descriptor === '()V');
    });
    returnAny(engine, method);
  };
}

function returnAny(engine: Engine, method: MethodId): void {
  const { result } = engine.nodesOf(method);
  if (result >= 0) engine.flows.all(result);
}

function setStream(engine: Engine, method: MethodId, name: string, descriptor: string): void {
  const field = engine.methods.field(engine.types.id('java/lang/System'), name, descriptor);
  const [value = NONE] = engine.nodesOf(method).parameters;
  if (value >= 0) engine.flows.edge(value, engine.fieldNode(field));
}

function copyArray(engine: Engine, method: MethodId): void {
  const [source = NONE, , target = NONE] = engine.nodesOf(method).parameters;
  if (source >= 0 && target >= 0) engine.storeElement(target, engine.loadElement(source));
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

/** Adds what a native method does. */
export function buildNative(engine: Engine, method: MethodId): void {
  const { owner } = engine.methods.entry(method);
  const model = NATIVES.get(`${engine.types.name(owner)}.${engine.methods.selectorOf(method).name}`);
  if (model !== undefined) model(engine, method);
  else returnAny(engine, method);
}
