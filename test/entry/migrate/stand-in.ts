import type { Ask } from '../../../src/entry/migrate/calls.ts';

type Json = Record<string, unknown>;

/** Lists that a page may have less of than it was asked for. */
const lists = ['item', 'collection', 'user', 'group', 'storage', 'uri', 'file'];

export interface Troubles {
  /** Every so many requests: a 500, a 429 that names seconds, a 503, and a document that breaks off. */
  readonly fails?: number;
  readonly tooMany?: number;
  readonly busy?: number;
  readonly torn?: number;
  /** True: pages have half of what was asked for, and repeat the last entry of the page before. */
  readonly halves?: boolean;
  /** True: a release of 2018, which reads pages as matrix parameters only and has no cursors. */
  readonly isOld?: boolean;
  /** An item that no page can have. */
  readonly poison?: string;
}

const failure = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html>Payara</html>', { status, headers: { 'content-type': 'text/html', ...headers } });

/** An original in trouble, in front of one that is not. */
export function troubled(ask: Ask, troubles: Troubles): Ask & { requests: number } {
  const every = (number: number | undefined, at: number, rest: number) => number !== undefined && at % number === rest;
  const standIn = Object.assign(
    async (path: string, init: RequestInit): Promise<Response> => {
      const at = ++standIn.requests;
      const method = init.method ?? 'GET';
      if (method !== 'GET' && !/^\/(?:item|collection)[;?]/.test(path))
        throw new Error(`Expected no change of the original: ${path}`);
      if (every(troubles.fails, at, 1)) return failure(500);
      if (every(troubles.tooMany, at, 2)) return failure(429, { 'retry-after': '7' });
      if (every(troubles.busy, at, 3)) return failure(503);
      const answer = await ask(troubles.isOld ? asOld(path) : path, init);
      if (!answer.headers.get('content-type')?.includes('json')) return answer;
      const text = await answer.text();
      if (troubles.poison && text.includes(`"id":"${troubles.poison}","start"`)) return failure(500);
      const document = JSON.parse(text) as Json;
      if (troubles.halves) halve(path, document);
      if (troubles.isOld) makeOld(path, document);
      const said = JSON.stringify(document);
      const isTorn = every(troubles.torn, at, 4);
      const { status, headers } = answer;
      return new Response(isTorn ? said.slice(0, said.length / 2) : said, {
        status,
        headers: { 'content-type': headers.get('content-type')! },
      });
    },
    { requests: 0 },
  );
  return standIn;
}

/** Reads the parameters that a release before 5 reads. */
function asOld(path: string): string {
  const [place = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['first', 'number', 'cursor', 'version']) parameters.delete(name);
  const content = parameters.get('content');
  if (content)
    parameters.set(
      'content',
      content
        .split(',')
        .filter((word) => word !== 'external')
        .join(),
    );
  return `${place}?${parameters}`;
}

function makeOld(path: string, document: Json): void {
  if (path.startsWith('/version')) document['component'] = [{ name: 'API', version: '4.9.3-gabcdef-1' }];
  // The list of storages came to have a total later.
  if (/^\/storage[;?]/.test(path)) delete document['hits'];
  for (const user of (document['user'] ?? []) as Json[]) delete user['groupList'];
  for (const item of (document['item'] ?? []) as Json[]) delete item['externalId'];
}

function halve(path: string, document: Json): void {
  const number = Number(/[;?&]number=(\d+)/.exec(path)?.[1] ?? 0);
  for (const name of lists) {
    const list = document[name];
    if (number < 2 || !Array.isArray(list) || list.length < 2) continue;
    // The first entry comes twice, and the second half is left for later.
    document[name] = [list[0], ...list.slice(0, Math.ceil(list.length / 2))];
    delete document['nextCursor'];
  }
}
