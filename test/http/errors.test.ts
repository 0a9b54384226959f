import { expect, it } from 'vitest';
import { faults } from '../../src/core/lib/errors.ts';
import { scrypt } from '../../src/entry/crypto.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin, fastScrypt } from '../support/service.ts';

const nobody = { as: admin, request: 'GET /API/user/nobody' } as const;
const told = (accept: string) => ({ headers: { accept } });

const rows: readonly Scenario[] = [
  {
    name: 'as XML is an ExceptionDocument with one child',
    ...nobody,
    ...told('application/xml'),
    status: 404,
    answers: { 'content-type': 'application/xml; charset=UTF-8', 'portico-error': 'no-such-entity' },
    says: {
      exact:
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
        '<ExceptionDocument xmlns="urn:portico:schema"><notFound><type>User</type><id>nobody</id></notFound></ExceptionDocument>',
    },
  },
  {
    name: 'as JSON has all nine keys in their order, null where unused',
    ...nobody,
    ...told('application/json'),
    status: 404,
    answers: { 'content-type': 'application/json' },
    says: {
      exact:
        '{"notFound":{"type":"User","id":"nobody","context":null},"internalServer":null,"forbidden":null,"notYetImplemented":null,' +
        '"conflict":null,"invalidInput":null,"licenseFault":null,"fileAlreadyExists":null,"notAuthorized":null}',
    },
  },
  {
    name: 'as text has a sentence and labelled lines that end in CRLF',
    ...nobody,
    ...told('text/plain, application/xml;q=0.1'),
    status: 404,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: '404 A resource could not be found\r\nType: User\r\nID: nobody\r\n' },
  },
  {
    name: 'as text says context, reason and value of bad input',
    as: admin,
    request: 'GET /API/user?first=x',
    ...told('text/plain, application/xml;q=0.1'),
    status: 400,
    says: {
      exact:
        '400 An invalid parameter was entered\r\nContext: parameter\r\nID: first\r\n' +
        'Reason: Expected a whole number of at least 0\r\nValue: x\r\n',
    },
  },
  {
    name: 'as a problem of RFC 9457 has the members of that and of the error document',
    ...nobody,
    headers: { accept: 'application/json, application/problem+json', 'x-request-id': 'my-request' },
    status: 404,
    answers: { 'content-type': 'application/problem+json', 'portico-error': 'no-such-entity' },
    says: {
      exact:
        '{"type":"urn:portico:error:no-such-entity","title":"No entity has this name or id.","status":404,' +
        '"instance":"urn:portico:request:my-request","notFound":{"type":"User","id":"nobody","context":null}}',
    },
  },
  {
    name: 'as a problem in XML has the namespace of the RFC',
    as: admin,
    request: 'GET /API/user?first=x',
    headers: { accept: 'application/xml;q=0.5, application/problem+xml', 'x-request-id': 'my-request' },
    status: 400,
    answers: { 'content-type': 'application/problem+xml', 'portico-error': 'bad-parameter' },
    says: {
      exact:
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><problem xmlns="urn:ietf:rfc:7807">' +
        '<type>urn:portico:error:bad-parameter</type>' +
        '<title>A parameter has a value that the route does not accept.</title><status>400</status>' +
        '<detail>Expected a whole number of at least 0</detail><instance>urn:portico:request:my-request</instance>' +
        '<invalidInput><context>parameter</context><id>first</id>' +
        '<explanation>Expected a whole number of at least 0</explanation><value>x</value></invalidInput></problem>',
    },
  },
  {
    name: 'is a problem to a caller who accepts nothing else, although documents are none',
    as: admin,
    request: 'GET /API/user',
    ...told('application/problem+json'),
    status: 406,
    answers: { 'content-type': 'application/problem+json' },
    says: { contains: ['urn:portico:error:not-acceptable'] },
  },
  {
    name: 'is XML to a caller who accepts nothing that there is',
    as: admin,
    request: 'GET /API/nowhere',
    ...told('image/png'),
    status: 404,
    answers: { 'content-type': 'application/xml; charset=UTF-8' },
  },
  {
    name: 'of a text resource is text to a caller who wishes for nothing',
    as: admin,
    request: 'GET /API/whoami',
    ...told('image/png'),
    status: 406,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
  },
  {
    name: 'quotes a value in any form without breaking the form',
    as: admin,
    request: `GET /API/user?first=${encodeURIComponent('<a href="&">\u0001')}`,
    ...told('application/xml'),
    status: 400,
    says: { contains: ['&lt;a href='], lacks: ['<a href', '\u0001'] },
  },
  {
    name: 'quotes no more than eighty characters',
    as: admin,
    request: `GET /API/user?first=${'x'.repeat(500)}`,
    status: 400,
    says: { contains: ['x'.repeat(80)], lacks: ['x'.repeat(81)] },
  },
  {
    name: 'names the namespace of the settings',
    ...nobody,
    ...told('application/xml'),
    status: 404,
    says: { contains: ['xmlns="urn:portico:schema"'] },
  },
];

