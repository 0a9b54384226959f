import { fullMetadata, fullText, jsonList } from './bodies.ts';
import { fresh, get, hostileTo, json, type Load } from './load.ts';

const groups = (from: number, more = '') =>
  jsonList('{"group":[', (index) => `{"groupName":"group-${String(from + index).padStart(5, '0')}"${more}}`, ']}');
const users = jsonList('{"user":[', (index) => `{"userName":"user-${String(index + 1).padStart(6, '0')}"}`, ']}');
const aliases = (name: string) => jsonList('[', (index) => `"${name}-${index}"`, ']');
const metadata = fullMetadata(999, 700);

/** Pattern that almost fits again and again. */
const pattern = `*${'a'.repeat(200)}*b*`;
/** As long as a pattern may be. */
const longest = `*${'a'.repeat(252)}b*`;
const heavyKey = `${'a/'.repeat(120)}7`;
/** Wildcards that fit each key of `heavy` in very many ways, and none in the end. */
const wildcards = (method: string, owner: string): readonly Load[] =>
  [`${'*/**/'.repeat(199)}b`, `${`**/${'a/'.repeat(30)}`.repeat(3)}b/**/c`, `${'**/a/'.repeat(119)}b`].map((path) => ({
    title: `${method} wildcards ${path.slice(0, 12)}`,
    request: () => ({ request: `${method} /API/${owner}/heavy/metadata/${path}` }),
  }));
const conditions = (name: string, value: string, count = 100) =>
  jsonList('{"field":[', () => `{"name":"${name}","value":"${value}"}`, ']}', count);

/** Lists in lists up to the most elements that a document may have; the inner ones say nothing here. */
const nested = (list: string) =>
  jsonList(
    '{"group":[',
    (index) => `{"groupName":"g${index}","${list}":{"group":[${'{"groupName":"g"},'.repeat(40)}{"groupName":"g"}]}}`,
    ']}',
  );

const user = (name: string) =>
  `{"userName":"${name}","alias":${aliases(name)},"groupList":${groups(2)},"metadata":${metadata}}`;
const group = `{"parentGroupList":{"group":[{"groupName":"crew"}]},"childGroupList":${groups(1)},"userList":${users},"metadata":${metadata}}`;

const text = (request: string, status: number, body = fullText): Load => ({
  title: `${request}: the longest text`,
  status,
  request: () => ({ request, headers: {}, body }),
});

