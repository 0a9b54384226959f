import type { Sent } from './matrix.ts';
import { admin, type Credentials } from './service.ts';

/** People that many suites need: what they may do is all that differs. */

export const alice: Credentials = ['alice', 'password of alice'];
export const reader: Credentials = ['reader', 'password of reader'];
export const editor: Credentials = ['editor', 'password of editor'];

export function newUser([userName, password]: Credentials, groups: readonly string[] = [], more: object = {}): Sent {
  const groupList = { group: groups.map((groupName) => ({ groupName })) };
  return {
    as: admin,
    request: 'POST /API/user?passwordType=raw',
    body: { userName, password, ...(groups.length > 0 ? { groupList } : {}), ...more },
  };
}

export function newGroup(name: string, document: object = {}): Sent {
  return { as: admin, request: `PUT /API/group/${encodeURIComponent(name)}`, body: document };
}

/** Without a role; one who reads users and groups; one who writes groups. */
export const people: readonly Sent[] = [
  newUser(alice),
  newUser(reader, ['_user_read', '_group_read']),
  newUser(editor, ['_group_write']),
];
