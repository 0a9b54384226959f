import type { Component, Filter } from '../src/spi/index.ts';
import { enabledProperty, pass, redirect, refuse, switched, urlProperty } from './answers.ts';

/** Looks at nothing. A chain of it alone needs no login; beside a filter that authenticates it changes nothing. */
export const anon: Component<Filter> = {
  says: 'Lets every request pass. A chain with no other filter needs no credentials.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};

const denied = refuse('denied', 403);

export const deny: Component<Filter> = {
  says: 'Refuses every request of every caller.',
  properties: { enabled: enabledProperty },
  create: (properties: { readonly enabled?: boolean }, host) =>
    switched({ check: () => denied }, properties.enabled, host),
};

/** No filter begins a session: only `POST /session` does. */
export const noSessionCreation: Component<Filter> = {
  says: 'Has no effect, because no filter begins a session. Accepted so that existing files load.',
  properties: { enabled: enabledProperty },
  create: () => ({ inert: true, check: () => pass }),
};

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
