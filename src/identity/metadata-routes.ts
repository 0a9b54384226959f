import { ServiceError } from '../core/lib/errors.ts';
import { changedMeanwhile } from '../core/lib/retry-when-changed.ts';
import type { Statement } from '../core/store/contract.ts';
import { access, administratorOrSelfWith, type Route, role, roleOrSelf } from '../http/route.ts';
import { entityNamed } from '../room/entities/find.ts';
import { keyValueRoutes } from '../room/entities/key-values/routes.ts';
import { entityAt } from '../room/entities/place.ts';
import { subjectOf } from '../security/caller.ts';
import { onlyOwnAccount } from './access-checks.ts';
import { identityEvent } from './events.ts';
import { groupKind } from './groups/change.ts';
import { moveOn } from './groups/store.ts';
import type { IdentityParts } from './parts.ts';
import { userKind } from './users/change.ts';
import { modified } from './users/rules.ts';
import { moveUserOn, preferencesWithin } from './users/store.ts';

/** Beginning of the keys of preferences of the web page. */
const preferences = 'portico.ui.';

/** Form of a preference's key. It has no wildcard, which would reach other keys. */
const form = /^portico\.ui\.[\w.-]{1,100}$/;

const isPreference = (key: string | undefined): boolean => key !== undefined && form.test(key);

const mostBytes = 16_384;

/** Guard: the preferences of a user are small, because no role limits who has them. */
const preferencesFit = ({ id }: { readonly id: string }): Statement => {
  const explanation = `Expected at most ${mostBytes} bytes of keys below ${preferences} and their values`;
  return preferencesWithin({ id, max: mostBytes }, new ServiceError('bad-value', { context: 'body', explanation }));
};

const ownMetadata = administratorOrSelfWith('_user_metadata_write', 'name');

/** Users keep preferences of the web page without a role. */
const writeMetadata = access(
  { ...ownMetadata.needs, orSelf: { ...ownMetadata.needs.orSelf!, keys: preferences } },
  (call, params) =>
    subjectOf(call).name === params['name'] && isPreference(params['key']) ? undefined : ownMetadata(call, params),
);

/** Key-value metadata of users and groups. */
export function userMetadataRoutes(parts: IdentityParts): readonly Route[] {
  const { store } = parts;
  const users = entityAt(store, userKind(store), {
    path: '/user/:name',
    read: roleOrSelf('_administrator', 'name'),
    write: writeMetadata,
    acting: onlyOwnAccount(store),
  });
  const groups = entityAt(store, groupKind(store), {
    path: '/group/:name',
    read: role('_group_read'),
    write: role('_group_write'),
    // Metadata of a group gives its members no right.
    acting: 'allowed',
  });
  return [
    ...keyValueRoutes(parts, {
      ...users,
      lenient: true,
      current: ({ name }) => entityNamed(store, userKind(store), name),
      changed: (row, changes) => ({
        changes: [...moveUserOn(row, changedMeanwhile('User', row.name)), ...changes, preferencesFit(row)],
        events: [modified(row.name, ['metadata'])],
      }),
    }),
    ...keyValueRoutes(parts, {
      ...groups,
      lenient: true,
      current: ({ name }) => entityNamed(store, groupKind(store), name),
      changed: (row, changes) => ({
        changes: [...moveOn(row, changedMeanwhile('Group', row.name)), ...changes],
        events: [identityEvent('group/modify', row.name, { group: row.name })],
      }),
    }),
  ];
}
