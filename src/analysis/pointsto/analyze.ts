/** Runs the points-to analysis of a program. */
import { FormatError } from '../../base/errors.js';
import { pause, type Work } from '../../base/progress.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { binaryName, internalName } from '../../code/java/class-file/descriptor.js';
import type { JoinedClassPath } from '../../code/java/class-path/joined-class-path.js';
import type { Initialisers } from '../../questions/options/analysis.js';
import { buildBody } from './body.js';
import { DynamicCalls } from './dynamic-calls.js';
import type { BodyContext } from './effects.js';
import { Engine } from './engine.js';
import { addEntries, type EntryChoice, nameEntries } from './entries.js';
import { RegisteredUses } from './metadata/registered.js';
import type { Registration } from './metadata/registration.js';
import type { MethodId } from './methods.js';
import { localisedClasses } from './models/bundles.js';
import { CallModels } from './models/call-models.js';
import { buildNative } from './models/natives.js';
import { followSerialisation } from './models/serialisation.js';
import { ServiceProviders } from './models/service-providers.js';
import { NamedTypes } from './names.js';
import { addRoots, ROOT_TYPES } from './roots.js';
import type { TypeId } from './types.js';
import { World } from './world.js';

export interface AnalysisOptions extends EntryChoice {
  /** Types at a place before it stands for all of its kind; 0 is rapid type analysis. */
  readonly cutoff: number;
  /** Objects of all classes exist from the beginning: class hierarchy analysis, with a cut-off of 0. */
  readonly isOfHierarchy?: boolean;
  /** Why initialisers of classes run: `roots` if not given. */
  readonly initialisers?: Initialisers | undefined;
  /** Whether code behind tests that cannot hold is left out: true if not given; never with a cut-off of 0, which follows no values. */
  readonly isPredicated?: boolean;
  /** What reachability metadata register. */
  readonly registrations?: readonly Registration[];
}

/** Arrivals of types between two pauses. */
const ARRIVALS_A_STEP = 1 << 15;

export interface Analysis {
  readonly engine: Engine;
  /** Internal names of classes that code names and the class path lacks, or has damaged. */
  readonly missing: ReadonlySet<string>;
  readonly unreadable: ReadonlySet<string>;
  /** Methods whose code is damaged: their calls are unknown. */
  readonly damagedMethods: number;
  /** Names of classes in tables of strings that nothing is known to look up. */
  readonly ignoredNames: number;
  /** Calls of reflection on more classes than are followed. */
  readonly unknownReflection: number;
  /** Ways out of tests, and handlers of exceptions, that are not followed since nothing makes them possible. */
  readonly unmetTests: number;
  /** Registrations of metadata: of types that the class path lacks, and whose conditions never held. */
  readonly missingRegistrations: number;
  readonly unmetRegistrations: number;
}

export async function analyze(classes: JoinedClassPath, options: AnalysisOptions, work: Work): Promise<Analysis> {
  const { cutoff, isOfHierarchy = false, registrations = [] } = options;
  const isProgramClass = programClasses(classes, options.main);
  const engine = new Engine(cutoff, {
    initialisers: options.initialisers,
    isOfJdk: (name) => !isProgramClass(binaryName(name)),
    isPredicated: (options.isPredicated ?? true) && cutoff > 0,
  });
  const world = new World(engine.types, classes, work);
  const services = new ServiceProviders();
  await services.read(classes, work);
  const names = new NamedTypes(engine.types, classes, services);
  const isProgram = programTypes(engine, isProgramClass);
  const models = new CallModels(engine, {
    services,
    bundles: localisedClasses(classes),
    isProgram,
    classNames: classes.names(),
  });
  const dynamic = new DynamicCalls(engine, models);
  const context = { engine, models, dynamic };
  for (const name of ROOT_TYPES) engine.types.id(name);
  const entryTypes = nameEntries(engine, options, () => [...classes.names()].filter(isProgramClass));
  if (isOfHierarchy) for (const name of classes.names()) engine.types.id(internalName(name));
  await world.load();
  addRoots(engine);
  addEntries(engine, options, entryTypes);
  if (isOfHierarchy) addAllObjects(engine);
  followSerialisation(engine);
  const registered = new RegisteredUses(engine, models.proxies, registrations);
  const damagedMethods = await followAll(context, { names, world, registered }, work);
  const { missing, unreadable } = world;
  const { names: texts, reflection } = models;
  return {
    engine,
    missing,
    unreadable,
    damagedMethods,
    ignoredNames: texts.ignored,
    unknownReflection: reflection.unknown,
    unmetTests: engine.unmetTests,
    missingRegistrations: registered.missing,
    unmetRegistrations: registered.unmet,
  };
}

