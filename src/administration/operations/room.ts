import { randomText } from '../../core/lib/random.ts';
import { requireKey } from '../../core/lib/vault.ts';
import { SettingError, variableOf } from '../../core/settings/read.ts';
import { systemActor } from '../../core/store/contract.ts';
import { below } from '../../http/route-group.ts';
import { liveDocument, setProperties, valuesInDocument } from '../../identity/api-settings/public.ts';
import type { IdentitySettings } from '../../identity/public.ts';
import type { Prepared, RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import type { StorageSettings } from '../../storage/public.ts';
import { operationCommands } from './commands.ts';
import { createDescription } from './description-routes.ts';
import * as documents from './documents.ts';
import { createHealth, healthDocument } from './health.ts';
import { createFirstAdministrator, initialise, makeReadyMadeGroups } from './initialise.ts';
import { installationRoutes, migrationListDocument, settingListDocument } from './installation-routes.ts';
import { errorRoutes, transferLogRoutes } from './log-routes.ts';
import { createMonitor } from './monitors.ts';
import { metricsReply, operationRoutes } from './routes.ts';
import { adminsSample, sampleDocument, sampleRemovalDocument } from './sample-routes.ts';
import { createSelfTest, operationChecks, selfTestDocument } from './self-test.ts';
import { type Switches, serviceRoutes, switchesName } from './service-routes.ts';
import { sessionDocument, sessionPeopleDocument, sessionRoutes } from './session-routes.ts';
import { type OperationSettings, operationSettings } from './settings.ts';
import { backupProperty, hasUsers } from './store.ts';
import { acceptKey, clockDefect, keyDefect, noteKey, stateOfKey } from './stored-key.ts';
import { upgradePlanDocument } from './upgrade-plan.ts';

type Checked = Pick<OperationSettings & IdentitySettings, 'adminPassword' | 'maxPasswordLength'>;

/** Initialisation, version, health, metrics, self-test, and what the API says of itself. */
export const operations = defineRoom({
  name: 'operations',
  settings: operationSettings,
  documents: [
    documents,
    {
      healthDocument,
      migrationListDocument,
      sampleDocument,
      sampleRemovalDocument,
      selfTestDocument,
      sessionDocument,
      sessionPeopleDocument,
      settingListDocument,
      upgradePlanDocument,
    },
  ],
  commands: globalThis.isEdgeModule ? {} : operationCommands,
  checkSettings({ adminPassword, maxPasswordLength }: Checked) {
    // A longer password would be stored, and never be accepted.
    if (adminPassword && adminPassword.reveal().length > maxPasswordLength) {
      throw new SettingError(`Expected at most ${maxPasswordLength} characters in ${variableOf('adminPassword')}`);
    }
  },
  open(context: RoomContext<OperationSettings & Pick<StorageSettings, 'maxTransferBytes'>>) {
    const { store, clock, random, settings, services, metrics, security, secretKey } = context;
    const description = createDescription(context);
    const health = createHealth(context);
    const switches = liveDocument(store, switchesName, (document) => document as Switches);
    metrics.gauge(
      'portico_security_kept',
      'Whether files of the security configuration have errors and an older one goes on',
      () => (security.kept() ? 1 : 0),
    );

    async function prepare(): Promise<Prepared> {
      await (settings.migrate ? store.migrate() : store.checkSchema());
      const key = await noteKey(store, secretKey).catch(() => 'none' as const);
      for (const says of [keyDefect(key), await clockDefect(store, clock)])
        if (says !== undefined) context.log.write('warn', 'host', { notice: says });
      if (await hasUsers(store)) return { madeUpPassword: undefined };
      await initialise(context, systemActor);
      const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
      const created = await createFirstAdministrator(store, clock, () => services.passwords.hash(password));
      return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
    }

    const own = operationChecks({ ...context, health });
    // Clients look at the first ones: those of the service come before those of rooms.
    const checks = () => [...own, ...context.checks().filter((check) => !own.includes(check))];
    return {
      routes: [
        operationRoutes({
          ...context,
          selfTest: createSelfTest({ clock, checks }),
          health,
          description,
        }),
        below(['migration', 'setting'], () => installationRoutes(context)),
        below('error', () => errorRoutes(context)),
        below('session', () => sessionRoutes(context)),
        below('vidispine-service', () => serviceRoutes({ ...context, switches })),
        below('log', () => transferLogRoutes()),
      ],
      checks: own,
      services: {
        prepare,
        kindsOff: valuesInDocument(switchesName, '$.off'),
      },
      provides: {
        ...description,
        work: context.work.list,
        monitor: createMonitor({ health, metrics: () => metricsReply(context) }),
        /** For checklists of administrators. */
        noteBackup: () =>
          store.commit(
            setProperties(
              context.properties,
              [{ key: backupProperty, value: new Date(clock.now()).toISOString() }],
              '',
              clock.now(),
            ),
            systemActor,
          ),
        keyDefect: async () => keyDefect(await stateOfKey(store, secretKey)),
        acceptKey: async () => acceptKey(store, requireKey(secretKey, 'accept')),
        sample: adminsSample(context),
        makeGroups: () => makeReadyMadeGroups(context, (work) => store.commit(work, systemActor)),
      },
    };
  },
});
