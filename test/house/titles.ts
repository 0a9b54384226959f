import type { Source } from '../architecture/sources.ts';

/** Texts in quotes, as the formatter leaves them: a title is one of them. */
const text = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g;
/** A row of the requirements, a chapter before its numbers, or a number; and what stands before the next one. */
const name =
  /^(?:([A-Z]\d+)(?![\w.])|([a-z]+(?:-[a-z]+)*)(?= §?G?\d)|§?((?:G\d+\.)?\d+(?:\.\d+)?)(?![\w.]))(?:,? and |[,:]? |:|$)/;

/** All texts in quotes. */
export const textsIn = ({ code }: Pick<Source, 'code'>): string[] =>
  [...code.matchAll(text)].map(([, single, double, template]) => single ?? double ?? template ?? '');

/** What the titles of a file name: rows such as `M11`, rules such as `item-metadata 3.12`. */
export function namedIn({ code }: Pick<Source, 'code'>): string[] {
  let described: string | undefined;
  return [...code.matchAll(text)].flatMap(({ index, 1: single, 2: double, 3: template }) => {
    const names = namesOf(single ?? double ?? template ?? '', described);
    // Below `describe('item-metadata 3'`, the title `3.1: …` names a rule of that chapter.
    if (/\bdescribe(?:Matrix)?\(\s*$/.test(code.slice(Math.max(0, index - 20), index))) {
      described = names.find((each) => each.includes(' '))?.split(' ')[0];
    }
    return names;
  });
}

function namesOf(title: string, described: string | undefined): string[] {
  const names: string[] = [];
  let chapter = described;
  let rest = title;
  for (let match = name.exec(rest); match; match = name.exec(rest)) {
    const [all, row, word, number] = match;
    if (word) chapter = word;
    else if (row) names.push(row);
    else if (chapter) names.push(`${chapter} ${number}`);
    rest = rest.slice(all.length);
  }
  // A text of nothing but names is a value, and not the title of a test.
  return rest === '' ? names.filter((each) => each.includes(' ')) : names;
}
