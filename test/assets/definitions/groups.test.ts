import { describe, expect, it } from 'vitest';
import { fieldPath, groupIn, groupPath, inGroup, namespace, newField, newFieldGroup } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, jsonOf, plain, send, xml } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { fetchEntry } from '../../support/storages.ts';
import { definer, givenTo, viewer } from '../../support/world.ts';

const grouper = ['grouper', 'password of grouper'] as const;
const film = [newField('film_title'), newFieldGroup('Film'), inGroup('Film', 'film_title')];
const schemaOf = (name: string) => ({ min: 0, max: -1, name });

/** A group with groups inside, so many levels deep. */
const nestedGroups = (levels: number): object =>
  Array.from({ length: levels }).reduce<object>((group, _, at) => ({ name: `level ${at}`, group: [group] }), {
    name: 'last',
  });

const rules = [{ condition: { field: { name: 'x_kind', value: 'series' } }, inheritedName: 'x_b' }];

const rows: readonly Scenario[] = [
  {
    name: 'recorded: a group is made without a body, with an empty answer',
    ...newFieldGroup('Broadcast date'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: one that is there stays as it is',
    given: film,
    ...newFieldGroup('Film'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a group tells its members whole, and the schema of each and of itself',
    given: [...film, newFieldGroup('Cast'), groupIn('Film', 'Cast')],
    ...by(`GET ${groupPath('Film')}`),
    status: 200,
    says: {
      exact:
        '{"name":"Film","schema":{"min":0,"max":-1,"name":"Film"},"field":[{"name":"film_title","schema":{"min":0,"max":-1,"name":"film_title"},"type":"string","origin":"VX"}],"group":[{"name":"Cast","schema":{"reference":false,"min":0,"max":-1,"name":"Cast"},"inheritance":"false"}],"origin":"VX","inheritance":"false"}',
    },
  },
  {
    name: 'a group keeps its rules of inheritance',
    given: [newFieldGroup('Film', { inheritanceRule: rules })],
    ...by(`GET ${groupPath('Film')}`),
    status: 200,
    says: { jsonPart: { inheritanceRule: rules, inheritance: 'false' } },
  },
  {
    name: 'recorded: a group without fields has no field property',
    given: [newFieldGroup('Empty')],
    ...by(`GET ${groupPath('Empty')}`),
    status: 200,
    says: { exact: '{"name":"Empty","schema":{"min":0,"max":-1,"name":"Empty"},"origin":"VX","inheritance":"false"}' },
  },
  {
    name: 'recorded: a group and a field share a name',
    given: [newField('field_one'), newFieldGroup('field_one')],
    ...inGroup('field_one', 'field_one'),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: the list tells names only, in the order of dictionaries',
    given: [...film, newFieldGroup('b-a'), newFieldGroup('Ba Z')],
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
    given: [newFieldGroup('B'), newFieldGroup('A')],
    ...by('GET /API/metadata-field/field-group', undefined, plain),
    status: 200,
    says: { exact: 'A\r\nB\r\n' },
  },
  {
    name: 'a group comes in XML',
    given: film,
    ...by(`GET ${groupPath('Film')}`, undefined, xml),
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
      newFieldGroup('Cast'),
      groupIn('Film', 'Cast'),
      newField('cast_name', { type: 'string-exact' }),
      inGroup('Cast', 'cast_name'),
    ],
    ...by(`GET ${groupPath('Film', '?traverse=true')}`),
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
      by(`PUT ${groupPath('Film', '/metadata/extradata')}`, 'of the group'),
      by(`PUT ${fieldPath('film_title', '/metadata/extradata')}`, 'of the field'),
    ],
    ...by(`GET ${groupPath('Film', '?data=extradata&includeValues=true')}`),
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
    given: [namespace, ...film, newFieldGroup('Cast')],
    ...newFieldGroup('Film', {
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
    ...newFieldGroup('Film', { field: [{ name: 'film_year' }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldGroupDocument/field/type' } } },
  },
  {
    name: 'a new member has a name of callers',
    ...newFieldGroup('Film', { field: [{ name: 'year', type: 'integer' }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: 'metadata-field', id: 'year' } } },
  },
  ...(
    [
      ['a member without a name', [{}], '"context":"/MetadataFieldGroupDocument/group/name"'],
      [
        'a group of an invalid name',
        [{ name: 'a', group: [{ name: ' b' }] }],
        '"context":"/MetadataFieldGroupDocument/group/name"',
      ],
      ['a group inside itself', [{ name: 'a', group: [{ name: 'Film' }] }], 'a group that does not contain this one'],
      [
        'two groups inside each other',
        ['ab', 'ba'].map(([name, inside]) => ({ name, group: [{ name: inside }] })),
        'a group that does not contain this one',
      ],
      ['groups too deep', [nestedGroups(20)], 'Expected groups nested at most 20 deep'],
      [
        'more groups than a document makes',
        Array.from({ length: 500 }, (_, index) => ({ name: `g${index}` })),
        'at most 500 groups that change: \\"501\\"',
      ],
      [
        'a field without a type in a new group',
        [{ name: 'a', field: [{ name: 'film_a' }] }],
        '"context":"/MetadataFieldGroupDocument/field/type"',
      ],
    ] as const
  ).map(
    ([what, group, text]): Scenario => ({
      name: `a document with ${what} is refused`,
      ...newFieldGroup('Film', { group }),
      status: 400,
      says: { contains: [text] },
    }),
  ),
  {
    name: 'fields of new groups inside are made by those who may make fields',
    ...newFieldGroup('Film', { group: [{ name: 'Cast', field: [{ name: 'film_year', type: 'integer' }] }] }),
    as: grouper,
    status: 403,
    says: { contains: ['_metadata_field_write'] },
  },
  {
    name: 'a group inside gets members by those who may write it',
    given: [newFieldGroup('Cast'), by(`POST ${groupPath('Cast')}/access`, { user: 'definer', permission: 'READ' })],
    ...newFieldGroup('Film', { group: [{ name: 'Cast', group: [{ name: 'Crew' }] }] }),
    as: definer,
    status: 403,
    says: { contains: ['Expected the right WRITE in the field group', '"id":"Cast"'] },
  },
  {
    name: 'and joins another one as it is by those who may only read it',
    given: [
      ...[newFieldGroup('Cast', { group: [{ name: 'Crew' }] })],
      by(`POST ${groupPath('Cast')}/access`, { user: 'definer', permission: 'READ' }),
    ],
    ...newFieldGroup('Film', { group: [{ name: 'Cast', group: [{ name: 'Crew' }], inheritance: 'true' }] }),
    as: definer,
    status: 200,
  },
  {
    name: 'entries of new groups inside are made by administrators alone',
    ...newFieldGroup('Film', { group: [{ name: 'Cast', access: [{ user: 'definer', permission: 'READ' }] }] }),
    as: definer,
    status: 403,
    says: { contains: ['_administrator'] },
  },
  {
    name: 'fields are made by those who may make fields',
    given: [newFieldGroup('Film')],
    ...newFieldGroup('Film', { field: [{ name: 'film_year', type: 'integer' }] }),
    as: definer,
    status: 200,
  },
  {
    name: 'a schema has its limits in order',
    given: film,
    ...newFieldGroup('Film', { field: [{ name: 'film_title', schema: { min: 2, max: 1, name: 'film_title' } }] }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldGroupDocument/field/schema/max' } } },
  },
  {
    name: 'recorded: an unknown field does not become a member',
    given: [newFieldGroup('Film')],
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
    ...by(`DELETE ${groupPath('Film', '/film_title')}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'a field that is no member does not leave a group',
    given: [...film, newField('film_year')],
    ...by(`DELETE ${groupPath('Film', '/film_year')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'film_year' } } },
  },
  {
    name: 'a group leaves a group',
    given: [newFieldGroup('A'), newFieldGroup('B'), groupIn('A', 'B')],
    ...by(`DELETE ${groupPath('A', '/group/B')}`),
    status: 200,
  },
  {
    name: 'a group is not in itself',
    given: [newFieldGroup('A')],
    ...groupIn('A', 'A'),
    status: 400,
    says: { jsonPart: { invalidInput: { context: 'field-group', id: 'A' } } },
  },
  {
    name: 'groups are not in a circle',
    given: [newFieldGroup('A'), newFieldGroup('B'), newFieldGroup('C'), groupIn('A', 'B'), groupIn('B', 'C')],
    ...groupIn('C', 'A'),
    status: 400,
    says: { contains: ['Expected a group that does not contain this one'] },
  },
  {
    name: 'a document puts no group into itself',
    given: [newFieldGroup('A'), newFieldGroup('B'), groupIn('A', 'B')],
    ...newFieldGroup('B', { group: [{ name: 'A' }] }),
    status: 400,
  },
  {
    name: 'one group is in two others',
    given: [
      newFieldGroup('A'),
      newFieldGroup('B'),
      newFieldGroup('C'),
      groupIn('A', 'B'),
      groupIn('A', 'C'),
      groupIn('B', 'C'),
    ],
    ...by(`GET ${groupPath('A', '?traverse=true')}`),
    status: 200,
    says: { jsonPart: { group: [{ name: 'B', group: [{ name: 'C' }] }, { name: 'C' }] } },
  },
  {
    name: 'recorded: a group goes, with an empty answer',
    given: film,
    ...by(`DELETE ${groupPath('Film')}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'recorded: an unknown group is not found, as a namespace',
    ...by(`GET ${groupPath('None')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'namespace', id: 'None' } } },
  },
  { name: 'an unknown group does not go', ...by(`DELETE ${groupPath('None')}`), status: 404 },
  ...['merged-access', 'x'.repeat(129), 'a\u200bb', ' a'].map(
    (name): Scenario => ({
      name: `a group is not called ${JSON.stringify(name.slice(0, 14))}`,
      ...newFieldGroup(name, {}),
      status: 400,
    }),
  ),
  { name: 'a group has a name of 128 characters', ...newFieldGroup('é'.repeat(128)), status: 200 },
  { name: 'a user without the role makes no groups', ...newFieldGroup('Film'), as: viewer, status: 403 },
];

describe('field groups', () => {
  itHolds(fetchEntry, rows, { given: [...givenTo('definitions'), newUser(grouper, ['_metadata_field_group_write'])] });
});

describeMatrix('changes of field groups', (entry) => {
  it('members that a document added are read back, and clear=true takes the others out', async () => {
    const world = await entry.open();
    for (const sent of [namespace, ...film, newFieldGroup('Cast')]) await send(world, sent);
    const year = { name: 'film_year', type: 'integer', schema: { max: 1 }, integerRestriction: { minInclusive: 1888 } };
    const cast = { name: 'Cast', schema: { reference: true } };
    const document = {
      schema: { min: 1 },
      field: [year],
      group: [cast],
      data: [{ key: 'k', value: 'v' }],
      externalId: ['urn:film'],
    };
    await send(world, newFieldGroup('Film', document));
    const read = await jsonOf(world, `GET ${groupPath('urn:film', '?data=all')}`);
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
    // Documents that a client has read can be written back elsewhere.
    await send(world, newFieldGroup('Copy', { ...read, externalId: [] }));
    expect(await jsonOf(world, `GET ${groupPath('Copy', '?data=all')}`)).toMatchObject({
      field: read['field'],
      group: read['group'],
    });
    await send(world, by(`PUT ${groupPath('Film', '?clear=true')}`, { field: [{ name: 'film_title' }] }));
    expect(await jsonOf(world, `GET ${groupPath('Film')}`)).toMatchObject({ field: [{ name: 'film_title' }] });
    expect(await jsonOf(world, `GET ${groupPath('Film')}`)).not.toHaveProperty('group');
  });

  it('a document makes three levels of groups with their fields, data and rights, and extends them later', async () => {
    const world = await entry.open();
    await send(world, namespace);
    const role = { name: 'cast_role', type: 'string-exact', schema: { min: 1, max: 1, name: 'cast_role' } };
    const person = { name: 'Person', field: [role], data: [{ key: 'label', value: 'Who' }], inheritance: 'true' };
    const cast = { name: 'Cast', schema: { min: 0, max: 3, name: 'Cast' }, group: [person], externalId: ['urn:cast'] };
    const film = { field: [{ name: 'film_title', type: 'string' }], group: [cast, { name: 'Crew', group: [person] }] };
    await send(world, newFieldGroup('Film', film));
    const read = await jsonOf(world, `GET ${groupPath('Film', '?traverse=true&data=all')}`);
    const shown = {
      ...person,
      field: [{ ...role, origin: 'VX' }],
      schema: { reference: false, ...schemaOf('Person') },
    };
    expect(read['group']).toEqual([
      { name: 'Cast', schema: { reference: false, ...cast.schema }, group: [shown], inheritance: 'false' },
      { name: 'Crew', schema: { reference: false, ...schemaOf('Crew') }, group: [shown], inheritance: 'false' },
    ]);
    expect(await jsonOf(world, `GET ${groupPath('urn:cast')}`)).toMatchObject({ name: 'Cast' });

    // The document comes again with more inside: what is there stays as it is.
    const agent = { name: 'Agent', field: [role] };
    const changed = { ...person, field: [{ ...role, type: 'date', schema: {} }], group: [agent], inheritance: 'false' };
    await send(
      world,
      newFieldGroup('Film', { group: [{ ...cast, schema: undefined, externalId: [], group: [changed] }] }),
    );
    expect(
      (await jsonOf<{ group: object[] }>(world, `GET ${groupPath('Film', '?traverse=true&data=all')}`)).group[0],
    ).toEqual({
      ...(read['group'] as object[])[0],
      group: [
        {
          ...shown,
          group: [
            { ...agent, schema: { reference: false, ...schemaOf('Agent') }, field: shown.field, inheritance: 'false' },
          ],
        },
      ],
    });
  });

  it('groups and fields go without those that they are in or have', async () => {
    const world = await entry.open();
    for (const sent of [...film, newFieldGroup('All'), groupIn('All', 'Film'), inGroup('All', 'film_title')])
      await send(world, sent);
    await send(world, by(`DELETE ${groupPath('Film')}`));
    expect((await world.send(by(`GET ${fieldPath('film_title')}`))).status).toBe(200);
    expect(await jsonOf(world, `GET ${groupPath('All')}`)).toMatchObject({ field: [{ name: 'film_title' }] });
    await send(world, newFieldGroup('Film'));
    expect(await jsonOf(world, `GET ${groupPath('Film')}`)).not.toHaveProperty('field');
    expect(await jsonOf(world, `GET ${groupPath('All')}`)).not.toHaveProperty('group');
    await send(world, by(`DELETE ${fieldPath('film_title')}`));
    expect(await jsonOf(world, `GET ${groupPath('All')}`)).not.toHaveProperty('field');
  });

  it('a refused document changes nothing', async () => {
    const world = await entry.open();
    const fields = [{ name: 'film_a', type: 'date' }, { name: 'film_b' }];
    expect((await world.send(newFieldGroup('Film', { field: fields }))).status).toBe(400);
    expect(
      (await world.send(newFieldGroup('Film', { field: fields.slice(0, 1), group: [{ name: 'Cast', field: fields }] })))
        .status,
    ).toBe(400);
    expect((await world.send(by(`GET ${fieldPath('film_a')}`))).status).toBe(404);
    for (const name of ['Film', 'Cast']) expect((await world.send(by(`GET ${groupPath(name)}`))).status).toBe(404);
  });

  it('members keep the order in which they were added', async () => {
    const world = await entry.open();
    await send(world, newFieldGroup('A', { field: ['x_c', 'x_a', 'x_b'].map((name) => ({ name, type: 'string' })) }));
    await send(world, by(`DELETE ${groupPath('A', '/x_a')}`));
    await send(world, inGroup('A', 'x_c'));
    await send(world, inGroup('A', 'x_a'));
    const { field: fields } = await jsonOf<{ field: { name: string }[] }>(world, `GET ${groupPath('A')}`);
    expect(fields.map(({ name }) => name)).toEqual(['x_c', 'x_b', 'x_a']);
  });

  it('a chain of groups has an end, which the refusal names', async () => {
    const world = await entry.open();
    const chain = Array.from({ length: 21 }, (_, index) => `G${index}`);
    for (const name of chain) await send(world, newFieldGroup(name));
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
    expect((await world.send(by(`GET ${groupPath('G0', '?traverse=true')}`))).status).toBe(200);
  });

  it('groups that are in many groups are refused where they would make a document without end', async () => {
    const world = await entry.open({ settings: { maxPageValues: 1000 } });
    const chain = Array.from({ length: 12 }, (_, index) => `G${index}`);
    for (const name of [...chain, ...chain.map((each) => `${each}-too`)]) await send(world, newFieldGroup(name));
    for (const [index, inner] of chain.slice(1).entries()) {
      for (const outer of [chain[index]!, `${chain[index]}-too`])
        for (const member of [inner, `${inner}-too`]) await send(world, groupIn(outer, member));
    }
    const answer = await world.send(by(`GET ${groupPath('G0', '?traverse=true')}`));
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('at most 1000 members and values') });
  });

  it('two that join groups at the same time close no circle together', async () => {
    const world = await entry.open();
    for (const name of ['A', 'B']) await send(world, newFieldGroup(name));
    const answers = await Promise.all([groupIn('A', 'B'), groupIn('B', 'A')].map((sent) => world.send(sent)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});
