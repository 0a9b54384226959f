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
} from '../../../core/documents/describe.ts';

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
