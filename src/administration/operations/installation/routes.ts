import { programVersion } from '../../../core/lib/version.ts';
import { flagOf, settingsInForce, variableOf } from '../../../core/settings/read.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { RoomContext } from '../../../room/context.ts';
import { administrator } from '../../../security/subject.ts';
import { migrationListDocument, settingListDocument } from '../documents/installation.ts';
import { appliedMigrations } from './store.ts';

/** What runs here: the settings in force, and the migrations of the database. */
export const installationRoutes = ({ store, settings }: Pick<RoomContext, 'store' | 'settings'>): readonly Route[] => [
  route({
    method: 'GET',
    path: '/setting',
    says: 'The settings of the process that answers, each with where its value comes from. Secrets are left out.',
    answers: settingListDocument,
    access: role(administrator),
    handle: () => ({
      setting: settingsInForce(settings as object).map(({ name, value, fallback, source, secret, isSet, says }) => ({
        ...{ name, flag: flagOf(name), variable: variableOf(name), source, secret, isSet, says },
        ...(value !== undefined && { value }),
        ...(fallback !== undefined && { default: fallback }),
      })),
    }),
  }),
  route({
    method: 'GET',
    path: '/migration',
    says: 'The version of this program and the migrations that its database has run, the newest first.',
    answers: migrationListDocument,
    access: role(administrator),
    async handle() {
      const rows = await appliedMigrations(store, {});
      return {
        version: programVersion,
        migration: rows.map(({ extension, ...row }) => ({ ...row, ...(extension !== null && { extension }) })),
      };
    },
  }),
];
