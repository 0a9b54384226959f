import { expect, it } from 'vitest';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { outlineOf } from './outline.ts';

/**
 * Exchanges that were recorded with a server of this API, asked again in the order of a client's own tests: status,
 * headers, names in their order, and refusals letter by letter.
 */

interface Exchange {
  readonly asked: string;
  readonly body?: Sent['body'];
  readonly status: number;
  /** The names of the answer in their order. */
  readonly outline?: string;
  readonly exact?: string;
  readonly has?: object;
}

const field = '{name, value: [{value, uuid, user, timestamp, change}], uuid, user, timestamp, change}';
const metadata = `{revision, timespan: [{field: [${field}], group: [], start, end}]}`;
const lists = 'facet: [], suggestion: [], autocomplete: []';
const kinds = [
  'notFound',
  'internalServer',
  'forbidden',
  'notYetImplemented',
  'conflict',
  'invalidInput',
  'licenseFault',
  'fileAlreadyExists',
  'notAuthorized',
];
const notFound = (type: string, id: string): string =>
  JSON.stringify(Object.fromEntries(kinds.map((kind, at) => [kind, at === 0 ? { type, id, context: null } : null])));

const values = (fields: Readonly<Record<string, string>>) => ({
  timespan: [
    {
      field: Object.entries(fields).map(([name, value]) => ({ name, value: [{ value }] })),
      start: '-INF',
      end: '+INF',
    },
  ],
});
const three = values({ title: 'Foo bar', field_one: 'eggs', field_two: 'ham' });
const unknown = values({ title: 'Foo bar', field_one: 'eggs', field_two: 'ham', field_three: 'spam' });
const missing = 'VX-1000000';

const exchanges: readonly Exchange[] = [
  { asked: 'POST /API/collection', status: 200, outline: '{loc, id}' },
  {
    asked: 'POST /API/collection?name=test_collection_1',
    status: 200,
    outline: '{loc, id, name}',
    has: { loc: expect.stringMatching(/\/API\/collection\/VX-2$/), id: 'VX-2', name: 'test_collection_1' },
  },
  { asked: 'POST /API/collection?name=test_collection_2', status: 200, outline: '{loc, id, name}' },
  { asked: 'POST /API/collection?name=test_collection_3', status: 200, outline: '{loc, id, name}' },
  ...['', ';first=1'].flatMap((matrix): Exchange[] => [
    {
      asked: `GET /API/collection${matrix}`,
      status: 200,
      outline: `{hits, collection: [{loc, id, name}], ${lists}}`,
      has: { hits: 4, facet: [], suggestion: [], autocomplete: [] },
    },
    {
      asked: `GET /API/collection${matrix}?content=metadata`,
      status: 200,
      outline: `{hits, collection: [{loc, id, name, metadata: ${metadata}}], ${lists}}`,
    },
  ]),
  {
    asked: 'GET /API/collection/VX-2',
    status: 200,
    outline: '{loc, id, name}',
    has: { loc: expect.stringMatching(/\/API\/collection\/VX-2\/$/) },
  },
  {
    asked: 'GET /API/collection/VX-2?content=metadata',
    status: 200,
    outline: `{loc, id, name, metadata: ${metadata}}`,
  },
  {
    asked: 'PUT /API/collection/VX-2/metadata',
    body: three,
    status: 200,
    outline: metadata,
    has: { timespan: [{ group: [], start: '-INF', end: '+INF' }] },
  },
  {
    asked: 'PUT /API/item/VX-1/metadata',
    body: three,
    status: 200,
    outline: `{item: [{metadata: ${metadata}}]}`,
  },
  {
    asked: 'PUT /API/item/VX-1/metadata',
    body: unknown,
    status: 404,
    exact: notFound('metadata-field', 'field_three'),
  },
  {
    asked: 'PUT /API/collection/VX-2/metadata',
    body: unknown,
    status: 404,
    exact: notFound('metadata-field', 'field_three'),
  },
  { asked: `PUT /API/item/${missing}/metadata`, body: three, status: 404, exact: notFound('Item', missing) },
  {
    asked: `PUT /API/collection/${missing}/metadata`,
    body: three,
    status: 404,
    exact: notFound('Collection', missing),
  },
  { asked: 'DELETE /API/collection/VX-1', status: 200, exact: '' },
  { asked: `DELETE /API/collection?id=VX-2,${missing}`, status: 200, exact: '' },
  { asked: 'DELETE /API/collection?id=VX-3,VX-4,VX-1', status: 200, exact: '' },
  { asked: `DELETE /API/collection/${missing}`, status: 404, exact: notFound('Collection', missing) },
  { asked: `GET /API/collection/${missing}`, status: 404, exact: notFound('Collection', missing) },
  {
    asked: 'GET /API/collection',
    status: 200,
    exact: '{"hits":0,"collection":[],"facet":[],"suggestion":[],"autocomplete":[]}',
  },
];

/** As that client sends: it takes JSON, and says a type only with a body. */
const sent = (asked: string, body?: Sent['body']): Sent => ({
  as: admin,
  request: asked,
  headers: { accept: 'application/json' },
  body,
});

async function fill(world: World): Promise<void> {
  const given = [
    ...['field_one', 'field_two'].map((name) => sent(`PUT /API/metadata-field/${name}`, { type: 'string' })),
    sent('POST /API/import/placeholder?container=1', values({ title: 'test_item' })),
  ];
  for (const each of given) expect((await world.send(each)).status).toBe(200);
}

describeMatrix('recorded exchanges about items, metadata and collections', ({ shared }) => {
  const world = shared(fill);
  // Exchanges run in order with one client: each needs what the earlier ones made.
  for (const [index, { asked, body, status, outline, exact, has }] of exchanges.entries()) {
    it(`recorded ${index + 1}: ${asked} is answered with ${status}, and with the same names`, async () => {
      const answer = await world().send(sent(asked, body));
      expect(answer.status, answer.body).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/json');
      if (exact !== undefined) expect(answer.body).toBe(exact);
      if (outline !== undefined) expect(outlineOf(JSON.parse(answer.body))).toBe(outline);
      if (has !== undefined) expect(JSON.parse(answer.body)).toMatchObject(has);
      // Answers to changes have no computed fields.
      if (asked.startsWith('PUT')) expect(answer.body).not.toContain('"__');
    });
  }
});
