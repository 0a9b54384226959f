import { describe, expect, it } from 'vitest';
import { formList } from '../../src/http/forms.ts';
import { operation } from '../../src/http/openapi/operation.ts';
import { everyRoute, nameOf } from '../security/roles/routes.ts';
import { served } from '../security/roles/rules.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { shareOfRows } from '../support/long.ts';
import { describeMatrix, shareOf } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, openService } from '../support/service.ts';

const world = await openService({ start: false });
const { routes } = world.service;
await world.close();

describe('every route', () => {
  it('has a schema for each answer that is no file, but for texts in formats of their own', () => {
    // Resources of SCIM have their schemas in `/scim/v2/Schemas`.
    const ownDocuments = routes.filter(({ path }) => !path.startsWith('/scim/'));
    const bare = ownDocuments.filter((route) => {
      if (formList(route.answers).includes('bytes')) return false;
      const { responses } = operation(route) as { responses: Record<string, { content?: Record<string, object> }> };
      return Object.values(responses['200']?.content ?? {}).some((content) => !('schema' in content));
    });
    expect(bare.map(nameOf)).toEqual([
      'GET /metadata-field/terse-schema',
      'GET /APInoauth/share/:link/item/:item/stream',
      'GET /item/:item/stream',
      'GET /application.wadl',
      'GET /openapi.json',
      'GET /schema.xsd',
      'PUT /APInoauth/debug/echo',
    ]);
  });
});

const routeOf = new Map(everyRoute.map((route) => [nameOf(route), route]));

describeMatrix('a route', (entry) => {
  const shared = entry.shared((opened) =>
    prepare(opened, [newGroup('crew'), newGroup('outer'), newGroup('inner'), newUser(['plain', 'p'])]),
  );
  for (const [index, rule] of shareOf(entry, [...served.entries()])) {
    it(`${rule.route} answers what it declares`, async () => {
      const world = shared();
      const { produces, answers } = routeOf.get(rule.route)!;
      // Each type in the long form, one of them in the other.
      const types = shareOfRows(Math.max(1, produces.length), produces, index);
      for (const type of types.length > 0 ? types : ['*/*']) {
        const who = `who-${index}-${type.replace(/\W/g, '')}`;
        await prepare(world, [newUser([who, 'p'])]);
        await prepare(world, rule.given?.(who));
        await rule.rows?.(world, who);
        const { request, body, headers } = rule.request(who);
        const answer = await world.send({
          as: admin,
          request,
          body,
          headers: { ...headers, accept: type, prefer: 'return=x' },
        });
        expect(answer.status).toBeLessThan(300);
        const said = answer.headers.get('content-type')?.replace(/;.*/, '') ?? '';
        const none = answers === undefined || (formList(answers).includes('nothing') && answer.body === '');
        // Clients read a type beside an empty 200: clients.md 3.64.
        const typeOfNone = answer.status === 200 ? 'application/json' : '';
        // Content that clients keep comes back in its own form, whatever they prefer.
        const isKept = formList(answers).includes('bytes') && produces.length > 1;
        if (isKept) expect(produces).toContain(said);
        else expect([type, said]).toEqual([type, none ? typeOfNone : type]);
        if (none) expect(answer.body).toBe('');
      }
    });
  }
});
