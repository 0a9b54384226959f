/**
 * Why a token is refused: a stable word for log and metrics, and fixed words for the caller. `asksRealms`: a realm may
 * know the token. Otherwise it was signed for this service, or an endpoint vouched for it, and no realm is asked.
 */
export const refusals = {
  'token-too-long': { asksRealms: false, says: 'The token is too long' },
  'token-malformed': { asksRealms: true, says: 'The token is malformed' },
  'token-type-wrong': { asksRealms: true, says: 'The token is of another type' },
  'algorithm-refused': { asksRealms: true, says: 'The algorithm of the token is not accepted' },
  'extension-refused': { asksRealms: true, says: 'The token needs an extension that is not known here' },
  'signature-wrong': { asksRealms: true, says: 'The signature of the token is not valid' },
  'certificate-not-valid': { asksRealms: true, says: 'The certificate of the token is not valid now' },
  'keys-unavailable': { asksRealms: true, says: 'The token cannot be verified now' },
  'claims-malformed': { asksRealms: false, says: 'The claims of the token are malformed' },
  'expiry-missing': { asksRealms: false, says: 'The token has no expiry' },
  'token-expired': { asksRealms: false, says: 'The token has expired' },
  'token-not-yet-valid': { asksRealms: false, says: 'The token is not valid yet' },
  'subject-missing': { asksRealms: false, says: 'The token has no subject' },
  'audience-wrong': { asksRealms: false, says: 'The token is for another audience' },
  'user-claim-wrong': { asksRealms: false, says: 'The token names no user' },
  'user-unknown': { asksRealms: false, says: 'The user was not found' },
  'user-disabled': { asksRealms: false, says: 'The user may not log in' },
  'token-inactive': { asksRealms: true, says: 'The token is not active' },
  'endpoint-failed': { asksRealms: true, says: 'The token cannot be validated now' },
  'endpoint-busy': { asksRealms: true, says: 'The token cannot be validated now' },
  'configuration-broken': { asksRealms: true, says: 'Tokens cannot be validated' },
} as const satisfies Record<string, { readonly asksRealms: boolean; readonly says: string }>;

export type RefusalId = keyof typeof refusals;
