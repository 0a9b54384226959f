import { describe, expect, it } from 'vitest';
import { readAllPages } from './pages.ts';
import { longest, offencesIn } from './plain-words.ts';

/** Pages with long sentences: the walk of a request, and the record of changes. */
const others = new Set(['ARCHITECTURE.md', 'CHANGELOG.md']);
const pages = (await readAllPages()).filter(({ path }) => !others.has(path));

it.each(pages)('$path says who does what, in short sentences', ({ text }) => {
  expect(offencesIn(text)).toEqual([]);
});

describe('the judge of plain words', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

  it.each([
    ['a long sentence', `${words(longest + 1)}.`],
    ['a long sentence over two lines', `${words(13)}\n${words(13)}.`],
    ['a long sentence in an entry of a list', `- Short.\n- ${words(longest + 1)}.`],
    ['a long sentence in a cell', `| a | ${words(longest + 1)} |`],
    ['a word that hides a noun', 'It serves Whoever asks.'],
    ['a word that hides a noun in a link', '[whatever](a.md) it is.'],
  ])('finds %s', (_what, text) => expect(offencesIn(text)).toHaveLength(1));

  it.each([
    ['sentences at the limit', `${words(longest)}. ${words(longest)}.`],
    ['entries of a list without full stops', `- ${words(20)}\n- ${words(20)}`],
    ['cells of one row', `| ${words(20)} | ${words(20)} |`],
    ['code, which counts as one word', `${words(longest - 1)} \`${words(9)} whoever\`.`],
    ['a list of code, which counts as one word', `${words(longest - 1)} \`a\`, \`b\` and \`c\`.`],
    ['a block of code', `\`\`\`sh\nwhoever ${words(60)}\n\`\`\``],
    ['comments and headings', `<!-- whoever -->\n# ${words(30)}`],
  ])('lets pass %s', (_what, text) => expect(offencesIn(text)).toEqual([]));
});
