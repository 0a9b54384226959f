import { newGroup, newUser } from '../../support/cast.ts';
import type { Sent } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { get, type Rule } from './rule.ts';

/** Users and groups: who may use which route. What the user itself may do besides is in `ownership.test.ts`. */

const send = (request: string, body?: Sent['body']) => () => ({ request, body });

/** Something of its own for each caller, so that nobody finds it gone. */
const own = (who: string) => [newUser([`user-of-${who}`, 'p'], [], { metadata }), newGroup(`group-of-${who}`)];
const metadata = { field: [{ key: 'a/b', value: 'c' }] };

const alias = (who: string): Sent => ({ as: admin, request: `PUT /API/user/plain/alias/alias-of-${who}` });

export const identityRules: readonly Rule[] = [
  { route: 'GET /whoami', needs: 'any caller', request: get('/API/whoami') },
  { route: 'GET /user', needs: '_user_read', request: get('/API/user') },
  { route: 'PUT /user', needs: '_user_read', request: send('PUT /API/user', {}) },
  {
    route: 'POST /user',
    needs: '_administrator',
    request: (who) => ({ request: 'POST /API/user', body: { userName: `made-by-${who}` } }),
  },
  { route: 'GET /user/:name', needs: '_user_read', request: get('/API/user/admin') },
  {
    route: 'PUT /user/:name',
    needs: '_administrator',
    request: send('PUT /API/user/plain', { userName: 'plain', realName: 'changed' }),
  },
  {
    route: 'DELETE /user/:name',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `DELETE /API/user/user-of-${who}?hard=true` }),
  },
  { route: 'PUT /user/:name/enable', needs: '_administrator', request: send('PUT /API/user/admin/enable') },
  { route: 'GET /user/:name/realname', needs: '_user_read', request: get('/API/user/admin/realname') },
  { route: 'PUT /user/:name/realname', needs: '_administrator', request: send('PUT /API/user/admin/realname', 'A') },
  {
    route: 'PUT /user/:name/alias/:alias',
    needs: '_administrator',
    request: (who) => ({ request: `PUT /API/user/admin/alias/chief-of-${who}` }),
  },
  {
    route: 'DELETE /user/:name/alias/:alias',
    needs: '_administrator',
    given: (who) => [alias(who)],
    request: (who) => ({ request: `DELETE /API/user/plain/alias/alias-of-${who}` }),
  },
  { route: 'GET /user/:name/access', needs: '_accesscontrol_read', request: get('/API/user/admin/access') },
  {
    route: 'PUT /user/:name/password',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `PUT /API/user/user-of-${who}/password?type=raw`, body: 'another' }),
  },
  { route: 'GET /user/:name/password/salt', needs: '_administrator', request: get('/API/user/admin/password/salt') },
  {
    route: 'POST /user/:name/password/salt',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `POST /API/user/user-of-${who}/password/salt` }),
  },
  { route: 'GET /user/:name/groups', needs: '_user_read', request: get('/API/user/admin/groups') },
  {
    route: 'PUT /user/:name/groups',
    needs: '_group_write',
    request: send('PUT /API/user/admin/groups', { group: [{ groupName: 'crew' }] }),
  },
  { route: 'GET /user/:name/roles', needs: '_user_read', request: get('/API/user/admin/roles') },
  { route: 'GET /user/:name/allgroups', needs: '_user_read', request: get('/API/user/admin/allgroups') },
  {
    route: 'GET /user/:name/belongstogroup/:group',
    needs: '_user_read',
    request: get('/API/user/admin/belongstogroup/crew'),
  },
  { route: 'GET /user/:name/metadata', needs: '_administrator', request: get('/API/user/admin/metadata') },
  {
    route: 'PUT /user/:name/metadata',
    needs: '_administrator',
    request: send('PUT /API/user/admin/metadata', metadata),
  },
  {
    route: 'DELETE /user/:name/metadata',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `DELETE /API/user/user-of-${who}/metadata` }),
  },
  {
    route: 'GET /user/:name/metadata/:key{.+}',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `GET /API/user/user-of-${who}/metadata/a/b` }),
  },
  {
    route: 'PUT /user/:name/metadata/:key{.+}',
    needs: '_administrator',
    request: send('PUT /API/user/admin/metadata/a/b', 'c'),
  },
  {
    route: 'DELETE /user/:name/metadata/:key{.+}',
    needs: '_administrator',
    given: own,
    request: (who) => ({ request: `DELETE /API/user/user-of-${who}/metadata/a/b` }),
  },
  { route: 'GET /user/:name/graph', needs: '_user_read', request: get('/API/user/admin/graph') },
  { route: 'GET /user/:name/graph/dot', needs: '_user_read', request: get('/API/user/admin/graph/dot') },
  // A picture of everybody would be too large.
  { route: 'GET /user/graph', needs: '_administrator', request: get('/API/user/graph?users=admin&groups=_import') },
  { route: 'GET /user/graph/dot', needs: '_administrator', request: get('/API/user/graph/dot') },

  { route: 'GET /group', needs: '_group_read', request: get('/API/group') },
  { route: 'PUT /group', needs: '_group_read', request: send('PUT /API/group', {}) },
  {
    route: 'DELETE /group',
    needs: '_group_write',
    given: own,
    request: (who) => ({ request: `DELETE /API/group?name=group-of-${who}` }),
  },
  { route: 'GET /group/:name', needs: '_group_read', request: get('/API/group/crew') },
  {
    route: 'PUT /group/:name',
    needs: '_group_write',
    request: send('PUT /API/group/crew', { description: 'changed' }),
  },
  {
    route: 'DELETE /group/:name',
    needs: '_group_write',
    given: own,
    request: (who) => ({ request: `DELETE /API/group/group-of-${who}` }),
  },
  { route: 'GET /group/:name/role', needs: '_group_read', request: get('/API/group/crew/role') },
  { route: 'GET /group/:name/description', needs: '_group_read', request: get('/API/group/crew/description') },
  {
    route: 'PUT /group/:name/description',
    needs: '_group_write',
    request: send('PUT /API/group/crew/description', 'd'),
  },
  { route: 'GET /group/:name/children', needs: '_group_read', request: get('/API/group/crew/children') },
  { route: 'GET /group/:name/parents', needs: '_group_read', request: get('/API/group/crew/parents') },
  { route: 'GET /group/:name/users', needs: '_group_read', request: get('/API/group/crew/users') },
  { route: 'PUT /group/:name/user/:user', needs: '_group_write', request: send('PUT /API/group/crew/user/plain') },
  {
    route: 'DELETE /group/:name/user/:user',
    needs: '_group_write',
    request: send('DELETE /API/group/crew/user/plain'),
  },
  {
    route: 'PUT /group/:name/group/:child',
    needs: '_group_write',
    given: own,
    request: (who) => ({ request: `PUT /API/group/crew/group/group-of-${who}` }),
  },
  {
    route: 'DELETE /group/:name/group/:child',
    needs: '_group_write',
    given: own,
    request: (who) => ({ request: `DELETE /API/group/crew/group/group-of-${who}` }),
  },
  {
    route: 'PUT /group/:name/roles',
    needs: '_group_write',
    given: own,
    request: (who) => ({
      request: `PUT /API/group/group-of-${who}/roles`,
      body: { group: [{ groupName: '_item_read' }] },
    }),
  },
  { route: 'GET /group/:name/metadata', needs: '_group_read', request: get('/API/group/crew/metadata') },
  {
    route: 'PUT /group/:name/metadata',
    needs: '_group_write',
    request: send('PUT /API/group/crew/metadata', metadata),
  },
  { route: 'DELETE /group/:name/metadata', needs: '_group_write', request: send('DELETE /API/group/crew/metadata') },
  {
    route: 'GET /group/:name/metadata/:key{.+}',
    needs: '_group_read',
    given: () => [{ as: admin, request: 'PUT /API/group/crew/metadata/a/b', body: 'c' }],
    request: get('/API/group/crew/metadata/a/b'),
  },
  {
    route: 'PUT /group/:name/metadata/:key{.+}',
    needs: '_group_write',
    request: send('PUT /API/group/crew/metadata/a/b', 'c'),
  },
  {
    route: 'DELETE /group/:name/metadata/:key{.+}',
    needs: '_group_write',
    request: send('DELETE /API/group/crew/metadata/a/b'),
  },
];
