import { expect, it } from 'vitest';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { rules } from './roles/rules.ts';

/** A parameter that no route declares, as a caller misspells one: the answer of each route names it. */
const misspelt = 'frist';

describeMatrix('a parameter that a route does not know', (entry) => {
  for (const rule of rules) {
    it(`is named in the answer of ${rule.route}`, async () => {
      const world = await entry.open();
      await prepare(world, [newGroup('crew'), newGroup('outer'), newGroup('inner'), newUser(['plain', 'p'])]);
      await prepare(world, rule.given?.('plain'));
      await rule.rows?.(world, 'plain');
      const { request, ...more } = rule.request('plain');
      const target = `${request}${request.includes('?') ? '&' : '?'}${misspelt}=2`;
      const answer = await world.send({ as: admin, ...more, request: target });
      expect([rule.route, answer.status < 300, answer.headers.get('portico-ignored')]).toEqual([
        rule.route,
        true,
        misspelt,
      ]);
    });
  }
});
