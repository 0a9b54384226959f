import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { openWorld } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { ask, headersOf, make, told } from './support.ts';

const filter = () => make(filterComponents['portico.MethodFilter']!);
const closed = '405 method-closed';

describe('a filter on methods', () => {
  it.each([
    [undefined, 'GET', 'pass'],
    [undefined, 'HEAD', 'pass'],
    [undefined, 'POST', closed],
    [['GET'], 'HEAD', 'pass'],
    [['put'], 'PUT', 'pass'],
    [['PUT'], 'put', closed],
    [['PUT'], 'GET', closed],
    [['PUT'], 'PUTS', closed],
    [['PUT'], 'constructor', closed],
    [['GET', 'POST'], 'POST', 'pass'],
  ])('with %j answers %s by %s', async (words, method, expected) => {
    expect(told(await ask(await filter(), words, { method }))).toBe(expected);
  });

  it('tells what is allowed', async () => {
    const verdict = await ask(await filter(), ['GET', 'POST'], { method: 'DELETE' });
    expect(headersOf(verdict)).toEqual({ allow: 'GET, POST, HEAD' });
  });

  it.each([['GTE'], ['GET', ''], ['*'], ['permissive']])('refuses %j when the file is read', async (...words) => {
    await expect(ask(await filter(), words)).rejects.toThrow('Expected a method of HTTP such as GET, found');
  });

  it('closes a path for everybody, before a password is looked at', async () => {
    const text = [
      '[main]',
      'serviceRealm = portico.ServiceRealm',
      'tokenAuth = portico.TokenFilter',
      '[urls]',
      '/user/** = methods, authcBasic',
      '/** = tokenAuth[permissive], authcBasic',
    ].join('\n');
    const world = await openWorld('fetch', { security: { file: 'security.ini', plugins: [], text } });
    const status = async (request: string) => (await world.send({ as: admin, request })).status;
    expect([await status('GET /API/user'), await status('HEAD /API/user')]).toEqual([200, 200]);
    const before = world.scrypt.calls.length;
    for (const target of ['/API/user/bob', '/API//user/bob', '/API/x/../user/bob'])
      expect(await status(`DELETE ${target}`), target).toBe(405);
    expect(world.scrypt.calls.length).toBe(before);
  });
});
