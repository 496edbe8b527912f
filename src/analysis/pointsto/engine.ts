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
import type { FieldInfo, MethodInfo } from '../../code/java/class-file/class-file.js';
import type { Initialisers } from '../../questions/options/analysis.js';
import { type FlowListener, Flows, type NodeId } from './flows.js';
import { type FieldId, type MethodId, MethodTable } from './methods.js';
import { type CallValues, SiteTable } from './sites.js';
import { type ReferenceTypes, referenceIn, referenceTypes, type TypeId, TypeTable } from './types.js';

/** The nodes of a method. */
export interface MethodNodes {
  /** -1 of static methods. */
  readonly receiver: NodeId;
  /** By parameter; -1 of primitives. */
  readonly parameters: readonly NodeId[];
  /** -1 if the result is no reference. */
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
}

const NO_VALUES: CallValues = { args: [], receiver: NONE, result: NONE };
const STRING = 'java/lang/String';
const CLASS_INITIALISER = { name: '<clinit>', descriptor: '()V' } as const;

export class Engine implements FlowListener {
  readonly types = new TypeTable();
  readonly methods: MethodTable;
  readonly flows: Flows;
  readonly sites = new SiteTable();
  readonly entries: AnalysisEntry[] = [];
  readonly #reached = new Set<MethodId>();
  readonly #entered = new Set<MethodId>();
  readonly #waiting: MethodId[] = [];
  readonly #nodes: (MethodNodes | undefined)[] = [];
  readonly #fieldNodes: (NodeId | undefined)[] = [];
  readonly #elementNodes: (NodeId | undefined)[] = [];
  readonly #allocationNodes: (NodeId | undefined)[] = [];
  readonly #signatures: (ReferenceTypes | undefined)[] = [];
  readonly #shared = new Map<MethodId, number>();
  readonly sharedCalls: SharedCall[] = [];
  readonly #initialised = new Set<TypeId>();
  readonly #initialisers: Initialisers;
  readonly #isOfJdk: (name: string) => boolean;
  /** (caller, class) of initialisers that are called. */
  readonly #initialisations = new IntTable(1 << 8);
  /** By hook, from -2 downwards. */
  readonly #watchers: Watcher[] = [];
  readonly #later: (() => void)[] = [];
  #anyElement: NodeId = NONE;
  /** The node of `null`, which no type arrives at. */
  readonly nothing: NodeId;

