import { expect, it } from 'vitest';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const by = (request: string): Pick<Scenario, 'as' | 'request'> => ({ as: admin, request });

const rows: readonly Scenario[] = [
  {
    name: 'gives 404 for a path that nothing is at',
    ...by('GET /API/nowhere'),
    status: 404,
    answers: { 'portico-error': 'no-such-path' },
    says: { contains: ['/nowhere'] },
  },
  {
    name: 'names the types of entity that have the rest of a path, and the one that was meant',
    ...by('GET /API/itme/VX-1/metadata'),
    status: 404,
    answers: { 'portico-error': 'no-such-entity-type' },
    says: { contains: ['/itme/VX-1/metadata', '<type>one of item, collection', 'perhaps item'] },
  },
  {
    name: 'tells so to HEAD, as to GET',
    ...by('HEAD /API/itme/VX-1/metadata'),
    status: 404,
    answers: { 'portico-error': 'no-such-entity-type' },
  },
  {
    name: 'names no type for a path that none of them has',
    ...by('PUT /API/itme/VX-1/nothing/at/all'),
    status: 404,
    answers: { 'portico-error': 'no-such-path' },
  },
  {
    name: 'names no type for a type that has other paths',
    ...by('PUT /API/group/staff/shape'),
    status: 404,
    answers: { 'portico-error': 'no-such-path' },
  },
  {
    name: 'gives 401 for it to nobody: what is there is not for everybody to know',
    request: 'GET /API/nowhere',
    status: 401,
  },
  ...['DELETE', 'PUT', 'POST', 'PATCH', 'PROPFIND'].map((method) => ({
    name: `gives 405 with Allow for ${method}`,
    ...by(`${method} /API/whoami`),
    status: 405,
    answers: { allow: 'GET, HEAD, OPTIONS', 'portico-error': 'method-not-allowed' },
    says: { contains: ['Expected one of GET, HEAD, OPTIONS', method] },
  })),
  {
    name: 'names every method of a resource in Allow',
    ...by('DELETE /API/user'),
    status: 405,
    answers: { allow: 'GET, HEAD, OPTIONS, POST, PUT' },
  },
  {
    name: 'names them where the path has parts of its own',
    ...by('POST /API/group/x'),
    status: 405,
    answers: { allow: 'DELETE, GET, HEAD, OPTIONS, PUT' },
  },
  {
    name: 'has no HEAD where there is no GET',
    ...by('GET /APIinit'),
    status: 405,
    answers: { allow: 'OPTIONS, POST' },
  },
  {
    name: 'answers OPTIONS with Allow',
    ...by('OPTIONS /API/user'),
    status: 204,
    answers: { allow: 'GET, HEAD, OPTIONS, POST, PUT' },
    says: { exact: '' },
  },
  { name: 'answers OPTIONS behind the chain of the resource', request: 'OPTIONS /API/user', status: 401 },
  { name: 'answers OPTIONS for no resource with 404', ...by('OPTIONS /API/nowhere'), status: 404 },
  {
    name: 'answers HEAD like GET without the body',
    ...by('HEAD /API/whoami'),
    status: 200,
    answers: { 'content-type': /text\/plain/ },
    says: { exact: '' },
  },
  { name: 'answers HEAD for a refusal without the body', ...by('HEAD /API/nowhere'), status: 404, says: { exact: '' } },
  { name: 'answers HEAD behind the chain of the resource', request: 'HEAD /API/whoami', status: 401 },
  ...['/API/user/', '/API/user//', '/user', '/API/user/?', '/API/user;'].map((target) => ({
    name: `minds no trailing slash: ${target}`,
    ...by(`GET ${target}`),
    headers: { accept: 'application/json' },
    status: 200,
    says: { jsonPart: { hits: 1 } },
  })),
  {
    name: 'reads matrix and query parameters alike',
    ...by('GET /API/user;first=2?number=1'),
    headers: { accept: 'application/json' },
    status: 200,
    says: { json: { hits: 1, user: [] } },
  },
  {
    name: 'reads a plus as a blank in a query, and as a plus in a path',
    ...by('GET /API/user;name=a+b?name=c+d,admin'),
    headers: { accept: 'application/json' },
    status: 200,
    says: { jsonPart: { hits: 1 } },
  },
  {
    name: 'ignores parameters that nobody knows',
    ...by('GET /API/whoami;a=b?c=d&e'),
    status: 200,
    says: { exact: 'admin' },
  },
];

describeMatrix('routing', (entry) => {
  itHolds(entry, rows);

  it('gives each request an id, takes a good one over, and writes one log line with it', async () => {
    const world = await entry.open();
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const id = (await world.send(by('GET /API/nowhere'))).headers.get('x-request-id');
      ids.add(id!);
      expect(world.lines.filter((line) => line['id'] === id)).toMatchObject([
        { event: 'request', method: 'GET', path: '/nowhere', status: 404, user: 'admin' },
      ]);
    }
    expect(ids.size).toBe(3);
    const granted = await world.send({ ...by('GET /API/whoami'), headers: { 'x-request-id': 'theirs' } });
    expect([granted.status, granted.headers.get('x-request-id')]).toEqual([200, 'theirs']);
    expect((await world.send(by('GET /API/whoami'))).headers.get('x-request-id')).toBeNull();
    const refused = await world.send({ request: 'GET /API/whoami', headers: { 'x-request-id': 'mine' } });
    expect(refused.headers.get('x-request-id')).toBe('mine');
    expect(world.lines.at(-1)).toMatchObject({ id: 'mine', status: 401, reason: 'credentials-missing' });
    expect(world.lines.at(-1)).not.toHaveProperty('user');
  });

  it('keeps the id with the events that the request made', async () => {
    const world = await entry.open();
    await world.send({ ...by('PUT /API/group/crew'), headers: { 'x-request-id': 'cause' } });
    const rows = await world.service.store.read(`SELECT request_id, user FROM event WHERE name = 'group/create'`);
    expect(rows).toEqual([['cause', 'admin']]);
  });

  it('refuses a target that is longer than the setting', async () => {
    const world = await entry.open({ settings: { maxTargetLength: 100 } });
    const target = `/API/whoami?x=${'x'.repeat(100)}`;
    expect((await world.send(by(`GET ${target.slice(0, 100)}`))).status).toBe(200);
    const answer = await world.send(by(`GET ${target.slice(0, 101)}`));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([414, 'target-too-long']);
  });
});
