/**
 * The points-to analysis: type-based, context-insensitive, one node a declared field, the call graph found on the way.
 *
 *   reached methods ──body.ts──► nodes, edges, sites ──flows.ts──► types at receivers ──► callees: reached methods …
 *
 * Classes are loaded between rounds: a round builds the bodies of all methods that the last one reached, whose types are loaded by then, and
 * moves types until nothing changes.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { ACCESS } from '../../code/java/class-file/access.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import type { Initialisers } from '../../questions/options/analysis.js';
import { ArrayNodes } from './arrays.js';
import { FieldNodes } from './fields.js';
import { type FlowListener, Flows, type NodeId } from './flows.js';
import { type MethodId, MethodTable } from './methods.js';
import { type CallValues, SiteTable } from './sites.js';
import { NUMBER, type TypeId, TypeTable, type ValueTypes, valueTypes } from './types.js';

/** The nodes of a method. */
export interface MethodNodes {
  /** -1 of static methods. */
  readonly receiver: NodeId;
  /** By parameter; -1 of primitives that are not followed. */
  readonly parameters: readonly NodeId[];
  /** -1 of results that are not followed. */
  readonly result: NodeId;
}

/** The calls of a method on any object: one for all saturated sites that name it, which keeps edges linear. */
interface SharedCall {
  readonly declared: MethodId;
  readonly args: readonly NodeId[];
  readonly result: NodeId;
  readonly callees: MethodId[];
}

export interface AnalysisEntry {
  readonly method: MethodId;
  readonly reason: string;
}

/** What happens when a type arrives at a node, or all types that may. */
export interface Watcher {
  arrived(type: TypeId): void;
  saturated(node: NodeId): void;
  /** An object of a class that nobody knows arrives. */
  unknown?(): void;
}

export interface EngineOptions {
  readonly initialisers?: Initialisers | undefined;
  /** Whether an internal name is that of a class of the JDK: asked only where initialisers of these are skipped. */
  readonly isOfJdk?: (name: string) => boolean;
  readonly isPredicated?: boolean | undefined;
}

const NO_VALUES: CallValues = { args: [], receiver: NONE, result: NONE };
const CLASS_INITIALISER = { name: '<clinit>', descriptor: '()V' } as const;

export class Engine implements FlowListener {
  readonly types = new TypeTable();
  readonly methods: MethodTable;
  readonly flows: Flows;
  readonly sites = new SiteTable();
  readonly fields = new FieldNodes(this);
  readonly arrays = new ArrayNodes(this);
  readonly entries: AnalysisEntry[] = [];
  readonly #reached = new Set<MethodId>();
  readonly #entered = new Set<MethodId>();
  readonly #waiting: MethodId[] = [];
  readonly #nodes: (MethodNodes | undefined)[] = [];
  readonly #allocationNodes: (NodeId | undefined)[] = [];
  readonly #numbers = new Map<number, NodeId>();
  readonly #descriptors = new Map<string, ValueTypes>();
  readonly #signatures: (ValueTypes | undefined)[] = [];
  readonly #shared = new Map<MethodId, number>();
  readonly sharedCalls: SharedCall[] = [];
  readonly #initialised = new Set<TypeId>();
  readonly #initialisers: Initialisers;
  readonly #isOfJdk: (name: string) => boolean;
  /** Whether code behind tests that cannot hold is left out, for which numbers are followed. */
  readonly isPredicated: boolean;
  /** (caller, class) of initialisers that are called. */
  readonly #initialisations = new IntTable(1 << 8);
  /** By hook, from -2 downwards. */
  readonly #watchers: Watcher[] = [];
  readonly #later: (() => void)[] = [];
  readonly #ready: (() => void)[] = [];
  /** Ways out of tests, and handlers, that nothing reachable leads to so far. */
  unmetTests = 0;
  /** The node of `null`, which no type arrives at. */
  readonly nothing: NodeId;

  constructor(
    cutoff: number,
    { initialisers = 'roots', isOfJdk = () => false, isPredicated = false }: EngineOptions = {},
  ) {
    this.#initialisers = initialisers;
    this.#isOfJdk = isOfJdk;
    this.isPredicated = isPredicated;
    this.methods = new MethodTable(this.types);
    this.flows = new Flows(this.types, cutoff, this);
    this.nothing = this.flows.node(this.types.object);
  }

  get reached(): ReadonlySet<MethodId> {
    return this.#reached;
  }

  /** The methods that were reached since, whose bodies are not built yet. */
  takeWaiting(): MethodId[] {
    return this.#waiting.splice(0);
  }

  /** Does something once all types that are named by then are loaded. */
  later(action: () => void): void {
    this.#later.push(action);
  }

  takeLater(): (() => void)[] {
    return this.#later.splice(0);
  }

  /** Does something once types have moved. */
  ready(action: () => void): void {
    this.#ready.push(action);
  }

