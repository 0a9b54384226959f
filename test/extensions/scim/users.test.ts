import { describe, expect, it } from 'vitest';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { eventsSince, openProvider, patch, type Read, user } from './support.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const filtered = (filter: string) => `GET /Users?filter=${encodeURIComponent(filter)}`;

describeMatrix('users of a provider', ({ open }) => {
  it('are created with what the service has no field for, read, and found by indexes', async () => {
    const at = await openProvider(open);
    const { ask } = at;
    const before = await at.world.sequence();
    const made = await ask('POST /Users', {
      ...user('Ann@example.com', {
        externalId: 'ext-1',
        name: { givenName: 'Ann', familyName: 'Berg' },
        emails: [{ value: 'ann@example.com', type: 'work', primary: 'True' }],
        active: true,
        password: 'is not taken',
        favouriteColour: 'is not known',
      }),
      [enterprise]: { department: 'Sound', manager: 'boss-1' },
    });
    expect([made.status, made.headers.get('content-type')]).toEqual([201, 'application/scim+json']);
    const { id, meta } = made.json;
    expect(made.headers.get('location')).toBe(meta.location);
    expect(meta).toMatchObject({ resourceType: 'User', version: made.headers.get('etag') });
    expect(await eventsSince(at, before)).toEqual(['user/create Ann@example.com']);
    const wanted = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      userName: 'Ann@example.com',
      displayName: 'Ann Berg',
      externalId: 'ext-1',
      active: true,
      name: { givenName: 'Ann', familyName: 'Berg' },
      emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
      [enterprise]: { department: 'Sound', manager: { value: 'boss-1' } },
    };
    expect(made.json).toEqual({ id, meta, ...wanted });
    expect((await ask(`GET /Users/${id}`)).json).toEqual(made.json);
    for (const filter of [
      'userName eq "Ann@example.com"',
      'USERNAME Eq "ann@EXAMPLE.com"',
      'externalId eq "ext-1" and active eq true',
      `id eq "${id}"`,
      '(externalId eq "ext-1") and emails[type eq "work" and value co "@example"]',
    ]) {
      const { json } = await ask(filtered(filter));
      expect([filter, json.totalResults, json.Resources[0]?.id]).toEqual([filter, 1, id]);
    }
    for (const filter of ['userName eq "nobody"', 'externalId eq "EXT-1"', 'externalId eq "ext-1" and active eq false'])
      expect((await ask(filtered(filter))).json).toMatchObject({ totalResults: 0, Resources: [], itemsPerPage: 0 });
    const login = { as: ['Ann@example.com', 'is not taken'] as const, request: 'GET /API/whoami' };
    expect((await at.world.send(login)).status).toBe(401);
  });

  it('refuses what would scan, with the kind of error that the standard has', async () => {
    const { ask } = await openProvider(open);
    for (const filter of [
      'title pr',
      'userName co "a"',
      'userName eq "a" or externalId eq "b"',
      'nothing eq "a"',
      'a b',
      '(',
      'userName eq a',
    ]) {
      const { status, json } = await ask(filtered(filter));
      expect([filter, status, json.scimType, json.status]).toEqual([filter, 400, 'invalidFilter', '400']);
      expect(json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    }
    expect((await ask('GET /Users?sortBy=title')).json.scimType).toBe('invalidValue');
    expect((await ask('GET /Users?sortBy=userName&sortOrder=ascending')).status).toBe(200);
  });

  it('are listed in pages, with the attributes that are asked for', async () => {
    const { ask } = await openProvider(open);
    for (const name of ['u1', 'u2', 'u3'])
      await ask('POST /Users', user(name, { title: 'x', name: { givenName: 'g', familyName: 'f' } }));
    const { json } = await ask('GET /Users?startIndex=3&count=2&attributes=userName,name.givenName');
    expect(json).toMatchObject({ totalResults: 5, startIndex: 3, itemsPerPage: 2 });
    expect(json.Resources.map(({ userName, name, title, id }: Read) => [userName, name, title, typeof id])).toEqual([
      ['u1', { givenName: 'g' }, undefined, 'string'],
      ['u2', { givenName: 'g' }, undefined, 'string'],
    ]);
    const rest = (await ask('GET /Users?startIndex=5&excludedAttributes=title,name.givenName')).json.Resources;
    expect(rest).toMatchObject([{ userName: 'u3', name: { familyName: 'f' } }]);
    expect(Object.keys(rest[0])).not.toContain('title');
    expect((await ask('GET /Users?count=0')).json).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect((await ask('GET /Users?startIndex=-4&count=1')).json).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect((await ask('GET /Users?count=many')).status).toBe(400);
  });

  it('come once: a name that differs in case is taken, too', async () => {
    const { ask } = await openProvider(open);
    await ask('POST /Users', user('ann'));
    const { json: bob } = await ask('POST /Users', user('bob'));
    for (const told of [
      await ask('POST /Users', user('ann')),
      await ask('POST /Users', user('ANN')),
      await ask(`PUT /Users/${bob.id}`, user('Ann')),
    ])
      expect([told.status, told.json.scimType]).toEqual([409, 'uniqueness']);
    expect((await ask('POST /Users', { displayName: 'x' })).json).toMatchObject({
      status: '400',
      scimType: 'invalidValue',
    });
  });

  it('are shut out at once by active false, as each provider sends it', async () => {
    const at = await openProvider(open);
    const { ask, world } = at;
    const { json: made } = await ask('POST /Users', user('ann'));
    const token = (
      await world.send({ as: admin, request: 'GET /API/user/ann/token?seconds=600', headers: { accept: 'text/plain' } })
    ).body;
    const whoami = () => world.send({ request: 'GET /API/whoami', headers: { authorization: `token ${token}` } });
    expect((await whoami()).status).toBe(200);
    const before = await world.sequence();
    for (const [value, active] of [
      [{ op: 'Replace', path: 'active', value: 'False' }, false],
      [{ op: 'replace', value: { active: true } }, true],
      [{ op: 'replace', path: 'active', value: false }, false],
      [{ op: 'Add', path: 'active', value: 'True' }, true],
    ] as const) {
      const told = await ask(`PATCH /Users/${made.id}`, patch(value));
      expect([told.status, told.json.active]).toEqual([200, active]);
    }
    expect((await whoami()).status).toBe(401);
    expect(await eventsSince(at, before)).toEqual(Array.from({ length: 4 }, () => 'user/modify ann enabled'));
  });

  it('are changed by paths and filters as Entra ID sends them', async () => {
    const { ask } = await openProvider(open);
    const { json: made } = await ask(
      'POST /Users',
      user('ann', { emails: [{ value: 'a@x', type: 'home' }], title: 't' }),
    );
    const told = await ask(
      `PATCH /Users/${made.id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@x' },
        { op: 'Add', path: 'name.givenName', value: 'Ann' },
        { op: 'Replace', path: 'displayName', value: 'Ann Berg' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Sound' },
        { op: 'Remove', path: 'title' },
        { op: 'replace', value: { 'name.familyName': 'Berg', [`${enterprise}:costCenter`]: '7', userName: 'ann2' } },
      ),
    );
    expect(told.json).toMatchObject({
      userName: 'ann2',
      displayName: 'Ann Berg',
      name: { givenName: 'Ann', familyName: 'Berg' },
      emails: [
        { value: 'a@x', type: 'home' },
        { value: 'new@x', type: 'work' },
      ],
      [enterprise]: { department: 'Sound', costCenter: '7' },
    });
    expect(told.json).not.toHaveProperty('title');
    const next = await ask(`PATCH /Users/${made.id}`, patch({ op: 'remove', path: 'emails[type eq "home"]' }));
    expect(next.json.emails).toEqual([{ value: 'new@x', type: 'work' }]);
  });

  it.each([
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'shoeSize', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'emails[type sw "w"].value', value: 'x' }, 'noTarget'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[colour eq "x"].value', value: 'x' }, 'invalidFilter'],
  ])('refuses the operation %j as %s, and changes nothing', async (operation, scimType) => {
    const at = await openProvider(open);
    const { json: made } = await at.ask('POST /Users', user('ann'));
    const before = await at.world.sequence();
    const told = await at.ask(
      `PATCH /Users/${made.id}`,
      patch({ op: 'replace', path: 'title', value: 'y' }, operation),
    );
    expect([told.status, told.json.scimType]).toEqual([400, scimType]);
    expect((await at.ask(`GET /Users/${made.id}`)).json).toEqual(made);
    expect(await eventsSince(at, before)).toEqual([]);
  });

  it('change only as the provider knows them, and have a state of their own', async () => {
    const at = await openProvider(open);
    const { json: made, headers } = await at.ask('POST /Users', user('ann'));
    const etag = headers.get('etag')!;
    const place = `/Users/${made.id}`;
    expect((await at.ask(`GET ${place}`, undefined, { 'if-none-match': etag })).status).toBe(304);
    const changed = await at.ask(`PUT ${place}`, user('ann', { title: 'x' }), { 'if-match': etag });
    expect([changed.status, changed.json.meta.version === etag]).toEqual([200, false]);
    for (const told of [
      await at.ask(`PUT ${place}`, user('ann', { title: 'y' }), { 'if-match': etag }),
      await at.ask(`PATCH ${place}`, patch({ op: 'add', path: 'title', value: 'z' }), { 'if-match': etag }),
      await at.ask(`DELETE ${place}`, undefined, { 'if-match': etag }),
    ])
      expect(told.status).toBe(412);
    const before = await at.world.sequence();
    const same = await at.ask(`PUT ${place}`, user('ann', { title: 'x' }));
    expect(same.json).toEqual(changed.json);
    expect(await eventsSince(at, before)).toEqual([]);
    expect((await at.ask(`DELETE ${place}`)).status).toBe(204);
    expect((await at.ask(`GET ${place}`)).json).toMatchObject({ status: '404' });
    expect(await eventsSince(at, before)).toEqual(['user/delete ann']);
    expect(await at.world.service.store.read('SELECT * FROM scim_user')).toEqual([]);
  });
});

describe('bodies', () => {
  it('are JSON of a bounded size', async () => {
    const { world, token, ask } = await openProvider((options) => openWorld('fetch', options));
    const send = (body: string, type: string) =>
      world.send({
        request: 'POST /API/scim/v2/Users',
        headers: { authorization: `Bearer ${token}`, 'content-type': type, accept: 'application/json' },
        body,
      });
    expect((await send('<a/>', 'application/xml')).status).toBe(415);
    expect((await send('{', 'application/json')).status).toBe(400);
    expect((await send('[]', 'application/scim+json')).status).toBe(400);
    expect((await send(`"${'x'.repeat(1_100_000)}"`, 'application/json')).status).toBe(413);
    expect((await ask('POST /Users', user('ann', { title: 'x'.repeat(2000) }))).json.scimType).toBe('invalidValue');
    const many = Array.from({ length: 60 }, (_, at) => ({ value: `${at}` }));
    expect((await ask('POST /Users', user('ann', { emails: many }))).json.scimType).toBe('invalidValue');
  });

  it('do not add up, operation by operation, to more values than an attribute has', async () => {
    const { ask } = await openProvider((options) => openWorld('fetch', options));
    const { id } = (await ask('POST /Users', user('ann'))).json;
    const values = (from: number) => Array.from({ length: 30 }, (_, at) => ({ value: `${from + at}` }));
    const add = (value: unknown) => ({ op: 'add', path: 'emails', value });
    const alike = await ask(`PATCH /Users/${id}`, patch(add(values(0)), add(values(10))));
    expect(alike.json.emails).toHaveLength(40);
    const more = await ask(`PATCH /Users/${id}`, patch(add(values(20)), add(values(30))));
    expect([more.status, more.json.scimType]).toEqual([400, 'invalidValue']);
    const chosen = Array.from({ length: 11 }, (_, at) => ({
      op: 'add',
      path: `emails[type eq "${at}"].value`,
      value: `${at}@example.org`,
    }));
    expect((await ask(`PATCH /Users/${id}`, patch(...chosen))).json.scimType).toBe('invalidValue');
    expect((await ask(`GET /Users/${id}`)).json.emails).toHaveLength(40);
  });
});
