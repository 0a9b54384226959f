import { expect, it } from 'vitest';
import { builtInSecurity } from '../../../src/composition/service.ts';
import type { SecurityInput } from '../../../src/security/ini/security-parts.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix, openWorld, type Sent } from '../../support/matrix.ts';
import { itHolds, playScenario, prepare, type Scenario } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { json, sendWell } from '../../support/ways.ts';

const path = '/API/configuration/auth';
const clerk: Credentials = ['clerk', 'password of clerk'];
const changed = [['configuration/modify', 'auth', { name: 'auth' }]] as const;

const provider = { validationEndpoint: 'https://idp.example.com/userinfo', tokenUser: 'email' };
const federation = {
  federationMetadataURI: 'https://idp.example.com/metadata.xml',
  federationMetadataInterval: 86_400,
  expectedAudience: 'app',
  tokenUser: 'upn',
};

const get: Sent = { as: admin, request: `GET ${path}`, headers: json };
const put = (body: Sent['body'], headers: Record<string, string> = json): Sent => ({
  as: admin,
  request: `PUT ${path}`,
  headers,
  body,
});

const rows: readonly Scenario[] = [
  { name: 'is empty where nothing was said', ...get, status: 200, says: { json: {} } },
  {
    name: 'is empty in XML, too',
    as: admin,
    request: `GET ${path}/`,
    status: 200,
    says: { contains: ['<OAuth2ConfigurationDocument xmlns="urn:portico:schema"></OAuth2ConfigurationDocument>'] },
  },
  {
    name: 'PUT answers what is kept',
    ...put(provider),
    status: 200,
    says: { json: provider },
    events: changed,
  },
  {
    name: 'GET gives what was put',
    given: [put(federation)],
    ...get,
    status: 200,
    says: { json: federation },
  },
  {
    name: 'takes and gives XML, in any namespace',
    ...put(
      '<o:OAuth2ConfigurationDocument xmlns:o="urn:other"><o:validationEndpoint>https://idp.example.com/userinfo</o:validationEndpoint><o:tokenUser>email</o:tokenUser></o:OAuth2ConfigurationDocument>',
      { 'content-type': 'application/xml' },
    ),
    status: 200,
    says: {
      contains: [
        '<OAuth2ConfigurationDocument xmlns="urn:portico:schema"><tokenUser>email</tokenUser><validationEndpoint>https://idp.example.com/userinfo</validationEndpoint>',
      ],
    },
    events: changed,
  },
  {
    name: 'a PUT replaces all that was said before',
    given: [put(federation), put(provider)],
    ...get,
    status: 200,
    says: { json: provider },
  },
  {
    name: 'an element without a text says nothing, as forms send all of them',
    ...put({ ...provider, publicKey: [''], x509Certificate: '', expectedAudience: ' ', federationMetadataURI: null }),
    status: 200,
    says: { json: provider },
    events: changed,
  },
  {
    name: 'takes a number in quotes',
    ...put({ ...federation, federationMetadataInterval: '86400' }),
    status: 200,
    says: { jsonPart: federation },
    events: changed,
  },
  {
    name: 'DELETE takes it away',
    given: [put(provider)],
    as: admin,
    request: `DELETE ${path}`,
    status: 200,
    says: { exact: '' },
    events: changed,
  },
  {
    name: 'refuses no document',
    as: admin,
    request: `PUT ${path}`,
    status: 400,
    answers: { 'portico-error': 'body-missing' },
  },
  {
    name: 'refuses what cannot be read',
    ...put('{"tokenUser":'),
    status: 400,
    answers: { 'portico-error': 'bad-document' },
  },
  ...['GET', 'PUT', 'DELETE'].map((method) => ({
    name: `${method} needs _administrator: _configuration_read is not enough`,
    as: clerk,
    request: `${method} ${path}`,
    ...(method === 'PUT' ? { body: provider } : {}),
    status: 403,
    answers: { 'portico-error': 'role-missing' },
  })),
];

const closedIni: SecurityInput = {
  ...builtInSecurity,
  text: builtInSecurity.text.replace('oauth2Auth.allowConfigUpdate = true', 'oauth2Auth.allowConfigUpdate = false'),
};

const closed = (method: string): Scenario => ({
  name: `allowConfigUpdate = false closes ${method}`,
  as: admin,
  request: `${method} ${path}`,
  ...(method === 'PUT' ? { body: provider } : {}),
  status: 403,
  answers: { 'portico-error': 'not-allowed' },
  says: { contains: ['oauth2Auth.allowConfigUpdate'] },
});

const listed: readonly Scenario[] = [
  {
    name: 'GET /configuration lists the resources by name',
    as: clerk,
    request: 'GET /API/configuration/',
    headers: json,
    status: 200,
    says: { json: { uri: expect.arrayContaining(['auth', 'cors', 'properties']) } },
  },
  {
    name: 'GET /configuration lists them as text, a line each',
    as: clerk,
    request: 'GET /API/configuration',
    headers: { accept: 'text/plain' },
    status: 200,
    says: { contains: ['auth\r\n', 'properties\r\n'] },
  },
  {
    name: 'GET /configuration lists them as XML',
    as: admin,
    request: 'GET /API/configuration',
    status: 200,
    says: { contains: ['<URIListDocument xmlns="urn:portico:schema"><uri>auth</uri>'] },
  },
];

describeMatrix('/configuration', (entry) => {
  const given = [newUser(clerk, ['_configuration_read'])];
  itHolds(entry, [...rows, ...listed], { given });
  itHolds(entry, ['GET', 'PUT', 'DELETE'].map(closed), { security: closedIni });

  it('closes and opens with the file, and what was said stays; others are told of their role first', async () => {
    const world = await entry.open();
    await prepare(world, [...given, put(provider)]);
    expect(await world.service.configure(closedIni)).toMatchObject({ applied: true });
    await playScenario(world, closed('GET'));
    await playScenario(world, { ...closed('GET'), as: clerk, answers: { 'portico-error': 'role-missing' }, says: {} });
    expect(await world.service.configure(builtInSecurity)).toMatchObject({ applied: true });
    expect(JSON.parse((await sendWell(world, get)).body)).toMatchObject(provider);
  });
});

it('is closed where a file has no such filter: nothing would use what is said', async () => {
  const text = [
    '[main]',
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
    'securityManager.realms = $serviceRealm',
    '[urls]',
    '/** = noSessionCreation, tokenAuth[permissive], authcBasic',
  ].join('\n');
  const world = await openWorld('fetch', { security: { text, file: 'security.ini', plugins: [] } });
  await playScenario(world, closed('GET'));
});
