/** The fields of the program: one node each, for all objects. */
import { ACCESS } from '../../code/java/class-file/access.js';
import type { FieldInfo } from '../../code/java/class-file/class-file.js';
import type { Flows, NodeId } from './flows.js';
import type { FieldId, MethodTable } from './methods.js';
import { NUMBER, type TypeId, type TypeTable, valueIn } from './types.js';

const STRING = 'java/lang/String';

/** What fields are followed with: the engine. */
interface FieldContext {
  readonly types: TypeTable;
  readonly methods: MethodTable;
  readonly flows: Flows;
  readonly isPredicated: boolean;
  nodeFor(name: string | undefined): NodeId;
  allocated(type: TypeId): NodeId;
  isSkipped(type: TypeId): boolean;
}

export class FieldNodes {
  readonly #engine: FieldContext;
  readonly #nodes: (NodeId | undefined)[] = [];
  readonly #touched = new Set<TypeId>();

  constructor(engine: FieldContext) {
    this.#engine = engine;
  }

  /** The node of a field; -1 of primitives that are not followed. */
  node(field: FieldId): NodeId {
    const existing = this.#nodes[field];
    if (existing !== undefined) return existing;
    const { owner, selector, access } = this.#engine.methods.fieldEntry(field);
    const name = valueIn(this.#engine.methods.selectorText(selector).descriptor);
    const node = this.#engine.nodeFor(name);
    this.#nodes[field] = node;
    if (node < 0) return node;
    if ((access & ACCESS.static) !== 0 && this.#engine.isSkipped(owner)) this.#engine.flows.any(node);
    if (name === NUMBER) this.#addFirstNumber(field, node);
    // Constants of class files are set without code.
    if ((access & ACCESS.static) !== 0 && name === STRING)
      this.#engine.flows.edge(this.#engine.allocated(this.#engine.types.id(STRING)), node);
    return node;
  }

  /** A field holds 0 until code sets it, or the constant of its class file. */
  #addFirstNumber(field: FieldId, node: NodeId): void {
    const constant = this.#engine.methods.constantOf(field);
    if (constant === undefined) this.#engine.flows.all(node);
    else this.#engine.flows.add(node, this.#engine.types.numberType(constant));
  }

  /** Fields that a class declares and that code sets which is not known: they may hold any object. Returns how many these are. */
  open(type: TypeId, isMeant: (field: FieldInfo) => boolean): number {
    const fields = (this.#engine.types.file(type)?.fields ?? []).filter(
      (field) => valueIn(field.descriptor) !== undefined && isMeant(field),
    );
    for (const { name, descriptor } of fields) {
      const node = this.node(this.#engine.methods.field(type, name, descriptor));
      if (node >= 0) this.#engine.flows.any(node);
    }
    return fields.length;
  }

  /** Fields of objects that native code may set: what it sets numbers to is not known, and objects may be of classes that nobody knows. */
  touch(type: TypeId): void {
    if (!this.#engine.isPredicated || this.#touched.has(type)) return;
    this.#touched.add(type);
    for (const { name, descriptor, access } of this.#engine.types.file(type)?.fields ?? []) {
      const value = valueIn(descriptor);
      if ((access & ACCESS.static) !== 0 || value === undefined) continue;
      const node = this.node(this.#engine.methods.field(type, name, descriptor));
      if (value === NUMBER) this.#engine.flows.all(node);
      else if (this.#engine.types.isFinal(this.#engine.types.id(value))) this.#engine.flows.any(node);
      else this.#engine.flows.add(node, this.#engine.types.unknown);
    }
  }
}
