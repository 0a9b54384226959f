import type { Ask } from '../../../src/entry/migrate/calls.ts';

type Json = Record<string, unknown>;

/** Names and ids that would lead a request elsewhere, if a path were joined with them. */
export const hostileNames = [
  '..',
  '..\\..\\..\\user\\admin\\password',
  '../../../user/admin/password',
  '%2e%2e/%2e%2e/%2e%2e/user/admin/password',
  'VX-1?externalId=VX-9#x',
  'VX-1&state=LOST&path=x',
  '',
];

/** Members of an entry that say which one it is. */
const naming = ['id', 'uri', 'name', 'groupName', 'userName', 'user', 'externalId', 'entityId', 'entityType', 'source'];
const more = ['target', 'storage', 'path', 'uuid', 'tag'];

const renamed = (entry: unknown, name: string): unknown => {
  if (typeof entry === 'string') return entry.includes('/') ? entry.replace(/[^/]*$/, name) : name;
  const renamings = [...naming, ...more].filter((key) => typeof Object(entry)[key] === 'string');
  return { ...(entry as Json), ...Object.fromEntries(renamings.map((key) => [key, name])) };
};

/** Each list also has its last entry under each of the names. Names that no path can have are in outer lists alone. */
function withNames(value: unknown, key = '', isInner = false): unknown {
  if (Array.isArray(value)) {
    const last: unknown = value.at(-1);
    const isNamed =
      (key === 'uri' && last !== undefined) || naming.some((key) => typeof Object(last)[key] === 'string');
    const names = isInner && typeof last !== 'string' ? hostileNames.filter(isPossible) : hostileNames;
    const entries = value.map((each) => withNames(each, key, true));
    return isNamed ? [...entries, ...names.map((name) => renamed(last, name))] : entries;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNames(each, name, isInner)]));
}

const isPossible = (name: string): boolean => /^[^.]/.test(name);

/** Names of entities that there are, for requests about those that there are not. */
const honest: Readonly<Record<string, string>> = {
  ...{ user: 'ann', group: 'staff', 'metadata-field': 'x_note', library: 'VX*1', 'shape-tag': 'lowres' },
};

/** An original that gives its entities such names, and has all of them. Its pictures are passwords. */
export function hostile(ask: Ask): Ask {
  return async (path, init) => {
    if (/^\/(?:thumbnail|poster)\//.test(path))
      return new Response('a password of mine', { headers: { 'content-type': 'image/jpeg' } });
    const kind = /^\/([^/;?]+)/.exec(path)?.[1] ?? '';
    const asked = hostileNames
      .filter((name) => name.length > 2)
      .reduce((text, name) => text.replaceAll(encodeURIComponent(name), honest[kind] ?? 'VX-1'), path);
    const answer = await ask(asked, init);
    const isJson = answer.ok && answer.headers.get('content-type')?.includes('json');
    if (!isJson) return answer;
    return new Response(JSON.stringify(withNames(await answer.json())), {
      headers: { 'content-type': 'application/json' },
    });
  };
}
