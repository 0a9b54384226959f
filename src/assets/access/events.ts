import { about, emitterOf, firing } from '../../core/events/event-kinds.ts';

/** Payload of access events. Entries grant to a user or to a group. */
type AccessEntry = {
  readonly itemId: string;
  readonly accessId: string;
  readonly permission: string;
  readonly user?: string;
  readonly group?: string;
};

const accessKeys = ['itemId', 'accessId', 'permission', 'user', 'group'] as const;
const ofAccess = (trigger: string) =>
  ({ resource: '/item', says: about('access', trigger), tells: accessKeys }) as const;
const access = { itemId: 'VX-7', accessId: 'VX-31', permission: 'READ' };

export const accessEvents = {
  'access/create': firing<AccessEntry>(ofAccess('CREATE'), { ...access, user: 'ann' }),
  'access/delete': firing<AccessEntry>(ofAccess('DELETE'), { ...access, group: 'editors' }),
  'access/change': firing<AccessEntry>(
    { ...ofAccess('CHANGE'), since: '4.0' },
    { ...access, permission: 'WRITE', group: 'editors' },
  ),
};

export const accessEvent = emitterOf(accessEvents);
