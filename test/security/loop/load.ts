import { formList } from '../../../src/http/forms.ts';
import { isDocument } from '../../../src/http/openapi/operation.ts';
import type { Route } from '../../../src/http/route.ts';
import type { Sent } from '../../support/matrix.ts';
import { hostile } from './bodies.ts';

/** A request that is as costly as a route allows. */
export interface Load {
  readonly title: string;
  /** The answer when all of the work is done; left out where the cost is in the refusal. */
  readonly status?: number;
  /** Requests at once. Default: one. */
  readonly together?: number;
  /** Milliseconds of the lent clock for the work that the request begins, such as a job: its turns count, too. */
  readonly works?: number;
  /** Made again for each run, which a number tells: what one run has made or deleted must not shorten the next. */
  readonly request: (run: number) => Omit<Sent, 'as'>;
}

const maxTargetLength = 8192;

/** A target as long as the setting allows, of as many parameters as fit. */
export function padded(target: string, kind: 'matrix' | 'query'): string {
  const room = maxTargetLength - target.length - 2;
  const repeated = (pair: string) => pair.repeat(Math.floor(room / pair.length));
  if (kind === 'query') return `${target}${target.includes('?') ? '' : '?a'}${repeated('&a')}`;
  const [path, query] = target.split('?') as [string, string?];
  return `${path}${repeated(';a')}${query === undefined ? '' : `?${query}`}`;
}

/** Variants for every route: the longest target, and the longest Accept header. */
const general: readonly {
  readonly title: string;
  readonly from: (method: string, target: string) => Omit<Sent, 'as'>;
}[] = [
  { title: 'as it is', from: (method, target) => ({ request: `${method} ${target}` }) },
  { title: 'matrix parameters', from: (method, target) => ({ request: `${method} ${padded(target, 'matrix')}` }) },
  { title: 'query parameters', from: (method, target) => ({ request: `${method} ${padded(target, 'query')}` }) },
  {
    title: 'Accept',
    from: (method, target) => ({
      request: `${method} ${target}`,
      headers: { accept: `${'a/b;q=0.1,'.repeat(1400)}*/*` },
    }),
  },
];

/** A plain request; `index` tells loads apart where each needs something of its own. */
type Plain = (run: number, index: number) => Omit<Sent, 'as'>;

export const generalLoads = (plain: Plain): readonly Load[] =>
  general.map(({ title, from }, index) => ({
    title,
    request(run) {
      const { request, body, headers } = plain(run, index);
      const [method, target] = request.split(' ') as [string, string];
      const sent = from(method, target);
      return { ...sent, headers: { ...headers, ...sent.headers }, ...(body === undefined ? {} : { body }) };
    },
  }));

export const json = (request: string, text: string): Omit<Sent, 'as'> => ({
  request,
  headers: { 'content-type': 'application/json' },
  body: text,
});

export const get = (target: string, title = target.slice(0, 60), status = 200): Load => ({
  title,
  status,
  request: () => ({ request: `GET /API${target}` }),
});

/** Callers of one account that ask at once. */
export const sixty = (target: string, status = 200): Load => ({
  ...get(target, `sixty at once: ${target.slice(0, 60)}`, status),
  together: 60,
});

/** Costliest bodies for the reader, which all documents share; one route gets every body. */
const costliest = ['attributes', 'unknown names', 'escapes'];

export const hostileTo = (request: string, root: string, which?: 'every'): readonly Load[] =>
  hostile(root)
    .filter(({ title }) => which === 'every' || costliest.includes(title))
    .map(({ title, type, make }) => ({
      title,
      request: () => ({ request, headers: { 'content-type': type }, body: make() }),
    }));

/** Loads of every route that reads documents, numbered on from the general ones. */
export const documentLoads = ({ reads }: Route, plain: Plain): readonly Load[] =>
  formList(reads)
    .filter(isDocument)
    .flatMap(({ name }) => hostileTo('', name))
    .map(({ title, request }, index) => ({
      title,
      request: (run) => ({ ...request(run), request: plain(run, general.length + index).request }),
    }));

/** A name that is in use nowhere: each run makes its own. */
export const fresh = (kind: string, run: number): string => `${kind}-${String(run).padStart(6, '0')}`;
