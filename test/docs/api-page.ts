import { type NotificationResource, places } from '../../src/administration/notifications/place.ts';
import { type AnswerForm, formList } from '../../src/http/forms.ts';
import { routeLevels } from '../../src/http/openapi/operation.ts';
import { pathTemplate, tagOf } from '../../src/http/openapi/path.ts';
import type { Parameter, ParameterTable } from '../../src/http/parameters/index.ts';
import type { Needs, Route } from '../../src/http/route.ts';

/** The reference of all routes as Markdown, from the same rows as the OpenAPI document. */

const head = `# The API, route by route

\`npm run docs\` writes this page from the routes; \`GET /API/openapi.json\` tells the same to programs.
Paths work with and without the leading \`/API\`. \`HEAD\` works wherever \`GET\` does. \`_administrator\` implies every role.
Parameters may stand in the query or, as matrix parameters, in the path. A value in brackets counts where none is sent.
`;

const below = ({ path: place }: NotificationResource, { path }: Route): boolean =>
  path === place || path.startsWith(`${place}/`);
const isNotification = (route: Route): boolean => places.some((at) => below(at, route));

/** By path, then as a client would meet them. */
const methods = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const inOrder = (routes: readonly Route[]): readonly Route[] =>
  routes.toSorted((a, b) =>
    a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1,
  );

export function apiPage(all: readonly Route[]): string {
  const routes = inOrder(all);
  const others = routes.filter((route) => !isNotification(route));
  const tags = [...new Set(others.map(({ path }) => tagOf(path)))].sort();
  const sections = tags.map((tag) => section(`/${tag}`, others.filter(({ path }) => tagOf(path) === tag).map(line)));
  return [head, ...sections, notifications(routes)].join('\n');
}

const section = (title: string, lines: readonly string[]): string =>
  [
    `## ${title}\n`,
    '| request | who may | what | parameters | body | answer |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');

const line = (route: Route): string => told(route, pathTemplate(route.path).template, who(route));

function told({ method, says, query = {}, reads, answers, produces }: Route, path: string, may: string): string {
  const cells = [`\`${method} ${path}\``, may, says, parameters(query), forms(reads), forms(answers, produces)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The same routes are at each place, so the page tells them once. */
function notifications(routes: readonly Route[]): string {
  const at = (place: NotificationResource) =>
    routes
      .filter((route) => below(place, route))
      .map((route) => {
        const write = route.access === place.write;
        const path = pathTemplate(route.path.slice(place.path.length)).template;
        return told(route, `{place}${path}`, write ? '`_…_notification_write`' : '`_…_notification_read`');
      });
  const [first, ...rest] = places.map((place) => [place, at(place).join('\n')] as const);
  for (const [place, lines] of rest) {
    if (lines !== first![1]) throw new Error(`Expected the routes of ${first![0].path} below ${place.path}`);
  }
  const rows = places.map(({ path, read }) => {
    const middle = /^_(\w+)_notification_read$/.exec(read.needs.role)![1];
    return `| \`${pathTemplate(path).template}\` | \`${middle}\` |`;
  });
  return [
    section('Notifications', first![1].split('\n')),
    'Each `{place}`, and the middle of its roles:\n',
    '| place | `…` |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

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
    .map(([name, { schema, says, required }]) => `\`${name}\`${usual(schema, required)}: ${says}`)
    .join('<br>');

const usual = ({ default: value }: Parameter['schema'], required: boolean): string =>
  required ? ' (required)' : value === undefined ? '' : ` (${value})`;

/** Documents by name, other forms by their words or, of an answer that has none, by its media types. Nothing comes last. */
function forms(given: AnswerForm | readonly AnswerForm[] | undefined, produces: readonly string[] = []): string {
  const known = formList(given);
  const ordered = [...known.filter((form) => form !== 'nothing'), ...known.filter((form) => form === 'nothing')];
  const names = ordered.map((form) => (typeof form === 'string' ? form : `\`${form.name}\``));
  return (names.length > 0 ? names : produces.map((type) => `\`${type}\``)).join(', ');
}
