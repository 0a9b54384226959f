import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { createDescription } from '../../../src/administration/operations/description-routes.ts';
import { groupDocument } from '../../../src/identity/documents.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials, openService } from '../../support/service.ts';
import { isCalm, turnOf } from '../../support/turns.ts';

const ann: Credentials = ['ann', 'p'];

describeMatrix('what the API says of itself', (entry) => {
  it('is an OpenAPI document of the very routes that answer', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(ann)]);
    const answer = await world.send({ as: ann, request: 'GET /API/openapi.json' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { openapi, servers, paths, components } = JSON.parse(answer.body);
    expect([openapi, servers]).toEqual(['3.1.1', [{ url: '/API' }]]);
    expect(Object.keys(components.schemas)).toContain('UserDocument');
    const plain = Object.keys(paths).filter(
      (path) => !path.includes('{') && paths[path].get && !paths[path].get.parameters,
    );
    expect(plain.length).toBeGreaterThan(10);
    for (const path of plain.filter((each) => each !== '/event')) {
      const { status } = await world.send({ as: admin, request: `GET ${servers[0].url}${path}` });
      expect([path, status === 404 || status === 405]).toEqual([path, false]);
    }
  });

  it('is an XML Schema in the namespace of the documents', async () => {
    const world = await entry.open();
    const answer = await world.send({ as: admin, request: 'GET /API/schema.xsd' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=UTF-8']);
    const roots: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => name === 'xs:element' && roots.push(String(attributes['name'])));
    parser.write(answer.body).close();
    expect(roots).toContain('UserDocument');
    expect(answer.body).toContain('targetNamespace="urn:portico:schema"');
  });

  it.each(['/API/openapi.json', '/API/openapi.json?form=json', '/API/schema.xsd', '/API/application.wadl'])(
    '%s is not sent again to a caller who has it',
    async (path) => {
      const world = await entry.open();
      const first = await world.send({ as: admin, request: `GET ${path}` });
      const tag = first.headers.get('etag')!;
      expect(tag).toMatch(/^"[\w-]{43}"$/);
      const ask = (known: string) =>
        world.send({ as: admin, request: `GET ${path}`, headers: { 'if-none-match': known } });
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await ask(known);
        expect([known, again.status, again.body, again.headers.get('etag')]).toEqual([known, 304, '', tag]);
      }
      const other = await ask('"other"');
      expect([other.status, other.body === first.body]).toEqual([200, true]);
      // Instances behind one address take turns.
      const neighbour = await entry.open();
      expect((await neighbour.send({ as: admin, request: `GET ${path}` })).headers.get('etag')).toBe(tag);
    },
  );
});

describe.each(['openApiText', 'xsdText'] as const)('the first request for what the API says of itself: %s', (name) => {
  it('holds the loop for at most 50 ms', async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0, counted = 0; counted < 5 && run < 20 && least > 50; run++) {
      const { service, close } = await openService({ start: false });
      const calm = isCalm();
      const { turn } = await turnOf(() => service.rooms.operations[name]());
      if (calm && isCalm()) counted++;
      least = Math.min(least, turn);
      await close();
    }
    expect(least).toBeLessThanOrEqual(50);
  });

  it('gives the loop back after each small part of it', async () => {
    const { service, close } = await openService({ start: false });
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setTimeout(count, 0);
    };
    count();
    const { bytes } = await service.rooms.operations[name]();
    isDone = true;
    await close();
    expect(turns).toBeGreaterThan(bytes.length / 50_000);
  });

  it('makes it once for requests that come meanwhile', async () => {
    const description = createDescription({
      routes: () => [],
      documents: [groupDocument],
      settings: { schemaNamespace: 'urn:test' },
      fingerprint: (text) => text,
    });
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => description[name]()));
    for (const other of others) expect(other).toBe(first);
    expect(await description[name]()).toBe(first);
  });
});
