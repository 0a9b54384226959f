import type * as types from 'portico/types';
import type {
  AuditLogDocument,
  ExceptionDocument,
  GroupDocument,
  SimpleMetadataDocument,
  UserDocument,
} from 'portico/types';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { exportedNames, sourcesIn } from '../architecture/sources.ts';
import { newGroup, newUser } from '../support/cast.ts';
import { catalogue } from '../support/declared.ts';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { typesOf } from './types-text.ts';

describe('the types of portico/types', () => {
  it('has every document and every type below one, by its name', () => {
    const source = sourcesIn('src').find(({ path }) => path === 'src/types.ts')!;
    expect(exportedNames(source)).toEqual(Object.keys(typesOf(catalogue)).sort());
    expect(catalogue.map(({ name }) => name).filter((name) => !exportedNames(source).includes(name))).toEqual([]);
  });

  it('are the documents as JSON carries them, not as the program holds them', () => {
    expectTypeOf<types.JobDocument['started']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ExceptionDocument['notFound']>().toEqualTypeOf<types.NotFoundType | null>();
    expectTypeOf<types.JobDataFilterType['key-regex']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<types.AccessKeyDocument['status']>().toEqualTypeOf<'ACTIVE' | 'INACTIVE' | undefined>();
    const metadata: SimpleMetadataDocument = {
      field: [
        { key: 'a', value: 'b' },
        { key: 'c', value: { mode: 'add', value: 'd' } },
      ],
    };
    expect(metadata.field).toHaveLength(2);
    // @ts-expect-error A misspelt name is found where it is written.
    const misspelt: UserDocument = { userName: 'ann', pasword: 'p' };
    expect(misspelt).toBeDefined();
  });
});

describeMatrix('the types of portico/types', (entry) => {
  it('fit what is sent and what is answered', async () => {
    const world = await entry.open();
    const group: GroupDocument = { groupName: 'crew', parentGroupList: { group: [{ groupName: '_user_read' }] } };
    await prepare(world, [newGroup('crew'), newUser(['ann', 'p'])]);
    const json = { accept: 'application/json' };
    const changed = await world.send({ as: admin, request: 'PUT /API/group/crew', headers: json, body: group });
    expect(changed.status).toBe(200);
    const user: UserDocument = JSON.parse(
      (await world.send({ as: admin, request: 'GET /API/user/ann', headers: json })).body,
    );
    expect(user.userName).toBe('ann');
    const log: AuditLogDocument = JSON.parse(
      (await world.send({ as: admin, request: 'GET /API/log', headers: json })).body,
    );
    expect(log.entry?.[0]?.timestamp).toMatch(/^\d{4}-/);
    const refusal: ExceptionDocument = JSON.parse(
      (await world.send({ as: admin, request: 'GET /API/user/nobody', headers: json })).body,
    );
    expect([refusal.notFound?.id, refusal.conflict]).toEqual(['nobody', null]);
  });
});
