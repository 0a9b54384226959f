import { expect, it } from 'vitest';
import { builtInSecurity } from '../../../src/composition/service.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { openWorld } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { withBean } from './support.ts';

const json = { accept: 'application/json' };
const reader: Credentials = ['reader', 'password of reader'];
const sentence = 'Expected a plugin that carries out "mailer": none is there';

it('a delivery that waits because no plugin brings its action says so in health and log', async () => {
  const world = await openWorld('fetch', { security: withBean('mailer') });
  const body = { action: { ejb: { bean: 'mailer', method: 'send' } }, trigger: { group: { create: '' } } };
  await prepare(world, [newUser(reader), { as: admin, request: 'POST /API/group/notification', body }]);
  const health = async () => {
    const { body: text } = await world.send({
      as: admin,
      request: 'GET /API/group/notification/VX-1/health',
      headers: json,
    });
    const { missing, waiting, delivered } = JSON.parse(text);
    return { missing, waiting, delivered };
  };
  expect(await health()).toEqual({ waiting: 0, delivered: 0 });

  await world.service.reload(() => Promise.resolve(builtInSecurity));
  await prepare(world, [newGroup('crew')]);
  await world.service.tick();
  expect(await health()).toEqual({ missing: sentence, waiting: 1, delivered: 0 });
  expect(world.lines.filter(({ event }) => event === 'delivery')).toMatchObject([
    { level: 'warn', notification: 'VX-1', error: 'no-action', says: sentence },
  ]);

  // Hours without the plugin park nothing: the event waits.
  await world.clock.advance(12 * 60 * 60_000);
  await world.service.tick();
  expect(await health()).toEqual({ missing: sentence, waiting: 1, delivered: 0 });
  await world.service.reload(() => Promise.resolve(withBean('mailer')));
  await world.clock.advance(60 * 60_000);
  await world.service.tick();
  expect(await health()).toEqual({ waiting: 0, delivered: 1 });
});
