import { expect, it } from 'vitest';
import { switchUser } from '../../src/identity/users/rules.ts';
import { findUser } from '../../src/identity/users/store.ts';
import { alice, newGroup, newUser, people, reader } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin, type TestService } from '../support/service.ts';

const acceptJson = { accept: 'application/json' };

const rows: readonly Scenario[] = [
  {
    name: 'shows a user to the user itself',
    as: alice,
    request: 'GET /API/user/alice',
    headers: acceptJson,
    status: 200,
    says: { jsonPart: { userName: 'alice', origin: 'VX' }, lacks: ['password', 'scrypt', 'disabled'] },
  },
  {
    name: 'shows a user as XML in the namespace of the settings to a caller who wishes for nothing',
    as: alice,
    request: 'GET /API/user/alice',
    status: 200,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
    says: { contains: ['<UserDocument xmlns="urn:portico:schema">', '<userName>alice</userName>'] },
  },
  {
    name: 'shows others to a caller with _user_read',
    as: reader,
    request: 'GET /API/user/alice',
    headers: acceptJson,
    status: 200,
    says: { jsonPart: { userName: 'alice' } },
  },
  { name: 'does not show others without it', as: alice, request: 'GET /API/user/reader', status: 403 },
  {
    name: 'does not tell who exists without it',
    as: alice,
    request: 'GET /API/user/nobody',
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  },
  {
    name: 'says that there is no such user to callers who may know',
    as: reader,
    request: 'GET /API/user/nobody',
    headers: acceptJson,
    status: 404,
    says: { jsonPart: { notFound: { type: 'User', id: 'nobody' } } },
  },
  {
    name: 'finds a user by an alias',
    given: [newUser(['bob', 'p'], [], { alias: ['bobby'] })],
    as: reader,
    request: 'GET /API/user/bobby',
    headers: acceptJson,
    status: 200,
    says: { jsonPart: { userName: 'bob', alias: ['bobby'] } },
  },
  {
    name: 'finds a user whose name is not plain ASCII',
    given: [newUser(['Jörg Ünlü @ home', 'p'])],
    as: reader,
    request: 'GET /API/user/J%C3%B6rg%20%C3%9Cnl%C3%BC%20@%20home',
    headers: acceptJson,
    status: 200,
    says: { jsonPart: { userName: 'Jörg Ünlü @ home' } },
  },
  { name: 'keeps the list for callers with _user_read', as: alice, request: 'GET /API/user', status: 403 },
];

describeMatrix('GET /user/{name}', (entry) => itHolds(entry, rows, { given: people }));

/** Query, hits, and the names on the page. In the database: admin, alice, editor, off (disabled), reader. */
const pages: readonly (readonly [string, number, string])[] = [
  ['', 5, 'admin alice editor off reader'],
  ['?first=2', 5, 'alice editor off reader'],
  ['?number=2', 5, 'admin alice'],
  ['?first=2&number=2', 5, 'alice editor'],
  [';first=2;number=2', 5, 'alice editor'],
  [';first=4?number=1', 5, 'off'],
  ['/?first=6', 5, ''],
  ['?number=0', 5, ''],
  ['?first=&number=', 5, 'admin alice editor off reader'],
  ['?name=alice,nobody,off', 2, 'alice off'],
  ['?name=alice&name=off', 2, 'alice off'],
  ['?name=alice,off&first=2', 2, 'off'],
  ['?disabled=true', 1, 'off'],
  ['?disabled=false', 4, 'admin alice editor reader'],
  ['?disabled=all', 5, 'admin alice editor off reader'],
  ['?disabled=FALSE&number=1&first=4', 4, 'reader'],
  ['?name=alice,off&disabled=true', 1, 'off'],
];

const badPages = ['?first=-1', '?first=x', '?first=1.5', '?number=-1', '?disabled=maybe', '?first=1e3'];

async function withDisabled(world: TestService): Promise<void> {
  const { store } = world.service;
  const off = await findUser(store, { name: 'off' });
  await store.commit(switchUser(off!, false), { user: 'test' });
}

describeMatrix('GET /user', (entry) => {
  it('lists by name, page by page, and says how many there are in all', async () => {
    const world = await entry.open();
    await prepare(world, [...people, newUser(['off', 'p'])]);
    await withDisabled(world);
    for (const [query, hits, names] of pages) {
      const answer = await world.send({ as: admin, request: `GET /API/user${query}`, headers: acceptJson });
      const list = JSON.parse(answer.body) as { hits: number; user: { userName: string; disabled?: boolean }[] };
      expect([query, list.hits, list.user.map((user) => user.userName).join(' ')]).toEqual([query, hits, names]);
      for (const user of list.user) expect(user.disabled).toBe(user.userName === 'off' ? true : undefined);
    }
    for (const query of badPages) {
      const answer = await world.send({ as: admin, request: `GET /API/user${query}`, headers: acceptJson });
      expect([query, answer.status, answer.headers.get('portico-error')]).toEqual([query, 400, 'bad-parameter']);
    }
  });
});

describeMatrix('maxPage', (entry) => {
  it('bounds a page, and not the hits', async () => {
    const world = await entry.open({ settings: { maxPage: 2 } });
    await prepare(world, [newGroup('crew'), ...people]);
    for (const query of ['', '?number=100']) {
      const answer = await world.send({ as: admin, request: `GET /API/user${query}`, headers: acceptJson });
      expect(JSON.parse(answer.body)).toMatchObject({ hits: 4, user: [{ userName: 'admin' }, { userName: 'alice' }] });
      expect(JSON.parse(answer.body).user).toHaveLength(2);
    }
  });
});
