import { action, emitterOf, event, firing } from '../core/events/event-kinds.ts';

export type UserAspect =
  | 'accessKey'
  | 'alias'
  | 'enabled'
  | 'metadata'
  | 'name'
  | 'password'
  | 'realName'
  | 'recoveryCode'
  | 'runAs'
  | 'secondFactor'
  | 'token';

type GroupChange = {
  readonly group: string;
  readonly mode?: 'ADD' | 'REMOVE';
  readonly affectedGroup?: string;
  readonly affectedUser?: string;
};

const creator = { key: 'username', actor: true } as const;

export const identityEvents = {
  'user/create': event<{ readonly user: string }>(),
  /** `formerName`: of a user who was renamed. */
  'user/modify': event<{
    readonly user: string;
    readonly changed: readonly UserAspect[];
    readonly formerName?: string;
  }>(),
  'user/delete': event<{ readonly user: string }>(),

  'group/create': firing<{ readonly group: string }>(
    { resource: '/group', says: action('CREATE'), tells: ['group', creator] },
    { group: 'editors' },
  ),
  'group/delete': firing<{ readonly group: string }>(
    { resource: '/group', says: action('DELETE'), tells: ['group', creator] },
    { group: 'editors' },
  ),
  'group/modify': firing<GroupChange>(
    {
      resource: '/group',
      says: action('MODIFY'),
      tells: ['group', creator, 'mode', 'affectedGroup', 'affectedUser'],
    },
    { group: 'editors', mode: 'ADD', affectedUser: 'ann' },
  ),
};

export const happened = emitterOf(identityEvents);
