import { describe, expect, it } from 'vitest';
import { unmarked } from '../../src/http/opaque.ts';
import { operation } from '../../src/http/openapi/operation.ts';
import { listed, type Route } from '../../src/http/route.ts';
import { everyRoute } from '../security/roles/routes.ts';
import { rules } from '../security/roles/rules.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, openService } from '../support/service.ts';

const world = await openService({ start: false });
const { routes } = world.service;
await world.close();

const nameOf = ({ method, path }: Route): string => `${method} ${unmarked(path)}`;
const documentType = /^application\/(?:xml|json)$/;

/** Whether one of the bodies that the route declares can have this type. */
function declares({ answers }: Route, type: string): boolean {
  const forms = listed(answers);
  if (documentType.test(type) && forms.some((form) => typeof form !== 'string')) return true;
  if (type === 'text/event-stream') return forms.includes('events');
  return forms.includes('text') || forms.includes('bytes');
}

describe('every route', () => {
  it('declares what it answers, or that it answers without a body', () => {
    const without = routes.filter(({ answers, produces }) => (answers === undefined) !== (produces.length === 0));
    expect(without.map(nameOf)).toEqual([]);
  });

  it('declares a body for each media type, and a media type for each document', () => {
    const loose = routes.filter((route) => route.produces.some((type) => !declares(route, type)));
    expect(loose.map(nameOf)).toEqual([]);
    const unsaid = routes.filter(({ answers, produces }) => {
      const documents = listed(answers).some((form) => typeof form !== 'string');
      return documents && !produces.some((type) => documentType.test(type));
    });
    expect(unsaid.map(nameOf)).toEqual([]);
  });

  it('has a schema for each answer that is no file, but for two texts in formats of their own', () => {
    const bare = routes.filter((route) => {
      if (listed(route.answers).includes('bytes')) return false;
      const { responses } = operation(route) as { responses: Record<string, { content?: Record<string, object> }> };
      return Object.values(responses['200']!.content ?? {}).some((content) => !('schema' in content));
    });
    expect(bare.map(nameOf)).toEqual(['GET /openapi.json', 'GET /schema.xsd']);
  });
});

const routeOf = new Map(everyRoute.map((route) => [nameOf(route), route]));

describeMatrix('a route', (entry) => {
  for (const rule of rules) {
    it(`${rule.route} answers what it declares`, async () => {
      const world = await entry.open();
      await prepare(world, [newGroup('crew'), newGroup('outer'), newGroup('inner'), newUser(['plain', 'p'])]);
      const { produces, answers } = routeOf.get(rule.route)!;
      for (const type of produces.length > 0 ? produces : ['*/*']) {
        const who = `who-${type.replace(/\W/g, '')}`;
        await prepare(world, [newUser([who, 'p'])]);
        await prepare(world, rule.given?.(who));
        await rule.rows?.(world, who);
        const { request, body } = rule.request(who);
        const answer = await world.send({ as: admin, request, body, headers: { accept: type, prefer: 'return=x' } });
        expect(answer.status).toBeLessThan(300);
        const said = answer.headers.get('content-type')?.replace(/;.*/, '') ?? '';
        const none = answers === undefined || (listed(answers).includes('nothing') && said === '');
        expect([type, said]).toEqual([type, none ? '' : type]);
        if (none) expect(answer.body).toBe('');
      }
    });
  }
});
