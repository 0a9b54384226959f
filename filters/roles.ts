import { demanding } from './access.ts';

export const roles = demanding({
  says: 'Lets callers pass who have all the roles in the brackets.',
  missing: 'role-missing',
  demanded: (words) => words,
  checkWord(word) {
    if (word.trim() === '') throw new Error('Expected the name of a role, found an empty one');
  },
  holds: (caller, role) => caller.hasRole(role),
});
