import { addressedOrigin, after, cookieValues, isSameOrigin, pageSite, sessionCookieName } from '../src/kit/index.ts';
import type { Component, Filter, FilterRequest, Verdict } from '../src/spi/index.ts';
import { enabledProperty, pass, refuse, switched } from './answers.ts';
import { isPermissive, leavesOut, readWords, type Words } from './authorization.ts';

const challenge = 'Session';
const refused = (reason: string): Verdict => refuse(reason, 401, { 'www-authenticate': challenge });

interface SessionProperties {
  readonly enabled?: boolean | undefined;
}

/** The session of the web page, in a cookie. A header Authorization counts before it. */
export const session: Component<Filter> = {
  says: 'Sessions of the web page (`POST /session`): the realms check the cookie, for requests of pages of the same origin. Brackets as for basic authentication.',
  properties: { enabled: enabledProperty },
  create({ enabled }: SessionProperties, host) {
    const filter: Filter = {
      authenticates: true,
      options: readWords,
      isPermissive,
      check(request) {
        const words = request.options as Words | undefined;
        if (leavesOut(words, request)) return pass;
        const cookies = request.authorization === null ? cookiesOf(request) : [];
        // Browsers open a login window for other challenges.
        const unknown = (): Verdict => ({
          verdict: 'pass',
          challenge: () => (isOfPage(request, cookies) ? challenge : undefined),
        });
        if (cookies.length === 0) return words?.permissive ? unknown() : refused('credentials-missing');
        if (!isOfOwnOrigin(request)) return words?.permissive ? unknown() : refused('session-elsewhere');
        const [text = ''] = cookies;
        if (cookies.length > 1 || !form.test(text)) return refused('credentials-malformed');
        return after(request.login({ kind: 'session', token: request.secret(text) }), (answer) =>
          answer.accepted
            ? { verdict: 'accept', account: answer.account, headers: ownAnswers }
            : refused(answer.reason),
        );
      },
    };
    return switched(filter, enabled, host);
  },
};

/** Caches on the way know of Authorization, and not that a cookie is a login. */
const ownAnswers = { 'cache-control': 'private, no-cache' };

const form = /^[\w-]{1,200}$/;

/** Values of the cookies of this connection's name. Two are one too many: another page may have set the second. */
function cookiesOf({ headers, secure }: FilterRequest): readonly string[] {
  const name = sessionCookieName(secure, headers.get('host'));
  return name === undefined ? [] : cookieValues(headers.get('cookie'), name);
}

/** Whether a browser would open its login window over a page. Programs that mimic browsers send no `Sec-Fetch-Site`. */
function isOfPage({ headers }: FilterRequest, cookies: readonly string[]): boolean {
  if (cookies.length > 0 || headers.has('portico-ui')) return true;
  const mode = headers.get('sec-fetch-mode');
  return headers.has('sec-fetch-site') && mode !== null && mode !== 'navigate';
}

/** Whether the request comes from a page of this origin: a browser adds the cookie to requests of other pages, too. */
function isOfOwnOrigin({ method, headers, secure }: FilterRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  // A page of another origin cannot send this header without a preflight.
  if (!reads && headers.get('portico-ui') !== '1') return false;
  const own = addressedOrigin(secure, headers);
  const site = pageSite(headers, own);
  if (site === 'untold') return isSameOrigin(headers.get('referer') ?? '', own);
  return site === 'own' || (site === 'typed' && reads);
}
