/**
 * Nodes that lie in each other: objects with a list `children`. A node is given when it ends, so children come first; its number says where it
 * began. Memory: the open nodes.
 */
import type { ItemLevel } from '../items/json-items.js';

export interface WalkedNode {
  /** From 0, in the order of beginnings. */
  readonly number: number;
  /** Number of the node that it lies in; -1 of the outermost. */
  readonly parent: number;
  readonly offset: number;
  /** Its keys without `children`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

interface OpenNode extends WalkedNode {
  readonly fields: Record<string, unknown>;
}

export class TreeWalk {
  readonly #visit: (node: WalkedNode) => void;
  readonly #complain: (offset: number, message: string) => void;
  readonly #open: OpenNode[] = [];
  #count = 0;

  constructor(visit: (node: WalkedNode) => void, complain: (offset: number, message: string) => void) {
    this.#visit = visit;
    this.#complain = complain;
  }

  /** Begins a node: the level to enter for it. */
  begin(offset: number): ItemLevel {
    const fields: Record<string, unknown> = Object.create(null);
    this.#open.push({ number: this.#count++, parent: this.#open.at(-1)?.number ?? -1, offset, fields });
    return this.#node;
  }

  /** Gives the nodes that have no end, of a file that was cut. */
  finish(): void {
    while (this.#open.length > 0) this.#end();
  }

  #end(): void {
    const node = this.#open.pop();
    if (node !== undefined) this.#visit(node);
  }

  readonly #node: ItemLevel = {
    enter: (key, isList) => (key === 'children' && isList ? this.#children : 'value'),
    take: (key, value, offset) => {
      const node = this.#open.at(-1);
      if (key === 'children') this.#complain(offset, 'children are not a list');
      else if (node !== undefined) node.fields[key] = value;
    },
    leave: () => this.#end(),
  };

  readonly #children: ItemLevel = {
    enter: (_, isList, offset) => (isList ? 'value' : this.begin(offset)),
    take: (_, __, offset) => this.#complain(offset, 'a child is not an object'),
  };
}
