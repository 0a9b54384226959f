import type { Statement } from '../../../src/core/store/contract.ts';
import { newNotification, onCreate } from '../../administration/notifications/support.ts';
import { newGroup, newUser } from '../../support/cast.ts';
import { fillDirectory, largeDirectory } from '../../support/many-rows.ts';
import type { World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { nobody } from '../../support/store.ts';
import { accessState } from './access.ts';
import { attachmentState } from './attachments.ts';
import { fullMetadata } from './bodies.ts';
import { definitionState } from './definitions.ts';
import { fileState } from './files.ts';
import { jobState } from './jobs.ts';
import { metadataState } from './metadata.ts';
import { quotaState } from './quota.ts';
import { reviewState } from './review.ts';
import { shapeState } from './shapes.ts';
import { prepareShares } from './shares.ts';
import { storageState } from './storages.ts';
import { transcodingState } from './transcoding.ts';
import { uploadState } from './uploads.ts';

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

/**
 * The user `rich` and the group `big` have as many of everything as several requests can give them. The user and the
 * group `heavy` have as many bytes of metadata as `maxMetadataBytes` allows, in keys of as many parts as fit.
 */
const rows: readonly Statement[] = [
  ...(['user', 'group'] as const).map((owner) =>
    upTo(
      1000,
      `INSERT INTO key_value (entity_type, entity_id, key, position, value)
        SELECT '${owner}', (SELECT id FROM "${owner}" WHERE name = 'heavy'),
          replace(printf('%.120c', 'a'), 'a', 'a/') || i, 0, printf('%.840c', '<') FROM n`,
    ),
  ),
  upTo(
    1000,
    `INSERT INTO login (name, folded, user_id, alias)
      SELECT 'alias-' || i, 'alias-' || i, (SELECT id FROM user WHERE name = 'rich'), 1 FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO group_user (group_id, user_id) SELECT 'L-' || i, (SELECT id FROM user WHERE name = 'rich') FROM n`,
  ),
  upTo(
    20_000,
    `INSERT INTO group_user (group_id, user_id) SELECT (SELECT id FROM "group" WHERE name = 'big'), 'L-' || i FROM n`,
  ),
  upTo(
    20_000,
    `INSERT INTO group_user (group_id, user_id)
      SELECT (SELECT id FROM "group" WHERE name = 'emptied'), 'L-' || i FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO group_group (parent_id, child_id)
      SELECT (SELECT id FROM "group" WHERE name = 'big'), 'L-' || i FROM n`,
  ),
  upTo(
    2000,
    `INSERT INTO token SELECT 'digest ' || i, 'token-' || i, id, 1, NULL, NULL, NULL, NULL, NULL, 'token', 1, 0, 1, 1, 8e15, NULL, 'password', NULL, NULL, NULL, NULL, 0
      FROM n, user WHERE name = 'rich'`,
  ),
  upTo(2000, `INSERT INTO access_key SELECT 'key-' || i, id, 'name', '', 1, i FROM n, user WHERE name = 'rich'`),
  upTo(
    2000,
    `INSERT INTO scheduled_request (id, user_id, user, caller, state, date, created_at, executed_at, method, uri,
        headers, secure, depth, status, lease_until, fence)
      SELECT i, 'rich', 'rich', '{}', 'SUCCESS', 1, 1, 8e15, 'GET', 'http://host/API/item?' || printf('%.250c', 'q'),
        '[]', 0, 0, 200, 0, 1 FROM n`,
  ),
  upTo(2000, `INSERT INTO property SELECT 'property-' || i, printf('%.250c', 'v'), 1 FROM n`),
  upTo(
    50_000,
    `INSERT INTO audit (at, user, method, path, query, status, count)
      SELECT i, 'rich', 'GET', '/user', printf('%.200c', 'q'), 200, 1 FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO event (name, entity_type, entity_id, payload, user, at)
      SELECT 'group/modify', 'group', 'big', '{"group":"' || printf('%.250c', 'g') || '"}', 'rich', i FROM n`,
  ),
  upTo(
    2000,
    `INSERT INTO notification (id, resource, entity, document, synchronous, version, created_at, created_by, changed_at)
      SELECT 'N-' || i, resource, entity, document, 0, 1, i, 'rich', i FROM n, notification WHERE id = 'VX-1'`,
  ),
  upTo(
    2000,
    `INSERT INTO external_id (entity_type, external_id, entity_id) SELECT 'notification', 'external-' || i, 'VX-1' FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO parked (notification_id, sequence, at, reason, attempts)
      SELECT 'VX-1', (SELECT max(sequence) FROM event) - i, i, printf('%.200c', 'r'), 1 FROM n`,
  ),
  upTo(
    5000,
    `INSERT INTO attempt (notification_id, sequence, event, entity_id, number, started, ended, state, address, answer, says)
      SELECT 'VX-1', i, 'group/modify', 'big', 1, i, i, 'failed', 'http://a.example', printf('%.1000c', 'a'), 'says' FROM n`,
  ),
];

/** A directory as a large installation has it, and what the rows of the matrix of roles expect to be there. */
export async function fillForLoads(world: World): Promise<void> {
  const { store } = world.service;
  await fillDirectory(store, { ...largeDirectory, users: 30_000 });
  const put = (target: string, body: string) => ({
    as: admin,
    request: `PUT /API${target}`,
    headers: { 'content-type': 'application/json' },
    body,
  });
  await prepare(world, [
    newGroup('crew'),
    newGroup('big', { description: 'a'.repeat(1_000_000) }),
    newGroup('emptied'),
    newGroup('heavy'),
    newUser(['plain', 'p']),
    newUser(['heavy', 'p']),
    newUser(['rich', 'p']),
    put('/user/rich/metadata', fullMetadata()),
    put('/group/big/metadata', fullMetadata()),
    newNotification(onCreate),
  ]);
  const states = [
    ...storageState,
    ...fileState,
    ...uploadState,
    ...jobState,
    ...definitionState,
    ...shapeState,
    ...transcodingState,
    ...attachmentState,
    ...reviewState,
    ...metadataState,
    ...accessState,
    // Last: its triggers would count all rows that come behind it.
    ...quotaState,
  ];
  await store.commit({ changes: [...rows, ...states], events: [] }, nobody);
  await prepareShares(world);
}