describeMatrix('a refusal', (entry) => {
  itHolds(entry, rows);

  it('is a 500 without any detail when something inside breaks, and the log has the detail under its id', async () => {
    const { compute } = fastScrypt();
    const world = await entry.open({
      realScrypt: (password, ...rest) =>
        password === 'explode' ? Promise.reject(new Error('wires crossed')) : compute(password, ...rest),
    });
    world.expectErrors('request-failed');
    for (const accept of [
      'application/json',
      'application/xml',
      'text/plain, */*;q=0.1',
      'application/json, application/problem+json',
      'application/xml, application/problem+xml',
    ]) {
      const answer = await world.send({
        as: admin,
        request: 'POST /API/user',
        headers: { accept, 'x-request-id': 'incident-1' },
        body: { userName: 'bob', password: 'explode' },
      });
      expect([answer.status, answer.headers.get('portico-error')]).toEqual([500, 'internal']);
      expect(answer.body).toContain('incident-1');
      for (const text of ['wires', 'crossed', 'at ', '.ts', 'Error']) {
        expect(answer.body.replace('internalServer', '')).not.toContain(` ${text}`);
      }
      expect(answer.body).not.toMatch(/wires|\.ts|node_modules|stack/);
    }
    const line = world.lines.find(({ event }) => event === 'request-failed');
    expect(line).toMatchObject({ level: 'error', id: 'incident-1', path: '/user', error: 'wires crossed' });
    expect(String(line?.['stack'])).toContain('Error: wires crossed');
    expect(await world.events()).toHaveLength(2);
  });

  it('is a 500 without SQL when the database is not what the program thinks', async () => {
    const world = await entry.open();
    world.expectErrors('request-failed');
    await world.service.store.commit(
      { changes: [{ sql: 'DROP TABLE key_value', args: [] }], events: [] },
      { user: 't' },
    );
    const answer = await world.send({
      as: admin,
      request: 'GET /API/user/admin',
      headers: { accept: 'application/json' },
    });
    expect(answer.status).toBe(500);
    expect(Object.keys(JSON.parse(answer.body))).toEqual([...faults]);
    expect(answer.body).not.toMatch(/key_value|SELECT|table/i);
  });
});

it('the real hash is what the stand-in stands in for', async () => {
  const salt = new Uint8Array(16);
  const parameters = { cost: 10, block: 1, parallel: 1 };
  for (const compute of [scrypt, fastScrypt().compute]) {
    expect(await compute('a', salt, parameters, 32)).toHaveLength(32);
    expect(await compute('a', salt, parameters, 32)).toEqual(await compute('a', salt, parameters, 32));
    expect(await compute('a', salt, parameters, 32)).not.toEqual(await compute('b', salt, parameters, 32));
  }
});
