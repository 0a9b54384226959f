import type { IdentitySettings } from '../identity/settings.ts';
import { randomText } from '../lib/random.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House, Prepared } from '../room/house.ts';
import { SettingError, variableOf } from '../settings/read.ts';
import { systemActor } from '../store/contract.ts';
import { operationChecks } from './checks.ts';
import { operationCommands } from './commands.ts';
import { createDescription } from './description/texts.ts';
import { healthDocument } from './documents/health.ts';
import { selfTestDocument } from './documents/self-test.ts';
import { upgradePlanDocument } from './documents/upgrade-plan.ts';
import { versionDocument } from './documents/version.ts';
import { workListDocument } from './documents/work-list.ts';
import { createHealth } from './health.ts';
import { createFirstAdministrator, initialise } from './initialise.ts';
import { operationRoutes } from './routes.ts';
import { createSelfTest } from './self-test.ts';
import { type OperationSettings, operationSettings } from './settings.ts';
import { hasUsers } from './store.ts';

type Checked = Pick<OperationSettings & IdentitySettings, 'adminPassword' | 'maxPasswordLength'>;

/** Initialisation, version, health, metrics, self-test, and what the API says of itself. */
export const operations = defineRoom({
  name: 'operations',
  settings: operationSettings,
  documents: [healthDocument, selfTestDocument, upgradePlanDocument, versionDocument, workListDocument],
  commands: operationCommands,
  checkSettings({ adminPassword, maxPasswordLength }: Checked) {
    // It would be stored, and then never be accepted.
    if (adminPassword && adminPassword.reveal().length > maxPasswordLength) {
      throw new SettingError(`Expected at most ${maxPasswordLength} characters in ${variableOf('adminPassword')}`);
    }
  },
  open(house: House<OperationSettings>) {
    const { store, clock, random, settings, offices, metrics, security } = house;
    const description = createDescription(house);
    const health = createHealth(house);
    metrics.gauge(
      'portico_security_kept',
      'Whether files of the security configuration have errors and an older one goes on',
      () => (security.kept() ? 1 : 0),
    );

    async function prepare(): Promise<Prepared> {
      await (settings.migrate ? store.migrate() : store.checkSchema());
      if (await hasUsers(store)) return { madeUpPassword: undefined };
      await initialise(house, systemActor);
      const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
      const created = await createFirstAdministrator(store, clock, () => offices.passwords.hash(password));
      return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
    }

    const own = operationChecks({ ...house, health });
    // Clients look at the first ones: those of the house come before those of rooms.
    const checks = () => [...own, ...house.checks().filter((check) => !own.includes(check))];
    return {
      routes: operationRoutes({
        ...house,
        selfTest: createSelfTest({ clock, checks }),
        health,
        description,
        explain: (question) => security.explain(question),
      }),
      checks: own,
      offices: { prepare },
      offers: { ...description, work: house.work.list },
    };
  },
});
