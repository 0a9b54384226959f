import { expect, it } from 'vitest';
import type { SessionPeopleDocument } from '../../../src/types.ts';
import { fakeTranscoder } from '../../production/transcoding/fake-transcoder.ts';
import { alice, editor, newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { browserAt, logIn, ofPage } from '../../support/ways.ts';

const json = { accept: 'application/json' };

describeMatrix('GET /session', (entry) => {
  it('tells a page who the caller is, with all roles, and the limits of the service', async () => {
    const world = await entry.open({ settings: { site: 'AB', maxTransferBytes: 2 ** 30, maxPage: 500 } });
    await prepare(world, [newUser(alice, ['_item_read'], { realName: 'Alice B' })]);
    const { status, body } = await world.send({ as: alice, request: 'GET /API/session', headers: json });
    expect([status, JSON.parse(body)]).toEqual([
      200,
      {
        userName: 'alice',
        realName: 'Alice B',
        role: ['_item_read'],
        secondFactor: false,
        password: true,
        site: 'AB',
        version: expect.stringMatching(/^\d/),
        maxUploadBytes: 2 ** 30,
        maxPage: 500,
        sortsNames: true,
        transcoder: false,
        lacks: ['storage'],
      },
    ]);
  });

  it('tells administrators what is lacking: a storage that takes files, who sees new items, a transcoder, a second user, a backup', async () => {
    const world = await entry.open();
    const lacks = async () => {
      const { body } = await world.send({ as: admin, request: 'GET /API/session', headers: json });
      const session = JSON.parse(body);
      return [session.accessDecided, ...session.lacks];
    };
    expect(await lacks()).toEqual([false, 'storage', 'transcoder', 'user', 'backup']);
    await prepare(world, [newUser(alice)]);
    await world.service.rooms.operations.noteBackup();
    expect(await lacks()).toEqual([false, 'storage', 'transcoder']);
    // An access entry answers the question, and so does the decision that nobody sees new items.
    const crew = '/API/import/access/default/group/_user?permission=READ';
    await prepare(world, [{ as: admin, request: `PUT ${crew}` }]);
    expect(await lacks()).toEqual([true, 'storage', 'transcoder']);
    await prepare(world, [{ as: admin, request: `DELETE ${crew}` }]);
    expect(await lacks()).toEqual([false, 'storage', 'transcoder']);
    const decided = 'PUT /API/configuration/properties/newItemsDecided';
    await prepare(world, [{ as: admin, request: decided, body: 'true' }]);
    expect(await lacks()).toEqual([true, 'storage', 'transcoder']);
    const seen = await world.send({ as: admin, request: 'GET /API/configuration/properties/lastBackup' });
    expect(seen.body).toMatch(/\d{4}-\d\d-\d\dT/);
  });

  it('tells the roles that the role of administrators implies, and who acts', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const asAdmin = await world.send({ as: admin, request: 'GET /API/session', headers: json });
    const all = JSON.parse(asAdmin.body).role as string[];
    expect(all).toEqual(expect.arrayContaining(['_administrator', '_item_read', '_storage_write']));
    const acting = await world.send({ as: admin, request: 'GET /API/session', headers: { ...json, runas: 'alice' } });
    expect(JSON.parse(acting.body)).toMatchObject({ userName: 'alice', actor: 'admin' });
  });

  it('tells of a transcoder where one works, not where it is only known, and of the tag of films for the web', async () => {
    const fake = fakeTranscoder();
    fake.missing = 'install something';
    const world = await entry.open({ transcoders: [fake] });
    const told = async () => {
      const { body } = await world.send({ as: admin, request: 'GET /API/session', headers: json });
      const { transcoder, webTag } = JSON.parse(body);
      return [transcoder, webTag];
    };
    expect(await told()).toEqual([false, undefined]);
    fake.missing = undefined;
    expect(await told()).toEqual([true, undefined]);
    await world.send({ as: admin, request: 'PUT /APIinit/preset-templates' });
    expect(await told()).toEqual([true, '__mp4']);
    fake.missing = 'install something';
    expect(await told()).toEqual([false, undefined]);
  });

  it('is answered to the cookie of a session', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const browser = browserAt(world);
    const cookie = await logIn(browser, alice);
    const answer = await browser({ request: 'GET /API/session', cookie, headers: { ...ofPage, ...json } });
    expect(await answer.json()).toMatchObject({ userName: 'alice' });
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });
});

describeMatrix('GET /session/people', (entry) => {
  /** Somebody who has left, somebody who has not, and a caller with some roles. */
  async function openPeople(...roles: readonly string[]) {
    const world = await entry.open();
    await prepare(world, [
      newUser(alice, [], { realName: 'Alice B' }),
      newUser(['cleo', 'p'], [], { realName: 'Cleo D' }),
      { as: admin, request: 'DELETE /API/user/cleo' },
      newUser(editor, [...roles], { realName: 'Eddy' }),
    ]);
    return async (query: string) => {
      const { status, body } = await world.send({
        as: editor,
        request: `GET /API/session/people${query}`,
        headers: json,
      });
      return [status, (JSON.parse(body) as SessionPeopleDocument).person?.map((each) => each.realName)];
    };
  }

  it('gives the real names of the named users to those who may read users, and nothing of users without one', async () => {
    const ask = await openPeople('_user_read');
    expect(await ask('?name=alice,cleo,nobody')).toEqual([200, ['Alice B', 'Cleo D']]);
    expect(await ask('')).toEqual([200, undefined]);
  });

  it.each(['_item_read', '_job_read'])('gives those of enabled users to a reader with %s', async (role) => {
    const ask = await openPeople(role);
    expect(await ask('?name=alice,cleo,editor')).toEqual([200, ['Alice B', 'Eddy']]);
  });

  it('a user without roles guesses names of users, also of disabled ones: the answer has the own name alone', async () => {
    const ask = await openPeople();
    expect(await ask('?name=alice,cleo,editor')).toEqual([200, ['Eddy']]);
    expect(await ask('?name=alice,cleo')).toEqual([200, []]);
  });

  it('takes at most 100 names', async () => {
    const world = await entry.open();
    const names = Array.from({ length: 101 }, (_, index) => `user${index}`).join();
    const { status, body } = await world.send({ as: admin, request: `GET /API/session/people?name=${names}` });
    expect([status, body]).toEqual([400, expect.stringContaining('Expected at most 100 user names: 101')]);
  });
});
