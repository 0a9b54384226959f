import type { Component, CredentialsMatcher, SecretText } from '../../src/spi/index.ts';
import { sameText } from './digests.ts';

/**
 * A matcher that tells beforehand whether it can ever match a stored text. So a damaged hash is a finding at start, and
 * not a login that fails for ever. A realm that knows its passwords at start asks it.
 */
export interface CheckingMatcher extends CredentialsMatcher {
  /** Defect of the stored text, without quoting it. Undefined: none. */
  defect(stored: SecretText): string | undefined;
}

export const plainMatcher: Component<CheckingMatcher> = {
  says: 'Compares the password with a stored one that is plain text.',
  create: () => ({
    // An empty stored password means that none was set: it must match nothing.
    matches: (secret, stored) => stored.reveal() !== '' && sameText(secret.reveal(), stored.reveal()),
    defect: (stored) => (stored.reveal() === '' ? 'it is empty' : undefined),
  }),
};

export const anybodyMatcher: Component<CheckingMatcher> = {
  says: 'Refused: it would accept every password.',
  create() {
    throw new Error('This matcher accepts every password: name one that compares, such as portico.PasswordMatcher');
  },
};
