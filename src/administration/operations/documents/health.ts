import { boolean, document, element, oneOf } from '../../../core/documents/describe.ts';

export const healthDocument = document('HealthDocument', {
  live: element(boolean).required.says('The process runs.'),
  ready: element(boolean).says('The service can answer requests.'),
  database: element(oneOf('writable', 'unavailable')),
  migrations: element(oneOf('done', 'pending')).says('Whether the database has the schema of this program.'),
  security: element(oneOf('current', 'kept')).says(
    'kept: security.ini or a plugin changed and has errors. The previous configuration stays in use.',
  ),
});
