import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, redirect, refuse, switched, urlProperty } from './answers.ts';

interface LogoutProperties {
  readonly redirectUrl?: string | undefined;
  readonly postOnlyLogout?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * There are no sessions, so there is nothing to end: credentials come with each request, and a client logs out by
 * no longer sending them. What is left of the original's filter is where it sends the caller.
 */
export const logout: Component<Filter> = {
  says: 'Redirects the caller to redirectUrl. There is no session to end.',
  properties: {
    redirectUrl: urlProperty('Where the caller is sent.', '/'),
    postOnlyLogout: { type: 'boolean', fallback: false, says: 'True: methods other than POST get 405.' },
    enabled: enabledProperty,
  },
  create({ redirectUrl = '/', postOnlyLogout, enabled }: LogoutProperties, host) {
    const away = redirect('logout', redirectUrl);
    const onlyPost = refuse('logout-by-post-only', 405, { allow: 'POST' });
    const filter: Filter = {
      check: ({ method }) => (postOnlyLogout && method.toUpperCase() !== 'POST' ? onlyPost : away),
    };
    return switched(filter, enabled, host);
  },
};
