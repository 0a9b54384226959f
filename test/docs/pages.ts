import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The pages that people read, and the blocks in them. */

export interface Page {
  readonly path: string;
  readonly text: string;
}

export type Mark = 'test' | 'test: ffmpeg' | 'test: stopped' | 'test: main' | 'test: module' | 'test: server';

/** A marked block, and the block marked `<!-- output -->` that may follow it. */
export interface Block {
  readonly line: number;
  readonly mark: Mark;
  readonly text: string;
  readonly output: string;
}

const read = async (path: string): Promise<Page> => ({ path, text: await readFile(path, 'utf8') });

async function below(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort();
}

/** README and docs: a test runs their blocks and judges their words. */
export const readPages = async (): Promise<readonly Page[]> =>
  Promise.all(['README.md', ...(await below('docs'))].map(read));

const others = [
  'SECURITY.md',
  'VERSIONING.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  'llms.txt',
];

/** Every page in the repository. */
export const readAllPages = async (): Promise<readonly Page[]> => [
  ...(await readPages()),
  ...(await Promise.all([...others, ...(await below('examples'))].map(read))),
];

const marked = /^<!-- (test(?:: \w+)?) -->\n```\w+\n([\s\S]*?)```\n(?:<!-- output -->\n```\w+\n([\s\S]*?)```\n)?/gm;

export const blocksOf = ({ text }: Page): readonly Block[] =>
  [...text.matchAll(marked)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    mark: match[1] as Mark,
    text: match[2]!,
    output: match[3] ?? '',
  }));

/** Pattern of the output that a page shows. An ellipsis stands for anything. */
export function outputPattern(expected: string): RegExp {
  const parts = expected.trim().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')}$`);
}

/** Blocks that look as if a reader could run them, without a word about whether a test does. */
export const unmarkedBlocks = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/(^.*\n)?^```(?:sh|ini|ts)\n.*$/gm)]
    .filter(([, before]) => !/^<!-- (?:test|not run: .+)/.test(before ?? ''))
    .map(([found]) => found);

/** As a forge makes the anchors of headings. */
export const anchorsOf = ({ text }: Page): ReadonlySet<string> =>
  new Set(
    [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
