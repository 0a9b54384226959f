import type { Budget } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import { type DecimalFormat, defaultFormat } from '../functions/format-numbers.ts';
import type { Node } from '../tree/node.ts';
import { Output } from '../tree/output.ts';
import { type Written, writeTree } from '../tree/write.ts';
import { converted } from '../xpath/cast.ts';
import { Dynamic } from '../xpath/dynamic.ts';
import { type Sequence, textOf } from '../xpath/values.ts';
import { itemsOf } from './body.ts';
import { type Key, noneGiven, type Sheet, type SheetRun } from './sheet.ts';
import { applyTemplates } from './templates.ts';

/** Run of a stylesheet over one document. */
export class DocumentRun implements SheetRun {
  readonly sheet: Sheet;
  readonly budget: Budget;
  readonly now: number;
  readonly #input: Node;
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #globals = new Map<string, Sequence | 'in work'>();
  readonly #keys = new Map<Node, Map<string, Map<string, Node[]>>>();

  constructor(sheet: Sheet, input: Node, budget: Budget, now: number, parameters: ReadonlyMap<string, string>) {
    this.sheet = sheet;
    this.budget = budget;
    this.now = now;
    this.#input = input;
    this.#parameters = parameters;
  }

  #begin(): Dynamic {
    return new Dynamic(this, this.#input, 1, 1, this.#input, undefined, {});
  }

  write(): Written {
    const out = new Output(this.budget);
    out.document();
    for (const name of this.sheet.globals.keys()) this.global(name);
    applyTemplates([this.#input], this.#begin(), out, '', noneGiven);
    out.end();
    return writeTree(out.items[0] as Node, this.sheet.form, this.budget);
  }

  global(name: string): Sequence | undefined {
    const state = this.#globals.get(name);
    if (state === 'in work')
      throw new StylesheetFails(`Expected a variable that does not need itself: found ${shown(`$${name}`)}`);
    if (state !== undefined) return state;
    const global = this.sheet.globals.get(name);
    if (!global) return undefined;
    this.#globals.set(name, 'in work');
    const parameter = global.isParameter ? this.#parameters.get(name) : undefined;
    if (parameter === undefined && global.required) {
      throw new StylesheetFails(`Expected a value for the parameter ${shown(name)}`);
    }
    const value = parameter === undefined ? this.budget.deeper(() => global.value(this.#begin())) : [parameter];
    this.#globals.set(name, value);
    return value;
  }

  callFunction(key: string, given: readonly Sequence[], from: Dynamic): Sequence {
    const { parameters, type, body } = this.sheet.functions.get(key)!;
    return this.budget.deeper(() => {
      let at = new Dynamic(this, undefined, 1, 1, undefined, undefined, { mode: '', tunnel: from.around.tunnel });
      parameters.forEach(({ name, type: wanted }, index) => {
        const value = given[index]!;
        at = at.with(name, wanted === undefined ? value : converted(value, wanted, `for ${shown(name)}`));
      });
      const items = itemsOf(body, at);
      return type === undefined ? items : converted(items, type, 'from a function');
    });
  }

  keyed(name: string, values: readonly string[], root: Node): readonly Node[] {
    const keys = this.sheet.keys.get(name);
    if (!keys) throw new StylesheetFails(`Expected an xsl:key of this stylesheet: found ${shown(name)}`);
    const ofRoot = this.#keys.get(root) ?? new Map<string, Map<string, Node[]>>();
    this.#keys.set(root, ofRoot);
    const table = ofRoot.get(name) ?? this.#tableOf(keys, root);
    ofRoot.set(name, table);
    const nodes = [...new Set(values)].flatMap((value) => table.get(value) ?? []);
    return values.length < 2 ? nodes : [...new Set(nodes)].sort((a, b) => a.order - b.order);
  }

  #tableOf(keys: readonly Key[], root: Node): Map<string, Node[]> {
    const table = new Map<string, Node[]>();
    const start = this.#begin();
    const look = (node: Node): void => {
      this.budget.step(keys.length);
      for (const { match, use } of keys) {
        if (!match.some(({ matches }) => matches(node, start))) continue;
        for (const value of new Set(use(start.focus(node)).map(textOf))) {
          this.budget.node();
          const nodes = table.get(value) ?? [];
          if (nodes.at(-1) !== node) nodes.push(node);
          table.set(value, nodes);
        }
      }
      for (const each of node.attributes) look(each);
      for (const each of node.children) look(each);
    };
    look(root);
    return table;
  }

  decimalFormat(name: string): DecimalFormat {
    const format = this.sheet.formats.get(name) ?? (name === '' ? defaultFormat : undefined);
    if (format) return format;
    throw new StylesheetFails(`Expected an xsl:decimal-format of this stylesheet: found ${shown(name)}`);
  }

  stylesheet(): Node {
    return this.sheet.tree;
  }
}
