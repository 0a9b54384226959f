import { demanding } from './access.ts';
import { isPermitted, parsePermission } from './permission.ts';

/** A map and no object: a method is any word that a client likes, `constructor` among them. */
const actions: ReadonlyMap<string, string> = new Map([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['OPTIONS', 'read'],
  ['TRACE', 'read'],
  ['POST', 'create'],
  ['MKCOL', 'create'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
]);

/** A method without an action is its own: `PATCH` asks for `item:patch`. Preflights never come here. */
export function actionOfMethod(method: string): string {
  return actions.get(method.toUpperCase()) ?? method.toLowerCase();
}

export const rest = demanding({
  says: 'Lets callers pass who have each permission in the brackets for the action of the method: `rest[item]` asks for `item:read`, `item:create` and so on.',
  missing: 'permission-missing',
  demanded: (words, { method }) => words.map((word) => `${word}:${actionOfMethod(method)}`),
  checkWord: parsePermission,
  holds: isPermitted,
});
