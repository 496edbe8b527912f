/** Where the analysis of every program begins: `main`, and what the VM itself calls and creates. */
import { MissingError } from '../../base/errors.js';
import { internalName } from '../../code/java/class-file/descriptor.js';
import { BOXES } from './dynamic-calls.js';
import type { Engine } from './engine.js';
import { LINKAGE_TYPES } from './models/linkage.js';
import { SERIALISATION_TYPES } from './models/serialisation.js';

const MAIN = { name: 'main', descriptor: '([Ljava/lang/String;)V' } as const;

/** Methods that a HotSpot VM and its launcher call (vmSymbols, javaClasses, jni_util; JDK 17 to 25), if the class path has them; all of a name without a descriptor. */
const VM_CALLS: readonly (readonly [type: string, name: string, descriptor?: string])[] = [
  ['java/lang/System', 'initPhase1'],
  ['java/lang/System', 'initPhase2'],
  ['java/lang/System', 'initPhase3'],
  ['java/lang/Thread', '<init>', '(Ljava/lang/ThreadGroup;Ljava/lang/String;)V'],
  ['java/lang/Thread', 'run'],
  ['java/lang/Thread', 'exit'],
  ['java/lang/Thread', 'dispatchUncaughtException'],
  ['java/lang/ThreadGroup', '<init>', '()V'],
  ['java/lang/ThreadGroup', '<init>', '(Ljava/lang/ThreadGroup;Ljava/lang/String;)V'],
  ['java/lang/ref/Reference$ReferenceHandler', 'run'],
  ['java/lang/ref/Finalizer$FinalizerThread', 'run'],
  ['java/lang/ref/Finalizer', 'register'],
  ['java/lang/ClassLoader', 'loadClass', '(Ljava/lang/String;)Ljava/lang/Class;'],
  ['java/lang/ClassLoader', 'addClass'],
  ['java/lang/ClassLoader', 'findNative'],
  ['java/lang/ClassLoader', 'getSystemClassLoader'],
  ['java/lang/String', '<init>', '([BLjava/lang/String;)V'],
  ['java/lang/String', 'getBytes', '(Ljava/lang/String;)[B'],
  ['java/nio/charset/Charset', 'isSupported'],
  ['java/lang/invoke/MethodHandleNatives', 'linkCallSite'],
  ['java/lang/invoke/MethodHandleNatives', 'linkMethod'],
  ['java/lang/invoke/MethodHandleNatives', 'linkMethodHandleConstant'],
  ['java/lang/invoke/MethodHandleNatives', 'linkDynamicConstant'],
  ['java/lang/invoke/MethodHandleNatives', 'findMethodHandleType'],
  ['java/lang/Shutdown', 'shutdown'],
  ['sun/launcher/LauncherHelper', 'checkAndLoadMain'],
  ['sun/launcher/LauncherHelper', 'makePlatformString'],
  ['sun/launcher/LauncherHelper', 'getApplicationClass'],
  ['sun/launcher/LauncherHelper', 'expandArgs'],
];

/** Types whose objects the VM creates. */
const VM_OBJECTS: readonly string[] = [
  'java/lang/String',
  'java/lang/Class',
  'java/lang/Thread',
  'java/lang/ThreadGroup',
  'java/lang/Module',
  'java/lang/StackTraceElement',
  'java/lang/ref/Finalizer',
  'java/lang/invoke/ResolvedMethodName',
  'java/lang/invoke/MemberName',
  'java/lang/invoke/MethodType',
  'java/lang/reflect/Method',
  'java/lang/reflect/Constructor',
  'java/lang/reflect/Field',
];

/** Exceptions that the VM creates, by their constructors. */
const VM_EXCEPTIONS: readonly string[] = [
  'ArithmeticException',
  'ArrayIndexOutOfBoundsException',
  'ArrayStoreException',
  'ClassCastException',
  'IllegalMonitorStateException',
  'NegativeArraySizeException',
  'NullPointerException',
  'OutOfMemoryError',
  'StackOverflowError',
  'InternalError',
  'NoClassDefFoundError',
  'NoSuchMethodError',
  'NoSuchFieldError',
  'AbstractMethodError',
  'IncompatibleClassChangeError',
  'ClassNotFoundException',
  'ExceptionInInitializerError',
  'UnsatisfiedLinkError',
].map((name) => `java/lang/${name}`);

const VM_ARRAYS: readonly string[] = [
  '[Ljava/lang/String;',
  '[Ljava/lang/Object;',
  '[B',
  '[C',
  '[I',
  '[J',
  '[Ljava/lang/Class;',
];

/** Types to load before the roots are added. */
export const ROOT_TYPES: readonly string[] = [
  ...VM_CALLS.map(([type]) => type),
  ...VM_OBJECTS,
  ...VM_EXCEPTIONS,
  ...VM_ARRAYS,
  ...Object.values(BOXES),
  ...SERIALISATION_TYPES,
  ...LINKAGE_TYPES,
  'java/lang/Cloneable',
  'java/io/Serializable',
  'java/lang/Throwable',
];

/** Adds `main`. Throws `MissingError` if the class has none. */
export function addMain(engine: Engine, main: string): void {
  const method = engine.methods.declared(engine.types.id(internalName(main)), MAIN.name, MAIN.descriptor);
  if (method === undefined)
    throw new MissingError(`${main} has no method main(String[]) in the class path`, {
      code: 'no-main',
      advice: 'Name a class with a main method.',
    });
  engine.enterWithAny(method, 'main method');
}

/** Adds what the VM calls and creates. */
export function addRoots(engine: Engine): void {
  const { types, methods } = engine;
  const string = types.id('java/lang/String');
  for (const name of VM_OBJECTS) {
    if (types.file(types.id(name)) === undefined) continue;
    engine.initialise(types.id(name));
    engine.allocated(types.id(name));
    engine.fields.touch(types.id(name));
  }
  for (const name of VM_ARRAYS) engine.allocated(types.id(name));
  engine.flows.edge(engine.allocated(string), engine.arrays.elements(types.id('[Ljava/lang/String;')));
  for (const [type, name, descriptor] of VM_CALLS)
    for (const called of methods.declaredBy(types.id(type)).values()) {
      const selector = methods.selectorOf(called);
      if (selector.name !== name || (descriptor !== undefined && selector.descriptor !== descriptor)) continue;
      engine.enterWithAny(called, 'called by the VM');
    }
  for (const name of VM_EXCEPTIONS) {
    const type = types.id(name);
    if (types.file(type) === undefined) continue;
    engine.allocated(type);
    const initialiser = methods.declared(type, '<init>', '()V');
    if (initialiser !== undefined) engine.enterWithAny(initialiser, 'created by the VM');
  }
}
