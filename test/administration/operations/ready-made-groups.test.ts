import { expect, it, onTestFinished } from 'vitest';
import { readyMadeGroups } from '../../../src/administration/operations/initialise.ts';
import { newUser } from '../../support/cast.ts';
import { tryCli } from '../../support/cli.ts';
import { releaseRoles } from '../../support/declared.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';

const request = 'PUT /API/APIinit/groups';
const alice = ['alice', 'pw of alice'] as const;
const made = readyMadeGroups.map(({ name }) => name);

const rows: readonly Scenario[] = [
  {
    name: 'makes them once',
    given: [{ as: admin, request }],
    as: admin,
    request,
    status: 200,
    says: { exact: 'Created 0 groups\r\n' },
  },
  {
    name: 'needs a login, unlike the rest of APIinit: groups with rights are no matter of callers',
    request,
    status: 401,
  },
  {
    name: 'needs an administrator',
    given: [newUser([...alice])],
    as: [...alice],
    request,
    status: 403,
  },
];

describeMatrix('the ready-made groups', (entry) => {
  itHolds(entry, rows);

  it('give their members these roles, and none that gives rights to others', async () => {
    const world = await entry.open();
    await prepare(world, [{ as: admin, request }, newUser([...alice])]);
    for (const [group, has, lacks] of [
      ['viewer', ['_item_read', '_item_search', '_collection_read'], ['_item_write', '_file_read', '_share_read']],
      [
        'reviewer',
        ['_item_read', '_annotation_write', '_approval_write'],
        ['_share_read', '_metadata_write', '_import'],
      ],
      [
        'editor',
        ['_import', '_metadata_write', '_share_read', '_share_write'],
        ['_metadata_field_write', '_job_write'],
      ],
      ['librarian', ['_import', '_metadata_field_write', '_share_write'], ['_storage_write', '_user_write']],
      ['operator', ['_item_read', '_storage_write', '_job_read'], ['_item_write', '_configuration_write']],
    ] as const) {
      await prepare(world, [{ as: admin, request: `PUT /API/group/${group}/user/alice` }]);
      const answer = await world.send({
        as: admin,
        request: 'GET /API/user/alice/roles',
        headers: { accept: 'application/json' },
      });
      const names = (JSON.parse(answer.body) as { group: { groupName: string }[] }).group.map(
        ({ groupName }) => groupName,
      );
      expect(names, group).toEqual(expect.arrayContaining([...has]));
      for (const role of [...lacks, '_administrator', '_runas', '_group_write'])
        expect(names, group).not.toContain(role);
      await prepare(world, [{ as: admin, request: `DELETE /API/group/${group}/user/alice` }]);
    }
  });

  it('leave a group of that name as it is', async () => {
    const world = await entry.open();
    await prepare(world, [{ as: admin, request: 'PUT /API/group/editor' }]);
    const { body } = await world.send({ as: admin, request });
    expect(body).toBe('Created 4 groups\r\n');
    const answer = await world.send({
      as: admin,
      request: 'GET /API/group/editor/parents',
      headers: { accept: '*/*' },
    });
    expect(answer.body).not.toContain('_item_write');
  });
});

it('name roles of this release alone, each once', () => {
  for (const { name, roles } of readyMadeGroups) {
    const names = roles.map((role) => `_${role}`);
    expect(
      names.filter((role) => !releaseRoles.includes(role)),
      name,
    ).toEqual([]);
    expect(new Set(names).size, name).toBe(names.length);
  }
});

it('portico init --groups makes them, and says which', async () => {
  const { path: root, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const init = async () => (await tryCli(['init', '--groups'], { root })).out.trim().split('\n').at(-1);
  expect(await init()).toBe(`Made the groups ${made.join(', ')}`);
  expect(await init()).toBe('All groups are there');
});
