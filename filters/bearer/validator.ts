import type { Maybe } from '../../src/kit/index.ts';
import type { Claims } from './claims.ts';
import type { RefusalId } from './refusals.ts';

export type TokenOutcome = { readonly claims: Claims } | { readonly refusal: RefusalId };

/** Method to validate tokens under one configuration. Its caches end with that configuration. */
export interface Validator {
  validate(token: string): Maybe<TokenOutcome>;
}

export const mostRemembered = 10_000;