/** By route, what is costlier than long parameters. */
export const identityLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /user': [get('/user'), get('/user?first=29000'), get('/user?disabled=false&first=26000')],
  'PUT /user': [
    {
      title: 'a hundred conditions',
      request: () => json('PUT /API/user?number=1000', conditions('userName', 'user-0*1*2*b')),
    },
    {
      title: 'a hundred conditions on metadata',
      request: () => json('PUT /API/user', conditions('key-1/part', pattern)),
    },
    {
      title: 'a hundred longest patterns on metadata of one user',
      request: () => json('PUT /API/user', conditions(heavyKey, longest)),
    },
  ],
  'POST /user': [
    ...hostileTo('POST /API/user', 'UserDocument', 'every'),
    {
      title: 'full lists',
      status: 200,
      request: (run) => json('POST /API/user', user(fresh('made', run))),
    },
    {
      title: 'nested lists',
      request: (run) =>
        json('POST /API/user', `{"userName":"${fresh('x', run)}","groupList":${nested('parentGroupList')}}`),
    },
  ],
  'GET /user/:name': [get('/user/rich'), get('/user/heavy')],
  'PUT /user/:name': [
    {
      title: 'full lists',
      status: 200,
      request: (run) => json(`PUT /API/user/user-0${20_000 + run}`, user(fresh('renamed', run))),
    },
  ],
  'PUT /user/:name/realname': [text('PUT /API/user/plain/realname', 200)],
  'DELETE /user/:name/alias/:alias': [
    {
      title: 'one of a thousand',
      status: 200,
      request: (run) => ({ request: `DELETE /API/user/rich/alias/alias-${run + 1}` }),
    },
  ],
  'PUT /user/:name/password': [text('PUT /API/user/plain/password', 400)],
  'GET /user/:name/groups': [get('/user/rich/groups')],
  'PUT /user/:name/groups': [
    {
      title: 'a full list',
      status: 200,
      request: (run) => json(`PUT /API/user/user-0${21_000 + run}/groups?move=true`, groups(2)),
    },
    {
      title: 'all but a few of five thousand groups are left',
      status: 200,
      request: () => json('PUT /API/user/rich/groups?move=true', groups(1)),
    },
    { title: 'nested lists', request: () => json('PUT /API/user/plain/groups', nested('childGroupList')) },
  ],
  'GET /user/:name/roles': [get('/user/rich/roles')],
  'GET /user/:name/allgroups': [get('/user/rich/allgroups')],
  'GET /user/:name/belongstogroup/:group': [get('/user/rich/belongstogroup/crew')],
  'GET /user/:name/metadata': [get('/user/rich/metadata'), get('/user/heavy/metadata')],
  'PUT /user/:name/metadata': [
    {
      title: 'as many pairs as there may be',
      status: 200,
      request: () => json('PUT /API/user/user-022000/metadata', fullMetadata(999)),
    },
    {
      title: '19,000 pairs',
      status: 400,
      request: () => json('PUT /API/user/plain/metadata', fullMetadata(19_000, 1)),
    },
  ],
  'GET /user/:name/metadata/:key{.+}': [get('/user/rich/metadata/key-1/part'), ...wildcards('GET', 'user')],
  'PUT /user/:name/metadata/:key{.+}': [
    text('PUT /API/user/plain/metadata/a/b', 200),
    {
      title: 'pairs below',
      status: 200,
      request: () => json('PUT /API/user/user-022001/metadata/a', fullMetadata(999)),
    },
  ],
  'DELETE /user/:name/metadata/:key{.+}': wildcards('DELETE', 'user'),
  'GET /user/:name/graph': [get('/user/rich/graph', 'more than there may be', 400)],
  'GET /user/graph': [
    get(`/user/graph?users=${list('user', 6, 500)}&groups=${list('group', 5, 300)}`, 'as many as an address names'),
    {
      title: 'a picture',
      request: () => ({
        request: `GET /API/user/graph?users=${list('user', 6, 100)}&groups=${list('group', 5, 50)}`,
        headers: { accept: 'image/png' },
      }),
    },
  ],
  'GET /user/graph/dot': [
    get(`/user/graph/dot?users=${list('user', 6, 300)}&groups=${list('group', 5, 450)}`, 'as many as an address names'),
  ],

  'GET /group': [get('/group'), get('/group?first=9000'), get('/group?role=false&first=9000')],
  'PUT /group': [
    { title: 'a long description', request: () => json('PUT /API/group', conditions('description', pattern, 1)) },
    {
      title: 'a hundred longest patterns on a long description',
      request: () => json('PUT /API/group', conditions('description', longest)),
    },
  ],
  'DELETE /group': [
    {
      title: 'as many as an address names',
      status: 200,
      request: (run) => ({ request: `DELETE /API/group?name=${list('group', 5, 350, 5001 + run * 350)}` }),
    },
  ],
  'GET /group/:name': [get('/group/big'), get('/group/heavy')],
  'PUT /group/:name': [
    { title: 'full lists', status: 200, request: (run) => json(`PUT /API/group/${fresh('made', run)}`, group) },
    {
      title: '30,000 children that are no groups',
      status: 400,
      request: () =>
        json(
          'PUT /API/group/crew',
          jsonList('{"childGroupList":{"group":[', (index) => `{"groupName":"no-${index}"}`, ']}}', 30_000),
        ),
    },
    {
      title: 'a thousand children that are no groups',
      status: 404,
      request: () =>
        json(
          'PUT /API/group/crew',
          jsonList('{"childGroupList":{"group":[', (index) => `{"groupName":"no-${index}"}`, ']}}'),
        ),
    },
    {
      title: 'nested lists',
      request: () => json('PUT /API/group/crew', `{"childGroupList":${nested('childGroupList')}}`),
    },
    {
      title: 'all but a few of twenty thousand members are taken out',
      request: () => json('PUT /API/group/emptied?clear=true', `{"userList":${users}}`),
    },
  ],
  'PUT /group/:name/description': [text('PUT /API/group/crew/description', 200)],
  'GET /group/:name/children': [get('/group/big/children')],
  'GET /group/:name/parents': [get('/group/group-00001/parents')],
  'GET /group/:name/users': [get('/group/big/users')],
  'GET /group/:name/metadata': [get('/group/big/metadata'), get('/group/heavy/metadata')],
  'PUT /group/:name/metadata': [
    {
      title: 'as many pairs as there may be',
      status: 200,
      request: () => json('PUT /API/group/group-00001/metadata', fullMetadata()),
    },
  ],
  'GET /group/:name/metadata/:key{.+}': [get('/group/big/metadata/key-1/part'), ...wildcards('GET', 'group')],
  'PUT /group/:name/metadata/:key{.+}': [text('PUT /API/group/crew/metadata/a/b', 200)],
  'DELETE /group/:name/metadata/:key{.+}': wildcards('DELETE', 'group'),
};

function list(kind: string, width: number, count: number, from = 1): string {
  return Array.from({ length: count }, (_, index) => `${kind}-${String(from + index).padStart(width, '0')}`)
    .join()
    .slice(0, 4_000);
}
