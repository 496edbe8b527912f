/** Objects that implement interfaces at run time: of `Proxy`, of annotations, of method handles. Their methods call a handler. */
import { NONE } from '../../../base/flavor.js';
import { ACCESS } from '../../../code/java/class-file/access.js';
import type { Engine } from '../engine.js';
import type { NodeId } from '../flows.js';
import type { MethodId } from '../methods.js';
import { OBJECT, type TypeId } from '../types.js';

const HANDLER = 'java/lang/reflect/InvocationHandler';
const INVOKE = '(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;';
const ARGUMENTS = '[Ljava/lang/Object;';
/** Methods of Object that a proxy passes on. */
const OF_OBJECT: ReadonlySet<string> = new Set(['toString', 'hashCode', 'equals']);

interface ProxyType {
  readonly object: NodeId;
  /** The handlers of all its objects. */
  readonly handler: NodeId;
}

export class Proxies {
  readonly #engine: Engine;
  readonly #types = new Map<TypeId, ProxyType>();
  readonly #methods = new Map<MethodId, ProxyType>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** An object implements an interface, and calls this handler; any handler if it is not given. */
  add(above: TypeId, handler?: NodeId): void {
    const { flows, types } = this.#engine;
    if (!types.isInterface(above)) return;
    const proxy = this.#types.get(above) ?? this.#make(above);
    if (handler === undefined) flows.any(proxy.handler);
    else flows.edge(handler, proxy.handler);
  }

  #make(above: TypeId): ProxyType {
    const { flows, types, methods } = this.#engine;
    const type = types.synthetic(`${types.name(above)}$$Proxy`, [above]);
    for (const each of types.above(above))
      for (const method of methods.declaredBy(each).values()) {
        const { name, descriptor } = methods.selectorOf(method);
        const isOwn = types.name(each) === OBJECT ? !OF_OBJECT.has(name) : name.startsWith('<');
        if (isOwn || (methods.access(method) & (ACCESS.static | ACCESS.private)) !== 0) continue;
        methods.declare(type, name, descriptor);
      }
    const proxy: ProxyType = { object: this.#engine.allocated(type), handler: flows.node(types.id(HANDLER)) };
    for (const method of methods.declaredBy(type).values()) this.#methods.set(method, proxy);
    this.#types.set(above, proxy);
    return proxy;
  }

  /** Whether a method is that of a proxy, whose body is added here. */
  build(method: MethodId): boolean {
    const proxy = this.#methods.get(method);
    if (proxy === undefined) return false;
    const { methods, types } = this.#engine;
    const { parameters, result } = this.#engine.nodesOf(method);
    const list = types.id(ARGUMENTS);
    for (const parameter of parameters) this.#engine.pass(parameter, this.#engine.arrays.elements(list));
    const declared = methods.resolve(types.id(HANDLER), methods.selector('invoke', INVOKE));
    const args = [
      proxy.object,
      this.#engine.allocated(types.id('java/lang/reflect/Method')),
      this.#engine.allocated(list),
    ];
    const answer = result < 0 ? NONE : result;
    this.#engine.callVirtually(method, 0, declared, { args, receiver: proxy.handler, result: answer });
    return true;
  }
}
