import { afterEach, expect, it } from 'vitest';
import { readSettings } from '../../src/composition/settings.ts';
import { describeMatrix, type Sent } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const poisons = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

const before = Object.getOwnPropertyNames(Object.prototype).sort();

/** The sentinel: whatever a test did, objects are what they were. */
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const post = (body: string): Sent => ({ as: admin, request: 'POST /API/user', body });

const bodies = [
  '{"userName":"a","__proto__":{"polluted":1}}',
  '{"userName":"b","constructor":{"prototype":{"polluted":1}}}',
  '{"userName":"c","metadata":{"__proto__":{"polluted":1},"field":[{"key":"k","value":"v","__proto__":{"polluted":1}}]}}',
  '{"userName":"d","metadata":{"field":[{"key":"__proto__","value":"polluted"},{"key":"constructor.prototype.polluted","value":"1"}]}}',
  '<UserDocument><userName>e</userName><__proto__><polluted>1</polluted></__proto__></UserDocument>',
  '<UserDocument __proto__="polluted" constructor="1"><userName>f</userName></UserDocument>',
];

/** Somewhere, each of these could be looked up in an object that also knows `constructor`. */
const lookups = (poison: string): readonly (readonly [Sent, readonly number[]])[] => [
  [{ as: admin, request: `GET /API/user?${poison}=1&${poison}[polluted]=1` }, [200]],
  [{ as: admin, request: `GET /API/user;${poison}=1` }, [200]],
  [{ as: admin, request: `GET /API/user?disabled=${poison}` }, [400]],
  [{ as: admin, request: `GET /API/user?number=${poison}` }, [400]],
  [{ as: admin, request: `PUT /API/group/crew?clear=${poison}`, body: {} }, [400]],
  [{ as: admin, request: `POST /API/user?passwordType=${poison}`, body: { userName: 'x' } }, [400]],
  [{ as: admin, request: `PUT /API/user?ignoreCase=${poison}`, body: {} }, [400]],
  [{ as: admin, request: 'PUT /API/user', body: { field: [{ name: poison, value: '*' }] } }, [200]],
  [
    { as: admin, request: 'PUT /API/user', body: { sort: [{ field: poison }], operator: { operation: poison } } },
    [400],
  ],
  [{ as: admin, request: 'PUT /API/group', body: { field: [{ name: poison }], sort: [{ field: poison }] } }, [200]],
  [{ as: admin, request: `GET /API/group?role=${poison}` }, [400]],
  [{ as: admin, request: `GET /API/user/admin/metadata/${poison}` }, [404]],
  [{ as: admin, request: `PUT /API/user/admin/metadata/${poison}/${poison}`, body: poison }, [200]],
  [{ as: admin, request: `DELETE /API/user/admin?hard=${poison}` }, [400]],
  [{ as: admin, request: `DELETE /API/user/${poison}?hard=true&priority=${poison}` }, [400, 404]],
  [{ as: admin, request: `PUT /API/user/admin/password?type=${poison}`, body: 'x' }, [400]],
  [{ as: admin, request: `GET /API/user/graph?users=${poison}&groups=${poison}` }, [200]],
  [{ as: admin, request: `GET /API/${poison}` }, [404]],
  [{ as: admin, request: `GET /API/user/${poison}` }, [404]],
  [{ as: admin, request: `GET /API/selftest/${poison}` }, [404]],
  [{ as: admin, request: 'GET /API/version', headers: { accept: poison } }, [406]],
  [{ as: admin, request: 'GET /API/nowhere', headers: { accept: `${poison}, */*;q=0.1` } }, [404]],
  [{ as: admin, request: 'POST /API/user', body: '{}', headers: { 'content-type': poison } }, [415]],
  [{ as: [poison, poison], request: 'GET /API/whoami' }, [401]],
];

describeMatrix('prototype pollution', (entry) => {
  it('by a body changes nothing but what the body is about', async () => {
    const world = await entry.open();
    for (const body of bodies) expect([body, (await world.send(post(body))).status]).toEqual([body, 200]);
    const answer = await world.send({ as: admin, request: 'GET /API/user/d', headers: { accept: 'application/json' } });
    expect(JSON.parse(answer.body).metadata.field).toEqual([
      { key: '__proto__', value: 'polluted' },
      { key: 'constructor.prototype.polluted', value: '1' },
    ]);
  });

  it.each(poisons)('by the word %s where a name is looked up', async (poison) => {
    const world = await entry.open();
    for (const [sent, statuses] of lookups(poison)) {
      expect(statuses, JSON.stringify(sent)).toContain((await world.send(sent)).status);
    }
  });

  it.each(poisons)('by a user and a group of the name %s, who are like any other', async (poison) => {
    const world = await entry.open();
    await prepare(world, [
      {
        as: admin,
        request: 'POST /API/user',
        body: `{"userName":"${poison}","password":"p","alias":["al-${poison}"]}`,
      },
    ]);
    const group = `PUT /API/group/${poison}`;
    const created = await world.send({
      as: admin,
      request: group,
      body: { userList: { user: [{ userName: poison }] } },
    });
    expect(created.status).toBe(poison.startsWith('_') ? 403 : 200);
    const who = await world.send({ as: [poison, 'p'], request: 'GET /API/whoami' });
    expect([who.status, who.body]).toEqual([200, poison]);
  });
});

it.each(poisons)('by the setting %s', (poison) => {
  for (const name of ['MIGRATE', 'LOG_LEVEL', 'PORT']) {
    expect(() => readSettings({ [`PORTICO_${name}`]: poison })).toThrow(`PORTICO_${name}`);
  }
  expect(() => readSettings({}, new Map([[`--${poison}`, '1']]))).toThrow('Expected a known flag');
  expect(readSettings({ [poison]: '1' })).toEqual(readSettings({}));
});
