/** The objects of class Class that code of the program has, by the class that they stand for: each a type of its own below Class. */
import type { Engine } from '../engine.js';
import type { NodeId } from '../flows.js';
import type { TypeId } from '../types.js';

export const CLASS = 'java/lang/Class';

/** Where any class of the program may be, reflection is followed if these are not more. */
const MOST_CLASSES = 50;

export class ClassObjects {
  readonly #engine: Engine;
  readonly #isProgram: (type: TypeId) => boolean;
  /** By type: that of its class object; and back. */
  readonly #objectOf = new Map<TypeId, TypeId>();
  readonly #classOf = new Map<TypeId, TypeId>();

  /** `isProgram`: whether a class is one of the program, not of its JDK. */
  constructor(engine: Engine, isProgram: (type: TypeId) => boolean) {
    this.#engine = engine;
    this.#isProgram = isProgram;
  }

  /** The node with the class object of a type. */
  node(type: TypeId): NodeId {
    const { types } = this.#engine;
    let object = this.#objectOf.get(type);
    if (object === undefined) {
      object = types.synthetic(`${CLASS}<${types.name(type)}>`, [], types.id(CLASS));
      this.#objectOf.set(type, object);
      this.#classOf.set(object, type);
    }
    return this.#engine.allocated(object);
  }

  /** Calls back with each class whose object may be at a node; where any may, with those of the program, or with `unknown` if they are too many. */
  each(node: NodeId, visit: (type: TypeId) => void, unknown: () => void): void {
    const arrived = (object: TypeId): void => {
      const type = this.#classOf.get(object);
      if (type !== undefined) visit(type);
    };
    this.#engine.watch(node, { arrived, saturated: () => this.#eachOfAll(visit, unknown) });
  }

  /** Classes of the program, if they stay few: each is visited once all that this round has are known. */
  #eachOfAll(visit: (type: TypeId) => void, unknown: () => void): void {
    const { flows, types } = this.#engine;
    let count = 0;
    flows.eachBelow(types.id(CLASS), (object) => {
      const type = this.#classOf.get(object);
      if (type === undefined || !this.#isProgram(type)) return;
      if (++count === MOST_CLASSES + 1) unknown();
      this.#engine.later(() => {
        if (count <= MOST_CLASSES) visit(type);
      });
    });
  }
}