  takeReady(): readonly (() => void)[] {
    return this.#ready.splice(0);
  }

  reach(method: MethodId): void {
    if (this.#reached.has(method)) return;
    this.#reached.add(method);
    this.#waiting.push(method);
  }

  /** A method that is called with any arguments, on any object. */
  enterWithAny(method: MethodId, reason: string): void {
    if (this.#entered.has(method)) return;
    this.#entered.add(method);
    this.enter(method, reason);
    this.initialise(this.methods.entry(method).owner);
    const { receiver, parameters } = this.nodesOf(method);
    for (const node of [receiver, ...parameters]) if (node >= 0) this.flows.any(node);
  }

  /** An object that no code creates, by the constructors that are meant; of an abstract class only the initialiser runs. */
  create(type: TypeId, reason: string, isMeant: (initialiser: MethodInfo) => boolean): void {
    this.initialise(type);
    if (!this.types.isInstantiable(type)) return;
    this.allocated(type);
    for (const method of this.methods.declaredBy(type).values()) {
      const { info } = this.methods.entry(method);
      if (info?.name === '<init>' && isMeant(info)) this.enterWithAny(method, reason);
    }
  }

  enter(method: MethodId, reason: string): void {
    this.entries.push({ method, reason });
    this.reach(method);
  }

  /** The parameters and the result of a method descriptor. */
  valueTypes(descriptor: string): ValueTypes {
    let types = this.#descriptors.get(descriptor);
    if (types === undefined) {
      types = valueTypes(descriptor);
      this.#descriptors.set(descriptor, types);
    }
    return types;
  }

  signature(method: MethodId): ValueTypes {
    const { selector } = this.methods.entry(method);
    this.#signatures[selector] ??= this.valueTypes(this.methods.selectorText(selector).descriptor);
    return this.#signatures[selector];
  }

  nodesOf(method: MethodId): MethodNodes {
    const existing = this.#nodes[method];
    if (existing !== undefined) return existing;
    const { parameters, result } = this.signature(method);
    const nodes: MethodNodes = {
      receiver: this.methods.isStatic(method) ? NONE : this.flows.node(this.methods.entry(method).owner),
      parameters: parameters.map((name) => this.nodeFor(name)),
      result: this.nodeFor(result),
    };
    this.#nodes[method] = nodes;
    return nodes;
  }

  /** A node for what `valueIn` says; -1 of primitives that are not followed. */
  nodeFor(name: string | undefined): NodeId {
    if (name === undefined || (name === NUMBER && !this.isPredicated)) return NONE;
    return this.flows.node(this.types.id(name));
  }

  /** The node of a number. */
  number(value: number): NodeId {
    let node = this.#numbers.get(value);
    if (node === undefined) {
      node = this.flows.node(this.types.number);
      this.flows.add(node, this.types.numberType(value));
      this.#numbers.set(value, node);
    }
    return node;
  }

  /** A value goes to a place: nodes, -1 of what is not followed. A number of an unknown value, or one from an object that holds it, may be any. */
  pass(value: NodeId, target: NodeId): void {
    if (target < 0) return;
    const isNumber = this.flows.isNumber(target);
    if (value >= 0 && this.flows.isNumber(value) === isNumber) this.flows.edge(value, target);
    else if (isNumber) this.flows.all(target);
  }

  /** The node with exactly one type, whose objects exist from now on. */
  allocated(type: TypeId): NodeId {
    const existing = this.#allocationNodes[type];
    if (existing !== undefined) return existing;
    const node = this.flows.node(type);
    this.#allocationNodes[type] = node;
    this.flows.instantiate(type);
    this.flows.add(node, type);
    return node;
  }

  /** Tells of the types that arrive at a node, if they are below `type`. */
  watch(source: NodeId, watcher: Watcher, type = this.flows.filterOf(source)): void {
    const hook = -2 - (this.#watchers.push(watcher) - 1);
    this.flows.edge(source, this.flows.node(type, hook));
  }

  isInitialised(type: TypeId): boolean {
    return this.#initialised.has(type);
  }

  /**
   * Initialises a class, its superclasses and their interfaces with default methods, as the first use of it does (JVMS 5.5). `caller`, `bci`: where
   * code uses it; -1 where the VM or reflection does.
   */
  initialise(type: TypeId, caller: MethodId = NONE, bci = NONE): void {
    const isFirst = !this.#initialised.has(type);
    const isCalled = caller >= 0 && this.#initialisers === 'edges' && !this.#isWithin(caller, type);
    if (isCalled ? !this.#isNewUse(caller, type) : !isFirst) return;
    this.#initialised.add(type);
    if (!this.types.isInterface(type)) {
      for (const above of this.types.above(type))
        if (above !== type && (!this.types.isInterface(above) || this.methods.hasDefault(above)))
          this.initialise(above, caller, bci);
    }
    const { name, descriptor } = CLASS_INITIALISER;
    const method = this.methods.declared(type, name, descriptor);
    if (method === undefined || this.isSkipped(type)) return;
    if (isCalled) this.callDirectly(caller, bci, method, NO_VALUES);
    else if (isFirst) this.enter(method, 'class initialiser');
  }

  /** Whether a method runs only once a class is initialised: it is one of this class or of one below it. */
  #isWithin(method: MethodId, type: TypeId): boolean {
    return !this.types.isInterface(type) && this.types.above(this.methods.entry(method).owner).has(type);
  }

  #isNewUse(caller: MethodId, type: TypeId): boolean {
    const count = this.#initialisations.length;
    return this.#initialisations.add(caller, type) === count;
  }

  /** Whether the initialiser of a class is taken to have run before the program. */
  isSkipped(type: TypeId): boolean {
    return this.#initialisers === 'skip-jdk' && this.#isOfJdk(this.types.name(type));
  }

  /** A call of exactly this method. */
  callDirectly(caller: MethodId, bci: number, callee: MethodId, values: CallValues): void {
    const site = this.sites.add(caller, bci, callee, false, values);
    if (this.methods.entry(callee).info === undefined) return;
    this.#link(site, callee, values);
    const { receiver } = this.nodesOf(callee);
    if (values.receiver >= 0 && receiver >= 0) this.flows.edge(values.receiver, receiver);
  }

  /** A call of the method that the receiver's class selects; private methods are their own selection (JVMS 5.4.6). */
  callVirtually(caller: MethodId, bci: number, declared: MethodId, values: CallValues): void {
    if ((this.methods.access(declared) & ACCESS.private) !== 0) {
      this.callDirectly(caller, bci, declared, values);
      return;
    }
    const site = this.sites.add(caller, bci, declared, true, values);
    if (values.receiver < 0) return;
    const node = this.flows.node(this.methods.entry(declared).owner, site);
    this.flows.edge(values.receiver, node);
  }

  #link(site: number, callee: MethodId, values: Pick<CallValues, 'args' | 'result'>): void {
    if (!this.sites.link(site, callee)) return;
    this.reach(callee);
    this.#bind(callee, values);
  }

  /** Arguments flow into a method, and its result out of it. */
  #bind(callee: MethodId, { args, result }: Pick<CallValues, 'args' | 'result'>): void {
    const nodes = this.nodesOf(callee);
    for (let i = 0; i < nodes.parameters.length; i++) this.pass(args[i] ?? NONE, nodes.parameters[i]);
    this.pass(nodes.result, result);
  }

