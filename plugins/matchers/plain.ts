import type { Component } from '../../src/spi/index.ts';
import type { CheckingMatcher } from './checked.ts';
import { sameText } from './same.ts';

export const plainMatcher: Component<CheckingMatcher> = {
  says: 'Compares the password with a stored one that is plain text.',
  create: () => ({
    // An empty stored password means that none was set: it must match nothing.
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
