import type { RoomContext } from '../room/context.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { deleteKeysOf } from './access-keys/store.ts';
import { createProperties } from './api-settings/public-reading.ts';
import { groupCommands } from './commands/groups.ts';
import { tokenCommands } from './commands/tokens.ts';
import { userCommands } from './commands/users.ts';
import { createUserDirectory } from './directory.ts';
import { accessKeyDocument, accessKeyListDocument } from './documents/access-key.ts';
import { simpleSearchDocument } from './documents/search.ts';
import { authenticationTokenDocument, authenticationTokenListDocument } from './documents/token.ts';
import { groupDocument, groupListDocument, userDocument, userListDocument } from './documents/users-and-groups.ts';
import { identityEvents } from './events.ts';
import { groupKind, userKind } from './kinds.ts';
import { FamiliarNetworks } from './passwords/familiar.ts';
import { Passwords } from './passwords/passwords.ts';
import { SharedFailures } from './passwords/shared-failures.ts';
import { failureKeeper, familiarKeeper, forgetFamiliar } from './passwords/store.ts';
import { accountKeyOf, Throttle } from './passwords/throttle.ts';
import { identityProperties } from './properties.ts';
import { identityRoutes } from './routes.ts';
import { makeLink } from './sessions/links.ts';
import { type IdentitySettings, identitySettings } from './settings.ts';
import * as tables from './tables.ts';
import { createTokenIssuer } from './tokens/issue.ts';
import { createTokenRefresh } from './tokens/refresh.ts';
import { revokeTokensOf } from './tokens/store.ts';
import { createProvision } from './users/provision.ts';
import { identitySchema } from './users/store.ts';

/** Users, groups and roles, and what users come in with. */
export const identity = defineRoom({
  name: 'identity',
  commands: { ...userCommands, ...groupCommands, ...tokenCommands },
  properties: identityProperties,
  settings: identitySettings,
  tables,
  schema: identitySchema,
  documents: [
    accessKeyDocument,
    accessKeyListDocument,
    authenticationTokenDocument,
    authenticationTokenListDocument,
    groupDocument,
    groupListDocument,
    userDocument,
    userListDocument,
    simpleSearchDocument,
  ],
  events: identityEvents,
  roles: ['_administrator', '_runas', '_user', '_user_read', '_user_metadata_write', ...readAndWrite('group')],
  open(context: RoomContext<IdentitySettings>) {
    const { store, clock, random, log, settings, security, services, digest, fingerprint, sharesWork } = context;
    const passwords = new Passwords(context);
    const properties = createProperties(store, identityProperties);
    const issueToken = createTokenIssuer({ random, clock, fingerprint });
    const familiar = new FamiliarNetworks({
      clock,
      log,
      days: settings.familiarNetworkDays,
      keeper: sharesWork ? familiarKeeper(store, fingerprint) : undefined,
    });
    const shared = new SharedFailures({ clock, log, fingerprint, keeper: failureKeeper(store) });
    const directory = createUserDirectory({
      store,
      passwords,
      throttle: new Throttle({ ...context, familiar, shared }),
      provision: createProvision(store, clock, log, settings.maxMetadataBytes),
      now: () => clock.now(),
      digest,
      fingerprint,
      refresh: createTokenRefresh({ store, clock, log, properties, waits: !sharesWork }),
    });
    return {
      routes: identityRoutes({
        ...context,
        settings,
        passwords,
        properties,
        issueToken,
        services,
        login: (credentials, address) => security.login(credentials, address),
      }),
      entities: {
        '/user': userKind(store),
        '/group': groupKind(store),
      },
      onDelete: {
        user: ({ id, names }) => [
          revokeTokensOf({ userId: id }),
          deleteKeysOf({ userId: id }),
          ...names.map((name) => forgetFamiliar({ account: fingerprint(accountKeyOf(name)) })),
        ],
      },
      services: { directory, passwords },
      offers: { passwords, issueToken, makeLink: (name: string) => makeLink({ store, issueToken }, name) },
      start: () => familiar.load(),
      close: () => familiar.close(),
    };
  },
});
