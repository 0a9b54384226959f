import { expect, it } from 'vitest';
import { builtInSecurity } from '../../../src/composition/service.ts';
import { openWorld } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };

it('a reload that fails shows in health, self-test and metrics until one takes over', async () => {
  const world = await openWorld('fetch');
  world.expectErrors('security-finding');
  world.expectErrors('security-kept');
  const shown = async () => {
    const health = await world.send({ request: 'GET /health', headers: json });
    const test = await world.send({ as: admin, request: 'GET /API/selftest/security', headers: json });
    const { status, message } = JSON.parse(test.body);
    const gauge = /^portico_security_kept (\d)$/m.exec(world.service.metrics.render())?.[1];
    return [health.status, JSON.parse(health.body).security, status, message?.[0], gauge];
  };
  const found = async () => {
    const { body } = await world.send({ as: admin, request: 'GET /API/security/finding', headers: json });
    const { keptSince, finding = [] } = JSON.parse(body);
    return [keptSince !== undefined, finding.map(({ code, line }: { code: string; line: number }) => [code, line])];
  };
  const broken = { ...builtInSecurity, text: '[urls]\n/** = authcBasik\n' };
  const fails = () => Promise.reject(new Error('Expected a module: "plugins/mine.ts"'));
  const isCurrent = [200, 'current', 'ok', undefined, '0'];
  const kept = (errors: number) => [
    200,
    'kept',
    'warning',
    `Its files have errors (${errors}): run portico check`,
    '1',
  ];

  await world.send({ as: admin, request: 'GET /API/whoami' });
  expect(await shown()).toEqual(isCurrent);
  expect(await found()).toEqual([false, []]);
  for (const [read, errors, findings] of [
    [() => Promise.resolve(broken), 3, expect.arrayContaining([['unknown-filter', 2]])],
    [fails, 1, [['not-read', 1]]],
  ] as const) {
    await world.service.reload(read);
    world.clock.advance(2_000);
    expect(await shown()).toEqual(kept(errors));
    expect(await found()).toEqual([true, findings]);
  }
  expect((await world.send({ as: admin, request: 'GET /API/whoami' })).status).toBe(200);
  await world.service.reload(() => Promise.resolve(builtInSecurity));
  world.clock.advance(2_000);
  expect(await shown()).toEqual(isCurrent);
  expect(await found()).toEqual([false, []]);
});
