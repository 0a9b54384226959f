/** Alias of a secret, where credentials are `secret:ALIAS`. Undefined: they are credentials. */
export const aliasIn = (credentials: string): string | undefined => /^secret:(.+)$/.exec(credentials)?.[1];
