import { withEnd } from '../../src/core/lib/ends.ts';
import { groupBy } from '../../src/core/lib/group-by.ts';
import { type AnswerForm, formList } from '../../src/http/forms.ts';
import { routeLevels } from '../../src/http/openapi/operation.ts';
import { pathTemplate, tagOf } from '../../src/http/openapi/path.ts';
import type { Parameter, ParameterTable } from '../../src/http/parameters/index.ts';
import type { Needs, Route } from '../../src/http/route.ts';
import type { WingOf } from './wings.ts';

/** The reference of all routes as Markdown, from the same rows as the OpenAPI document. */

const folder = 'docs/reference/api';

/** Wings with routes, the lowest first. Each has a page. */
const wings = ['identity', 'storage', 'assets', 'production', 'administration', 'extensions'];

/** `item` of `/item/{item}/shape`. Below `APInoauth` it is the part behind. */
const partOf = (path: string): string => /^\/(APInoauth(?:\/[^/]+)?|[^/]*)/.exec(path)![1]!;

/** Routes that many entities have. `split`: the place of a path, which ends at an entity, and the rest. */
interface Family {
  readonly title: string;
  readonly split: RegExp;
}

/** The first family counts that takes a path. */
const families: readonly Family[] = [
  { title: 'Notifications', split: /^(.+?)(?=\/notification(?:\/|$))(.*)$/ },
  { title: 'Deletion locks', split: /^(\/.+?)(\/deletion-lock.*)$/ },
  { title: 'Site rules', split: /^(\/.+?)(\/site-rule.*)$/ },
  { title: 'Storage rules', split: /^(\/.+?)(\/storage-rule.*)$/ },
  { title: 'External ids', split: /^(\/.+?)(\/external-id.*)$/ },
  { title: 'Access', split: /^(\/.+?)(\/(?:access|merged-access)(?:\/.*)?)$/ },
  { title: 'Keys and values', split: /^(\/.+?)(\/metadata(?:\/\{key\})?)$/ },
  {
    title: 'Files, by id, path or address',
    split: /^((?:\/storage(?:\/\{storage\})?)?\/file\/(?:\{file\}|path\/\{path\}|uri\/\{uri\}))(.*)$/,
  },
  {
    title: 'Versions of metadata',
    split:
      /^((?:\/(?:item|collection)\/\{\w+\})?\/metadata|\/document\/\{document\})(\/(?:changes|entry|move|graph).*)$/,
  },
];

const head = `# The API, route by route

\`npm run docs\` writes these pages from the routes; \`GET /API/openapi.json\` tells the same to programs.
Paths work with and without the leading \`/API\`. \`HEAD\` works wherever \`GET\` does. \`_administrator\` implies every role.
Parameters may stand in the query or, as matrix parameters, in the path. A value in brackets counts where none is sent.

| page | paths that begin with |
|---|---|
`;

/** By path, then as a client would meet them. */
const methods = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) =>
    a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1,
  );

/** Cells of a route. */
interface Row {
  readonly wing: string;
  readonly method: string;
  readonly path: string;
  readonly may: string;
  readonly says: string;
  /** Parameters, body and answer. */
  readonly forms: string;
}

