import { basic } from './matrix.ts';
import type { Credentials, TestService } from './service.ts';

export interface PageRequest {
  readonly request: string;
  readonly as?: Credentials | undefined;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** What a browser adds to requests of scripts of a page of the service. */
export const ofPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'portico-ui': '1' } as const;

/** A browser in front of the service. The origin decides about TLS; the headers are those of the page unless given. */
export function browserAt(world: TestService, origin = 'https://portico.test') {
  return ({ request, as, cookie, headers = ofPage, body }: PageRequest): Promise<Response> => {
    const [method = '', target = ''] = request.split(' ');
    const sent = new Headers({ host: new URL(origin).host, ...headers });
    if (as) sent.set('authorization', basic(as));
    if (cookie !== undefined) sent.set('cookie', cookie);
    const made = new Request(`${origin}${target}`, { method, headers: sent, ...(body === undefined ? {} : { body }) });
    return Promise.resolve(
      world.service.fetch(made, { rawTarget: target, address: '192.0.2.7', secure: origin.startsWith('https:') }),
    );
  };
}

export type Browser = ReturnType<typeof browserAt>;

/** `name=value` of the cookie that an answer sets. */
export const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0]!;

export async function logIn(browser: Browser, as: Credentials, query = ''): Promise<string> {
  const answer = await browser({ request: `POST /API/session${query}`, as });
  if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  return cookieOf(answer);
}