  /** A type arrived at the receiver of a site, or at a watched node. */
  arrived(hook: number, type: TypeId): void {
    if (hook < NONE) {
      const watcher = this.#watchers[-2 - hook];
      if (type === this.types.unknown) watcher.unknown?.();
      else watcher.arrived(type);
      return;
    }
    if (type === this.types.unknown) {
      const { result } = this.sites.values[hook];
      if (result >= 0 && this.flows.isNumber(result)) this.flows.all(result);
      return;
    }
    const callee = this.methods.selected(type, this.methods.entry(this.sites.declared.values[hook]).selector);
    if (callee === undefined) return;
    this.#link(hook, callee, this.sites.values[hook]);
    this.flows.add(this.nodesOf(callee).receiver, type);
  }

  saturated(hook: number, node: NodeId): void {
    if (hook < NONE) {
      this.#watchers[-2 - hook].saturated(node);
      return;
    }
    const declared = this.sites.declared.values[hook];
    const shared = this.#sharedCall(declared);
    this.sites.shared.values[hook] = shared;
    const { args, result } = this.sharedCalls[shared];
    const values = this.sites.values[hook];
    for (let i = 0; i < args.length; i++) this.pass(values.args[i] ?? NONE, args[i]);
    this.pass(result, values.result);
  }

  #sharedCall(declared: MethodId): number {
    const existing = this.#shared.get(declared);
    if (existing !== undefined) return existing;
    const { parameters, result } = this.signature(declared);
    const args = parameters.map((name) => this.nodeFor(name));
    const call: SharedCall = { declared, args, result: this.nodeFor(result), callees: [] };
    const shared = this.sharedCalls.push(call) - 1;
    this.#shared.set(declared, shared);
    const { owner, selector } = this.methods.entry(declared);
    const callees = new Set<MethodId>();
    this.flows.eachBelow(owner, (type) => {
      const callee = this.methods.selected(type, selector);
      if (callee === undefined) return;
      if (!callees.has(callee)) {
        callees.add(callee);
        call.callees.push(callee);
        this.reach(callee);
        this.#bind(callee, call);
      }
      this.flows.add(this.nodesOf(callee).receiver, type);
    });
    return shared;
  }
}
