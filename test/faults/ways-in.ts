import type { Fault } from './fault.ts';

const otherSites = 'test/security/other-sites.test.ts';
const places = 'test/notifications/feed-places.test.ts';

/** What would let a page of another site, or a caller whose right has ended, act or read on. */
export const waysInFaults: readonly Fault[] = [
  {
    name: 'a login of the browser that counts for pages of other sites',
    file: 'src/security/pipeline.ts',
    find: "if (credentials.kind === 'password' && isOfOtherPage(this.#request)) return elsewhere;",
    replace: '',
    caughtBy: otherSites,
  },
  {
    name: 'a filter of a plugin that reads the login of the browser for pages of other sites',
    file: 'src/security/pipeline.ts',
    find: "if (basicHeader.test(this.#lent.request.authorization ?? '') && isOfOtherPage(this.#lent.request)) {",
    replace: 'if (false) {',
    caughtBy: 'test/security/pipeline.test.ts',
  },
  {
    name: 'a login window that a page of another site opens',
    file: 'src/security/pipeline.ts',
    find: 'let challenge = isOfOtherPage(this.#lent.request) ? quietChallenge : undefined;',
    replace: 'let challenge: string | undefined;',
    caughtBy: otherSites,
  },
  {
    name: 'an old browser whose origin nobody compares',
    file: 'src/kit/page-site.ts',
    find: "return isSameOrigin(origin, own) ? 'own' : 'other';",
    replace: "return 'own';",
    caughtBy: otherSites,
  },
  {
    name: 'a neighbouring site that counts as the page itself',
    file: 'src/kit/page-site.ts',
    find: "site === 'same-origin' ? 'own'",
    replace: "site.startsWith('same-') ? 'own'",
    caughtBy: otherSites,
  },
  {
    name: 'an account that takes all streams of events',
    file: 'src/notifications/feed/places.ts',
    find: 'account === holder.account',
    replace: 'account !== account',
    caughtBy: places,
  },
  {
    name: 'programs that take the streams of the web page',
    file: 'src/notifications/feed/places.ts',
    find: 'if (!holder.isPage && ',
    replace: 'if (false && ',
    caughtBy: places,
  },
];
