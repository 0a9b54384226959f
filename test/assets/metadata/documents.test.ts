import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { openWorld, receiving, register, told } from '../../support/receiver.ts';
import { by, json, plain, send, xml } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';

const title = (value: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value }] }] }] });
const put = (name: string, value = 'a') => by(`PUT /API/document/${name}`, title(value));
const reader: Credentials = ['reader', 'password of reader'];
const named = (name: string) => [name, { document: name }] as const;

const rows: readonly Scenario[] = [
  {
    name: 'the first change makes a document',
    ...put('rights'),
    status: 200,
    says: {
      jsonPart: {
        revision: 'VX-1',
        timespan: [{ field: [{ name: 'title', value: [{ value: 'a', user: 'admin' }] }] }],
      },
    },
    events: [
      ['document/create', ...named('rights')],
      ['document/modify', 'rights', { document: 'rights', changeSetId: 'VX-1' }],
    ],
  },
  {
    name: 'a further change is a change set of its own',
    given: [put('rights')],
    ...put('rights', 'b'),
    status: 200,
    events: [['document/modify', 'rights', { changeSetId: 'VX-2' }]],
  },
  {
    name: 'a template is kept with its change set, behind the revision',
    ...by('PUT /API/document/rights', { template: 'Form 7' }),
    status: 200,
    says: { jsonPart: { revision: 'VX-1', template: 'Form 7' } },
    events: [
      ['document/create', ...named('rights')],
      ['document/modify', 'rights', { document: 'rights', changeSetId: 'VX-1' }],
    ],
  },
  {
    name: 'a template sent back as read changes nothing',
    given: [by('PUT /API/document/rights', { template: 'Form 7' })],
    ...by('PUT /API/document/rights', { template: 'Form 7' }),
    status: 200,
    says: { jsonPart: { revision: 'VX-1', template: 'Form 7' } },
  },
  {
    name: 'a template stays with later changes, and is read as XML',
    given: [by('PUT /API/document/rights', { template: 'Form 7' }), put('rights')],
    ...by('GET /API/document/rights', undefined, xml),
    status: 200,
    says: { contains: ['<revision>VX-2,VX-1</revision><template>Form 7</template><timespan '] },
  },
  {
    name: 'an empty template removes it',
    given: [by('PUT /API/document/rights', { template: 'Form 7' }), put('rights')],
    ...by('PUT /API/document/rights', { template: '' }),
    status: 200,
    says: { lacks: ['template'] },
    events: [['document/modify', 'rights', { changeSetId: 'VX-3' }]],
  },
  {
    name: 'items keep a template, too',
    given: [by('POST /API/import/placeholder?container=1'), by('PUT /API/item/VX-1/metadata', { template: 'Form 7' })],
    ...by('GET /API/item/VX-1/metadata'),
    status: 200,
    says: { contains: ['"template":"Form 7"'] },
  },
  {
    name: 'a template has no NUL character',
    ...by('PUT /API/document/rights', { template: 'a\0' }),
    status: 400,
  },
  {
    name: 'a caller who may only read documents sets no template',
    given: [newUser(reader, ['_document_read']), put('rights')],
    ...by('PUT /API/document/rights', { template: 'Form 7' }),
    as: reader,
    status: 403,
  },
  {
    name: 'a document is read as XML',
    given: [put('My%20rights')],
    ...by('GET /API/document/My%20rights', undefined, xml),
    status: 200,
    says: { contains: ['<MetadataDocument', '<name>title</name>'] },
  },
  {
    name: 'an unknown field makes no document',
    ...by('PUT /API/document/d', { timespan: [{ field: [{ name: 'x_y', value: [{ value: 'a' }] }] }] }),
    status: 404,
  },
  {
    name: 'a document that nobody made is not found',
    given: [put('a')],
    ...by('GET /API/document/b'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Document', id: 'b' } } },
  },
  { name: 'a name has no control character', ...put('a%7F'), status: 400 },
  { name: 'a name has a largest length', ...put('x'.repeat(129)), status: 400 },
  {
    name: 'documents are listed by name with their addresses',
    given: [put('b'), put('a')],
    ...by('GET /API/document?first=1&number=10'),
    status: 200,
    says: {
      json: {
        hits: 2,
        document: ['a', 'b'].map((name) => ({ name, uri: expect.stringMatching(`/API/document/${name}$`) })),
      },
    },
  },
  {
    name: 'and as text',
    given: [put('b'), put('a')],
    ...by('GET /API/document', undefined, plain),
    status: 200,
    says: { exact: 'a\r\nb\r\n' },
  },
  {
    name: 'change sets of a document are listed and undone',
    given: [put('d'), put('d', 'b'), by('DELETE /API/document/d/changes/VX-2')],
    ...by('GET /API/document/d/changes'),
    status: 200,
    says: { jsonPart: { changeSet: [{ id: 'VX-1' }] } },
  },
  {
    name: 'a document is deleted with its metadata',
    given: [put('d')],
    ...by('DELETE /API/document/d'),
    status: 200,
    events: [['document/delete', ...named('d')]],
  },
  {
    name: 'deleted twice it is not found',
    given: [put('d'), by('DELETE /API/document/d')],
    ...by('DELETE /API/document/d'),
    status: 404,
  },
  {
    name: 'a reader of documents does not change them',
    given: [newUser(reader, ['_document_read'])],
    ...by('PUT /API/document/d', title('a'), json, reader),
    status: 403,
  },
];

describeMatrix('a document', (entry) => {
  itHolds(entry, rows);

  it('is made once by two first changes at once, and both are kept', async () => {
    const world = await entry.open();
    await Promise.all([
      send(world, put('d')),
      send(
        world,
        by('PUT /API/document/d', { timespan: [{ field: [{ name: 'originalUri', value: [{ value: 'u' }] }] }] }),
      ),
    ]);
    const events = (await world.events()).map(({ name }) => name);
    expect(events.filter((name) => name.startsWith('document/'))).toEqual([
      'document/create',
      'document/modify',
      'document/modify',
    ]);
  });

  it('tells receivers of all documents, and of one', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await send(world, put('one'));
    const trigger = { document: { create: '', modify: '', delete: '' } };
    await register(world, { url: `${receiver.address}/all` }, trigger, '/document');
    await register(world, { url: `${receiver.address}/one` }, trigger, '/document/one');
    await send(world, put('two'));
    await send(world, put('one', 'b'));
    await send(world, by('DELETE /API/document/one'));
    await world.service.tick();
    const of = (target: string) =>
      receiver.received.filter((each) => each.target === target).map((each) => told(each)['action']);
    expect(of('/all')).toEqual(['CREATE', 'MODIFY', 'MODIFY', 'DELETE']);
    expect(of('/one')).toEqual(['MODIFY', 'DELETE']);
    const gone = await world.send(by('GET /API/document/one/notification'));
    expect(gone.status).toBe(404);
  });
});
