import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAllPages } from './pages.ts';

const index = 'docs/decisions/README.md';
const decisions = (await readAllPages()).filter(({ path }) => path.startsWith('docs/decisions/') && path !== index);
const sections = ['Context', 'Decision', 'Reason', 'Alternatives considered'];

describe.each(decisions)('$path', ({ path, text }) => {
  it('has the sections of a decision, in their order', () => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
    expect(headings.slice(0, sections.length)).toEqual(sections);
  });

  it('has a name of whole words, without a number', () => {
    expect(basename(path)).toMatch(/^[a-z]+(?:-[a-z]+)*\.md$/);
  });
});
