import { StylesheetFails, shown } from '../fails.ts';
import { searchFor } from '../functions/patterns.ts';
import { Node } from '../tree/node.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { type Sequence, truthOf } from '../xpath/values.ts';
import { attributeSetsOf } from './attribute-sets.ts';
import { type CompileInstruction, compileBody, compileContent, compileValue, itemsOf, treeOf } from './body.ts';
import { compileGroups } from './groups.ts';
import { does, type Instruction, nothing } from './instruction.ts';
import { attributeInstruction, elementInstruction, namespaceInstruction, processingInstruction } from './named.ts';
import { numberInstruction } from './number.ts';
import { noneGiven, type ParameterValues, type SheetRun } from './sheet.ts';
import { compileSorted } from './sort.ts';
import { checkAttributes, isXsl, type Static } from './static.ts';
import { textAttribute, textOfItems } from './template-text.ts';
import { applyBuiltIn, applyNext, applyTemplates, invoke } from './templates.ts';

function part(place: Static, name: string): Instruction {
  const node = place.node.children.find((child) => isXsl(child, name));
  return node ? compileBody(place.within(node)) : nothing;
}

/** xsl:analyze-string: what matches goes one way, what stands between the other. */
const stringInstruction: CompileInstruction = (place) => {
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

/** Parameters of a call, and tunnel parameters. */
function compileGiven(place: Static): (at: Dynamic) => readonly [ParameterValues, Dynamic] {
  const all = place.node.children
    .filter((child) => isXsl(child, 'with-param'))
    .map((child) => {
      checkAttributes(child);
      const own = place.within(child);
      return { name: own.name(child.attribute('name')!), value: compileValue(own), tunnel: own.flag('tunnel') };
    });
  if (all.length === 0) return (at) => [noneGiven, at];
  return (at) => {
    const parameters = new Map<string, Sequence>();
    const tunnel = new Map(at.around.tunnel);
    for (const each of all) (each.tunnel ? tunnel : parameters).set(each.name, each.value(at));
    return [parameters, all.some((each) => each.tunnel) ? at.surrounded({ tunnel }) : at];
  };
}

const onlyParts = (place: Static, ...names: string[]): void => {
  const other = place.node.children.find(
    (child) =>
      (child.kind === 'element' && !isXsl(child, ...names)) || (child.kind === 'text' && child.value.trim() !== ''),
  );
  if (other) throw new StylesheetFails(`Expected nothing but ${names.map((name) => `xsl:${name}`).join(', ')} within`);
};

/** `#current` and `#default`. */
function modeOf(place: Static): (at: Dynamic) => string {
  const text = place.attribute('mode')?.trim();
  if (text === '#current') return (at) => at.around.mode ?? '';
  const mode = text === undefined || text === '#default' ? '' : place.name(text);
  return () => mode;
}

/** By its local name. */
export const instructions: ReadonlyMap<string, CompileInstruction> = new Map<string, CompileInstruction>([
  [
    'apply-templates',
    (place) => {
      onlyParts(place, 'sort', 'with-param');
      const select = place.expression('select');
      const sorted = compileSorted(place);
      const givenAt = compileGiven(place);
      const mode = modeOf(place);
      return does((at, out) => {
        const [parameters, around] = givenAt(at);
        const children = at.item instanceof Node ? at.item.children : [];
        applyTemplates(sorted(select ? select(at) : children, at), around, out, mode(at), parameters);
      });
    },
  ],
  [
    'next-match',
    (place) => {
      onlyParts(place, 'with-param', 'fallback');
      const givenAt = compileGiven(place);
      return does((at, out) => {
        const [parameters, around] = givenAt(at);
        applyNext(around, out, parameters);
      });
    },
  ],
  [
    'apply-imports',
    (place) => {
      onlyParts(place, 'with-param');
      const givenAt = compileGiven(place);
      return does((at, out) => {
        const [parameters, around] = givenAt(at);
        applyBuiltIn(around, out, parameters);
      });
    },
  ],
  [
    'call-template',
    (place) => {
      onlyParts(place, 'with-param');
      const name = place.name(place.attribute('name')!);
      if (!place.known.templates.has(name)) {
        throw new StylesheetFails(`Expected a template of this stylesheet: found ${shown(name)}`);
      }
      const givenAt = compileGiven(place);
      return does((at, out) => {
        const [parameters, around] = givenAt(at);
        invoke((at.run as SheetRun).sheet.named.get(name)!, around, out, parameters);
      });
    },
  ],
  [
    'for-each',
    (place) => {
      const select = place.expression('select')!;
      const sorted = compileSorted(place);
      const body = compileBody(place, 'sort');
      return does((at, out) => {
        const items = sorted(select(at), at);
        const last = items.length;
        at.run.budget.step(last);
        for (const [index, item] of items.entries()) body(at.focus(item, index + 1, last), out);
      });
    },
  ],
  ['for-each-group', compileGroups],
  [
    'if',
    (place) => {
      const test = place.expression('test')!;
      const body = compileBody(place);
      return does((at, out) => {
        if (truthOf(test(at))) body(at, out);
      });
    },
  ],
  [
    'choose',
    (place) => {
      onlyParts(place, 'when', 'otherwise');
      const branches = place.node.children
        .filter((child) => isXsl(child))
        .map((child) => {
          checkAttributes(child);
          const own = place.within(child);
          return { test: own.expression('test'), body: compileBody(own) };
        });
      if (branches.length === 0 || branches.slice(0, -1).some(({ test }) => !test)) {
        throw new StylesheetFails('Expected xsl:when, and at most one xsl:otherwise at the end');
      }
      return does((at, out) => branches.find(({ test }) => !test || truthOf(test(at)))?.body(at, out));
    },
  ],
  [
    'value-of',
    (place) => {
      const text = compileContent(
        place,
        place.attribute('separator') === undefined ? undefined : textAttribute(place, 'separator'),
      );
      const raw = place.flag('disable-output-escaping');
      return does((at, out) => out.text(text(at), raw));
    },
  ],
  [
    'text',
    (place) => {
      const { children } = place.node;
      if (children.some(({ kind }) => kind === 'element'))
        throw new StylesheetFails('Expected nothing but text within');
      const text = children.map(({ value }) => value).join('');
      const raw = place.flag('disable-output-escaping');
      return does((_at, out) => out.text(text, raw));
    },
  ],
  [
    'copy-of',
    (place) => {
      const select = place.expression('select')!;
      return does((at, out) => {
        for (const item of select(at)) {
          if (item instanceof Node) out.copy(item);
          else out.item(item);
        }
      });
    },
  ],
  [
    'sequence',
    (place) => {
      const select = place.expression('select')!;
      return does((at, out) => {
        for (const item of select(at)) out.item(item);
      });
    },
  ],
  [
    'perform-sort',
    (place) => {
      const select = place.expression('select');
      const sorted = compileSorted(place);
      const body = compileBody(place, 'sort');
      return does((at, out) => {
        for (const item of sorted(select ? select(at) : itemsOf(body, at), at)) out.item(item);
      });
    },
  ],
  [
    'copy',
    (place) => {
      const sets = attributeSetsOf(place);
      const body = compileBody(place);
      return does((at, out) => {
        const { item } = at;
        if (!(item instanceof Node)) {
          if (item !== undefined) out.item(item);
        } else if (item.kind === 'element') {
          out.element(item.name);
          out.scopeAt(item);
          sets(at, out);
          body(at, out);
          out.end();
        } else if (item.kind === 'document') {
          out.document();
          body(at, out);
          out.end();
        } else out.copy(item);
      });
    },
  ],
  ['element', elementInstruction],
  ['attribute', attributeInstruction],
  ['namespace', namespaceInstruction],
  ['processing-instruction', processingInstruction],
  [
    'comment',
    (place) => {
      const text = compileContent(place);
      return does((at, out) => out.comment(text(at)));
    },
  ],
  [
    'document',
    (place) => {
      const body = compileBody(place);
      return does((at, out) => out.item(treeOf(body, at)));
    },
  ],
  [
    'variable',
    (place) => {
      const name = place.name(place.attribute('name')!);
      const value = compileValue(place);
      return (at) => at.with(name, value(at));
    },
  ],
  [
    'message',
    (place) => {
      const select = place.expression('select');
      const body = compileBody(place);
      const ends = textAttribute(place, 'terminate');
      return does((at) => {
        if (!/^\s*(?:yes|true|1)\s*$/.test(ends?.(at) ?? 'no')) return;
        const text =
          (select
            ? select(at)
                .map((item) => (item instanceof Node ? item.text : String(item)))
                .join(' ')
            : '') + treeOf(body, at).text;
        throw new StylesheetFails(`The stylesheet ends itself: ${shown(text.trim().slice(0, 200))}`);
      });
    },
  ],
  ['fallback', () => nothing],
  ['number', numberInstruction],
  ['analyze-string', stringInstruction],
]);
