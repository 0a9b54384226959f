import { about, emitterOf, event, firing } from '../../core/events/event-kinds.ts';

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

/** Entry for a user on what has no triggers of access. */
type Grant = { readonly type: string; readonly id: string; readonly permission: string; readonly user: string };

export const accessEvents = {
  'access/create': firing<AccessEntry>(ofAccess('CREATE'), { ...access, user: 'ann' }),
  'access/delete': firing<AccessEntry>(ofAccess('DELETE'), { ...access, group: 'editors' }),
  'access/change': firing<AccessEntry>(
    { ...ofAccess('CHANGE'), since: '4.0' },
    { ...access, permission: 'WRITE', group: 'editors' },
  ),
  'access/grant': event<Grant>(),
};

export const accessEvent = emitterOf(accessEvents);
