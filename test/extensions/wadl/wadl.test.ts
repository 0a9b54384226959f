import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { wadlParts, wadlType } from '../../../src/extensions/wadl/wadl.ts';
import { raw } from '../../../src/http/forms.ts';
import { pathTemplate } from '../../../src/http/openapi/path.ts';
import { date, list, text, whole } from '../../../src/http/parameters/index.ts';
import { done } from '../../../src/http/reply.ts';
import { anybody, route } from '../../../src/http/route.ts';
import { groupDocument } from '../../../src/identity/documents.ts';
import { catalogue } from '../../support/declared.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  text: string;
}

/** Throws where the text is not well formed. */
function parse(xml: string): Node {
  const top: Node = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name, attributes }) => {
    const node: Node = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on('text', (more) => {
    open.at(-1)!.text += more;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return top.children[0]!;
}

const all = ({ children }: Node, name: string): Node[] => children.filter((child) => child.name === name);
const within = (node: Node): Node[] => [node, ...node.children.flatMap(within)];

/** Child elements that the WADL schema allows in each element, in this order. */
const order: Readonly<Record<string, readonly string[]>> = {
  application: ['doc', 'grammars', 'resources'],
  grammars: ['include'],
  resources: ['resource'],
  resource: ['param', 'method'],
  method: ['doc', 'request', 'response'],
  request: ['param', 'representation'],
  response: ['representation'],
  param: ['doc', 'option'],
};

describeMatrix('clients.md 6 GET /application.wadl', (entry) => {
  it('describes every route that answers, once, as the schema of WADL orders it', async () => {
    const world = await entry.open();
    const answer = await world.send({
      as: admin,
      request: 'GET /API/application.wadl',
      headers: { accept: 'application/vnd.sun.wadl+xml, application/xml' },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, wadlType]);
    const application = parse(answer.body);
    for (const { name, children } of within(application)) {
      const places = children.map((child) => (order[name] ?? []).indexOf(child.name));
      expect([name, places.includes(-1), places]).toEqual([name, false, places.toSorted((a, b) => a - b)]);
    }
    const [resources] = all(application, 'resources');
    expect(resources!.attributes['base']).toBe('/API/');
    const told = all(resources!, 'resource').flatMap((resource) =>
      all(resource, 'method').map(({ attributes }) => `${attributes['name']} /${resource.attributes['path']}`),
    );
    const known = world.service.routes.map(({ method, path }) => `${method} ${pathTemplate(path).template}`);
    expect(told.toSorted()).toEqual(known.toSorted());
    const ids = within(application).flatMap(({ name, attributes }) => (name === 'method' ? [attributes['id']] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names documents that the schema beside it has', async () => {
    const world = await entry.open();
    const { body } = await world.send({ as: admin, request: 'GET /API/application.wadl' });
    const application = parse(body);
    expect(application.attributes['xmlns:p']).toBe('urn:portico:schema');
    expect(all(all(application, 'grammars')[0]!, 'include')[0]!.attributes['href']).toBe('schema.xsd');
    const named = new Set(within(application).flatMap(({ attributes }) => attributes['element'] ?? []));
    expect(named.size).toBeGreaterThan(10);
    const known = catalogue.map(({ name }) => `p:${name}`);
    expect([...named].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('is application/xml to a caller who accepts only that, and is not sent twice', async () => {
    const world = await entry.open();
    const ask = (headers: Record<string, string>) =>
      world.send({ as: admin, request: 'GET /API/application.wadl', headers });
    const first = await ask({ accept: 'application/xml' });
    expect(first.headers.get('content-type')).toBe('application/xml; charset=UTF-8');
    expect((await ask({ 'if-none-match': first.headers.get('etag')! })).status).toBe(304);
    expect((await ask({ accept: 'application/json' })).status).toBe(406);
  });

  it('is told to nobody without credentials', async () => {
    const world = await entry.open();
    expect((await world.send({ request: 'GET /API/application.wadl' })).status).toBe(401);
  });
});

describe('a route in the words of WADL', () => {
  it('has its parameters, bodies and answers, and no sentence breaks the form', async () => {
    const row = route({
      method: 'PUT',
      path: '/group/:name/metadata/:key{.+}',
      says: 'Sets <a> & "b"',
      access: anybody,
      acting: 'allowed',
      query: {
        first: whole('The first row', { defaultValue: 1 }),
        in: list(text('Names')),
        since: date('The time', { required: true }),
      },
      reads: raw([groupDocument, 'text', 'nothing']),
      answers: raw(groupDocument),
      handle: () => done,
    });
    const application = parse([...wadlParts({ routes: [row], version: '1', namespace: 'urn:a&b' })].join(''));
    expect(application.attributes['xmlns:p']).toBe('urn:a&b');
    const [resource] = all(all(application, 'resources')[0]!, 'resource');
    expect(resource!.attributes).toEqual({ path: 'group/{name}/metadata/{key}' });
    expect(all(resource!, 'param').map(({ attributes }) => attributes)).toEqual([
      { name: 'name', style: 'template', type: 'xs:string', required: 'true' },
      { name: 'key', style: 'template', type: 'xs:string', required: 'true' },
      { name: 'first', style: 'matrix', type: 'xs:integer' },
      { name: 'in', style: 'matrix', type: 'xs:string', repeating: 'true' },
      { name: 'since', style: 'matrix', type: 'xs:dateTime' },
    ]);
    const [method] = all(resource!, 'method');
    expect(all(method!, 'doc')[0]!.text).toBe('Sets <a> & "b"');
    const [request] = all(method!, 'request');
    expect(all(request!, 'param').map(({ attributes }) => attributes)).toEqual([
      { name: 'first', style: 'query', type: 'xs:integer', default: '1' },
      { name: 'in', style: 'query', type: 'xs:string', repeating: 'true' },
      { name: 'since', style: 'query', type: 'xs:dateTime', required: 'true' },
    ]);
    expect(all(request!, 'representation').map(({ attributes }) => attributes)).toEqual([
      { mediaType: 'application/xml', element: 'p:GroupDocument' },
      { mediaType: 'application/json' },
      { mediaType: 'text/plain' },
    ]);
    const [response] = all(method!, 'response');
    expect(response!.attributes).toEqual({ status: '200' });
    expect(all(response!, 'representation').map(({ attributes }) => attributes)).toEqual([
      { mediaType: 'application/xml', element: 'p:GroupDocument' },
      { mediaType: 'application/json' },
    ]);
  });
});
