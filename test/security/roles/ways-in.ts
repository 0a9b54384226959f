import { hash } from 'node:crypto';
import type { World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { get, type Rule } from './rule.ts';

/** A token and an access key of `admin` with names of our own. */
const row = (sql: string) => (world: World, who: string) =>
  world.service.store.commit({ changes: [{ sql, args: [who] }], events: [] }, { user: 'test' });
const tokenOfAdmin =
  row(`INSERT INTO token SELECT 'digest of ' || ?1, ?1, id, 1, NULL, NULL, NULL, NULL, NULL, 'token', 1, 0, 1, 1, 9e15, NULL, 'password', NULL, NULL, NULL, NULL, 0
  FROM user WHERE name = 'admin'`);
const keyOfAdmin = row(`INSERT INTO access_key SELECT ?1, id, NULL, '', 1, 1 FROM user WHERE name = 'admin'`);
/** A login link of `admin`, whose text is made of the name. */
const linkOfAdmin = (world: World, who: string) =>
  row(
    `INSERT INTO token SELECT ?1, ?1, id, 1, NULL, NULL, NULL, NULL, NULL, 'link', 1, 0, 1, 1, 9e15, NULL, 'password', NULL, NULL, NULL, NULL, 0 FROM user WHERE name = 'admin'`,
  )(world, hash('sha256', linkTextOf(who), 'base64url'));
const linkTextOf = (who: string) => who.replace(/[^\w-]/g, '_');
const factorOfAdmin = row(
  `INSERT INTO second_factor SELECT ?1, id, 'TOTP', 'phone', '', NULL, NULL, NULL, 0, 1, NULL FROM user WHERE name = 'admin'`,
);
const property = row(`INSERT INTO property VALUES (?1, '1', 1)`);

/** Rules of credentials, of configuration, and of the audit log. */
export const waysIn: readonly Rule[] = [
  { route: 'GET /ui/:path{.+}', needs: 'nothing', request: get('/ui/item/VX-1') },
  { route: 'GET /token', needs: 'any caller', request: get('/API/token') },
  { route: 'GET /session', needs: 'any caller', request: get('/API/session') },
  { route: 'GET /session/people', needs: 'any caller', request: get('/API/session/people?name=admin') },
  {
    route: 'POST /session',
    needs: 'any caller',
    request: () => ({ request: 'POST /API/session', headers: { host: '127.0.0.1' } }),
  },
  {
    route: 'POST /APInoauth/session',
    needs: 'nothing',
    rows: linkOfAdmin,
    request: (who) => ({
      request: 'POST /APInoauth/session',
      headers: { host: '127.0.0.1', 'content-type': 'text/plain' },
      body: linkTextOf(who),
    }),
  },
  { route: 'GET /APInoauth/login', needs: 'nothing', request: get('/APInoauth/login') },
  // The world of the matrix has no provider.
  {
    route: 'GET /APInoauth/login/:login',
    needs: 'nothing',
    allowed: 404,
    request: get('/APInoauth/login/company'),
  },
  {
    route: 'GET /APInoauth/login/:login/callback',
    needs: 'nothing',
    allowed: 404,
    request: get('/APInoauth/login/company/callback'),
  },
  {
    route: 'POST /APInoauth/login/:login/logout',
    needs: 'nothing',
    allowed: 404,
    request: () => ({
      request: 'POST /APInoauth/login/company/logout',
      headers: { 'content-type': 'text/plain' },
      body: 'logout_token=x',
    }),
  },
  { route: 'GET /user/:name/token', needs: '_administrator', request: get('/API/user/admin/token') },
  {
    route: 'POST /user/:name/link',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/user/admin/link', headers: { accept: 'text/plain' } }),
  },
  { route: 'GET /user/:name/tokens', needs: '_administrator', request: get('/API/user/admin/tokens') },
  {
    route: 'DELETE /user/:name/tokens',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/user/admin/tokens' }),
  },
  {
    route: 'DELETE /user/:name/tokens/:id',
    needs: '_administrator',
    rows: tokenOfAdmin,
    request: (who) => ({ request: `DELETE /API/user/admin/tokens/${who}` }),
  },
  // The passkeys and apps of a person are for sessions of that person, which no caller of these tests has.
  {
    route: 'POST /APInoauth/session/challenge',
    needs: 'nothing',
    request: () => ({ request: 'POST /APInoauth/session/challenge', body: {} }),
  },
  {
    route: 'POST /APInoauth/session/factor',
    needs: 'nothing',
    allowed: 401,
    request: () => ({ request: 'POST /APInoauth/session/factor', headers: { host: '127.0.0.1' }, body: { step: 'x' } }),
  },
  {
    route: 'POST /APInoauth/session/offer',
    needs: 'nothing',
    allowed: 401,
    request: () => ({ request: 'POST /APInoauth/session/offer', body: { step: 'x', kind: 'TOTP' } }),
  },
  {
    route: 'POST /APInoauth/session/enrol',
    needs: 'nothing',
    allowed: 401,
    request: () => ({ request: 'POST /APInoauth/session/enrol', headers: { host: '127.0.0.1' }, body: { step: 'x' } }),
  },
  { route: 'GET /user/:name/second-factor', needs: '_administrator', request: get('/API/user/admin/second-factor') },
  {
    route: 'POST /user/:name/second-factor/offer',
    needs: 'any caller',
    allowed: 403,
    request: () => ({ request: 'POST /API/user/admin/second-factor/offer', body: { kind: 'TOTP' } }),
  },
  {
    route: 'POST /user/:name/second-factor',
    needs: 'any caller',
    allowed: 403,
    request: () => ({ request: 'POST /API/user/admin/second-factor', body: { name: 'phone' } }),
  },
  {
    route: 'POST /user/:name/second-factor/recovery',
    needs: 'any caller',
    allowed: 403,
    request: () => ({ request: 'POST /API/user/admin/second-factor/recovery' }),
  },
  {
    route: 'PUT /user/:name/second-factor/:factor',
    needs: '_administrator',
    rows: factorOfAdmin,
    request: (who) => ({ request: `PUT /API/user/admin/second-factor/${who}`, body: { name: 'tablet' } }),
  },
  {
    route: 'DELETE /user/:name/second-factor/:factor',
    needs: '_administrator',
    rows: factorOfAdmin,
    request: (who) => ({ request: `DELETE /API/user/admin/second-factor/${who}` }),
  },
  {
    route: 'DELETE /user/:name/second-factor',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/user/admin/second-factor' }),
  },
  { route: 'GET /user/:name/mail', needs: '_administrator', request: get('/API/user/admin/mail') },
  {
    route: 'PUT /user/:name/mail',
    needs: '_administrator',
    // No server of mail is there.
    allowed: 403,
    request: () => ({ request: 'PUT /API/user/admin/mail', body: { address: 'admin@example.com' } }),
  },
  {
    route: 'DELETE /user/:name/mail',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/user/admin/mail' }),
  },
  { route: 'GET /user/:name/key', needs: '_administrator', request: get('/API/user/admin/key') },
  {
    route: 'POST /user/:name/key',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/user/admin/key' }),
  },
  {
    route: 'GET /user/:name/key/:key',
    needs: '_administrator',
    rows: keyOfAdmin,
    request: (who) => ({ request: `GET /API/user/admin/key/${who}` }),
  },
  {
    route: 'PUT /user/:name/key/:key',
    needs: '_administrator',
    rows: keyOfAdmin,
    request: (who) => ({ request: `PUT /API/user/admin/key/${who}`, body: { status: 'INACTIVE' } }),
  },
  {
    route: 'DELETE /user/:name/key/:key',
    needs: '_administrator',
    rows: keyOfAdmin,
    request: (who) => ({ request: `DELETE /API/user/admin/key/${who}` }),
  },
  {
    route: 'PUT /user/:name/validate',
    needs: '_runas',
    request: () => ({ request: 'PUT /API/user/admin/validate', body: admin[1] }),
  },
  { route: 'GET /configuration', needs: '_configuration_read', request: get('/API/configuration') },
  { route: 'GET /configuration/auth', needs: '_administrator', request: get('/API/configuration/auth') },
  {
    route: 'PUT /configuration/auth',
    needs: '_administrator',
    request: () => ({
      request: 'PUT /API/configuration/auth',
      body: { validationEndpoint: 'https://idp.example.com' },
    }),
  },
  {
    route: 'DELETE /configuration/auth',
    needs: '_administrator',
    request: () => ({ request: 'DELETE /API/configuration/auth' }),
  },
  {
    route: 'GET /configuration/properties',
    needs: '_configuration_read',
    request: get('/API/configuration/properties'),
  },
  {
    route: 'PUT /configuration/properties',
    needs: '_administrator',
    request: () => ({ request: 'PUT /API/configuration/properties', body: { key: 'a', value: '1' } }),
  },
  {
    route: 'POST /configuration/properties',
    needs: '_administrator',
    request: () => ({ request: 'POST /API/configuration/properties', body: { property: [{ key: 'a', value: '1' }] } }),
  },
  {
    route: 'GET /configuration/properties/:key',
    needs: '_configuration_read',
    rows: property,
    request: (who) => ({ request: `GET /API/configuration/properties/${who}` }),
  },
  {
    route: 'PUT /configuration/properties/:key',
    needs: '_administrator',
    request: (who) => ({ request: `PUT /API/configuration/properties/${who}`, body: '1' }),
  },
  {
    route: 'DELETE /configuration/properties/:key',
    needs: '_administrator',
    rows: property,
    request: (who) => ({ request: `DELETE /API/configuration/properties/${who}` }),
  },
  { route: 'GET /configuration/cors', needs: '_configuration_read', request: get('/API/configuration/cors') },
  {
    route: 'PUT /configuration/cors',
    needs: '_administrator',
    request: () => ({ request: 'PUT /API/configuration/cors', body: { entry: [] } }),
  },
  { route: 'GET /log', needs: '_administrator', request: get('/API/log') },
];
