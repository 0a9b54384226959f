import { describe, expect, it } from 'vitest';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import {
  by,
  definer,
  done,
  fetchEntry,
  field,
  group,
  groupIn,
  inGroup,
  jsonOf,
  namespace,
  newField,
  newGroup,
  people,
  plain,
  viewer,
  xml,
} from './support.ts';

const film = [newField('film_title'), newGroup('Film'), inGroup('Film', 'film_title')];
const schemaOf = (name: string) => ({ min: 0, max: -1, name });

const rules = [{ condition: { field: { name: 'x_kind', value: 'series' } }, inheritedName: 'x_b' }];

const rows: readonly Scenario[] = [
  {
    name: 'recorded: a group is made without a body, with an empty answer',
    ...newGroup('Broadcast date'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: one that is there stays as it is',
    given: film,
    ...newGroup('Film'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a group tells its members whole, and the schema of each and of itself',
    given: [...film, newGroup('Cast'), groupIn('Film', 'Cast')],
    ...by(`GET ${group('Film')}`),
    status: 200,
    says: {
      exact:
        '{"name":"Film","schema":{"min":0,"max":-1,"name":"Film"},"field":[{"name":"film_title","schema":{"min":0,"max":-1,"name":"film_title"},"type":"string","origin":"VX"}],"group":[{"name":"Cast","schema":{"reference":false,"min":0,"max":-1,"name":"Cast"},"inheritance":"false"}],"origin":"VX","inheritance":"false"}',
    },
  },
  {
    name: 'a group keeps its rules of inheritance',
    given: [newGroup('Film', { inheritanceRule: rules })],
    ...by(`GET ${group('Film')}`),
    status: 200,
    says: { jsonPart: { inheritanceRule: rules, inheritance: 'false' } },
  },
  {
    name: 'recorded: a group without fields has no field property',
    given: [newGroup('Empty')],
    ...by(`GET ${group('Empty')}`),
    status: 200,
    says: { exact: '{"name":"Empty","schema":{"min":0,"max":-1,"name":"Empty"},"origin":"VX","inheritance":"false"}' },
  },
  {
    name: 'recorded: a group and a field share a name',
    given: [newField('field_one'), newGroup('field_one')],
    ...inGroup('field_one', 'field_one'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: the list tells names only, in the order of dictionaries',
    given: [...film, newGroup('b-a'), newGroup('Ba Z')],
    ...by('GET /API/metadata-field/field-group'),
    status: 200,
    says: {
      exact:
        '{"group":[{"name":"b-a","inheritance":"false"},{"name":"Ba Z","inheritance":"false"},{"name":"Film","inheritance":"false"}]}',
    },
  },
  {
    name: 'recorded: with content=True the list tells members with their definitions',
    given: film,
    ...by('GET /API/metadata-field/field-group?content=True'),
    status: 200,
    says: {
      json: {
        group: [
          {
            name: 'Film',
            schema: schemaOf('Film'),
            field: [{ name: 'film_title', schema: schemaOf('film_title'), type: 'string', origin: 'VX' }],
            origin: 'VX',
            inheritance: 'false',
          },
        ],
      },
    },
  },
  {
    name: 'the list as text has lines that end with CR LF',
    given: [newGroup('B'), newGroup('A')],
    ...by('GET /API/metadata-field/field-group', undefined, plain),
    status: 200,
    says: { exact: 'A\r\nB\r\n' },
  },
  {
    name: 'a group comes in XML',
    given: film,
    ...by(`GET ${group('Film')}`, undefined, xml),
    status: 200,
    says: {
      contains: [
        '<MetadataFieldGroupDocument xmlns="',
        ' inheritance="false"><name>Film</name><schema min="0" max="-1" name="Film"></schema><field><name>film_title</name><schema min="0" max="-1" name="film_title"></schema><type>string</type><origin>VX</origin></field><origin>VX</origin>',
      ],
    },
  },
  {
    name: 'traverse shows groups in groups with their fields',
    given: [
      ...film,
      newGroup('Cast'),
      groupIn('Film', 'Cast'),
      newField('cast_name', { type: 'string-exact' }),
      inGroup('Cast', 'cast_name'),
    ],
    ...by(`GET ${group('Film', '?traverse=true')}`),
    status: 200,
    says: {
      jsonPart: {
        field: [{ name: 'film_title', type: 'string' }],
        group: [{ name: 'Cast', field: [{ name: 'cast_name', type: 'string-exact', schema: schemaOf('cast_name') }] }],
      },
    },
  },
  {
    name: 'data asks for the definitions of members, too',
    given: [
      ...film,
      by(`PUT ${group('Film', '/metadata/extradata')}`, 'of the group'),
      by(`PUT ${field('film_title', '/metadata/extradata')}`, 'of the field'),
    ],
    ...by(`GET ${group('Film', '?data=extradata&includeValues=true')}`),
    status: 200,
    says: {
      jsonPart: {
        data: [{ key: 'extradata', value: 'of the group' }],
        field: [{ type: 'string', values: {}, data: [{ key: 'extradata', value: 'of the field' }] }],
      },
    },
  },
  {
    name: 'a document adds members, and makes fields that do not exist',
    given: [namespace, ...film, newGroup('Cast')],
    ...newGroup('Film', {
      name: 'Other',
      schema: { min: 1, max: 1, name: 'Film' },
      field: [
        { name: 'film_year', type: 'integer', schema: { min: 0, max: 1, name: 'film_year' } },
        { name: 'film_title', type: 'date' },
      ],
      group: [{ name: 'Cast', schema: { reference: true, min: 0, max: -1, name: 'Cast' } }],
      inheritance: 'true',
      externalId: ['urn:film'],
    }),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a new member without a type is refused',
    ...newGroup('Film', { field: [{ name: 'film_year' }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldGroupDocument/field/type' } } },
  },
  {
    name: 'a new member has a name of callers',
    ...newGroup('Film', { field: [{ name: 'year', type: 'integer' }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: 'metadata-field', id: 'year' } } },
  },
  {
    name: 'an unknown group is no member',
    ...newGroup('Film', { group: [{ name: 'Cast' }] }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'Cast' } } },
  },
  {
    name: 'fields are made by those who may make fields',
    given: [newGroup('Film')],
    ...newGroup('Film', { field: [{ name: 'film_year', type: 'integer' }] }),
    as: definer,
    status: 200,
  },
  {
    name: 'a schema has its limits in order',
    given: film,
    ...newGroup('Film', { field: [{ name: 'film_title', schema: { min: 2, max: 1, name: 'film_title' } }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldGroupDocument/field/schema/max' } } },
  },
  {
    name: 'recorded: an unknown field does not become a member',
    given: [newGroup('Film')],
    ...inGroup('Film', 'film_title'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'film_title' } } },
  },
  {
    name: 'recorded: an unknown group gets no member',
    given: [newField('film_title')],
    ...inGroup('Film', 'film_title'),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'Film' } } },
  },
  { name: 'a member is added twice', given: film, ...inGroup('Film', 'film_title'), status: 200 },
  {
    name: 'a member leaves, and stays a field',
    given: film,
    ...by(`DELETE ${group('Film', '/film_title')}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a field that is no member does not leave a group',
    given: [...film, newField('film_year')],
    ...by(`DELETE ${group('Film', '/film_year')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'film_year' } } },
  },
  {
    name: 'a group leaves a group',
    given: [newGroup('A'), newGroup('B'), groupIn('A', 'B')],
    ...by(`DELETE ${group('A', '/group/B')}`),
    status: 200,
  },
  {
    name: 'a group is not in itself',
    given: [newGroup('A')],
    ...groupIn('A', 'A'),
    status: 400,
    says: { jsonPart: { invalidInput: { context: 'field-group', id: 'A' } } },
  },
  {
    name: 'groups are not in a circle',
    given: [newGroup('A'), newGroup('B'), newGroup('C'), groupIn('A', 'B'), groupIn('B', 'C')],
    ...groupIn('C', 'A'),
    status: 400,
    says: { contains: ['Expected a group that does not contain this one'] },
  },
  {
    name: 'a document puts no group into itself',
    given: [newGroup('A'), newGroup('B'), groupIn('A', 'B')],
    ...newGroup('B', { group: [{ name: 'A' }] }),
    status: 400,
  },
  {
    name: 'one group is in two others',
    given: [newGroup('A'), newGroup('B'), newGroup('C'), groupIn('A', 'B'), groupIn('A', 'C'), groupIn('B', 'C')],
    ...by(`GET ${group('A', '?traverse=true')}`),
    status: 200,
    says: { jsonPart: { group: [{ name: 'B', group: [{ name: 'C' }] }, { name: 'C' }] } },
  },
  {
    name: 'recorded: a group goes, with an empty answer',
    given: film,
    ...by(`DELETE ${group('Film')}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: an unknown group is not found, as a namespace',
    ...by(`GET ${group('None')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'None' } } },
  },
  { name: 'an unknown group does not go', ...by(`DELETE ${group('None')}`), status: 404 },
  ...['merged-access', 'x'.repeat(129), 'a\u200bb', ' a'].map(
    (name): Scenario => ({
      name: `a group is not called ${JSON.stringify(name.slice(0, 14))}`,
      ...newGroup(name, {}),
      status: 400,
    }),
  ),
  { name: 'a group has a name of 128 characters', ...newGroup('é'.repeat(128)), status: 200 },
  { name: 'a user without the role makes no groups', ...newGroup('Film'), as: viewer, status: 403 },
];

