import { type Route, role } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';

const explanation =
  'Expected no export template: scripts of export locations name files, and exports choose shapes by their tags';

/** Trees of steps that make archives and other files. Nobody here carries them out, so that none is kept. */
export function templateRoutes(): readonly Route[] {
  const all = '/export-template';
  const one = `${all}/:template`;
  const refused = (path: string) => ({
    path,
    says: 'Answers 501: this service carries out no export templates.',
    access: role('_export'),
    produces: [],
    handle: (): never => {
      throw new ServiceError('not-implemented', { context: path, explanation });
    },
  });
  return [
    { ...refused(all), method: 'GET' },
    { ...refused(one), method: 'GET' },
    { ...refused(one), method: 'PUT', acting: 'refused' },
    { ...refused(one), method: 'DELETE', acting: 'refused' },
  ];
}
