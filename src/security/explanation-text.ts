import type { Explanation } from '../core/documents/index.ts';
import { openTo } from './explain.ts';
import { administrator } from './subject.ts';

/** Text of an explanation for people. */
export function explanationText(explanation: Explanation): string {
  const { missing = [], note = [] } = explanation;
  const lines = [
    ...chainLines(explanation),
    ...userLines(explanation),
    ...routeLines(explanation),
    ...missing.flatMap(({ what, says }) => (what === 'route' ? [] : `Missing: ${says}`)),
    ...note.map((each) => `Note: ${each}`),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function chainLines({ method, path, pattern, line, file, step }: Explanation): string[] {
  if (path === undefined) return [];
  const chain = pattern === undefined ? 'No chain matches: refused' : `Chain ${pattern}`;
  const place = line ? ` (line ${line} of ${file})` : ' (built in)';
  return [
    `${method} ${path}`,
    // Users who ask about themselves are told no configuration.
    ...(step ? [pattern === undefined ? chain : chain + place] : []),
    ...(step ?? []).map((each) =>
      [`  ${each.name}: ${each.answer}`, each.user, each.reason, each.status]
        .filter((part) => part !== undefined)
        .join(' '),
    ),
  ];
}

type Group = NonNullable<Explanation['group']>[number];
type Level = NonNullable<Explanation['level']>[number];

/** Words for the source of a membership. */
function sourceOf({ source, realm, claim, through = [] }: Group): string {
  const login = [realm ?? [], claim === undefined ? [] : `(${claim})`].flat().join(' ');
  const sources = { entered: 'entered here', login: `the login ${login}`, scim: 'SCIM', group: [] };
  const above = through.length > 0 ? `through ${through.join(', ')}` : [];
  return [sources[source], above].flat().join(', and ');
}

function userLines({ known, silent = [], role = [], group = [], lastLogin }: Explanation): string[] {
  const grants = (what: string, names: readonly string[] = []) =>
    names.length > 0 ? [`${what} ${names.join(', ')}`] : [];
  return [
    ...(known ?? []).map(({ realm, role, permission }) =>
      [`Known to ${realm}`, ...grants('roles for filters', role), ...grants('permissions', permission)].join('; '),
    ),
    ...(known?.length === 0 ? ['Known to no realm that was asked'] : []),
    ...(lastLogin ? [loginLine(lastLogin)] : []),
    ...grants('Roles in the service:', role.includes(administrator) ? [`${administrator}, which implies all`] : role),
    ...group.map((each) => `  ${each.name}: ${sourceOf(each)}`),
    ...(silent.length > 0 ? [`Not asked, because only a login would tell: ${silent.join(', ')}`] : []),
  ];
}

const loginLine = ({ at, way, realm }: NonNullable<Explanation['lastLogin']>): string =>
  [`Last login ${new Date(at).toISOString()}: ${way}`, realm ?? []].flat().join(', accepted by ');

function routeLines(explanation: Explanation): string[] {
  const { path, granted, user, route, needs, allowed, entity, level = [], missing = [], status, reason } = explanation;
  if (path === undefined) return [];
  if (!granted) return [`Refused: ${status} ${reason}`];
  const first = `Granted to ${user ?? 'anybody'}`;
  if (route === undefined) return [first, 'No route: 404'];
  const refusal = entity && `Refused by an entity of the path: ${entity.status} ${entity.reason}`;
  const lastLines = [
    ...(refusal === undefined ? [] : [[refusal, entity?.explanation ?? []].flat().join('. ')]),
    ...level.flatMap(levelLines),
  ];
  if (needs === undefined || openTo.includes(needs)) return [first, `Route ${route}`, ...lastLines];
  const lacks = missing.some(({ what }) => what === 'role');
  const verdict = allowed === undefined ? '' : `: ${user} ${lacks ? 'lacks it, 403' : 'may use it'}`;
  return [first, `Route ${route} asks for the role ${needs}${verdict}`, ...lastLines];
}

function levelLines({ kind, id, level, operation, granted, reason, entry = [] }: Level): string[] {
  const wanted = `Asks for ${level}${operation === undefined ? '' : ` for ${operation}`} on the ${kind} ${id}`;
  const why = reason === undefined ? '' : `. ${reason}`;
  return [`${wanted}: ${granted ? 'granted' : 'missing'}${why}`, ...entry.map(({ id, says }) => `  ${id}: ${says}`)];
}
