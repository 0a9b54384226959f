import { readFile } from 'node:fs/promises';
import { groupBy } from '../../src/core/lib/group-by.ts';

/** Page of the docs index: for whom it is, its path below `docs`, and its name. */
interface Entry {
  readonly wish: string;
  readonly name: string;
  readonly path: string;
}

const link = /\[([^\]]+)\]\(([^)\s]+\.md)\)/g;

/** Pages in the tables of an index, in their order. */
export function entriesOf(index: string): readonly Entry[] {
  return index.split('\n').flatMap((line) => {
    const [, wish = '', pages = ''] = /^\| ([^|]+) \| ([^|]*\]\([^|]*) \|$/.exec(line) ?? [];
    return [...pages.matchAll(link)].map(([, name, path]) => ({ wish, name: name!, path: path! }));
  });
}

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}\n`;

const begun = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** The pages of the API, of which each row says the beginnings of its paths. */
function routesIn(api: string, folder: string): readonly string[] {
  const rows = [...api.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/gm)];
  return rows.map(([, name, path, parts]) => `- [${begun(name!)}](${folder}${path}): ${parts}`);
}

const reference = [
  ['documents', 'Fields of all documents, in XML and JSON'],
  ['settings', 'Settings with flags, variables and defaults'],
  ['events', 'Events, and the keys that notifications send of them'],
  ['commands', 'Commands of the command line'],
  ['errors', 'Codes of refusals'],
  ['components', 'Realms, filters and actions with their properties'],
  ['extensions', 'What an operator may leave out'],
] as const;

/** `llms.txt`: the index of the docs for programs that read texts. */
export function llmsText(readme: string, index: string, api: string): string {
  const about = /^# .+\n\n(.+)\n/.exec(readme)?.[1]?.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1') ?? '';
  const entries = entriesOf(index).filter(({ path }) => !path.startsWith('contributing/'));
  const pages = entries.map(({ wish, name, path }) => {
    const title = name.endsWith('.md') ? path.replace(/\.md$/, '') : `${path.replace(/\.md$/, '')} (${name})`;
    return `- [${title}](docs/${path}): ${begun(wish)}`;
  });
  return [
    '# Portico\n',
    `> ${about}\n`,
    'Read [the page for assistants](docs/reference/assistants.md) first. A test runs the examples of all pages.\n',
    section('Docs', pages),
    section('Routes', routesIn(api, 'docs/reference/')),
    section(
      'Reference',
      reference.map(([name, says]) => `- [${begun(name)}](docs/reference/${name}.md): ${says}`),
    ),
    section('Optional', [
      '- [Contributing](CONTRIBUTING.md): Commands, rules and recipes of the repository',
      '- [Agents](AGENTS.md): Rules for programs that change the code',
      '- [Architecture](ARCHITECTURE.md): Wings, rooms and the life of a request',
    ]),
  ].join('\n');
}

/** Facts that a program needs before its first request. Their pages are linked, and tests run those. */
const rules = [
  'Paths begin with `/API`. `GET /API/openapi.json` describes every route, and `GET /API/schema.xsd` the documents.',
  'Log in with `Authorization: Basic`, or with a token of `GET /API/token`: see [tokens](../guide/tokens-and-run-as.md).',
  'Send `Accept: application/json` and `Content-Type: application/json`. The default of both is XML.',
  'A refusal has its code in `portico-error`: see [errors](../guide/errors.md). `Accept: application/json, application/problem+json` gets one form for all.',
  'Lists are read in pages with `first` and `number`, or with a cursor where the route has one: see [search](../guide/search.md).',
  'Long work is a job. Read `GET /API/job/{job}` or `GET /API/event` for its end: see [jobs](../guide/jobs.md).',
  'Ids such as `VX-1` are texts. Never compute one.',
  'Send `Idempotency-Key` with a `POST` that may be repeated: see [imports](../guide/imports.md).',
  'After 503 with `Retry-After` nothing has changed: send the request again.',
  'Ask a person before requests that delete, or that change roles, storages or `security.ini`.',
];

/** The page for assistants: rules, and what to read for each wish. */
export function assistantsPage(index: string, api: string): string {
  const entries = entriesOf(index).filter(({ path }) => path !== 'reference/assistants.md');
  const rows = Array.from(
    groupBy(entries, ({ wish }) => wish),
    ([wish, pages]) =>
      `| ${wish} | ${pages.map(({ name, path }) => `[${name.replace(/\.md$/, '')}](../${path})`).join(', ')} |`,
  );
  return [
    '# For assistants\n',
    'For programs that write requests or answer questions about Portico. `npm run docs` writes this page and `llms.txt` from the other pages.\n',
    section(
      'Rules of the API',
      rules.map((rule) => `- ${rule}`),
    ),
    section('Routes', routesIn(api, '')),
    section('What to read', ['| a person wants to | page |', '|---|---|', ...rows]),
  ].join('\n');
}

/** The two files, with their paths. `api`: the pages of the API, as written beside them. */
export async function assistantFiles(api: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const [readme, index] = await Promise.all([readFile('README.md', 'utf8'), readFile('docs/README.md', 'utf8')]);
  return [
    ['llms.txt', llmsText(readme, index, api)],
    ['docs/reference/assistants.md', assistantsPage(index, api)],
  ];
}
