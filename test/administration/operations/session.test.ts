import { expect, it } from 'vitest';
import { fakeTranscoder } from '../../production/transcoding/fake-transcoder.ts';
import { alice, newUser } from '../../support/cast.ts';
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
        site: 'AB',
        version: expect.stringMatching(/^\d/),
        maxUploadBytes: 2 ** 30,
        maxPage: 500,
        transcoder: false,
      },
    ]);
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
