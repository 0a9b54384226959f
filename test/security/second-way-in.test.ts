import { expect, it } from 'vitest';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';

/** Dora is known to another realm, and has a user here without a password. */
const security = {
  file: 'security.ini',
  plugins: [],
  text: `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
elsewhere = portico.StaticRealm
elsewhere.users = dora:secret
securityManager.realms = $serviceRealm, $elsewhere
[urls]
/** = noSessionCreation, tokenAuth[permissive], authcBasic
`,
};
const dora: Credentials = ['dora', 'secret'];

describeMatrix('a second way in', (entry) => {
  it('is not made by whom another realm lets in: it would stay when that realm no longer does', async () => {
    const world = await entry.open({ security });
    await prepare(world, [{ as: admin, request: 'PUT /API/user/dora' }]);
    const set = { request: 'PUT /API/user/dora/password', body: 'of her own' };
    const refused = await world.send({ ...set, as: dora });
    expect([refused.status, refused.headers.get('portico-error')]).toEqual([403, 'not-allowed']);
    expect((await world.send({ as: ['dora', 'of her own'], request: 'GET /API/whoami' })).status).toBe(401);
    expect((await world.send({ ...set, as: admin })).status).toBe(200);
    expect((await world.send({ as: ['dora', 'of her own'], request: 'GET /API/whoami' })).status).toBe(200);
  });
});