const rowOf = (route: Route, wing: string): Row => ({
  wing,
  method: route.method,
  path: pathTemplate(route.path).template,
  may: who(route),
  says: withEnd(route.says, route.ends),
  forms: [parameters(route.query ?? {}), forms(route.reads), forms(route.answers, route.produces)]
    .map(cell)
    .join(' | '),
});

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Pages of the reference by their paths. */
export function apiPages(routes: readonly Route[], wingOf: WingOf): ReadonlyMap<string, string> {
  const lost = routes.find((route) => !wings.includes(wingOf(route)));
  if (lost) throw new Error(`Expected the wing of ${lost.path} among those of test/docs/api-page.ts: ${wingOf(lost)}`);
  const rows = inOrder(routes.map((route) => rowOf(route, wingOf(route))));
  const shared = families.map((family) => membersOf(family, rows));
  const taken = new Set(shared.flatMap(({ groups }) => groups.flat()));
  const others = rows.filter((row) => !taken.has(row));
  const pages = pagesOf(rows);
  const texts = wings.map((page) => {
    const parts = [...pages.keys()].filter((part) => pages.get(part) === page).toSorted();
    const ofPage = others.filter(({ path }) => parts.includes(partOf(path)));
    const tags = [...new Set(ofPage.map(({ path }) => tagOf(path)))];
    const sections = tags.map((tag) => section(`/${tag}`, ofPage.filter(({ path }) => tagOf(path) === tag).map(line)));
    const title = `# ${page[0]!.toUpperCase()}${page.slice(1)}, route by route\n`;
    const more = 'See [the notation](../api.md), and [routes of many entities](many-entities.md).\n';
    return { page, parts, text: [title, more, ...sections].join('\n') };
  });
  const index = [
    ...texts.map(
      ({ page, parts }) => `| [${page}](api/${page}.md) | ${parts.map((part) => `\`/${part}\``).join(', ')} |`,
    ),
    `| [many entities](api/many-entities.md) | ${families.map(({ title }) => title).join('; ')} |`,
  ].join('\n');
  return new Map([
    [`${folder}.md`, `${head}${index}\n`],
    ...texts.map(({ page, text }) => [`${folder}/${page}.md`, text] as const),
    [`${folder}/many-entities.md`, manyEntities(shared)],
  ]);
}

/** Pages of first parts of paths: of each, the lowest wing that declares its shortest path. */
const pagesOf = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(
    rows
      .toSorted(
        (a, b) => b.path.split('/').length - a.path.split('/').length || wings.indexOf(b.wing) - wings.indexOf(a.wing),
      )
      .map(({ path, wing }) => [partOf(path), wing] as const),
  );

interface Shared extends Family {
  /** Routes that are equal but for their place. */
  readonly groups: readonly (readonly Row[])[];
}

/** At fewer places a route stands on the page of its wing. */
const fewestPlaces = 3;

function membersOf(family: Family, rows: readonly Row[]): Shared {
  const matching = rows.filter((row) => families.find(({ split }) => split.test(row.path)) === family);
  const groups = groupBy(matching, (row) =>
    // Refusals of a place begin with another word.
    [row.method, family.split.exec(row.path)![2], row.says.split(' ')[0], row.forms].join(' '),
  );
  return { ...family, groups: [...groups.values()].filter((group) => group.length >= fewestPlaces) };
}

const placeOf = ({ split }: Family, { path }: Row): string => split.exec(path)![1]!;

function manyEntities(shared: readonly Shared[]): string {
  const sections = shared.map((family) => {
    const lines = family.groups.map((group) => {
      const [first] = group;
      const path = `{entity}${family.split.exec(first!.path)![2]}`;
      return `| \`${first!.method} ${path}\` | ${cell(wordsOfAll(group.map(({ says }) => says)))} | ${first!.forms} |`;
    });
    const places = groupBy(family.groups.flat(), (row) => placeOf(family, row));
    const rights = Array.from(places, ([place, rows]) => {
      const mayOf = (isRead: boolean) =>
        [...new Set(rows.filter(({ method }) => (method === 'GET') === isRead).map(({ may }) => may))].join('; ');
      return `| \`${place}\` | ${mayOf(true)} | ${mayOf(false)} |`;
    });
    return [
      `## ${family.title}\n`,
      '| request | what | parameters | body | answer |',
      '|---|---|---|---|---|',
      ...lines,
      '\n| `{entity}` | who may read | who may change |',
      '|---|---|---|',
      ...rights,
      '',
    ].join('\n');
  });
  const title = '# Routes of many entities\n';
  const more = 'Routes that are the same for many entities, and the entities. See [the notation](../api.md).\n';
  return [title, more, ...sections].join('\n');
}

/** Text with the words that all have, and "entity" for those that differ. */
function wordsOfAll(texts: readonly string[]): string {
  const [first, ...rest] = texts.map((text) => text.split(' '));
  let start = 0;
  let end = 0;
  const same = (at: number) => rest.every((list) => list.at(at) === first!.at(at));
  while (start < first!.length && same(start)) start++;
  if (start === first!.length) return texts[0]!;
  while (end < first!.length - start && same(-end - 1)) end++;
  const middle = first!.slice(start, first!.length - end);
  const article = /^an?$/.test(middle[0]!) ? 'an ' : '';
  const mark = /[.,:;]$/.exec(middle.at(-1)!)?.[0] ?? '';
  return [...first!.slice(0, start), `${article}entity${mark}`, ...first!.slice(first!.length - end)].join(' ');
}

const section = (title: string, lines: readonly string[]): string =>
  [
    `## ${title}\n`,
    '| request | who may | what | parameters | body | answer |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');

const line = ({ method, path, may, says, forms }: Row): string =>
  `| \`${method} ${path}\` | ${cell(may)} | ${cell(says)} | ${forms} |`;

function who(route: Route): string {
  const { role, or, also, orSelf, besides }: Needs = route.access.needs;
  const levels = routeLevels(route).map(([name, level]) => `, and ${level} on \`{${name}}\``);
  const may = role === 'nothing' ? 'anybody' : role === 'any caller' ? role : `\`${role}\``;
  const self =
    orSelf === undefined
      ? ''
      : `, or the user${orSelf.role === undefined ? '' : ` with \`${orSelf.role}\``}${orSelf.keys === undefined ? '' : `, without it for keys such as \`${orSelf.keys}theme\``}`;
  const other = or === undefined ? '' : `, or \`${or.role}\` for ${or.for}`;
  const more = also === undefined ? '' : ` and \`${also}\``;
  return `${may}${other}${more}${levels.join('')}${self}${besides === undefined ? '' : `; with ${besides}`}`;
}

const parameters = (query: ParameterTable): string =>
  Object.entries(query)
    .map(
      ([name, { schema, says, required, ends }]) =>
        `\`${name}\`${defaultValue(schema, required)}: ${withEnd(says, ends)}`,
    )
    .join('<br>');

const defaultValue = ({ default: value }: Parameter['schema'], required: boolean): string =>
  required ? ' (required)' : value === undefined ? '' : ` (${value})`;

/** Documents by name, other forms by their words or, of an answer that has none, by its media types. Nothing comes last. */
function forms(given: AnswerForm | readonly AnswerForm[] | undefined, produces: readonly string[] = []): string {
  const known = formList(given);
  const ordered = [...known.filter((form) => form !== 'nothing'), ...known.filter((form) => form === 'nothing')];
  const names = ordered.map((form) => (typeof form === 'string' ? form : `\`${form.name}\``));
  return (names.length > 0 ? names : produces.map((type) => `\`${type}\``)).join(', ');
}
