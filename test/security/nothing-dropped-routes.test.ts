import { expect, it } from 'vitest';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix, shareOf } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { everyRoute, nameOf } from './roles/routes.ts';
import { served } from './roles/rules.ts';

/** A parameter that no route declares, as a caller misspells one: the answer of each route names it. */
const misspelt = 'frist';

/** Routes that read parameters of any name. */
const takesAnyName = new Set(everyRoute.filter(({ otherNames }) => otherNames !== undefined).map(nameOf));

describeMatrix('a parameter that a route does not know', (entry) => {
  const world = entry.shared((opened) =>
    prepare(opened, [newGroup('crew'), newGroup('outer'), newGroup('inner'), newUser(['plain', 'p'])]),
  );
  for (const [index, rule] of shareOf(entry, [...served.entries()])) {
    it(`is named in the answer of ${rule.route}`, async () => {
      const who = `who-${index}`;
      await prepare(world(), [newUser([who, 'p']), ...(rule.given?.(who) ?? [])]);
      await rule.rows?.(world(), who);
      const { request, ...more } = rule.request(who);
      const target = `${request}${request.includes('?') ? '&' : '?'}${misspelt}=2`;
      const answer = await world().send({ as: admin, ...more, request: target });
      const named = takesAnyName.has(rule.route) ? null : misspelt;
      const said = `${answer.status} ${answer.body.slice(0, 300)}`;
      expect(answer.status, said).toBeLessThan(300);
      expect(answer.headers.get('portico-ignored'), said).toBe(named);
    });
  }
});
