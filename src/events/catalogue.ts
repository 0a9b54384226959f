/**
 * Everything that can happen, with what is said about it. The user who made it happen is kept beside every event.
 * Emitting an event that is not declared here does not compile.
 */
export interface EventCatalogue {
  'user/create': { readonly user: string };
  /** `formerName`: of a user who was renamed. */
  'user/modify': { readonly user: string; readonly changed: readonly UserAspect[]; readonly formerName?: string };
  'user/delete': { readonly user: string };
  'group/create': { readonly group: string };
  'group/modify': {
    readonly group: string;
    readonly mode?: 'ADD' | 'REMOVE';
    readonly affectedGroup?: string;
    readonly affectedUser?: string;
  };
  'group/delete': { readonly group: string };
}

export type UserAspect = 'alias' | 'enabled' | 'metadata' | 'name' | 'password' | 'realName';

export type EventName = keyof EventCatalogue;

/** One event as a value: rules return it, the commit stores it. */
export interface Happening<N extends EventName = EventName> {
  readonly name: N;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: EventCatalogue[N];
}

/** The entity type is the first word of the name. */
export function happened<N extends EventName>(name: N, entityId: string, payload: EventCatalogue[N]): Happening<N> {
  return { name, entityType: name.slice(0, name.indexOf('/')), entityId, payload };
}
