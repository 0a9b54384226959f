import type { Fault } from './fault.ts';

const otherSites = 'test/security/other-sites.test.ts';
const callers = 'test/administration/notifications/feed-callers.test.ts';
const places = 'test/administration/notifications/feed-places.test.ts';

/** Faults that would let a page of another site, or a caller whose right has ended, act or read on. */
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
    find: "if (basicHeader.test(this.#context.request.authorization ?? '') && isOfOtherPage(this.#context.request)) {",
    replace: 'if (false) {',
    caughtBy: 'test/security/pipeline.test.ts',
  },
  {
    name: 'a login window that a page of another site opens',
    file: 'src/security/pipeline.ts',
    find: 'let challenge = isOfOtherPage(this.#context.request) ? quietChallenge : undefined;',
    replace: 'let challenge: string | undefined;',
    caughtBy: otherSites,
  },
  {
    name: 'an old browser whose origin nobody compares',
    file: 'src/kit/browsers.ts',
    find: "return isSameOrigin(origin, own) ? 'own' : 'other';",
    replace: "return 'own';",
    caughtBy: otherSites,
  },
  {
    name: 'a neighbouring site that counts as the page itself',
    file: 'src/kit/browsers.ts',
    find: "site === 'same-origin' ? 'own'",
    replace: "site.startsWith('same-') ? 'own'",
    caughtBy: otherSites,
  },
  {
    name: 'an account that takes all streams of events',
    file: 'src/administration/notifications/feed/streams.ts',
    find: 'account === holder.account',
    replace: 'account !== account',
    caughtBy: places,
  },
  {
    name: 'programs that take the streams of the web page',
    file: 'src/administration/notifications/feed/streams.ts',
    find: 'if (!holder.isPage && ',
    replace: 'if (false && ',
    caughtBy: places,
  },
  {
    name: 'a stream of events that never asks for its caller again',
    file: 'src/administration/notifications/feed/streams.ts',
    find: 'if (!(await watch.goesOn())) over.abort(noLongerAwaited);',
    replace: 'await watch.goesOn();',
    caughtBy: callers,
  },
  {
    name: 'a stream of events with the filter of its start',
    file: 'src/administration/notifications/feed/watch.ts',
    find: 'rights = answer;',
    replace: 'rights = { ...answer, filter: undefined };',
    caughtBy: callers,
  },
  {
    name: 'a stream of events whose login has ended by its own time',
    file: 'src/administration/notifications/feed/routes.ts',
    find: 'ends: Math.min(...[before, subject].flatMap(endsOf), Number.POSITIVE_INFINITY)',
    replace: 'ends: Number.POSITIVE_INFINITY',
    caughtBy: callers,
  },
  {
    name: 'a stream of events of a caller who lost the role',
    file: 'src/administration/notifications/feed/routes.ts',
    find: ' || !(call.query.mine || (await subject.has(readsEvents)))',
    replace: '',
    caughtBy: callers,
  },
  {
    name: 'a stream of events that no end of a session wakes',
    file: 'src/administration/notifications/engine.ts',
    find: 'committed: callers.wake,',
    replace: 'committed: () => undefined,',
    caughtBy: callers,
  },
  {
    name: 'a token that is gone, and whose caller goes on',
    file: 'src/identity/directory.ts',
    find: 'if (proof?.login !== undefined && !(ends && ends.expiresAt > this.#parts.now()))',
    replace: 'if (false)',
    caughtBy: callers,
  },
  {
    name: 'a passkey of a login that was revoked',
    file: 'src/production/ingest/raw/upload-keys.ts',
    find: "if ('ended' in maker) throw refusedKey;",
    replace: '',
    caughtBy: 'test/production/ingest/upload-keys-end.test.ts',
  },
  {
    name: 'an owner who learns who exists',
    file: 'src/assets/access/merged/routes.ts',
    find: 'if (!(await subject.has(readsUsers))) throw roleMissing(readsUsers);',
    replace: '',
    caughtBy: 'test/assets/access/merged.test.ts',
  },
];
