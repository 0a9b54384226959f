import { describe, expect, it } from 'vitest';
import { fieldRights, level } from '../../../src/assets/definitions/access/rights.ts';
import { findUser } from '../../../src/identity/users/store.ts';
import { fieldPath, groupIn, groupPath, inGroup, newField, newFieldGroup } from '../../support/assets.ts';
import { newUser, newGroup as newUserGroup } from '../../support/cast.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, jsonOf, send } from '../../support/requests.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { type Credentials, withService } from '../../support/service.ts';
import { fetchEntry } from '../../support/storages.ts';
import { definer, givenTo, viewer } from '../../support/world.ts';

const ann: Credentials = ['ann', 'password of ann'];
const groupOnly: Credentials = ['grouper', 'password of grouper'];
/** ann is in `inner`, which is in `outer`. */
const given = [
  ...givenTo('definitions'),
  newUserGroup('outer'),
  newUserGroup('inner', { parentGroupList: { group: [{ groupName: 'outer' }] } }),
  newUser(ann, ['inner', '_metadata_field_read', '_metadata_field_group_read', '_metadata_field_group_write']),
  newUser(groupOnly, ['_metadata_field_group_write']),
  newField('x_a'),
  newFieldGroup('Film'),
  inGroup('Film', 'x_a'),
];

const grant = (place: string, entry: object) => by(`POST ${place}/access`, entry);
const merged = (place: string, username: string) => by(`GET ${place}/merged-access/?username=${username}`);

