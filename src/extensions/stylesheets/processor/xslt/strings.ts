import { StylesheetFails } from '../fails.ts';
import { searchFor } from '../functions/patterns.ts';
import { type CompileInstruction, compileBody } from './body.ts';
import { does, type Instruction, nothing } from './instruction.ts';
import { isXsl, type Static } from './static.ts';
import { textAttribute, textOfItems } from './template-text.ts';

function part(place: Static, name: string): Instruction {
  const node = place.node.children.find((child) => isXsl(child, name));
  return node ? compileBody(place.within(node)) : nothing;
}

/** xsl:analyze-string: what matches goes one way, what stands between the other. */
export const stringInstruction: CompileInstruction = (place) => {
  const select = place.expression('select')!;
  const regex = textAttribute(place, 'regex')!;
  const flags = textAttribute(place, 'flags');
  const [matching, other] = [part(place, 'matching-substring'), part(place, 'non-matching-substring')];
  return does((at, out) => {
    const text = textOfItems(select(at), undefined, true);
    const search = searchFor(regex(at), flags?.(at) ?? '');
    if (search.any('')) throw new StylesheetFails('Expected a regular expression that matches no empty text');
    const pieces: { readonly text: string; readonly matched?: readonly string[] }[] = [];
    let from = 0;
    for (const { start, end, groups } of search.all(text)) {
      at.run.budget.node();
      if (start > from) pieces.push({ text: text.slice(from, start) });
      pieces.push({ text: text.slice(start, end), matched: groups.map((group) => group ?? '') });
      from = end;
    }
    if (from < text.length) pieces.push({ text: text.slice(from) });
    pieces.forEach((piece, index) => {
      const pieceFocus = at.focus(piece.text, index + 1, pieces.length).surrounded({ matched: piece.matched });
      (piece.matched ? matching : other)(pieceFocus, out);
    });
  });
};
