import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
} from '../../core/documents/describe.ts';
import { programVersion } from '../../core/lib/version.ts';
import { flagOf, settingsInForce, variableOf } from '../../core/settings/read.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { RoomContext } from '../../room/context.ts';
import { administrator } from '../../security/subject.ts';
import { appliedMigrations } from './store.ts';

const setting = structure('SettingType', {
  name: element(string).required,
  flag: element(string).required.says('Its flag on the command line.'),
  variable: element(string).required.says('Its variable in the environment.'),
  value: element(string).says('Left out: none, or a secret.'),
  default: element(string),
  source: element(oneOf('flag', 'environment', 'default', 'program')).required.says('Where the value comes from.'),
  secret: element(boolean).required.says('Whether its value is never shown.'),
  isSet: element(boolean).required.says('Whether it has a value.'),
  says: element(string).required,
});

/** Settings that the process goes by. */
export const settingListDocument = document('SettingListDocument', { setting: list(setting) });

const migration = structure('MigrationType', {
  number: element(integer).required,
  name: element(string).required,
  extension: element(string).says('Left out: of the service itself.'),
  applied: element(dateTime).required,
});

/** The program and the migrations that its database has run. */
export const migrationListDocument = document('MigrationListDocument', {
  version: element(string).required.says('The version of this program.'),
  migration: list(migration),
});

/** Routes for the settings in force, and for the migrations of the database. */
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
