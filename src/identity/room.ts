import type { Participant } from '../core/store/contract.ts';
import { below, type RouteGroup } from '../http/route-group.ts';
import type { RoomContext } from '../room/context.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { type AccessKeyParts, accessKeyRoutes } from './access-keys/routes.ts';
import { deleteKeysOf } from './access-keys/store.ts';
import { propertySchema } from './api-settings/public.ts';
import { createProperties } from './api-settings/public-reading.ts';
import { createUserDirectory } from './directory.ts';
import * as documents from './documents.ts';
import { identityEvents } from './events.ts';
import { groupCommands } from './group-commands.ts';
import { groupKind } from './groups/change.ts';
import { groupRoutes } from './groups/routes.ts';
import { noteGroupsModified } from './groups/store.ts';
import { userRelationRoutes } from './memberships/relation-routes.ts';
import { membershipRoutes } from './memberships/routes.ts';
import { userMetadataRoutes } from './metadata-routes.ts';
import { FamiliarNetworks } from './passwords/familiar.ts';
import { Passwords } from './passwords/passwords.ts';
import { passwordRoutes, type ValidateParts, validateRoute } from './passwords/routes.ts';
import { SharedFailures } from './passwords/shared-failures.ts';
import { failureKeeper, familiarKeeper, forgetFamiliar } from './passwords/store.ts';
import { accountKeyOf, Throttle } from './passwords/throttle.ts';
import { userSearchRoutes } from './search/routes.ts';
import * as secondFactorDocuments from './second-factor/documents.ts';
import { secondStepRoutes } from './second-factor/login-routes.ts';
import type { FactorParts } from './second-factor/parts.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { deleteCodesOf, deleteFactorsOf } from './second-factor/store.ts';
import { type IdentitySettings, identityProperties, identitySettings } from './settings.ts';
import * as tables from './tables.ts';
import { createSessionBeginner } from './tokens/begin-session.ts';
import { createTokenIssuer, makeLink } from './tokens/issue.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { type SessionParts, sessionRoutes } from './tokens/session-routes.ts';

import { forgetPlaces, revokeTokensBy, revokeTokensOf } from './tokens/store.ts';
import { createUseNotes } from './tokens/use.ts';
import { tokenCommands, userCommands } from './user-commands.ts';
import { userKind } from './users/change.ts';
import { type DeletionParts, userDeletionRoutes } from './users/deletion-routes.ts';
import { createProvision } from './users/provision.ts';
import { profileRoutes, userRoutes } from './users/routes.ts';
import { identitySchema, noteUsersModified } from './users/store.ts';

interface IdentityRouteParts extends SessionParts, FactorParts, AccessKeyParts, ValidateParts, DeletionParts {}

/** Users, groups and roles, and what they come in with. */
const identityRoutes = (parts: IdentityRouteParts): readonly RouteGroup[] => [
  below(['whoami', 'user'], () => userRoutes(parts)),
  below(['user', 'group'], () => userSearchRoutes(parts)),
  below('user', () => profileRoutes(parts)),
  below('user', () => passwordRoutes(parts)),
  below('user', () => [validateRoute(parts)]),
  below(['token', 'user'], () => tokenRoutes(parts)),
  below(['session', 'APInoauth'], () => sessionRoutes(parts)),
  below('APInoauth', () => secondStepRoutes(parts)),
  below('user', () => secondFactorRoutes(parts)),
  below('user', () => accessKeyRoutes(parts)),
  below('user', () => userDeletionRoutes(parts)),
  below('group', () => groupRoutes(parts)),
  below(['user', 'group'], () => membershipRoutes(parts)),
  below(['user', 'group'], () => userRelationRoutes(parts)),
  below(['user', 'group'], () => userMetadataRoutes(parts)),
];

/** Keeps the time of the last event of users and groups, for who copies what has changed. */
const modificationTimes: Participant = {
  name: 'modification-times',
  concerns: ['user/modify', 'group/modify'],
  after({ events, now }) {
    const named = (event: string) => [
      ...new Set(events.flatMap(({ name, entityId }) => (name === event ? [entityId] : []))),
    ];
    const [users, groups] = [named('user/modify'), named('group/modify')];
    return [
      ...(users.length > 0 ? [noteUsersModified({ names: users, now })] : []),
      ...(groups.length > 0 ? [noteGroupsModified({ names: groups, now })] : []),
    ];
  },
};

/** Users, groups and roles, and what users come in with. */
export const identity = defineRoom({
  name: 'identity',
  commands: globalThis.isEdgeModule ? {} : { ...userCommands(), ...groupCommands(), ...tokenCommands() },
  properties: identityProperties,
  settings: identitySettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : [...identitySchema(), ...propertySchema()],
  documents: [documents, secondFactorDocuments],
  events: identityEvents,
  roles: ['_administrator', '_runas', '_user', '_user_read', '_user_metadata_write', ...readAndWrite('group')],
  open(context: RoomContext<IdentitySettings>) {
    const { store, clock, random, log, settings, security, services, digest, fingerprint, sharesWork } = context;
    const passwords = new Passwords(context);
    const properties = createProperties(store, identityProperties);
    const issueToken = createTokenIssuer({ random, clock, fingerprint });
    const beginSession = createSessionBeginner({ store, clock, properties, issueToken, fingerprint });
    const familiar = new FamiliarNetworks({
      clock,
      log,
      days: settings.familiarNetworkDays,
      keeper: sharesWork ? familiarKeeper(store, fingerprint) : undefined,
    });
    const shared = new SharedFailures({ clock, log, fingerprint, keeper: failureKeeper(store) });
    const directory = createUserDirectory({
      store,
      settings,
      passwords,
      throttle: new Throttle({ ...context, familiar, shared }),
      provision: createProvision(store, clock, log, settings.maxMetadataBytes),
      now: () => clock.now(),
      digest,
      fingerprint,
      noteUse: createUseNotes({ store, clock, log, properties, waits: !sharesWork }),
    });
    return {
      routes: identityRoutes({
        ...context,
        settings,
        passwords,
        properties,
        issueToken,
        beginSession,
        services,
        login: (credentials, address) => security.login(credentials, address),
      }),
      participants: [modificationTimes],
      entities: {
        '/user': userKind(store),
        '/group': groupKind(store),
      },
      onDelete: {
        login: (login, by) => (by === 'revocation' ? [revokeTokensBy({ login })] : []),
        user: ({ id, names }) => [
          revokeTokensOf({ userId: id, kept: '' }),
          deleteKeysOf({ userId: id }),
          deleteFactorsOf({ userId: id }),
          deleteCodesOf({ userId: id }),
          forgetPlaces({ userId: id }),
          ...names.map((name) => forgetFamiliar({ account: fingerprint(accountKeyOf(name)) })),
        ],
      },
      services: { directory, passwords },
      provides: {
        passwords,
        issueToken,
        beginSession,
        makeLink: (name: string) => makeLink({ store, issueToken }, name),
      },
      start: () => familiar.load(),
      close: () => familiar.close(),
    };
  },
});
