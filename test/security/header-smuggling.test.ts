import { expect, it } from 'vitest';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { describeChain } from '../support/started.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const good = `Authorization: Basic ${encoded('alice:p')}`;
const bad = `Authorization: Basic ${encoded('mallory:x')}`;
const value = good.slice('Authorization: '.length);

/** Header lines, the status, and the names that the realms were asked about. */
const cases: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  ['one header', [good], 200, ['alice']],
  ['two headers, good and bad', [good, bad], 401, []],
  ['two headers, bad and good', [bad, good], 401, []],
  ['two headers, the same twice', [good, good], 401, []],
  ['two headers, names in different case', [good, bad.toLowerCase()], 401, []],
  ['two headers, of two schemes', ['Authorization: Bearer good', good], 401, []],
  ['two headers, of two schemes the other way round', [good, 'Authorization: Bearer good'], 401, []],
  ['two headers, token and basic', ['Authorization: token good', good], 401, []],
  ['two headers, an empty one after', [good, 'Authorization:'], 401, []],
  ['two headers, an unknown scheme before', ['Authorization: X', good], 401, []],
  ['two headers far apart', [good, 'X-A: b', 'X-C: d', bad], 401, []],
  ['one header with a comma', [`${good}, ${value}`], 401, []],
  ['one header with a comma at the end', [`${good},`], 401, []],
  ['one header with a comma at the beginning', [`Authorization: , ${value}`], 401, []],
  ['a comma within the token', ['Authorization: Bearer good,bad'], 401, []],
  ['a semicolon after the credentials', [`${good};x=y`], 401, []],
  ['a second field', [`${good} ${encoded('mallory:x')}`], 401, []],
  ['two schemes', [`Authorization: Bearer ${value}`], 401, []],
  ['quotes', [`Authorization: Basic "${encoded('alice:p')}"`], 401, []],
  ['a value folded before the credentials', ['Authorization: Basic', ` ${encoded('alice:p')}`], 400, []],
  ['a value folded by a tab', ['Authorization: Basic', `\t${encoded('alice:p')}`], 400, []],
  ['another header folded into one', ['X-A: b', ` ${good}`], 400, []],
  ['a blank before the colon', [`Authorization : ${value}`], 400, []],
  ['a blank before the name', ['X-A: b\r\n Authorization: x'], 400, []],
  ['a carriage return in the value', [`X-A: b\r${good}`], 400, []],
  ['a zero byte in the value', [`${good}\0`], 400, []],
  ['a name with an underscore', [good.replace('Authorization', 'AUTHORIZATION_')], 401, []],
  ['a name with a dash too many', [good.replace('Authorization', 'Authorization-')], 401, []],
  ['the header of a proxy', [good.replace('Authorization', 'Proxy-Authorization')], 401, []],
  ['the header named as one of the connection', ['Connection: authorization', good], 200, ['alice']],
];

describeChain('header smuggling', (server) => {
  it('two headers, an empty one before, are two: but Deno does not hand on an empty one that another follows', async () => {
    const answer = await sendRaw(await server.open(), { target: '/x', headers: ['Authorization:', good] });
    const expected = { node: [401, ''], deno: [200, 'alice'] };
    expect([answer.status, answer.headers.get('asked')]).toEqual(expected[server.runtime]);
  });

  it.each(cases)('%s', async (_what, headers, status, names) => {
    const answer = await sendRaw(await server.open(), { target: '/x', headers });
    expect([answer.status, answer.headers.get('asked') ?? '']).toEqual([status, names.join()]);
    expect(answer.body).toBe(status === 200 ? 'alice' : '');
  });

  it('a line feed alone does not begin another header unseen', async () => {
    const text = `GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: b\n${good}\r\n\r\n`;
    const { status, headers } = await sendBytes(await server.open(), text);
    // Either it is a line, as every line, or the request is refused: never a part of the value before it.
    expect([status, headers.get('asked')]).toEqual(status === 400 ? [400, undefined] : [200, 'alice']);
  });

  it('credentials in the trailer of a body are not those of the request', async () => {
    const head =
      'POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n';
    const { status, headers } = await sendBytes(await server.open(), `${head}\r\n1\r\na\r\n0\r\n${good}\r\n\r\n`);
    expect([status, headers.get('asked')]).toEqual([401, '']);
  });
});
