import { ServiceError } from '../core/lib/errors.ts';
import { after, type Maybe } from '../core/lib/maybe.ts';
import { administrator, provisioner, runnerRole, type Subject } from '../security/subject.ts';
import type { Call } from './call.ts';
import type { Params, Route } from './route.ts';

/**
 * Whether another account acts for the caller's user, by the header RunAs or by a token that was made with it.
 * An administrator who acts for a user keeps the power of an administrator.
 */
export function onlyActs({ subject }: Pick<Call, 'subject'>): Maybe<boolean> {
  const actor = subject?.actor;
  return actor ? after(actor.has(administrator), (administers) => !administers) : false;
}

/** Asks the route for its answer to a caller that only acts. The route's access comes before it. */
export function checkActing(route: Route, call: Call, params: Params): Maybe<void> {
  // The type demands an answer of routes that write; a cast does not get around it.
  const acting = route.acting ?? (route.method === 'GET' || route.method === 'OPTIONS' ? 'allowed' : 'refused');
  if (acting === 'allowed' || acting === 'partly') return undefined;
  return after(onlyActs(call), (only) => {
    if (!only) return undefined;
    if (acting === 'refused') throw outlastsActing();
    return acting(call, params);
  });
}

/** Roles of programs, with the one path below which those have a place who have no other role. */
const confined: ReadonlyMap<string, string> = new Map([
  [provisioner, '/scim'],
  [runnerRole, '/runner'],
]);

/** Path of a program that has no other role. Undefined: a person, or a program with further roles. */
function placeOf(roles: ReadonlySet<string>): string | undefined {
  const [role = ''] = roles;
  return roles.size === 1 ? confined.get(role) : undefined;
}

/** Whether the caller is a program alone, which cannot repeat its login. */
export const isProgram = (subject: Subject): Maybe<boolean> =>
  after(subject.roles(), (roles) => placeOf(roles) !== undefined);

/**
 * Refuses a program that only provisions users, or only does media work, wherever else it comes: what an identity
 * provider or another machine keeps opens nothing more. Who has other roles is no such program.
 */
export function checkConfined({ subject, path }: Pick<Call, 'subject' | 'path'>): Maybe<void> {
  if (!subject) return undefined;
  const check = (roles: ReadonlySet<string>) => {
    const place = placeOf(roles);
    if (place === undefined || path === place || path.startsWith(`${place}/`)) return;
    const explanation = `Expected a path below ${place}: the role ${[...roles].join()} alone is for nothing else`;
    throw new ServiceError('not-allowed', { context: 'path', explanation });
  };
  return after(subject.roles(), (roles) => {
    check(roles);
    return subject.actor && after(subject.actor.roles(), check);
  });
}

export function outlastsActing(
  why = 'what this request writes would last longer than the right to act for a user',
): ServiceError {
  const explanation = `Expected the user in person, or the role ${administrator}: ${why}`;
  return new ServiceError('not-allowed', { context: 'header RunAs', explanation });
}
