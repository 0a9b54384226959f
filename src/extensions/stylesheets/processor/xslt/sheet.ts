import type { DecimalFormat } from '../functions/format-numbers.ts';
import type { Name, Node } from '../tree/node.ts';
import type { Form } from '../tree/write.ts';
import type { SequenceType } from '../xpath/ast.ts';
import type { Dynamic, Run } from '../xpath/dynamic.ts';
import type { Matches, Pattern } from '../xpath/pattern.ts';
import type { Sequence } from '../xpath/values.ts';
import type { Instruction } from './instruction.ts';

export interface Parameter {
  readonly name: string;
  readonly defaultValue: (at: Dynamic) => Sequence;
  readonly type: SequenceType | undefined;
  readonly required: boolean;
  readonly tunnel: boolean;
}

/** Template or function that can be called. */
export interface Callable {
  readonly parameters: readonly Parameter[];
  readonly type: SequenceType | undefined;
  readonly body: Instruction;
}

/** Template with a match pattern. */
export interface Rule {
  readonly matches: Matches;
  readonly priority: number;
  readonly local: string | undefined;
  readonly template: Callable;
}

export type ParameterValues = ReadonlyMap<string, Sequence>;
export const noneGiven: ParameterValues = new Map();

export interface Key {
  readonly match: readonly Pattern[];
  readonly use: (at: Dynamic) => Sequence;
}

export interface Global {
  readonly value: (at: Dynamic) => Sequence;
  readonly isParameter: boolean;
  readonly required: boolean;
}

/** A stylesheet that was read. */
export interface Sheet {
  readonly tree: Node;
  readonly form: Form;
  /** Whether the input is an ExportInformationDocument. */
  readonly informs: boolean;
  readonly named: ReadonlyMap<string, Callable>;
  readonly functions: ReadonlyMap<string, Callable>;
  readonly globals: ReadonlyMap<string, Global>;
  readonly attributeSets: ReadonlyMap<string, readonly Instruction[]>;
  readonly keys: ReadonlyMap<string, readonly Key[]>;
  readonly formats: ReadonlyMap<string, DecimalFormat>;
  /** Whether text of white space is kept in an element of the input. */
  keeps(name: Name): boolean;
  /** The best first. */
  rulesFor(node: Node, mode: string): readonly Rule[];
}

/** Run of a stylesheet over one document. */
export interface SheetRun extends Run {
  readonly sheet: Sheet;
}
