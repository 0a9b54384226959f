import { action, emitterOf, event, firing } from '../core/events/event-kinds.ts';

import type { LoginWay } from './tables.ts';

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
  /** Name of the group before it was renamed. */
  readonly formerName?: string;
};

type NewLogin = {
  readonly user: string;
  readonly way: LoginWay;
  readonly realm?: string | undefined;
  readonly device?: string | undefined;
  readonly address?: string | undefined;
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

  /** A login from a device and address block that the user has not had before. The first login of a user is none. */
  'login/new': firing<NewLogin>(
    { resource: '/session', says: action('NEW'), tells: ['user', 'way', 'realm', 'device', 'address'], fact: true },
    { user: 'ann', way: 'password', realm: 'serviceRealm', device: 'Firefox, Windows', address: '203.0.113.7' },
  ),

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

export const identityEvent = emitterOf(identityEvents);
