import { together } from '../../../src/core/store/commit-plan.ts';
import { systemActor } from '../../../src/core/store/contract.ts';
import { createUser, planGroup, putNothing } from '../../../src/identity/public.ts';
import { noKeyValues } from '../../../src/room/entities/key-values/store.ts';
import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';
import { get } from './rule.ts';

/** Users and groups of a provider. */

const ids = new Map<string, { readonly user: string; readonly group: string }>();
let last = 0;

const nameOf = (who: string): string => `scim-of-${who}`.slice(0, 60);

async function rowsOf({ service: { store } }: World, who: string): Promise<void> {
  const name = `${nameOf(who)}-${++last}`;
  const user = { name, realName: null, password: null, aliases: [], groups: [], metadata: noKeyValues };
  const by = { administers: true, onlyActs: false };
  const group = await planGroup(store, { command: putNothing(name), expected: 'either', by, now: () => 1 });
  const id = `SCIM-${last}`;
  await store.commit(together(createUser(user, id, 1), group.plan), systemActor);
  ids.set(who, { user: id, group: group.id });
}

const rule = (method: string, kind: 'user' | 'group', body?: (who: string) => object): Rule => {
  const path = kind === 'user' ? '/scim/v2/Users' : '/scim/v2/Groups';
  return {
    route: `${method} ${path}/:${kind}`,
    needs: '_scim',
    rows: rowsOf,
    request: (who) => ({ request: `${method} /API${path}/${ids.get(who)?.[kind]}`, ...(body && { body: body(who) }) }),
  };
};

const provisioned = (method: 'PUT' | 'DELETE'): Rule => ({
  route: `${method} /user/:name/provisioned`,
  needs: '_administrator',
  request: () => ({ request: `${method} /API/user/plain/provisioned` }),
});

const operation = { Operations: [{ op: 'replace', path: 'externalId', value: 'e' }] };

export const scimRules: readonly Rule[] = [
  provisioned('PUT'),
  provisioned('DELETE'),
  {
    route: 'POST /scim/v2/Users',
    needs: '_scim',
    request: (who) => ({ request: 'POST /API/scim/v2/Users', body: { userName: `new-${nameOf(who)}-${++last}` } }),
  },
  rule('GET', 'user'),
  rule('PUT', 'user', (who) => ({ userName: `put-${nameOf(who)}-${++last}` })),
  rule('PATCH', 'user', () => operation),
  rule('DELETE', 'user'),
  {
    route: 'POST /scim/v2/Groups',
    needs: '_scim',
    request: (who) => ({ request: 'POST /API/scim/v2/Groups', body: { displayName: `new-${nameOf(who)}-${++last}` } }),
  },
  rule('GET', 'group'),
  rule('PUT', 'group', () => ({ externalId: 'e' })),
  rule('PATCH', 'group', () => operation),
  rule('DELETE', 'group'),
  { route: 'GET /scim/v2/ResourceTypes/:resource', needs: '_scim', request: get('/API/scim/v2/ResourceTypes/User') },
  {
    route: 'GET /scim/v2/Schemas/:resource',
    needs: '_scim',
    request: get('/API/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'),
  },
];
