import { ServiceError } from '../../core/lib/errors.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, role, route } from '../../http/route.ts';
import { keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import type { Entity } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import {
  deleteLocation,
  exportLocationDocument,
  exportLocationListDocument,
  locationName,
  locationOf,
  noSuchLocation,
  setLocation,
  setScript,
} from './location.ts';
import type { ExportParts } from './parts.ts';
import { allLocations, findLocation, type LocationRow, locationMustExist } from './store.ts';

/** Destinations of exports that have a name. */
export function locationRoutes(parts: ExportParts): readonly Route[] {
  const { store, settings } = parts;
  const path = '/export-location/:location';
  const location: PathEntity<LocationRow & Entity> = {
    kind: locationName.type,
    async find(name) {
      const row = await findLocation(store, { name });
      if (row) return { id: row.name, ...row };
      throw noSuchLocation(name);
    },
    stays: ({ name }) => locationMustExist(name, noSuchLocation(name)),
  };

  return [
    route({
      method: 'GET',
      path: '/export-location',
      says: 'All export locations, by name.',
      query: page(settings.maxPage, settings.maxPage),
      answers: exportLocationListDocument,
      access: role('_export'),
      async handle(call) {
        const values = { ...pageOf(call.query) };
        const rows = await pageWithin(allLocations, call.reader, values, settings.maxPageValues);
        return { exportLocation: rows.map(locationOf) };
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'One export location.',
      entities: { location },
      answers: exportLocationDocument,
      access: role('_export'),
      handle: (_call, { location }) => locationOf(location),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Creates or replaces an export location. Without a script in the document, the script stays.',
      reads: exportLocationDocument,
      answers: exportLocationDocument,
      access: role(administrator),
      acting: 'refused',
      async handle(call, { location: name }) {
        const { row, work } = setLocation(name, call.body, await findLocation(store, { name }));
        await call.commit(work);
        return locationOf(row);
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes an export location. Running exports continue.',
      entities: { location },
      access: role(administrator),
      acting: 'refused',
      handle: (call, { location: { name } }) => call.commit(deleteLocation(name)),
    }),
    route({
      method: 'GET',
      path: `${path}/script`,
      says: 'The script that names the files of an export location.',
      entities: { location },
      answers: 'text',
      access: role('_export'),
      handle(_call, { location: { name, script } }) {
        if (script !== null) return script;
        throw new ServiceError('no-such-entity', { type: 'script', id: name });
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/script`,
      says: 'Sets the script of an export location. The value of its last statement is the file name. An empty body removes the script.',
      entities: { location },
      reads: 'text',
      answers: 'text',
      access: role(administrator),
      acting: 'refused',
      async handle(call, { location: { name } }) {
        await call.commit(setScript(name, call.body));
        return call.body;
      },
    }),
    ...keyValueRoutes(parts, {
      path,
      kind: locationName,
      read: role('_export'),
      write: role(administrator),
      acting: 'refused',
      entities: () => ({ location }),
    }),
  ];
}
