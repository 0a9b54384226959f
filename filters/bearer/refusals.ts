/**
 * Why a token is refused: a stable word for log and metrics, and fixed words for the caller. `others`: it may be one that
 * a realm knows; what is `ours` was signed for us, or vouched for, and nobody else is asked.
 */
export const refusals = {
  'token-too-long': { whose: 'ours', says: 'The token is too long' },
  'token-malformed': { whose: 'others', says: 'The token is malformed' },
  'token-type-wrong': { whose: 'others', says: 'The token is of another type' },
  'algorithm-refused': { whose: 'others', says: 'The algorithm of the token is not accepted' },
  'extension-refused': { whose: 'others', says: 'The token needs an extension that is not known here' },
  'signature-wrong': { whose: 'others', says: 'The signature of the token is not valid' },
  'certificate-not-valid': { whose: 'others', says: 'The certificate of the token is not valid now' },
  'keys-unavailable': { whose: 'others', says: 'The token cannot be verified now' },
  'claims-malformed': { whose: 'ours', says: 'The claims of the token are malformed' },
  'expiry-missing': { whose: 'ours', says: 'The token has no expiry' },
  'token-expired': { whose: 'ours', says: 'The token has expired' },
  'token-not-yet-valid': { whose: 'ours', says: 'The token is not valid yet' },
  'subject-missing': { whose: 'ours', says: 'The token has no subject' },
  'audience-wrong': { whose: 'ours', says: 'The token is for another audience' },
  'user-claim-wrong': { whose: 'ours', says: 'The token names no user' },
  'user-unknown': { whose: 'ours', says: 'The user was not found' },
  'user-disabled': { whose: 'ours', says: 'The user may not log in' },
  'token-inactive': { whose: 'others', says: 'The token is not active' },
  'endpoint-failed': { whose: 'others', says: 'The token cannot be validated now' },
  'endpoint-busy': { whose: 'others', says: 'The token cannot be validated now' },
  'configuration-broken': { whose: 'others', says: 'Tokens cannot be validated' },
} as const satisfies Record<string, { readonly whose: 'ours' | 'others'; readonly says: string }>;

export type RefusalId = keyof typeof refusals;
