import type { Component, Filter } from '../src/spi/index.ts';
import { type AccessProperties, accessProperties, unknownCaller } from './access.ts';
import { pass, switched } from './answers.ts';

const { loginUrl, enabled } = accessProperties;

export const user: Component<Filter> = {
  says: 'Lets a caller pass that an earlier filter has accepted.',
  properties: { loginUrl: loginUrl!, enabled: enabled! },
  create(properties: AccessProperties, host) {
    const unknown = unknownCaller(properties.loginUrl);
    const login = properties.loginUrl;
    return switched(
      // The page to log in at is open: else it would lead to itself.
      { check: ({ caller, path }) => (caller || path === login ? pass : unknown) },
      properties.enabled,
      host,
    );
  },
};
