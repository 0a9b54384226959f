import { spendMade } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import { compileExpression } from '../xpath/compile.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import type { Compute } from '../xpath/static-context.ts';
import { type Sequence, textOf } from '../xpath/values.ts';
import type { Static } from './static.ts';

/** Text of several items. Version 1.0 uses only the first item. */
export function textOfItems(items: Sequence, separator: string | undefined, isOld: boolean): string {
  if (items.length === 0) return '';
  if (items.length === 1 || (isOld && separator === undefined)) return textOf(items[0]!);
  const texts = items.map(textOf);
  spendMade(texts.reduce((sum, { length }) => sum + length, 0) + texts.length * (separator ?? ' ').length);
  return texts.join(separator ?? ' ');
}

/** Text with expressions in braces. */
export function compileText(source: string, place: Static): (at: Dynamic) => string {
  const pieces = piecesOf(source).map((piece) =>
    typeof piece === 'string' ? piece : compileExpression(piece.expression, place),
  );
  const [only] = pieces;
  if (pieces.length <= 1 && typeof only !== 'function') return () => only ?? '';
  const pieceText = (piece: string | Compute, at: Dynamic): string =>
    typeof piece === 'string' ? piece : textOfItems(piece(at), undefined, place.isOld);
  return (at) => {
    const text = pieces.map((piece) => pieceText(piece, at)).join('');
    at.run.budget.text(text.length);
    return text;
  };
}

/** The attribute as such a text. */
export function textAttribute(place: Static, name: string): ((at: Dynamic) => string) | undefined {
  const source = place.attribute(name);
  return source === undefined ? undefined : compileText(source, place);
}

type Piece = string | { readonly expression: string };

function piecesOf(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const sign = source[at]!;
    if ((sign === '{' || sign === '}') && source[at + 1] === sign) {
      text += sign;
      at += 2;
    } else if (sign === '{') {
      if (text !== '') pieces.push(text);
      text = '';
      const end = endOf(source, at + 1);
      pieces.push({ expression: source.slice(at + 1, end) });
      at = end + 1;
    } else if (sign === '}') {
      throw new StylesheetFails(`Expected "}}" or an opening brace ahead of "}": found ${shown(source)}`);
    } else {
      text += sign;
      at++;
    }
  }
  if (text !== '' || pieces.length === 0) pieces.push(text);
  return pieces;
}

/** Braces in texts of an expression are text. */
function endOf(source: string, begin: number): number {
  let quote = '';
  for (let at = begin; at < source.length; at++) {
    const sign = source[at]!;
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '}') return at;
  }
  throw new StylesheetFails(`Expected "}" behind an expression: found ${shown(source)}`);
}
