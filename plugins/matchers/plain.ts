import type { Component } from '../../src/spi/index.ts';
import type { CheckingMatcher } from './checked.ts';
import { sameText } from './same.ts';

export const plainMatcher: Component<CheckingMatcher> = {
  says: 'Compares the password with a stored one that is plain text.',
  create: () => ({
    // An empty stored password is one that nobody set: it must not be everybody's.
    matches: (given, stored) => stored.reveal() !== '' && sameText(given.reveal(), stored.reveal()),
    defect: (stored) => (stored.reveal() === '' ? 'it is empty' : undefined),
  }),
};

export const anybodyMatcher: Component<CheckingMatcher> = {
  says: 'Refused: it would accept every password.',
  create() {
    throw new Error('This matcher accepts every password: name one that compares, such as portico.PasswordMatcher');
  },
};
