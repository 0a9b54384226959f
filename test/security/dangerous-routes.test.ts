import { expect, it } from 'vitest';
import { open, sessionOf } from '../identity/second-factor/support.ts';
import { newUser } from '../support/cast.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { everyRoute, filled, nameOf } from './roles/routes.ts';

/** Paths of accounts, and of what they come in by. */
const ways = /^\/(?:user|group|secret|scim|configuration\/auth)(?:\/|$)/;

/** Routes of those paths that let nobody in, with the reason. */
const harmless: Readonly<Record<string, string>> = {
  'DELETE /user/:name': 'nobody comes in by an account that is gone',
  'DELETE /user/:name/alias/:alias': 'a name less to come in by',
  'DELETE /user/:name/provisioned': 'an account less that comes in',
  'DELETE /user/:name/key/:key': 'a key less to come in by',
  'PUT /user/:name/second-factor/:factor': 'its name alone',
};

it('routes that change what others could come in by ask for a recent login, or have a reason not to', () => {
  const open = everyRoute.filter(
    ({ path, method, acting, isDangerous }) =>
      ways.test(path) && method !== 'GET' && ['refused', 'partly'].includes(String(acting)) && !isDangerous,
  );
  expect(open.map(nameOf).sort()).toEqual(Object.keys(harmless).sort());
});

it('a token of a stolen session that is old tries each of them: refused before anything else is looked at', async () => {
  const opened = await open({ stepUpSeconds: 600 });
  const cookie = await sessionOf(opened, admin);
  await opened.world.clock.advance(600_000);
  const { body } = await opened.ask('GET /API/token', undefined, { cookie });
  const headers = { authorization: `token ${body.token}`, accept: 'application/json' };
  const dangerous = everyRoute.filter(({ isDangerous }) => isDangerous);
  expect(dangerous.length).toBeGreaterThan(30);
  const before = await opened.world.sequence();
  for (const route of dangerous) {
    const answer = await opened.world.send({ request: `${route.method} /API${filled(route.path)}`, headers });
    const error = answer.headers.get('portico-error');
    expect([nameOf(route), answer.status, error]).toEqual([nameOf(route), 403, 'login-too-old']);
  }
  expect(await opened.world.events(before)).toEqual([]);
});

it('an identity provider, whose token an old session made, still provisions', async () => {
  const opened = await open({ stepUpSeconds: 600 });
  await prepare(opened.world, [newUser(['provider', 'p'], ['_scim'])]);
  const cookie = await sessionOf(opened, admin);
  const { body } = await opened.ask('GET /API/user/provider/token?seconds=86400', undefined, { cookie });
  await opened.world.clock.advance(3_600_000);
  const answer = await opened.world.send({
    request: 'POST /API/scim/v2/Users',
    headers: { authorization: `Bearer ${body.token ?? body}`, accept: 'application/scim+json' },
    body: { userName: 'ann' },
  });
  expect(answer.status).toBe(201);
});
