import type { Settings } from '../config/settings.ts';
import { randomText } from '../lib/random.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House, Prepared } from '../room/house.ts';
import { systemActor } from '../store/contract.ts';
import { selfTestDocument } from './documents/self-test.ts';
import { versionDocument } from './documents/version.ts';
import { workListDocument } from './documents/work-list.ts';
import { createHealth } from './health.ts';
import { createFirstAdministrator, initialise } from './initialise.ts';
import { operationRoutes } from './routes.ts';
import { createSelfTest } from './self-test.ts';
import { hasUsers } from './store.ts';

/** Initialisation, version, health, metrics, self-test. */
export const operations = defineRoom({
  name: 'operations',
  documents: [selfTestDocument, versionDocument, workListDocument],
  open(house: House<Pick<Settings, 'migrate' | 'adminPassword'>>) {
    const { store, clock, log, random, settings, offices, sharesWork, security } = house;
    const health = createHealth(store, clock, log, sharesWork);

    async function prepare(): Promise<Prepared> {
      await (settings.migrate ? store.migrate() : store.checkSchema());
      if (await hasUsers(store)) return { madeUpPassword: undefined };
      await initialise(house, systemActor);
      const password = settings.adminPassword?.reveal() ?? randomText(random, 20);
      const created = await createFirstAdministrator(store, clock, () => offices.passwords.hash(password));
      return { madeUpPassword: created && !settings.adminPassword ? password : undefined };
    }

    return {
      routes: operationRoutes({
        ...house,
        selfTest: createSelfTest({ ...house, health }),
        health,
        explain: (question) => security.explain(question),
      }),
      offices: { prepare },
      offers: { work: house.work.list },
    };
  },
});
