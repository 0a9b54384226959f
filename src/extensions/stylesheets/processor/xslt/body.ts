import { StylesheetFails, shown } from '../fails.ts';
import type { Node } from '../tree/node.ts';
import { Output } from '../tree/output.ts';
import { converted } from '../xpath/cast.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { empty, type Sequence } from '../xpath/values.ts';
import { does, type Instruction, nothing } from './instruction.ts';
import { isXsl, type Static } from './static.ts';
import { textOfItems } from './template-text.ts';

/** Compiler of a stylesheet element. */
export type CompileInstruction = (place: Static) => Instruction;

/** The instructions within an element, one behind the other. `but`: parts that the element itself reads. */
export function compileBody(place: Static, ...but: string[]): Instruction {
  let seen = place;
  const all: Instruction[] = [];
  for (const child of place.node.children) {
    if (isXsl(child, ...but) && but.length > 0) continue;
    if (child.kind === 'text') all.push(does((_at, out) => out.text(child.value)));
    if (child.kind !== 'element') continue;
    all.push(place.known.compileElement(seen.within(child)));
    const name = isXsl(child, 'variable') ? child.attribute('name') : undefined;
    if (name !== undefined) seen = seen.knowing(seen.within(child).name(name));
  }
  if (all.length === 0) return nothing;
  if (all.length === 1) return all[0]!;
  return does((at, out) => {
    let now = at;
    for (const each of all) now = each(now, out) ?? now;
  });
}

/** Evaluates a body into a tree. */
export function treeOf(body: Instruction, at: Dynamic): Node {
  const out = new Output(at.run.budget);
  out.document();
  body(at, out);
  out.end();
  return out.items[0] as Node;
}

/** Evaluates a body into a sequence of items. */
export function itemsOf(body: Instruction, at: Dynamic): Sequence {
  const out = new Output(at.run.budget);
  body(at, out);
  return out.items;
}

/** Text of a select attribute or of a body. */
export function compileContent(place: Static, separator?: (at: Dynamic) => string): (at: Dynamic) => string {
  const select = place.expression('select');
  if (select) {
    onlySelect(place);
    return (at) => textOfItems(select(at), separator?.(at), place.isOld);
  }
  const { children } = place.node;
  if (children.every(({ kind }) => kind === 'text')) {
    const text = children.map(({ value }) => value).join('');
    return () => text;
  }
  const body = compileBody(place);
  if (separator === undefined) return (at) => treeOf(body, at).text;
  return (at) => textOfItems(itemsOf(body, at), separator(at), false);
}

function onlySelect({ node }: Static, ...but: string[]): void {
  const other = node.children.find((child) => child.kind !== 'comment' && !isXsl(child, 'fallback', ...but));
  if (other) throw new StylesheetFails('Expected either a select or a content: found both');
}

/** Value of a variable or parameter. */
export function compileValue(place: Static): (at: Dynamic) => Sequence {
  const select = place.expression('select');
  const type = place.type();
  const what = `for ${shown(place.attribute('name') ?? '')}`;
  if (select) {
    onlySelect(place);
    return type === undefined ? select : (at) => converted(select(at), type, what);
  }
  const body = compileBody(place);
  if (body === nothing) return () => (type === undefined ? [''] : empty);
  if (type === undefined) return (at) => [treeOf(body, at)];
  return (at) => converted(itemsOf(body, at), type, what);
}
