import { expect, it } from 'vitest';
import { alice, newUser } from '../../support/cast.ts';
import { startOfTime } from '../../support/clock.ts';
import { audience, certificateOf, claims, pair, signed, spki } from '../../support/keys.ts';
import { describeMatrix, type Sent } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { bearerIni, toldOf } from '../../support/ways.ts';

const key = (name: string): string => spki(pair(name)).toString('base64');
const base = { expectedAudience: audience, tokenUser: 'user' };
const put = (body: object): Sent => ({ as: admin, request: 'PUT /API/configuration/auth', body });
const token = (name: string): string => signed(pair(name), claims());
const expired = certificateOf(pair('RSA'), { from: new Date(0), until: new Date(startOfTime - 1000) }).toString(
  'base64',
);

const refused: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'a mixture',
    { ...base, publicKey: [key('P-256')], validationEndpoint: 'https://idp.example/' },
    ['/publicKey', 'publicKey, validationEndpoint'],
  ],
  ['keys without an audience', { publicKey: [key('P-256')] }, ['/expectedAudience', 'beside publicKey']],
  [
    'a certificate that has expired',
    { ...base, x509Certificate: [expired] },
    ['/x509Certificate', 'expired on 2029-12-31T23:59:59.999Z'],
  ],
  ['no key', { ...base, publicKey: ['AAAA'] }, ['/publicKey', '(publicKey 1)']],
  ['an address over plain text', { validationEndpoint: 'http://idp.example/' }, ['/validationEndpoint', 'https://']],
  ['nothing', {}, ['none of them']],
];

describeMatrix('PUT /configuration/auth', (entry) => {
  const rows = refused.map(
    ([what, body, contains]): Scenario => ({
      ...put(body),
      name: `refuses ${what}, naming the element`,
      status: 400,
      says: { contains },
    }),
  );
  itHolds(entry, rows);

  it('counts for the next token, and its DELETE too', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    expect(await toldOf(world, token('P-256'))).toBe('401 no-realm');
    await prepare(world, [put({ ...base, publicKey: [key('P-256')] })]);
    expect(await toldOf(world, token('P-256'))).toBe('200 alice');
    await prepare(world, [put({ ...base, publicKey: [key('RSA')] })]);
    expect(await toldOf(world, token('P-256'))).toBe('401 signature-wrong');
    expect(await toldOf(world, token('RSA'))).toBe('200 alice');
    await prepare(world, [{ as: admin, request: 'DELETE /API/configuration/auth' }]);
    expect(await toldOf(world, token('RSA'))).toBe('401 no-realm');
  });

  it('takes the place of security.ini, whole, where that allows it', async () => {
    const statements = [
      `oauth2Auth.publicKey = ${key('P-256')}`,
      `oauth2Auth.expectedAudience = ${audience}`,
      'oauth2Auth.tokenUser = user',
    ];
    const world = await entry.open({ security: bearerIni(statements) });
    await prepare(world, [newUser(alice), put({ ...base, publicKey: [key('RSA')] })]);
    expect([await toldOf(world, token('P-256')), await toldOf(world, token('RSA'))]).toEqual([
      '401 signature-wrong',
      '200 alice',
    ]);
    const closed = bearerIni(statements);
    const text = closed.text.replace('allowConfigUpdate = true', 'allowConfigUpdate = false');
    expect((await world.service.configure({ ...closed, text })).applied).toBe(true);
    expect([await toldOf(world, token('P-256')), await toldOf(world, token('RSA'))]).toEqual([
      '200 alice',
      '401 signature-wrong',
    ]);
    expect((await world.send(put({ ...base, publicKey: [key('RSA')] }))).status).toBe(403);
  });
});