describe('field groups', () => {
  itHolds(fetchEntry, rows, { given: people });
});

describeMatrix('changes of field groups', (entry) => {
  it('members that a document added are read back, and clear=true takes the others out', async () => {
    const world = await entry.open();
    for (const sent of [namespace, ...film, newGroup('Cast')]) await done(world, sent);
    const year = { name: 'film_year', type: 'integer', schema: { max: 1 }, integerRestriction: { minInclusive: 1888 } };
    const cast = { name: 'Cast', schema: { reference: true } };
    const document = {
      schema: { min: 1 },
      field: [year],
      group: [cast],
      data: [{ key: 'k', value: 'v' }],
      externalId: ['urn:film'],
    };
    await done(world, newGroup('Film', document));
    const read = await jsonOf(world, `GET ${group('urn:film', '?data=all')}`);
    expect(read).toEqual({
      name: 'Film',
      schema: { min: 1 },
      data: [{ key: 'k', value: 'v' }],
      field: [
        { name: 'film_title', schema: schemaOf('film_title'), type: 'string', origin: 'VX' },
        {
          name: 'film_year',
          schema: { ...schemaOf('film_year'), max: 1 },
          type: 'integer',
          integerRestriction: { minInclusive: 1888 },
          origin: 'VX',
        },
      ],
      group: [{ name: 'Cast', schema: { ...schemaOf('Cast'), reference: true }, inheritance: 'false' }],
      externalId: ['urn:film'],
      origin: 'VX',
      inheritance: 'false',
    });
    // What a client has read, it writes back elsewhere.
    await done(world, newGroup('Copy', { ...read, externalId: [] }));
    expect(await jsonOf(world, `GET ${group('Copy', '?data=all')}`)).toMatchObject({
      field: read['field'],
      group: read['group'],
    });
    await done(world, by(`PUT ${group('Film', '?clear=true')}`, { field: [{ name: 'film_title' }] }));
    expect(await jsonOf(world, `GET ${group('Film')}`)).toMatchObject({ field: [{ name: 'film_title' }] });
    expect(await jsonOf(world, `GET ${group('Film')}`)).not.toHaveProperty('group');
  });

  it('groups and fields go without those that they are in or have', async () => {
    const world = await entry.open();
    for (const sent of [...film, newGroup('All'), groupIn('All', 'Film'), inGroup('All', 'film_title')])
      await done(world, sent);
    await done(world, by(`DELETE ${group('Film')}`));
    expect((await world.send(by(`GET ${field('film_title')}`))).status).toBe(200);
    expect(await jsonOf(world, `GET ${group('All')}`)).toMatchObject({ field: [{ name: 'film_title' }] });
    await done(world, newGroup('Film'));
    expect(await jsonOf(world, `GET ${group('Film')}`)).not.toHaveProperty('field');
    expect(await jsonOf(world, `GET ${group('All')}`)).not.toHaveProperty('group');
    await done(world, by(`DELETE ${field('film_title')}`));
    expect(await jsonOf(world, `GET ${group('All')}`)).not.toHaveProperty('field');
  });

  it('a refused document changes nothing', async () => {
    const world = await entry.open();
    const fields = [{ name: 'film_a', type: 'date' }, { name: 'film_b' }];
    expect((await world.send(newGroup('Film', { field: fields }))).status).toBe(400);
    expect((await world.send(newGroup('Film', { field: fields.slice(0, 1), group: [{ name: 'None' }] }))).status).toBe(
      404,
    );
    expect((await world.send(by(`GET ${field('film_a')}`))).status).toBe(404);
    expect((await world.send(by(`GET ${group('Film')}`))).status).toBe(404);
  });

  it('members keep the order in which they were added', async () => {
    const world = await entry.open();
    await done(world, newGroup('A', { field: ['x_c', 'x_a', 'x_b'].map((name) => ({ name, type: 'string' })) }));
    await done(world, by(`DELETE ${group('A', '/x_a')}`));
    await done(world, inGroup('A', 'x_c'));
    await done(world, inGroup('A', 'x_a'));
    const { field: fields } = await jsonOf<{ field: { name: string }[] }>(world, `GET ${group('A')}`);
    expect(fields.map(({ name }) => name)).toEqual(['x_c', 'x_b', 'x_a']);
  });

  it('a chain of groups has an end, which the refusal names', async () => {
    const world = await entry.open();
    const chain = Array.from({ length: 21 }, (_, index) => `G${index}`);
    for (const name of chain) await done(world, newGroup(name));
    // From the middle outwards: what is above counts as well as what is below.
    const pairs = chain.slice(1).map((name, index) => [chain[index]!, name] as const);
    const answers = [];
    for (const [outer, inner] of [...pairs.slice(10), ...pairs.slice(0, 10)])
      answers.push(await world.send(groupIn(outer, inner)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(answers.at(-1)).toMatchObject({
      status: 400,
      body: expect.stringContaining('Expected groups nested at most 20 deep'),
    });
    expect((await world.send(by(`GET ${group('G0', '?traverse=true')}`))).status).toBe(200);
  });

  it('groups that are in many groups are refused where they would make a document without end', async () => {
    const world = await entry.open({ settings: { maxPageValues: 1000 } });
    const chain = Array.from({ length: 12 }, (_, index) => `G${index}`);
    for (const name of [...chain, ...chain.map((each) => `${each}-too`)]) await done(world, newGroup(name));
    for (const [index, inner] of chain.slice(1).entries()) {
      for (const outer of [chain[index]!, `${chain[index]}-too`])
        for (const member of [inner, `${inner}-too`]) await done(world, groupIn(outer, member));
    }
    const answer = await world.send(by(`GET ${group('G0', '?traverse=true')}`));
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('at most 1000 members and values') });
  });

  it('two that join groups at the same time close no circle together', async () => {
    const world = await entry.open();
    for (const name of ['A', 'B']) await done(world, newGroup(name));
    const answers = await Promise.all([groupIn('A', 'B'), groupIn('B', 'A')].map((sent) => world.send(sent)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});