interface Rounds {
  readonly names: NamedTypes;
  readonly world: World;
  readonly registered: RegisteredUses;
}

/** Adds what is reached, and moves types, until nothing changes. Returns how many methods have damaged code. */
async function followAll(context: BodyContext, { names, world, registered }: Rounds, work: Work): Promise<number> {
  const { engine } = context;
  let damagedMethods = 0;
  const add = (action: () => void): void => {
    if (attempt(action) instanceof FormatError) damagedMethods++;
  };
  for (;;) {
    const [methods, actions] = [engine.takeWaiting(), engine.takeLater()];
    if (methods.length + actions.length === 0) {
      if (registered.follow()) continue;
      return damagedMethods;
    }
    for (const method of methods) nameTypes(context, names, method);
    await world.load();
    for (const action of actions) action();
    for (const method of methods) add(() => build(context, method));
    let ready: readonly (() => void)[];
    do {
      while (!engine.flows.run(ARRIVALS_A_STEP))
        await pause(work, 'analysing', engine.reached.size, engine.methods.length);
      ready = engine.takeReady();
      // Code whose tests hold by now.
      for (const action of ready) add(action);
    } while (ready.length > 0);
  }
}

/** Packages of a JDK, for class paths that do not record modules. */
const JDK_PACKAGES = /^(?:java|javax|jdk|sun|com\.sun)\./;

/** Which classes are of the program, not of its JDK: those in no recorded module, or in that of the main class. */
function programClasses(classes: JoinedClassPath, main: string | undefined): (name: string) => boolean {
  const mainModule = main === undefined ? undefined : classes.moduleOf(main);
  return (name) => {
    const module = classes.moduleOf(name);
    return module === mainModule && (module !== undefined || !JDK_PACKAGES.test(name));
  };
}

function programTypes(engine: Engine, isProgramClass: (name: string) => boolean): (type: TypeId) => boolean {
  const answers = new Map<TypeId, boolean>();
  return (type) => {
    let answer = answers.get(type);
    if (answer === undefined) {
      answer = isProgramClass(binaryName(engine.types.name(type)));
      answers.set(type, answer);
    }
    return answer;
  };
}

/** Objects of all classes may exist. */
function addAllObjects(engine: Engine): void {
  const { types } = engine;
  for (let type = 0; type < types.length; type++)
    if (types.file(type) !== undefined && types.isInstantiable(type)) engine.allocated(type);
}

function nameTypes({ engine, models, dynamic }: BodyContext, names: NamedTypes, method: MethodId): void {
  const { info, owner } = engine.methods.entry(method);
  names.descriptor(engine.methods.selectorOf(method).descriptor);
  if (info === undefined) return;
  attempt(() => {
    const code = info.code();
    if (code === undefined) return;
    models.names.counted(
      method,
      names.code(code, (row) => dynamic.bootstrapEntries(owner, code.pool, row)),
    );
  });
}

function build(context: BodyContext, method: MethodId): void {
  const { engine, dynamic, models } = context;
  const { info } = engine.methods.entry(method);
  if (dynamic.build(method) || models.proxies.build(method) || info === undefined) return;
  const code = info.code();
  if (code !== undefined) buildBody(context, method, code);
  else if ((info.access & ACCESS.native) !== 0) buildNative(engine, method);
}
