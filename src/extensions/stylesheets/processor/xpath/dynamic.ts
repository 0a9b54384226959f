import type { Budget } from '../budget.ts';
import type { DecimalFormat } from '../functions/format-numbers.ts';
import type { Node } from '../tree/node.ts';
import type { Item, Sequence } from './values.ts';

/** Variables of a template, the last one first. */
interface Scope {
  readonly name: string;
  readonly value: Sequence;
  readonly up: Scope | undefined;
}

/** Cost of a variable look-up, as a part of a step. */
const ofLook = 1 / 16;

/** Context of an instruction for functions. */
interface Around {
  readonly group?: Sequence | undefined;
  readonly groupingKey?: Item | undefined;
  /** Match of xsl:analyze-string: the whole match, then its groups. */
  readonly matched?: readonly string[] | undefined;
  readonly mode?: string | undefined;
  /** Templates with a lower precedence than the current one. */
  readonly next?: unknown;
  readonly tunnel?: ReadonlyMap<string, Sequence> | undefined;
}

/** State of one transformation, as far as expressions need it. */
export interface Run {
  readonly budget: Budget;
  /** Milliseconds since the epoch. */
  readonly now: number;
  global(name: string): Sequence | undefined;
  callFunction(key: string, given: readonly Sequence[], from: Dynamic): Sequence;
  keyed(name: string, values: readonly string[], root: Node): readonly Node[];
  decimalFormat(name: string): DecimalFormat;
  /** Tree of the stylesheet, for document(''). */
  stylesheet(): Node;
}

/** Dynamic context of an expression: its item, its variables, and the surrounding instruction. */
export class Dynamic {
  readonly run: Run;
  readonly item: Item | undefined;
  readonly position: number;
  readonly last: number;
  /** The item of the instruction, for current(). */
  readonly current: Item | undefined;
  readonly scope: Scope | undefined;
  readonly around: Around;

  constructor(
    run: Run,
    item: Item | undefined,
    position: number,
    last: number,
    current: Item | undefined,
    scope: Scope | undefined,
    around: Around,
  ) {
    this.run = run;
    this.item = item;
    this.position = position;
    this.last = last;
    this.current = current;
    this.scope = scope;
    this.around = around;
  }

  /** Within an expression. */
  at(item: Item, position: number, last: number): Dynamic {
    return new Dynamic(this.run, item, position, last, this.current, this.scope, this.around);
  }

  /** For instructions within an instruction. */
  focus(item: Item | undefined, position = 1, last = 1): Dynamic {
    return new Dynamic(this.run, item, position, last, item, this.scope, this.around);
  }

  with(name: string, value: Sequence): Dynamic {
    const scope = { name, value, up: this.scope };
    return new Dynamic(this.run, this.item, this.position, this.last, this.current, scope, this.around);
  }

  /** Templates and functions see none of the variables of those that call them. */
  apart(scope: Scope | undefined, around: Around): Dynamic {
    return new Dynamic(this.run, this.item, this.position, this.last, this.current, scope, around);
  }

  surrounded(more: Around): Dynamic {
    const around = { ...this.around, ...more };
    return new Dynamic(this.run, this.item, this.position, this.last, this.current, this.scope, around);
  }

  variable(name: string): Sequence {
    for (let scope = this.scope; scope; scope = scope.up) {
      this.run.budget.step(ofLook);
      if (scope.name === name) return scope.value;
    }
    return this.run.global(name) ?? [];
  }
}