const rows: readonly Scenario[] = [
  {
    name: 'an entry is answered with its id',
    ...grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' }),
    status: 200,
    answers: { location: /^http:\/\/[^/]+\/API\/metadata-field\/x_a\/access\/VX-1$/ },
    says: { exact: '{"id":"VX-1","field":"x_a","user":"ann","permission":"READ"}' },
  },
  {
    name: 'entries of a group are listed in their order',
    given: [
      grant(groupPath('Film'), { group: 'outer', permission: 'delete' }),
      grant(groupPath('Film'), { user: 'ann', permission: 'NONE' }),
    ],
    ...by(`GET ${groupPath('Film', '/access')}`),
    status: 200,
    says: {
      exact:
        '{"access":[{"id":"VX-1","fieldGroup":"Film","group":"outer","permission":"DELETE"},{"id":"VX-2","fieldGroup":"Film","user":"ann","permission":"NONE"}]}',
    },
  },
  {
    name: 'one entry is read',
    given: [grant(groupPath('Film'), { user: 'ann', permission: 'READ' })],
    ...by(`GET ${groupPath('Film', '/access/VX-1')}`),
    status: 200,
    says: { json: { id: 'VX-1', fieldGroup: 'Film', user: 'ann', permission: 'READ' } },
  },
  {
    name: 'an entry goes, with an empty answer',
    given: [grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' })],
    ...by(`DELETE ${fieldPath('x_a', '/access/VX-1')}`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'an entry of another definition does not go',
    given: [grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' })],
    ...by(`DELETE ${groupPath('Film', '/access/VX-1')}`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Access', id: 'VX-1' } } },
  },
  {
    name: 'an unknown permission is refused',
    ...grant(fieldPath('x_a'), { user: 'ann', permission: 'ALL' }),
    status: 400,
  },
  { name: 'an entry without a permission is refused', ...grant(fieldPath('x_a'), { user: 'ann' }), status: 400 },
  { name: 'an entry is for somebody', ...grant(fieldPath('x_a'), { permission: 'READ' }), status: 400 },
  {
    name: 'an entry is for a user or a group',
    ...grant(fieldPath('x_a'), { user: 'ann', group: 'outer', permission: 'READ' }),
    status: 400,
    says: { jsonPart: { invalidInput: { context: '/MetadataFieldAccessControlDocument' } } },
  },
  {
    name: 'an unknown user is not found',
    ...grant(fieldPath('x_a'), { user: 'bob', permission: 'READ' }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'User', id: 'bob' } } },
  },
  {
    name: 'an unknown group is not found',
    ...grant(fieldPath('x_a'), { group: 'nobody', permission: 'READ' }),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Group', id: 'nobody' } } },
  },
  {
    name: 'an unknown field gets no entry',
    ...grant(fieldPath('x_b'), { user: 'ann', permission: 'READ' }),
    status: 404,
  },
  {
    name: 'entries are for administrators',
    ...by(`GET ${fieldPath('x_a', '/access')}`),
    as: definer,
    status: 403,
  },
  {
    name: 'no document of a group goes around that',
    ...newFieldGroup('Film', { access: [{ user: 'ann', permission: 'READ' }] }),
    as: definer,
    status: 403,
  },
  {
    name: 'an administrator adds entries by a document of a group',
    given: [newFieldGroup('Film', { access: [{ user: 'ann', permission: 'READ' }] })],
    ...by(`GET ${groupPath('Film', '/access')}`),
    status: 200,
    says: { json: { access: [{ id: 'VX-1', fieldGroup: 'Film', user: 'ann', permission: 'READ' }] } },
  },
  {
    name: 'a user who may only make groups makes no fields by them',
    ...newFieldGroup('Film', { field: [{ name: 'x_new', type: 'date' }] }),
    as: groupOnly,
    status: 403,
    says: { contains: ['_metadata_field_write'] },
  },
  {
    name: 'everybody has all rights on a field without entries',
    ...merged(fieldPath('x_a'), 'viewer'),
    status: 200,
    says: { json: { field: [{ name: 'x_a', permission: 'DELETE', username: 'viewer' }] } },
  },
  {
    name: 'users whom no entry reaches have no rights on a field with entries',
    given: [grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' })],
    ...merged(fieldPath('x_a'), 'viewer'),
    status: 200,
    says: { jsonPart: { field: [{ permission: 'NONE' }] } },
  },
  {
    name: 'the highest level counts, of the user and of groups above',
    given: [
      grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' }),
      grant(fieldPath('x_a'), { group: 'outer', permission: 'WRITE' }),
      grant(fieldPath('x_a'), { group: 'inner', permission: 'NONE' }),
    ],
    ...merged(fieldPath('x_a'), 'ann'),
    status: 200,
    says: { jsonPart: { field: [{ permission: 'WRITE' }] } },
  },
  {
    name: 'an administrator has all rights',
    given: [grant(fieldPath('x_a'), { user: 'ann', permission: 'READ' })],
    ...merged(fieldPath('x_a'), 'admin'),
    status: 200,
    says: { jsonPart: { field: [{ permission: 'DELETE' }] } },
  },
  { name: 'merged access is of a user', ...by(`GET ${fieldPath('x_a', '/merged-access')}`), status: 400 },
  { name: 'merged access is of a user who is there', ...merged(fieldPath('x_a'), 'bob'), status: 404 },
  {
    name: 'entries of a group hold for its fields that have none',
    given: [
      grant(groupPath('Film'), { user: 'ann', permission: 'READ' }),
      newFieldGroup('Cast'),
      groupIn('Film', 'Cast'),
      newField('x_b'),
      inGroup('Cast', 'x_b'),
      newField('x_c'),
      inGroup('Film', 'x_c'),
      grant(fieldPath('x_c'), { user: 'ann', permission: 'WRITE' }),
    ],
    ...merged(groupPath('Film'), 'ann'),
    status: 200,
    says: {
      json: {
        fieldGroup: [
          {
            name: 'Film',
            permission: 'READ',
            username: 'ann',
            fieldGroup: [
              {
                name: 'Cast',
                permission: 'READ',
                username: 'ann',
                field: [{ name: 'x_b', permission: 'READ', username: 'ann' }],
              },
            ],
            field: [
              { name: 'x_a', permission: 'READ', username: 'ann' },
              { name: 'x_c', permission: 'WRITE', username: 'ann' },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'merged access of all groups',
    given: [grant(groupPath('Film'), { user: 'viewer', permission: 'READ' })],
    ...merged('/API/metadata-field/field-group', 'ann'),
    status: 200,
    says: { jsonPart: { fieldGroup: [{ name: 'Film', permission: 'NONE', field: [{ permission: 'NONE' }] }] } },
  },
  {
    name: 'merged access of all fields',
    given: [grant(fieldPath('created'), { user: 'viewer', permission: 'READ' })],
    ...by('GET /API/metadata-field/merged-access?username=ann&first=2&number=2'),
    status: 200,
    says: {
      json: {
        field: [
          { name: 'created', permission: 'NONE', username: 'ann' },
          { name: 'durationSeconds', permission: 'DELETE', username: 'ann' },
        ],
      },
    },
  },
];

describe('access to fields and groups', () => {
  itHolds(fetchEntry, rows, { given });
});

describe('what access to groups allows', () => {
  async function openWith(permission: string): Promise<World> {
    const world = await openWorld('fetch');
    await prepare(world, [...given, grant(groupPath('Film'), { group: 'outer', permission })]);
    return world;
  }
  const statuses = async (world: World, as: Credentials): Promise<readonly number[]> => {
    const answers = [];
    for (const sent of [
      by(`GET ${groupPath('Film')}`),
      by(`GET ${groupPath('Film', '/metadata')}`),
      inGroup('Film', 'x_a'),
      newFieldGroup('Film', {}),
      by(`PUT ${groupPath('Film', '/metadata/k')}`, 'v'),
      by(`DELETE ${groupPath('Film')}`),
    ]) {
      answers.push((await world.send({ ...sent, as })).status);
    }
    return answers;
  };
  const names = async (world: World, as: Credentials): Promise<readonly string[]> =>
    (await jsonOf<{ group: { name: string }[] }>(world, 'GET /API/metadata-field/field-group', as)).group.map(
      ({ name }) => name,
    );

  it('NONE hides a group', async () => {
    const world = await openWith('NONE');
    expect(await statuses(world, ann)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await names(world, ann)).toEqual([]);
  });

  it('READ shows it', async () => {
    const world = await openWith('READ');
    expect(await names(world, ann)).toEqual(['Film']);
    expect(await names(world, viewer)).toEqual([]);
    expect(await statuses(world, ann)).toEqual([200, 200, 403, 403, 403, 403]);
  });

  it('WRITE changes its members, and DELETE deletes it', async () => {
    expect(await statuses(await openWith('WRITE'), ann)).toEqual([200, 200, 200, 200, 204, 403]);
    expect(await statuses(await openWith('DELETE'), ann)).toEqual([200, 200, 200, 200, 204, 200]);
  });

  it('a hidden group is not seen inside of another one', async () => {
    const world = await openWith('NONE');
    for (const sent of [newFieldGroup('All'), groupIn('All', 'Film')]) await send(world, sent);
    expect(await jsonOf(world, `GET ${groupPath('All', '?traverse=true')}`, ann)).not.toHaveProperty('group');
    expect(await jsonOf(world, `GET ${groupPath('All', '?traverse=true')}`)).toHaveProperty('group');
  });

  it('a field stays closed when the group that could see it is gone', async () => {
    const world = await openWith('READ');
    await send(world, by('DELETE /API/group/outer'));
    expect(await names(world, ann)).toEqual([]);
    expect(await jsonOf(world, `GET ${groupPath('Film', '/access')}`)).toEqual({
      access: [{ id: 'VX-1', fieldGroup: 'Film', permission: 'READ' }],
    });
    await send(world, by('PUT /API/group/outer'));
    expect(await names(world, ann)).toEqual([]);
    await send(world, by(`DELETE ${groupPath('Film', '/access/VX-1')}`));
    expect(await names(world, ann)).toEqual(['Film']);
  });
});

describe('rights that metadata asks for', () => {
  it('the nearest of the field and the groups around it that has entries decides', async () => {
    const world = await openWorld('fetch');
    await prepare(world, [
      ...given,
      newField('x_b'),
      newFieldGroup('Open'),
      grant(groupPath('Film'), { user: 'ann', permission: 'READ' }),
      grant(fieldPath('x_b'), { group: 'inner', permission: 'WRITE' }),
    ]);
    const { store } = world.service;
    const { id: userId } = (await findUser(store, { name: 'ann' }))!;
    const names = { fields: ['x_a', 'x_b'], groups: ['Film', 'Open'] };
    const rights = await fieldRights(store, { userId, administers: false }, names);
    expect([rights.field('x_a'), rights.field('x_a', 'Film'), rights.field('x_a', 'Open', 'Film')]).toEqual([
      level.delete,
      level.read,
      level.read,
    ]);
    expect([rights.field('x_b', 'Film'), rights.group('Film'), rights.group('Open', 'Film')]).toEqual([
      level.write,
      level.read,
      level.read,
    ]);
    const nobody = await fieldRights(store, { userId: undefined, administers: false }, names);
    expect([nobody.field('x_b'), nobody.group('Film'), nobody.field('x_a')]).toEqual([
      level.none,
      level.none,
      level.delete,
    ]);
    const admin = await fieldRights(store, { userId, administers: true }, names);
    expect([admin.field('x_b'), admin.group('Film')]).toEqual([level.delete, level.delete]);
  });

  it('entries are read once for fields and once for groups, until the revision of definitions changes', async () => {
    const { store } = (await withService()).service;
    let reads = 0;
    const reader = {
      read: (...given: Parameters<typeof store.read>) => {
        reads++;
        return store.read(...given);
      },
    };
    const ask = () => fieldRights(reader, { userId: 'VX-1', administers: false }, { fields: ['title'], groups: ['a'] });
    await ask();
    await fieldRights(reader, { userId: 'VX-1', administers: true }, { fields: ['title'] });
    const revisions = 2;
    expect(reads).toBe(revisions + 2);
    await ask();
    expect(reads).toBe(revisions + 2 + revisions);
  });
});
