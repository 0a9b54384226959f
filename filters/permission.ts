import { demanding } from './access.ts';

/** `item:read,write:VX-1`: parts with colons between, each a set of members with commas between; `*` stands for all. */
type Permission = readonly ReadonlySet<string>[];

/** Case does not matter. Throws a sentence for a text that would grant or ask for nothing. */
export function parsePermission(text: string): Permission {
  const plain = text.trim().toLowerCase();
  if (plain === '') throw new Error('Expected a permission such as `item:read`, found an empty one');
  const parts = split(plain, ':').map((part) => split(part, ','));
  if (parts.length === 0 || parts.some((members) => members.length === 0)) {
    throw new Error(`Expected a permission such as \`item:read\`, found a part that has only dividers in "${text}"`);
  }
  return parts.map((members) => new Set(members));
}

/** Whether the granted permission implies the asked one: missing granted parts cover everything, missing asked ones do not. */
export function implies(granted: Permission, required: Permission): boolean {
  return granted.every((members, index) => members.has('*') || contains(members, required[index]));
}

/** Whether one part is granted: all requested members, or no restriction. */
function contains(members: ReadonlySet<string>, required: ReadonlySet<string> | undefined): boolean {
  return required !== undefined && [...required].every((member) => members.has(member));
}

/** Drops empty pieces at the end and keeps those before: `a::b` has a member with an empty name, `a:` is `a`. */
function split(text: string, divider: string): string[] {
  if (text === '') return [''];
  const pieces = text.split(divider);
  while (pieces.at(-1) === '') pieces.pop();
  return pieces;
}

/** Parsed forms are kept, because the same few are compared on request after request. */
const parsed = new Map<string, Permission | undefined>();
const max = 10_000;

/** Whether one of the caller's permissions covers this one. A text that is no permission grants nothing. */
export function isPermitted(caller: { readonly permissions: readonly string[] }, permission: string): boolean {
  const wanted = known(permission);
  return wanted !== undefined && caller.permissions.some((text) => grants(known(text), wanted));
}

const grants = (granted: Permission | undefined, required: Permission): boolean =>
  granted !== undefined && implies(granted, required);

function known(text: string): Permission | undefined {
  if (parsed.has(text)) return parsed.get(text);
  let permission: Permission | undefined;
  try {
    permission = parsePermission(text);
  } catch {
    permission = undefined;
  }
  if (parsed.size >= max) parsed.clear();
  parsed.set(text, permission);
  return permission;
}

export const perms = demanding({
  says: 'Lets callers pass who have all the permissions in the brackets.',
  missing: 'permission-missing',
  demanded: (words) => words,
  checkWord: parsePermission,
  holds: isPermitted,
});

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