  /** `isOfJdk`: whether an internal name is that of a class of the JDK, asked only where initialisers of these are skipped. */
  constructor(cutoff: number, initialisers: Initialisers = 'roots', isOfJdk: (name: string) => boolean = () => false) {
    this.#initialisers = initialisers;
    this.#isOfJdk = isOfJdk;
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
    for (const node of [receiver, ...parameters]) if (node >= 0) this.flows.all(node);
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

  /** Fields that a class declares and that code sets which is not known: they may hold any object. Returns how many these are. */
  openFields(type: TypeId, isMeant: (field: FieldInfo) => boolean): number {
    const fields = (this.types.file(type)?.fields ?? []).filter(
      (field) => referenceIn(field.descriptor) !== undefined && isMeant(field),
    );
    for (const { name, descriptor } of fields)
      this.flows.all(this.fieldNode(this.methods.field(type, name, descriptor)));
    return fields.length;
  }

  enter(method: MethodId, reason: string): void {
    this.entries.push({ method, reason });
    this.reach(method);
  }

  signature(method: MethodId): ReferenceTypes {
    const { selector } = this.methods.entry(method);
    this.#signatures[selector] ??= referenceTypes(this.methods.selectorText(selector).descriptor);
    return this.#signatures[selector];
  }

  nodesOf(method: MethodId): MethodNodes {
    const existing = this.#nodes[method];
    if (existing !== undefined) return existing;
    const { parameters, result } = this.signature(method);
    const nodes: MethodNodes = {
      receiver: this.methods.isStatic(method) ? NONE : this.flows.node(this.methods.entry(method).owner),
      parameters: parameters.map((name) => this.#nodeFor(name)),
      result: this.#nodeFor(result),
    };
    this.#nodes[method] = nodes;
    return nodes;
  }

  /** A node for a type of a descriptor; -1 of primitives. */
  #nodeFor(name: string | undefined): NodeId {
    return name === undefined ? NONE : this.flows.node(this.types.id(name));
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

  /** The node of a field of references; -1 of primitives. */
  fieldNode(field: FieldId): NodeId {
    const existing = this.#fieldNodes[field];
    if (existing !== undefined) return existing;
    const { owner, selector, access } = this.methods.fieldEntry(field);
    const name = referenceIn(this.methods.selectorText(selector).descriptor);
    const node = this.#nodeFor(name);
    this.#fieldNodes[field] = node;
    if ((access & ACCESS.static) !== 0 && name !== undefined && this.#isSkipped(owner)) this.flows.all(node);
    // Constants of class files are set without code.
    if ((access & ACCESS.static) !== 0 && name === STRING) this.flows.edge(this.allocated(this.types.id(STRING)), node);
    return node;
  }

  /** The elements of all arrays of a type. */
  elements(array: TypeId): NodeId {
    const existing = this.#elementNodes[array];
    if (existing !== undefined) return existing;
    const component = this.types.component(array);
    const node = this.flows.node(component < 0 ? this.types.object : component);
    this.#elementNodes[array] = node;
    if (component >= 0) this.flows.edge(this.anyElement(), node);
    return node;
  }

  /** What is stored into arrays of unknown types. */
  anyElement(): NodeId {
    if (this.#anyElement < 0) this.#anyElement = this.flows.node(this.types.object);
    return this.#anyElement;
  }

  /** The node of what is loaded from an array. */
  loadElement(array: NodeId): NodeId {
    const value = this.flows.node(this.types.object);
    this.watch(array, {
      arrived: (type) => {
        if (this.types.component(type) >= 0) this.flows.edge(this.elements(type), value);
      },
      saturated: (node) => this.#loadAny(node, value),
    });
    return value;
  }

  storeElement(array: NodeId, value: NodeId): void {
    this.watch(array, {
      arrived: (type) => {
        if (this.types.component(type) >= 0) this.flows.edge(value, this.elements(type));
      },
      saturated: () => this.flows.edge(value, this.anyElement()),
    });
  }

  /** Tells of the types that arrive at a node. */
  watch(source: NodeId, watcher: Watcher): void {
    const hook = -2 - (this.#watchers.push(watcher) - 1);
    this.flows.edge(source, this.flows.node(this.flows.filterOf(source), hook));
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
    if (method === undefined || this.#isSkipped(type)) return;
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

  #isSkipped(type: TypeId): boolean {
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
    for (const [i, parameter] of nodes.parameters.entries()) {
      const arg = args[i] ?? NONE;
      if (arg >= 0 && parameter >= 0) this.flows.edge(arg, parameter);
    }
    if (result >= 0 && nodes.result >= 0) this.flows.edge(nodes.result, result);
  }

  /** A type arrived at the receiver of a site, or at a watched node. */
  arrived(hook: number, type: TypeId): void {
    if (hook < NONE) {
      this.#watchers[-2 - hook].arrived(type);
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
    for (const [i, arg] of args.entries()) {
      const value = values.args[i] ?? NONE;
      if (arg >= 0 && value >= 0) this.flows.edge(value, arg);
    }
    if (result >= 0 && values.result >= 0) this.flows.edge(result, values.result);
  }

  /** An element of any array below the type of a node. */
  #loadAny(node: NodeId, value: NodeId): void {
    const component = this.types.component(this.flows.filterOf(node));
    const any = this.flows.node(component < 0 ? this.types.object : component);
    this.flows.all(any);
    this.flows.edge(any, value);
  }

  #sharedCall(declared: MethodId): number {
    const existing = this.#shared.get(declared);
    if (existing !== undefined) return existing;
    const { parameters, result } = this.signature(declared);
    const args = parameters.map((name) => this.#nodeFor(name));
    const call: SharedCall = { declared, args, result: this.#nodeFor(result), callees: [] };
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
