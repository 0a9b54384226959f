import { demanding } from './access.ts';
import { isPermitted, parsePermission } from './permission.ts';

export const perms = demanding({
  says: 'Lets callers pass who have all the permissions in the brackets.',
  missing: 'permission-missing',
  demanded: (words) => words,
  checkWord: parsePermission,
  holds: isPermitted,
});
